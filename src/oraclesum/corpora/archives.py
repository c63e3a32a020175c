"""The entries of a tar or zip archive, one after another, and whatever is broken about it.

tarfile takes a broken header for the end of the archive; here an archive ends with the blocks of
zeros that every tar program writes, and nothing follows them. zipfile passes over whatever stands
before or behind a zip archive; here nothing may, as it may be another archive. What a packed
archive says of its own length and check sum is compared as well (unpacking.py).
"""

from __future__ import annotations

import errno
import io
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from typing import IO, Any, BinaryIO, Self, cast

from ..frozen import dataclass
from .unpacking import SpoiltError, damage, describe, describe_loss, unpack

__all__ = [
    "ArchiveError",
    "Entry",
    "read_tar",
    "read_zip",
]

_ZIP_END = b"PK\x05\x06"
_END_SIZE = 22  # without its comment
_LONGEST_END = _END_SIZE + (1 << 16)
_SPANNED = (b"PK00", b"PK\x07\x08")  # before the first file of some that were in several parts
# Beside the data of a zip's file: flags, check sum, sizes packed and not, of the name, of the rest.
_HEADER = struct.Struct("<6xH6xIIIHH")
_STREAMED = 8  # flag: check sum and sizes follow the data
_DESCRIPTOR = 12  # bytes of these, without a mark
_IN_EXTRA = 0xFFFFFFFF  # a size that needs more than 32 bits stands elsewhere
_BLOCK = 512  # of tar
_LONGEST_HEADER = 1 << 20
_LONG_NAMES = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_PAX = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
_PROPERTY = re.compile(rb"(\d{1,10}) [^=]+=")


class ArchiveError(Exception):
    """Why the rest of an archive, or all of it, cannot be read."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What an archive holds under one name; to be read before the next one is asked for."""

    name: str
    size: int  # as the archive says
    kind: str  # "file", "folder", "link" or "other"
    open: Callable[[], IO[bytes]]
    wrong: str | None = None  # why it cannot be opened


def read_tar(stream: IO[bytes]) -> Iterator[Entry]:
    """The entries of a tar archive, packed or not. Raises ArchiveError at the first damage."""
    whole = unpack(stream)
    unpacked = _Patient(whole)
    position = 0
    try:
        # The stubs want more of a stream than `read`, which is all that is used of it.
        source = cast(IO[bytes], unpacked)
        with tarfile.open(fileobj=source, mode="r|", tarinfo=_Member) as archive:
            while (member := archive.next()) is not None:
                yield Entry(
                    name=member.name,
                    size=member.size,
                    kind=_find_kind(member),
                    open=partial(_open_member, archive, member),
                )
                # It would keep every header until the end; the stubs do not know of it.
                archive.members.clear()  # type: ignore[attr-defined]
                position = archive.offset
            _check_end(archive)
    except RecursionError:  # tarfile calls itself for each of them
        raise _lose_from(position, "too many headers before one file") from None
    except damage() as error:
        cause = unpacked.damage or error
        if position and whole is not stream and unpacked.damage is None:
            # The packed data may be what is damaged: its check sum, at the end, is not read.
            cause = SpoiltError(describe(error))
        raise _lose_from(position, describe_loss(cause)) from None
    if unpacked.damage is not None:
        raise ArchiveError(f"damaged; files may be lost or wrong: {describe(unpacked.damage)}")


def _lose_from(position: int, reason: str) -> ArchiveError:
    return ArchiveError(
        "damaged, or no tar archive; what comes from its unpacked byte "
        f"{position:,} on is lost: {reason}"
    )


def _find_kind(member: tarfile.TarInfo) -> str:
    if member.isdir():
        return "folder"
    if member.issym() or member.islnk():
        return "link"
    return "file" if member.isreg() and not member.issparse() else "other"


def _open_member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    return io.BufferedReader(_Content(cast(IO[bytes], archive.fileobj), member.size))


