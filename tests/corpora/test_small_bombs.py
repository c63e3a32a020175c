"""Headers, maps, tables and names, of which a small file may have millions, are bounded."""

from __future__ import annotations

import gzip
import io
import lzma
import struct
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from fixtures.trees import pack
from oraclesum import RecordError, Topic
from oraclesum.corpora import Caps, Repeats, formats, open_corpus
from oraclesum.corpora.archives import ArchiveError, read_zip
from oraclesum.corpora.files import walk_files

STORY = b"A first sentence here. A second one.\n\n@highlight\n\nA first sentence here.\n"
MUCH = 15_000_000  # bytes of memory, more than any of these files takes


def make_header(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    member = tarfile.TarInfo(name)
    member.size, member.type = size, kind
    return member.tobuf(tarfile.GNU_FORMAT)


def fill(data: bytes) -> bytes:
    return data + bytes(-len(data) % 512)


def make_story(name: str) -> bytes:
    return make_header(f"{name}.story", len(STORY)) + fill(STORY)


def make_properties(kind: bytes, *pairs: tuple[str, str]) -> bytes:
    lines = b""
    for key, value in pairs:
        rest = f" {key}={value}\n".encode()
        size = len(rest)
        while size != len(rest) + len(str(size)):
            size = len(rest) + len(str(size))
        lines += str(size).encode() + rest
    return make_header("properties", len(lines), kind) + fill(lines)


def write(path: Path, *parts: bytes) -> Path:
    with gzip.open(path, "wb", 1) as packed:
        for part in parts:
            packed.write(part)
        packed.write(bytes(1024))
    return path


def read(path: Path, caps: Caps | None = None) -> tuple[list[str], list[str], int]:
    """The ids of the topics, the reasons of the errors, and the most memory that they took."""
    tracemalloc.start()
    try:
        items: Iterable[Topic | RecordError] = open_corpus(path, format="stories", caps=caps)
        ids, reasons = [], []
        for item in items:
            if isinstance(item, RecordError):
                reasons.append(item.reason)
            else:
                ids.append(item.id)
        return ids, reasons, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_properties_for_all_files_of_a_tar_are_bounded_together(tmp_path: Path) -> None:
    parts = []
    for k in range(40):
        parts.append(make_properties(tarfile.XGLTYPE, (f"comment{k}", "v" * 700_000)))
        parts.append(make_story(f"s{k}"))
    ids, [reason], most = read(write(tmp_path / "in.tgz", *parts))
    assert ids == ["s0"]
    assert "more than 1,048,576 bytes of properties that hold for all its files" in reason
    assert "from its unpacked byte" in reason
    assert most < MUCH


def test_properties_for_all_files_hold_until_others_take_their_place(tmp_path: Path) -> None:
    first = make_properties(tarfile.XGLTYPE, ("comment", "as sent"), ("path", "x.story"))
    own = make_properties(tarfile.XHDTYPE, ("path", "own.story"), ("size", str(len(STORY))))
    empty = make_header("b.story", 0) + fill(STORY)
    path = write(tmp_path / "in.tgz", first, make_story("a"), own, empty)
    assert read(path)[:2] == (["x", "own"], [])


def make_old_sparse(blocks: int) -> bytes:
    """A sparse file of old GNU tar whose map goes on for so many blocks."""
    header = bytearray(make_header("hole.story", 0, tarfile.GNUTYPE_SPARSE))
    header[482] = blocks > 0
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    piece = b"00000000001\0" * 42
    return bytes(header) + (piece + b"\1" + bytes(7)) * (blocks - 1) + piece + bytes(8)


def test_the_map_of_an_old_sparse_file_is_passed_over_and_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "in.tgz"
    write(path, make_story("a"), make_old_sparse(1500), make_story("b"))
    ids, [reason], most = read(path)
    assert (ids, reason) == (["a", "b"], "refused: not a regular file")
    assert most < 4_000_000
    write(path, make_story("a"), make_old_sparse(30_000), make_story("b"))
    ids, [reason], most = read(path)
    assert ids == ["a"]
    assert "more than 1,048,576 bytes before a sparse file" in reason
    assert most < 4_000_000


@pytest.mark.parametrize("version", ["0.0", "0.1", "1.0"])
def test_the_map_of_a_sparse_file_of_pax_is_not_read(version: str, tmp_path: Path) -> None:
    data = b"2000000\n" + b"0\n" * 4_000_000 if version == "1.0" else b"x" * 10
    sparse = {
        "1.0": [("GNU.sparse.major", "1"), ("GNU.sparse.minor", "0")],
        "0.1": [("GNU.sparse.map", "0,1," * 200_000 + "0,1")],
        "0.0": [("GNU.sparse.size", "9999"), *[("GNU.sparse.offset", "1")] * 20_000],
    }[version]
    named = [*sparse, ("GNU.sparse.name", "hole.story"), ("GNU.sparse.realsize", "9999")]
    path = write(
        tmp_path / "in.tgz",
        make_story("a"),
        make_properties(tarfile.XHDTYPE, *named),
        make_header("GNUSparseFile.0/hole.story", len(data)) + fill(data),
        make_story("b"),
    )
    ids, [reason], most = read(path)
    assert (ids, reason) == (["a", "b"], "refused: not a regular file")
    assert most < MUCH
    assert [str(item) for item in walk_files(path) if isinstance(item, RecordError)] == [
        f"{path}/hole.story:1: refused: not a regular file"
    ]


def test_what_nobody_reads_of_a_tar_counts_as_unpacked(tmp_path: Path) -> None:
    hidden = make_header(".hidden", 600_000) + bytes(600_064)
    path = write(tmp_path / "in.tgz", make_story("a"), hidden, hidden, make_story("b"))
    assert read(path)[:2] == (["a", "b"], [])
    ids, [reason], _ = read(path, Caps(total_bytes=1_000_000))
    assert ids == ["a"]
    assert "refused from here on: more than" in reason
    properties = make_properties(tarfile.XHDTYPE, ("comment", "v" * 600_000))
    write(path, properties, make_story("a"), properties, make_story("b"))
    assert read(path, Caps(total_bytes=1_000_000))[0] == ["a"]


def test_what_is_refused_counts_as_files(tmp_path: Path) -> None:
    links = [make_header("link.story", 0, tarfile.SYMTYPE)] * 50
    path = write(tmp_path / "in.tgz", make_story("a"), *links)
    ids, reasons, _ = read(path, Caps(files=10))
    assert (ids, len(reasons)) == (["a"], 10)
    assert reasons[-1] == "refused from here on: more than 10 files"


def make_zip(
    count: int, *, stated: int | None = None, extra: bytes = b"", comment: bytes = b""
) -> bytes:
    """A zip archive with a table of contents of so many lines, all of one empty file."""
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 0, 0, 33, 0, 0, 0, 7, 0) + b"a.story"
    sizes = (7, len(extra), len(comment))
    line = struct.pack(
        "<4s4B4HL2L5H2L", b"PK\1\2", 20, 3, 20, 0, 0, 0, 0, 33, 0, 0, 0, *sizes, 0, 0, 0, 0
    )
    table = (line + b"a.story" + extra + comment) * count
    stated = count if stated is None else stated
    place = len(local)
    end64 = struct.pack(
        "<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, stated, stated, len(table), place
    )
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, place + len(table), 1)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 2**32 - 1, 2**32 - 1, 0)
    return local + table + end64 + locator + end


