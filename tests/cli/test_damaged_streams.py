"""Streams that are damaged in the middle: what stands before it is answered, and nothing else."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import tarfile
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from cli.corpus import call, jsonl, records
from cli.damaged import COUNT, lines, pack_zstd, run, topic
from oraclesum import RecordError, open_corpus, open_source
from oraclesum.corpora.unpacking import DamageError, describe, unpack


def nameless(word: str, count: int) -> bytes:
    rows = ({"text": f"A {word} came. It left {i}.", "references": [word]} for i in range(count))
    return jsonl(*rows)


def pack(kind: str, files: dict[str, bytes]) -> bytes:
    """A tar or zip archive; nothing in it is compressed."""
    stream = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(stream, "w") as zipped:
            for name, data in files.items():
                zipped.writestr(name, data)
        return stream.getvalue()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def flip(data: bytes, place: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 1
    return bytes(changed)


def test_no_file_answers_records_of_another(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.zst").write_bytes(pack_zstd(nameless("storm", 3000), checked=False))
    broken = pack_zstd(nameless("ship", 50), checked=False) + b"garbage!"
    (tmp_path / "b.jsonl.zst").write_bytes(broken)
    found = list(open_corpus(tmp_path))
    topics = [item for item in found if not isinstance(item, RecordError)]
    (error,) = (item for item in found if isinstance(item, RecordError))
    assert [topic.id for topic in topics] == [
        *(f"a.jsonl.zst:{number}" for number in range(1, 3001)),
        *(f"b.jsonl.zst:{number}" for number in range(1, 51)),
    ]
    assert all("ship" in (topic.text or "") for topic in topics[3000:])
    assert f"from byte {len(broken) - 8:,} on, what follows the zstd data" in str(error)


def block(content: bytes, *, last: bool) -> bytes:
    return (len(content) << 3 | last).to_bytes(3, "little") + content


class Slow(io.BytesIO):
    """A stream that gives one byte at a time."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(1 if size else 0)


REPEATED_0_TIMES = b"\x03\0\0x"


@pytest.mark.parametrize("source", [io.BytesIO, Slow])
@pytest.mark.parametrize(
    ("stated", "blocks", "sound"),
    [
        (4, block(b"abc\n", last=False) + block(b"", last=True), True),
        (9, block(b"abc\n", last=False) + block(b"", last=True), False),
        (4, block(b"abc\n", last=False) + REPEATED_0_TIMES, True),
        (9, block(b"abc\n", last=False) + REPEATED_0_TIMES, False),
        (0, block(b"abc\n", last=False) + REPEATED_0_TIMES, False),
        (0, block(b"", last=True), True),
        (9, block(b"", last=True), False),
        (0, REPEATED_0_TIMES, True),
    ],
)
def test_the_length_that_zstd_data_states_is_compared(
    stated: int, blocks: bytes, sound: bool, source: type[io.BytesIO]
) -> None:
    frame = b"\x28\xb5\x2f\xfd\xa0" + stated.to_bytes(4, "little") + blocks
    unpacked = b""
    damage = None
    with unpack(source(frame * 2), frame) as stream:
        try:
            while data := stream.read(1):
                unpacked += data
        except DamageError as error:
            damage = error
    assert (damage is None) == sound
    content = b"abc\n" if b"abc" in blocks else b""
    assert unpacked == (content * 2 if sound else content[:stated])


def test_a_table_with_something_behind_it_has_its_own_rows_only(tmp_path: Path) -> None:
    rows = "".join(f"{i},A storm came. It left.,a storm came\n" for i in range(40))
    data = pack_zstd(f"id,text,references\n{rows}".encode())
    (tmp_path / "in.csv.zst").write_bytes(data + b"id,text\n")
    status, good, bad, _ = run(tmp_path / "in.csv.zst")
    assert (status, good, len(bad)) == (1, [str(i) for i in range(40)], 1)


