"""Packed data that is not what was packed: what was read before it was noticed may be wrong."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from pathlib import Path

import pytest

from cli.damaged import pack_zstd
from oraclesum import RecordError, Topic
from oraclesum.corpora import open_corpus
from oraclesum.corpora.unpacking import SpoiltError, damage, unpack

_NOTE = "; what was read of it before may be wrong as well"
_RECORDS = b"".join(
    b'{"id": "%d", "text": "A cat sat.", "references": ["a cat"]}\n' % k for k in range(3)
)
_TABLE = b"id,text,summary\n" + b"".join(b"%d,A cat sat.,a cat\n" % k for k in range(3))


def pack_zip(name: str, data: bytes) -> bytearray:
    """A zip archive with another check sum than the file has."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
        check = archive.infolist()[0].CRC.to_bytes(4, "little")
    return bytearray(stream.getvalue().replace(check, bytes(4)))


@pytest.mark.parametrize(("name", "data"), [("in.jsonl", _RECORDS), ("in.csv", _TABLE)])
@pytest.mark.parametrize("packing", ["gz", "bz2", "xz", "zst", "zip"])
def test_a_wrong_check_sum_says_that_records_read_before_may_be_wrong(
    name: str, data: bytes, packing: str, tmp_path: Path
) -> None:
    path = tmp_path / (f"{name}.{packing}" if packing != "zip" else "in.zip")
    if packing == "zip":
        path.write_bytes(pack_zip(name, data))
    else:
        pack = {"gz": gzip.compress, "bz2": bz2.compress, "zst": pack_zstd}
        packed = bytearray(pack.get(packing, lzma.compress)(data))
        # gzip has its length behind the sum; bzip2 the sum of a block also at its beginning.
        place = {"gz": -8, "bz2": 10, "xz": -40, "zst": -1}[packing]
        packed[place] ^= 1
        path.write_bytes(packed)
    *topics, error = open_corpus(path)
    assert all(isinstance(topic, Topic) for topic in topics)
    assert isinstance(error, RecordError)
    assert error.reason.startswith("reading stopped here, the rest is lost: ")
    assert error.reason.endswith(_NOTE)


@pytest.mark.parametrize("name", ["in.jsonl", "in.csv"])
def test_packed_text_that_ends_too_early_may_be_wrong_as_well(name: str, tmp_path: Path) -> None:
    """Nobody can tell it from damaged data that runs on past its end."""
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(_TABLE if name == "in.csv" else _RECORDS)[:-8])
    *topics, error = open_corpus(path)
    assert len(topics) == 3
    assert isinstance(error, RecordError)
    assert "cut off: the gzip data stops" in error.reason
    assert error.reason.endswith(_NOTE)


def pack_tar(broken: str) -> bytes:
    """A packed archive of two files, with a wrong check sum or a wrong second header."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name in ("a.jsonl", "b.jsonl"):
            member = tarfile.TarInfo(name)
            member.size = len(_RECORDS)
            archive.addfile(
                member, io.BytesIO(_RECORDS.replace(b': "', b': "' + name[:1].encode()))
            )
    data = bytearray(stream.getvalue())
    if broken == "header":
        data[data.index(b"b.jsonl")] ^= 1
    packed = bytearray(gzip.compress(data))
    if broken == "sum":
        packed[-8] ^= 1
    return bytes(packed)


@pytest.mark.parametrize("broken", ["sum", "header"])
def test_a_packed_archive_that_is_damaged_says_that_its_files_may_be_wrong(
    broken: str, tmp_path: Path
) -> None:
    path = tmp_path / "in.tar.gz"
    path.write_bytes(pack_tar(broken))
    *_, error = open_corpus(path)
    assert isinstance(error, RecordError)
    assert error.reason.startswith("damaged")
    assert "may be" in error.reason
    assert "wrong" in error.reason


def test_a_spoilt_stream_stays_spoilt() -> None:
    packed = bytearray(gzip.compress(b"abc"))
    packed[-8] ^= 1
    stream = unpack(io.BufferedReader(io.BytesIO(bytes(packed))))  # type: ignore[arg-type]  # typeshed wants a raw stream
    assert stream.read(3) == b"abc"
    for _ in range(2):
        with pytest.raises(damage()) as caught:
            stream.read(1)
        assert isinstance(caught.value, SpoiltError)
