"""What an archive has, and the entries of a zip archive, with whatever is broken about it.

zipfile passes over whatever stands before or behind a zip archive; here nothing may, as it may be
another archive. It makes an object of every line in the table of contents before anyone can ask
how many there are; here they are counted first. Tar archives are read in tar.py.
"""

from __future__ import annotations

import errno
import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from typing import IO, Any, cast

from ..frozen import dataclass
from .unpacking import MOST_MEMORY, SpoiltError, damage, describe

__all__ = [
    "ArchiveError",
    "Entry",
    "read_zip",
]

_ZIP_END = b"PK\x05\x06"
_END_SIZE = 22  # without its comment
_LONGEST_END = _END_SIZE + (1 << 16)
_SPANNED = (b"PK00", b"PK\x07\x08")  # before the first file of some that were in several parts
# Beside the data of a zip's file: flags, check sum, sizes packed and not, of the name, of the rest.
_HEADER = struct.Struct("<6xH6xIIIHH")
_STREAMED = 8  # flag: check sum and sizes follow the data
_LZMA_MEMORY = 5  # where the data of this packing says how far it looks back
_DESCRIPTOR = 12  # bytes of these, without a mark
_LINE = struct.Struct("<28x3H")  # of the table of contents: sizes of the name, of the rest
_LINE_SIZE = 46  # without these
_LINE_WEIGHT = 1024  # bytes of memory for what zipfile makes of a line, and what is made of that
_EXTRA_WEIGHT = 16
_TABLE_COPIES = 2
_IN_EXTRA = 0xFFFFFFFF  # a size that needs more than 32 bits stands elsewhere


class ArchiveError(Exception):
    """Why the rest of an archive, or all of it, cannot be read."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What an archive holds under one name; to be read before the next one is asked for."""

    name: str
    size: int  # as the archive says
    kind: str  # "file", "folder", "link" or "other"
    open: Callable[[], IO[bytes]]
    taken: int  # bytes of the archive, unpacked, that it is, with all that belongs to it
    wrong: str | None = None  # why it cannot be opened


def read_zip(stream: IO[bytes], most: int | None = None) -> Iterator[Entry]:
    """The entries of a zip archive; the stream must be seekable. Raises ArchiveError.

    If something stands before or behind the archive, this is raised after all entries. `most`
    bounds the memory that its table of contents takes.
    """
    looking = _Looking(stream, most)
    try:
        archive = zipfile.ZipFile(cast(IO[bytes], looking))
        looking.most = None
        behind = _check_end_record(stream, len(archive.infolist()))
        before = _count_before(stream, archive)
    except damage() as error:
        raise ArchiveError(
            "damaged, or no zip archive: its table of contents, which is at the end, "
            f"cannot be read: {_explain(error)}"
        ) from None
    with archive:
        for info in archive.infolist():
            wrong = (
                "refused: encrypted; unpack it with its password" if info.flag_bits & 1 else None
            )
            if not info.filename:
                wrong = "refused: an entry without a name"
            elif "\0" in info.orig_filename:  # zipfile takes what stands before it for the name
                wrong = "refused: its name has a NUL character"
            content: IO[bytes] = io.BytesIO()
            try:
                # Also what nobody asks for is opened: this compares the name in the table of
                # contents, by which a file is chosen, with the one beside its data.
                if wrong is None:
                    _compare_header(stream, info)
                    if info.compress_type == zipfile.ZIP_LZMA:
                        wrong = _refuse_lzma(stream, info)
                if wrong is None:
                    # Buffered, as the first bytes of packed data are looked at.
                    content = io.BufferedReader(_Checked(archive, info))
            except damage() as error:
                wrong = f"cannot be read, the archive is damaged: {_explain(error)}"
            linked = stat.S_ISLNK(info.external_attr >> 16)
            with content:
                yield Entry(
                    name=info.filename,
                    size=info.file_size,
                    taken=info.file_size,
                    kind="folder" if info.filename.endswith("/") else "link" if linked else "file",
                    open=partial(_same, content),
                    wrong=wrong,
                )
    if before > 0:
        raise ArchiveError(
            f"the {before:,} bytes before its first file do not belong to it and were not read: "
            "if it is several archives, one behind the other, give each of them"
        )
    if behind > 0:
        raise ArchiveError(
            f"the {behind:,} bytes after its end do not belong to it and were not read"
        )
    if behind < 0:
        raise ArchiveError(f"cut off: {-behind:,} more bytes should follow")


