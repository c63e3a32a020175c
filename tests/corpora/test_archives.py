"""Archives that are joined, or hold what does not belong to them: nothing is lost in silence."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from fixtures.trees import pack
from oraclesum import RecordError, Topic
from oraclesum.corpora import open_corpus
from oraclesum.corpora.archives import read_zip


def make_record(name: str) -> str:
    return f'{{"id": "{name}", "text": "A cat sat.", "references": ["a cat"]}}\n'


def make_zip(*names: str, comment: bytes = b"") -> bytes:
    """A zip archive with a file of one record for each name."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = comment
        for name in names:
            archive.writestr(f"{name}.jsonl", make_record(name))
    return stream.getvalue()


def read(path: Path) -> tuple[list[str], list[str]]:
    """The ids of the topics, and the reasons of the errors."""
    items = list(open_corpus(path))
    ids = [item.id for item in items if isinstance(item, Topic)]
    return ids, [item.reason for item in items if isinstance(item, RecordError)]


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("before", [make_zip("a"), make_zip(), b"#!/bin/sh\n"])
def test_what_stands_before_a_zip_archive_is_an_error_and_its_files_are_read(
    before: bytes, nested: bool, tmp_path: Path
) -> None:
    joined = before + make_zip("b", "c")
    path = tmp_path / "in.zip"
    path.write_bytes(joined)
    if nested:
        path = tmp_path / "in.tar"
        path.write_bytes(pack({"in.zip": joined}, "in.tar"))
    ids, [reason] = read(path)
    assert ids == ["b", "c"]
    assert reason.startswith(f"the {len(before)} bytes before its first file do not belong to it")
    assert "several archives, one behind the other" in reason


def test_what_stands_before_a_zip_archive_without_files_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "in.zip").write_bytes(make_zip("a") + make_zip())
    (tmp_path / "b.jsonl").write_text(make_record("b"))
    ids, [reason] = read(tmp_path)
    assert ids == ["b"]
    assert "before its first file do not belong to it" in reason


@pytest.mark.parametrize("comment", [b"", b"as sent in May"])
def test_what_follows_a_zip_archive_is_an_error_and_its_files_are_read(
    comment: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "in.zip"
    path.write_bytes(make_zip("a", comment=comment) + b'{"id": "b"}\n')
    ids, [reason] = read(path)
    assert ids == ["a"]
    assert reason == "the 12 bytes after its end do not belong to it and were not read"


def test_a_zip_archive_whose_comment_is_cut_off_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "in.zip"
    path.write_bytes(make_zip("a", comment=b"as sent in May")[:-4])
    assert read(path) == (["a"], ["cut off: 4 more bytes should follow"])


@pytest.mark.parametrize("mark", [b"PK00", b"PK\x07\x08"])
def test_a_zip_archive_may_have_a_comment_or_the_mark_of_several_parts(
    mark: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "in.zip"
    path.write_bytes(mark + make_zip("a", comment=b"as sent in May"))
    assert read(path) == (["a"], [])


@pytest.mark.parametrize(("start", "size"), [(16, 8), (16, 12), (10, 18), (24, 4)])
@pytest.mark.parametrize("streamed", [False, True])
def test_a_file_of_a_zip_whose_numbers_were_lost_is_not_empty(
    start: int, size: int, streamed: bool
) -> None:
    class Pipe(io.BytesIO):
        """A stream that cannot go back: sizes are written behind the data."""

        def seekable(self) -> bool:
            return not streamed

        def seek(self, *_: int) -> int:
            raise io.UnsupportedOperation if streamed else AssertionError

    stream = Pipe() if streamed else io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", "A cat sat.")
        archive.writestr("empty.txt", "")
    sound = stream.getvalue()
    first, empty = read_zip(io.BytesIO(sound))
    assert (first.wrong, empty.wrong) == (None, None)
    place = sound.rfind(b"a.txt") - 46 + start  # in the table of contents
    damaged = sound[:place] + bytes(size) + sound[place + size :]
    entries = read_zip(io.BytesIO(damaged))
    first = next(entries)
    if first.wrong is None:
        with pytest.raises(OSError, match=r"should be$|^Bad CRC"):
            first.open().read()
    else:
        assert "damaged" in first.wrong
    assert next(entries).wrong is None


def make_tar(*names: str, format: int) -> bytearray:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=format) as archive:
        for name in names:
            data = make_record(name[-7]).encode()
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return bytearray(stream.getvalue())


LONG = f"{'d' * 120}/a.jsonl"


@pytest.mark.parametrize("at", [512, 514, 530, 512 + len(f"138 path={LONG}"), 1023])
def test_a_damaged_long_name_of_pax_is_no_short_one(at: int, tmp_path: Path) -> None:
    whole = make_tar(LONG, "b.jsonl", format=tarfile.PAX_FORMAT)
    path = tmp_path / "in.tar"
    path.write_bytes(whole)
    assert read(path) == (["a", "b"], [])
    assert whole[512:].startswith(f"138 path={LONG}\n".encode())
    whole[at : at + 1] = b"\0"
    path.write_bytes(whole)
    ids, reasons = read(path)
    if at in (530, 1023):  # a letter, which has no check sum, or padding
        assert "b" in ids
    else:  # its length, or how it ends
        assert ids == []
        assert "the properties of a file, such as its long name, are damaged" in reasons[0]


def test_properties_that_a_header_claims_and_are_not_there_are_damage(tmp_path: Path) -> None:
    whole = make_tar(LONG, "b.jsonl", format=tarfile.PAX_FORMAT)
    whole[512:1024] = bytes(512)
    path = tmp_path / "in.tar"
    path.write_bytes(whole)
    ids, [reason, *_] = read(path)
    assert ids == []
    assert "the properties of a file, such as its long name, are damaged" in reason


@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_a_long_name_twice_before_a_file_is_damage(format: int, tmp_path: Path) -> None:
    whole = make_tar(LONG, "b.jsonl", format=format)
    path = tmp_path / "in.tar"
    path.write_bytes(whole[:1024] + whole)
    ids, [reason] = read(path)
    assert ids == []
    assert "two long names" in reason


def test_a_file_with_the_name_of_a_folder_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "in.tar").write_bytes(
        make_tar("x/a.jsonl/", "b.jsonl", format=tarfile.USTAR_FORMAT)
    )
    ids, [reason] = read(tmp_path / "in.tar")
    assert ids == ["b"]
    assert reason == "refused: a file with the name of a folder; its header is damaged"