@pytest.mark.parametrize("stated", [None, 3])
@pytest.mark.parametrize("nested", [False, True])
def test_a_table_of_contents_is_refused_before_it_takes_more_than_is_kept(
    stated: int | None, nested: bool, tmp_path: Path
) -> None:
    whole = make_zip(40_000, stated=stated)
    path = tmp_path / "in.zip"
    path.write_bytes(whole)
    if nested:
        path = tmp_path / "in.tgz"
        path.write_bytes(pack({"a.zip": whole, "s.story": STORY}, "in.tgz"))
    ids, _, most = read(path, Caps(kept_bytes=20 << 20))
    assert ids == (["s"] if nested else [])
    assert most < MUCH
    errors = [
        item
        for item in walk_files(path, Caps(kept_bytes=20 << 20))
        if isinstance(item, RecordError)
    ]
    assert "refused: its table of contents would take more than 0.0" in errors[0].reason
    assert "unpack the archive into a folder" in errors[0].reason
    assert len(errors) == 1


def test_a_table_that_claims_to_be_huge_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "in.zip"
    with path.open("wb") as file:  # a sparse file of a gigabyte of zeros, and an end
        file.truncate(1 << 30)
        file.seek(1 << 30)
        file.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, 1 << 30, 0, 0))
    tracemalloc.start()
    with path.open("rb") as stream, pytest.raises(ArchiveError):
        next(read_zip(stream, 4 << 20))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < MUCH