class _Looking:
    """A zip archive whose table of contents is looked at before zipfile gets it.

    zipfile reads the table at once, by the size that the end of the archive gives, and whatever
    number of entries is given there. No other part that it reads first is as long as a long table.
    """

    def __init__(self, stream: IO[bytes], most: int | None) -> None:
        self._stream = stream
        self.most = most

    def read(self, size: int = -1) -> bytes:
        """What the archive has. Raises ArchiveError if this is a table that takes too much."""
        if self.most is None or size <= _LONGEST_END:
            return self._stream.read(size)
        table = self._stream.read(min(size, self.most // _TABLE_COPIES + 1))
        if _weigh_table(table, self.most) > self.most:
            raise ArchiveError(
                f"refused: its table of contents would take more than {self.most / (1 << 30):.3g} "
                "GiB of memory; unpack the archive into a folder, and give that"
            )
        return table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _weigh_table(table: bytes, most: int) -> int:
    """About how many bytes of memory zipfile takes for a table of contents, counted up to `most`.

    What is added to an entry counts more: it is made of pieces, and zipfile copies the rest of them
    for each one.
    """
    weight = _TABLE_COPIES * len(table)
    place = 0
    while place + _LINE_SIZE <= len(table) and weight <= most:
        name, extra, comment = _LINE.unpack_from(table, place)
        place += _LINE_SIZE + name + extra + comment
        weight += _LINE_WEIGHT + extra * max(_EXTRA_WEIGHT, extra >> 8)
    return weight


def _explain(error: Exception) -> str:
    # What comes of it in a file, and in bytes.
    if getattr(error, "errno", None) == errno.EINVAL or str(error).startswith("negative seek"):
        return "it names a place before its own start"
    return describe(error)


def _compare_header(stream: IO[bytes], info: zipfile.ZipInfo) -> None:
    """Compare check sum and sizes in the table of contents with those beside the data.

    zipfile believes the first, by which an entry whose numbers became 0 is a sound empty file.
    Raises BadZipFile.
    """
    stream.seek(info.header_offset)
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        raise zipfile.BadZipFile("cut off")
    flags, *beside, name, extra = _HEADER.unpack(header)
    stated = (info.CRC, info.compress_size, info.file_size)
    if flags & _STREAMED:  # these follow the data; with none of it, at once
        if info.compress_size or info.file_size:
            return
        stream.seek(name + extra, io.SEEK_CUR)
        follows = stream.read(_DESCRIPTOR)
        same = follows.startswith(b"PK") or not any(follows)
    else:
        same = all(one in (other, _IN_EXTRA) for one, other in zip(beside, stated, strict=True))
    if not same:
        raise zipfile.BadZipFile("its table of contents contradicts what stands beside the data")


def _refuse_lzma(stream: IO[bytes], info: zipfile.ZipInfo) -> str | None:
    """Why a file that is packed by LZMA is not unpacked, if it is not: zipfile takes any memory."""
    stream.seek(info.header_offset)
    *_, name, extra = _HEADER.unpack(stream.read(_HEADER.size))
    stream.seek(name + extra + _LZMA_MEMORY, io.SEEK_CUR)
    if int.from_bytes(stream.read(4), "little") <= MOST_MEMORY:
        return None
    return f"refused: unpacking it takes more than {MOST_MEMORY >> 20} MiB of memory; pack it again"


class _Checked(io.RawIOBase):
    """A file of a zip archive; unlike zipfile's, it hands out all that is there before a damage.

    After a damage, zipfile's goes on with whatever follows, or ends as if nothing had been.
    """

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        super().__init__()
        self._info = info
        unchecked = copy(info)
        del unchecked.CRC  # zipfile then compares none, which would cost the last part of the file
        self._stream = archive.open(unchecked)
        self._sum = self._size = 0
        self._damage: Exception | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed's Buffer is newer than 3.11
        if self._damage is not None:
            raise self._damage
        try:
            data = self._stream.read(len(buffer))
            if not data and self._sum != self._info.CRC:
                raise zipfile.BadZipFile(f"Bad CRC-32 for file {self._info.filename!r}")
            if not data and self._size != self._info.file_size:
                raise zipfile.BadZipFile(
                    f"{self._size:,} bytes where {self._info.file_size:,} should be"
                )
        except damage() as error:
            # A number is that of the disk, which has not given anything wrong.
            is_spoilt = getattr(error, "errno", None) is None
            self._damage = SpoiltError(describe(error)) if is_spoilt else error
            raise self._damage from None
        self._sum = zlib.crc32(data, self._sum)
        self._size += len(data)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


def _check_end_record(stream: IO[bytes], found: int) -> int:
    """How many bytes follow the end of a zip archive; less than none if it is cut off.

    Raises BadZipFile if the number of entries is not what the end says.
    """
    stream.seek(max(0, stream.seek(0, io.SEEK_END) - _LONGEST_END))
    end = stream.read()
    place = end.rfind(_ZIP_END)
    stated = int.from_bytes(end[place + 10 : place + 12], "little")
    if stated not in (found & 0xFFFF, 0xFFFF):  # the latter: too many for this field
        raise zipfile.BadZipFile(f"{found} entries where {stated} should be")
    comment = int.from_bytes(end[place + 20 : place + _END_SIZE], "little")
    return len(end) - place - _END_SIZE - comment


def _count_before(stream: IO[bytes], archive: zipfile.ZipFile) -> int:
    """How many bytes stand before the first file of a zip archive."""
    # Without a file, before its table of contents.
    first = min((one.header_offset for one in archive.infolist()), default=archive.start_dir)
    stream.seek(0)
    return 0 if first == len(_SPANNED[0]) and stream.read(first) in _SPANNED else first


def _same(stream: IO[bytes]) -> IO[bytes]:
    return stream