@pytest.mark.parametrize("second", [b"", b"\x53*M\x18\x05\0\0\0notes"])
def test_what_precedes_a_damaged_frame_or_block_is_answered(second: bytes, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl.zst"
    blocks = [jsonl(topic(number)) for number in range(COUNT)]
    path.write_bytes(pack_zstd(*blocks[:10]) + second + pack_zstd(*blocks[10:]))
    assert run(path)[:3] == (0, [f"t{number}" for number in range(COUNT)], [])
    whole = pack_zstd(*blocks[:10]) + second
    # Check sum and last block, which is empty, have 7 bytes.
    for rest, kept in ((pack_zstd(lines())[:-9], 10), (pack_zstd(*blocks[10:])[:-9], COUNT - 1)):
        path.write_bytes(whole + rest)
        status, good, bad, _ = run(path)
        assert (status, good, len(bad)) == (1, [f"t{number}" for number in range(kept)], 1)
        assert "cut off: the zstd data stops" in bad[0]


def test_a_damaged_stream_stays_damaged() -> None:
    data = b"".join(b"%d\n" % number for number in range(100_000))
    for packed in (pack_zstd(data), gzip.compress(data)):
        stream = unpack(io.BufferedReader(io.BytesIO(packed[:-3])))
        found = b""
        while len(found) < len(data):
            found += stream.read1(1 << 16)  # type: ignore[attr-defined]  # it is buffered
        assert found == data
        for _ in range(3):
            with pytest.raises(DamageError, match="cut off"):
                stream.read(10)


@pytest.mark.parametrize("how", ["check sum", "cut", "too large"])
def test_one_bad_text_of_an_archive_costs_its_topic_only(how: str, tmp_path: Path) -> None:
    files = {}
    for number in range(20):
        files[f"c/{number:02}.txt"] = f"The ship {number} sank. A storm came.".encode()
        files[f"c/{number:02}.ref.txt"] = b"a storm came"
    extra: tuple[str, ...] = ()
    path = tmp_path / ("in.zip" if how == "check sum" else "in.tar")
    if how == "check sum":
        data = pack("zip", files)
        data = flip(flip(data, data.index(b"ship 15")), data.rindex(b"a storm came"))
        bad_ones = ["15", "19"]
    elif how == "cut":
        data = pack("tar", files)[: 1024 * 36 + 512 + 10]  # inside 18.txt
        bad_ones = ["18"]
    else:
        data = pack("tar", files | {"c/15.txt": b"A storm came. " * 100})
        extra = ("--record-bytes", "1000")
        bad_ones = ["15"]
    path.write_bytes(data)
    status, good, bad, _ = run(path, *extra)
    lost = ["19"] if how == "cut" else []
    assert status == 1
    assert good == [f"{i:02}" for i in range(20) if f"{i:02}" not in bad_ones + lost]
    for one in bad_ones:
        assert any(f"{path}/c/{one}.txt:1: " in error for error in bad)
    assert not any(f"{path}/c/15.txt: " in error for error in bad)  # the name once, not twice


def annotations(articles: int) -> bytes:
    rows: list[dict[str, Any]] = [
        {
            "id": f"d{article}",
            "decoded": "the ship sank today",
            "expert_annotations": [{"coherence": 2, "relevance": 3}],
            "references": ["a ship sank today in the storm"],
            "model_id": system,
            "text": f"The ship sank today. A storm came over the coast {article}.",
        }
        for article in range(articles)
        for system in ("M0", "M1")
    ]
    return jsonl(*rows)


@pytest.mark.parametrize("articles", [10, 600])
@pytest.mark.parametrize("kind", ["gzip", "zstd", "tar", "zip"])
def test_damaged_annotations_of_systems_are_answered_up_to_there(
    kind: str, articles: int, tmp_path: Path
) -> None:
    data = annotations(articles)
    path = tmp_path / {"gzip": "in.jsonl.gz", "zstd": "in.jsonl.zst"}.get(kind, f"in.{kind}")
    if kind == "gzip":
        path.write_bytes(gzip.compress(data)[:-5])
    elif kind == "zstd":
        path.write_bytes(pack_zstd(data)[:-2])
    elif kind == "tar":
        path.write_bytes(pack("tar", {"in.jsonl": data})[: 512 + len(data) - 5])
    else:
        packed = pack("zip", {"in.jsonl": data})
        path.write_bytes(flip(packed, packed.index(b"the ship sank")))
    found = list(open_corpus(path))
    topics = [item for item in found if not isinstance(item, RecordError)]
    assert [topic.id for topic in topics] == [f"d{number}" for number in range(articles)]
    assert [*topics[0].systems] == ["M0", "M1"]
    assert len(found) - len(topics) == (2 if kind == "tar" else 1)  # the file and the archive
    if articles == 10:
        for verb in ("enumerate", "evaluate"):
            result = call(verb, path, "--max-words", "8", "-q", "-o", "-")
            assert result.exit_code == 1
            assert "reading stopped here, the rest is lost" in result.stderr
            rows = records(result.stdout)
            assert sum(row.get("status") == "error" for row in rows) == len(found) - len(topics)


@pytest.mark.parametrize("kind", ["gzip", "zstd", "plain"])
def test_packed_data_is_known_though_a_pipe_gives_it_byte_by_byte(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = {"gzip": gzip.compress, "zstd": pack_zstd, "plain": bytes}[kind](lines())

    class Slow(io.RawIOBase):
        left = data

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            given, self.left = self.left[:1], self.left[1:]
            buffer[: len(given)] = given
            return len(given)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Slow())))
    with open_source("-") as source:
        assert [json.loads(line)["id"] for line in source.lines] == [f"t{i}" for i in range(COUNT)]


def test_who_writes_a_short_first_line_is_not_kept_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as stream, open(writing, "wb", buffering=0) as into:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        into.write(b"[]\n")
        rescue = threading.Timer(60, into.close)
        rescue.start()
        with open_source("-") as source:
            assert source.lines.readline() == b"[]\n"
        assert not into.closed
        rescue.cancel()


def test_a_reason_is_one_line_of_bearable_length() -> None:
    assert describe(OSError("Couldn't deserialize:\n  thrift\n")) == "Couldn't deserialize: thrift"
    assert len(describe(ValueError(repr(bytes(10_000))))) < 310
    assert describe(EOFError()) == "EOFError"