@pytest.mark.parametrize("extra", [b"\x99\x99\0\0" * 15_000, b"\x99\x99\x10\0" + b"x" * 16])
def test_what_is_added_to_the_lines_of_a_table_weighs_what_it_costs(extra: bytes) -> None:
    whole = make_zip(2_000, extra=extra, comment=b"seen")
    if len(extra) > 100:
        with pytest.raises(ArchiveError, match="table of contents would take more"):
            next(read_zip(io.BytesIO(whole), 1 << 30))
    else:
        assert next(read_zip(io.BytesIO(whole), 1 << 30)).name == "a.story"


def test_errors_that_are_kept_until_the_format_is_known_are_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "_MOST_REFUSED", 10)
    path = write(tmp_path / "in.tgz", *[make_header("a.story", 0, tarfile.SYMTYPE)] * 500)
    found = [str(item) for item in open_corpus(path)]
    assert len(found) == 11
    assert found[-1] == f"{path}/a.story:1: and 490 more were refused"


def test_the_name_of_a_nested_archive_counts_for_each_of_its_files(tmp_path: Path) -> None:
    inner = pack({f"{k}.story": STORY for k in range(50)}, "in.tar")
    path = tmp_path / "in.tgz"
    path.write_bytes(pack({f"{'n' * 200}.tar": inner}, "in.tgz"))
    assert read(path)[1:2] == ([],)
    ids, [reason], _ = read(path, Caps(name_bytes=5000))
    assert 15 < len(ids) < 25
    assert "MiB of names" in reason


def test_ids_and_names_of_files_that_are_long_are_not_kept_for_each_record() -> None:
    used = Repeats()
    tracemalloc.start()
    for k in range(5000):
        assert used.find(f"{'n' * 4000}:{k}", f"{'n' * 4000}.jsonl", k) is None
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 3_000_000
    again = used.find(f"{'n' * 4000}:7", "b.jsonl", 1)
    assert again is not None
    assert again.reason.endswith(f"was already used at {'n' * 4000}.jsonl:7")


def look_far_back(packed: bytes) -> bytes:
    """xz data that says it looks back to 1.5 GiB."""
    changed = bytearray(packed)
    end = 12 + (changed[12] + 1) * 4
    assert changed[14] == 0x21  # LZMA2
    changed[16] = 37
    changed[end - 4 : end] = struct.pack("<I", zlib.crc32(changed[12 : end - 4]))
    return bytes(changed)


def test_xz_data_that_needs_more_memory_than_any_has_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl.xz"
    line = b'{"id": "a", "text": "A cat sat.", "references": ["a cat"]}\n'
    path.write_bytes(lzma.compress(line, preset=9))
    assert [item.id for item in open_corpus(path) if isinstance(item, Topic)] == ["a"]
    path.write_bytes(look_far_back(lzma.compress(line)))
    [error] = open_corpus(path)
    assert "unpacking the xz data takes more than 256 MiB of memory; pack it again" in str(error)


def test_a_file_of_a_zip_that_needs_more_memory_than_any_has_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "in.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.story", STORY)
        archive.writestr("b.story", STORY)
    assert read(path)[:2] == (["a", "b"], [])
    data = bytearray(path.read_bytes())
    place = 30 + len("a.story") + 5
    assert int.from_bytes(data[place : place + 4], "little") == 1 << 23
    data[place : place + 4] = (1 << 30).to_bytes(4, "little")
    path.write_bytes(data)
    reason = "refused: unpacking it takes more than 256 MiB of memory; pack it again"
    assert read(path)[:2] == (["b"], [reason])