class _Content(io.RawIOBase):
    """The next bytes of an archive; unlike tarfile's, it hands out what is there before a cut."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        super().__init__()
        self._stream = stream
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed's Buffer is newer than 3.11
        wanted = min(len(buffer), self._left)
        data = self._stream.read(wanted) if wanted else b""
        if wanted and not data:
            raise tarfile.ReadError(f"cut off: {self._left:,} more bytes should follow")
        self._left -= len(data)
        buffer[: len(data)] = data
        return len(data)


class _Patient:
    """A stream that ends at a damage and keeps it: what was read before is not thrown away."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.damage: Exception | None = None

    def read(self, size: int) -> bytes:
        """The next bytes, none at the end or at a damage."""
        try:
            # Not `read`, which drops what it has if the last part of it fails.
            return cast(io.BufferedReader, self._stream).read1(size)
        except damage() as error:
            self.damage = error
            return b""


class _Member(tarfile.TarInfo):
    """A header of an archive; refuses what tarfile takes for an end that is none."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            info = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if len(buf) == _BLOCK and not any(buf):
                raise  # the first of the two blocks of zeros that end an archive
            what = str(error) if buf else "it is cut off"
            raise tarfile.ReadError(what) from None
        if not info.isreg() and not info.isdir() and info.size > _LONGEST_HEADER:
            raise tarfile.ReadError(f"a header of {info.size} bytes")
        return info

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        """Read what follows this header; a long name, say, and the header of its file."""
        if self.type not in (*_LONG_NAMES, *_PAX):
            return cast(tarfile.TarInfo, super()._proc_member(archive))  # type: ignore[misc]  # not in the stubs
        begun: set[bytes] = vars(archive).setdefault("begun", set())
        if self.type in begun and self.type != tarfile.XGLTYPE:
            raise tarfile.ReadError("two long names, or two lists of properties, for one file")
        begun.add(self.type)
        source = archive.fileobj
        if self.type in _PAX:
            archive.fileobj = cast(IO[bytes], _read_again(source, self.size))
        try:
            return cast(tarfile.TarInfo, super()._proc_member(archive))  # type: ignore[misc]
        finally:
            archive.fileobj = source
            begun.discard(self.type)


class _Again:
    """A stream of which something was read before, which comes once more."""

    def __init__(self, data: bytes, stream: Any) -> None:
        self._data = data
        self._stream = stream

    def read(self, size: int) -> bytes:
        """What was read, which has this size; then what follows."""
        if not self._data:
            return cast(bytes, self._stream.read(size))
        data, self._data = self._data, b""
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _read_again(stream: Any, size: int) -> _Again:
    """The properties that pax writes before a file, to be read. Raises ReadError.

    Each has its length, and tarfile leaves out all from the first one that is damaged.
    """
    data = stream.read(-(-size // _BLOCK) * _BLOCK)
    place = 0
    while place < size and (found := _PROPERTY.match(data, place, size)):
        end = place + int(found[1])
        if not found.end() < end <= size or data[end - 1 : end] != b"\n":
            break
        place = end
    if place != size or len(data) < size:
        raise tarfile.ReadError("the properties of a file, such as its long name, are damaged")
    return _Again(data, stream)


def _check_end(archive: tarfile.TarFile) -> None:
    """After a block of zeros: one more, then nothing but zeros. Raises ReadError."""
    stream = cast(IO[bytes], archive.fileobj)
    if len(second := stream.read(_BLOCK)) < _BLOCK or any(second):
        raise tarfile.ReadError("one block of zeros where the end of an archive has two")
    while more := stream.read(1 << 16):
        if more.strip(b"\0"):
            raise tarfile.ReadError("something follows the end of the archive")


def read_zip(stream: IO[bytes]) -> Iterator[Entry]:
    """The entries of a zip archive; the stream must be seekable. Raises ArchiveError.

    If something stands before or behind the archive, this is raised after all entries.
    """
    try:
        archive = zipfile.ZipFile(stream)
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
                    # Buffered, as the first bytes of packed data are looked at.
                    content = io.BufferedReader(_Checked(archive, info))
            except damage() as error:
                wrong = f"cannot be read, the archive is damaged: {_explain(error)}"
            linked = stat.S_ISLNK(info.external_attr >> 16)
            with content:
                yield Entry(
                    name=info.filename,
                    size=info.file_size,
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
