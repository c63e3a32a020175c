"""The entries of a tar archive, one after another, and whatever is broken about it.

Only the fields of a header are left to tarfile. Its way from one header to the next calls itself
for each list of properties, keeps all of those that hold for the whole archive, and reads the map
of a sparse file, of any length, before anyone can refuse it; and it takes a broken header for the
end. Here an archive ends with the blocks of zeros that every tar program writes, and nothing but
padding follows them. Of a header no more is kept than what an entry has.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator
from functools import partial
from typing import IO, BinaryIO, NamedTuple, cast

from .archives import ArchiveError, Entry
from .unpacking import (
    MOST_ZEROS,
    SpoiltError,
    damage,
    describe,
    describe_loss,
    is_padding,
    unpack,
)

__all__ = ["read_tar"]

_BLOCK = 512
_PART = 1 << 16  # bytes that are passed over at a time
_LONGEST_HEADER = 1 << 20  # also of all that hold for the whole archive
_MOST_HEADERS = 100  # before one file
_LONG_NAMES = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_PROPERTIES = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
_SPARSE = tarfile.GNUTYPE_SPARSE
_PROPERTY = re.compile(rb"(\d{1,10}) ([^=]+)=")
_SPARSE_PROPERTY = b"GNU.sparse."
_SPARSE_NAME = b"GNU.sparse.name"
_KEPT = (b"path", b"size", _SPARSE_NAME)
_NUMBER = re.compile(rb"\d{1,20}")
_MORE_MAP = 482  # of a header: whether blocks with more of a sparse file's map follow
_STILL_MORE_MAP = 504  # the same of these
_ENCODING, _ERRORS = "utf-8", "surrogateescape"


def read_tar(stream: IO[bytes]) -> Iterator[Entry]:
    """The entries of a tar archive, packed or not. Raises ArchiveError at the first damage."""
    whole = unpack(stream)
    tape = _Tape(whole)
    position = 0
    try:
        everywhere = _Everywhere()
        while (found := _read_header(tape, everywhere)) is not None:
            end = tape.place + _fill(found.size)
            yield Entry(
                name=found.name,
                size=found.size,
                kind=found.kind,
                open=partial(_open_content, tape, found.size),
                taken=end - position,
            )
            tape.skip(end - tape.place)
            position = end
        _check_end(tape)
    except damage() as error:
        cause = tape.damage or error
        if position and whole is not stream and tape.damage is None:
            # The packed data may be what is damaged: its check sum, at the end, is not read.
            cause = SpoiltError(describe(error))
        raise ArchiveError(
            "damaged, or no tar archive; what comes from its unpacked byte "
            f"{position:,} on is lost: {describe_loss(cause)}"
        ) from None
    if tape.damage is not None:
        raise ArchiveError(f"damaged; files may be lost or wrong: {describe(tape.damage)}")
    if not is_padding(tape.zeros, tape.place):
        more = "more than " * (tape.zeros > MOST_ZEROS)
        raise ArchiveError(
            f"its last {more}{tape.zeros:,} bytes are zeros, which is more than the end of an "
            "archive has: files may be lost, as after a copy that was not finished; compare it "
            "with where it comes from"
        )


class _Tape:
    """A stream that ends at a damage and keeps it: what was read before is not thrown away."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.place = 0  # how many bytes were read
        self.zeros = 0  # how many of them, at the end, are zeros
        self.damage: Exception | None = None

    def read(self, size: int) -> bytes:
        """The next bytes: fewer, or none, at the end or at a damage."""
        parts: list[bytes] = []
        try:
            # Not `read`, which drops what it has if the last part of it fails.
            while size and (part := cast(io.BufferedReader, self._stream).read1(size)):
                parts.append(part)
                size -= len(part)
                self.place += len(part)
        except damage() as error:
            self.damage = error
        return b"".join(parts)

    def read_whole(self, size: int) -> bytes:
        """The next bytes, all of them. Raises ReadError."""
        if len(data := self.read(size)) < size:
            raise tarfile.ReadError("it is cut off")
        return data

    def skip(self, size: int) -> None:
        """Pass over bytes. Raises ReadError if there are fewer."""
        while size:
            size -= len(self.read_whole(min(size, _PART)))


class _Header(NamedTuple):
    """What an archive has next."""

    name: str
    size: int  # of the data that follows
    kind: str


class _Everywhere:
    """The properties that hold for all files of an archive, as long as no other takes their place.

    Each header may have some. As their number has no bound of its own, that of their bytes does.
    """

    def __init__(self) -> None:
        self.kept: dict[bytes, bytes] = {}
        self._size = 0

    def take(self, size: int, found: dict[bytes, bytes]) -> None:
        """Enter the properties of a header. Raises ReadError if all of them are too long."""
        self._size += size
        if self._size > _LONGEST_HEADER:
            raise tarfile.ReadError(
                f"more than {_LONGEST_HEADER:,} bytes of properties that hold for all its files"
            )
        self.kept.update(found)


def _read_header(tape: _Tape, everywhere: _Everywhere) -> _Header | None:
    """The next file, folder or whatever it is; None at the end. Raises ReadError."""
    own: dict[bytes, bytes] = {}
    long_name: bytes | None = None
    begun: set[bytes] = set()
    for count in range(_MOST_HEADERS + 1):
        block = tape.read(_BLOCK)
        if not count and len(block) == _BLOCK and not any(block):
            return None  # the first of the two blocks of zeros that end an archive
        info = _parse(block)
        if info.type not in (*_LONG_NAMES, *_PROPERTIES):
            return _describe_file(tape, block, info, long_name, {**everywhere.kept, **own})
        if info.type in begun:
            raise tarfile.ReadError("two long names, or two lists of properties, for one file")
        data = tape.read_whole(_fill(info.size))[: info.size]
        if info.type == tarfile.XGLTYPE:
            everywhere.take(info.size, _read_properties(data))
            continue
        begun.add(info.type)
        if info.type in _PROPERTIES:
            own |= _read_properties(data)
        elif info.type == tarfile.GNUTYPE_LONGNAME:
            long_name = data.partition(b"\0")[0]
    raise tarfile.ReadError("too many headers before one file")


def _parse(block: bytes) -> tarfile.TarInfo:
    try:
        info = tarfile.TarInfo.frombuf(block, _ENCODING, _ERRORS)
    except tarfile.HeaderError as error:
        raise tarfile.ReadError(str(error) if block else "it is cut off") from None
    if info.size < 0 or (not info.isreg() and not info.isdir() and info.size > _LONGEST_HEADER):
        raise tarfile.ReadError(f"a header of {info.size} bytes")
    return info


def _read_properties(data: bytes) -> dict[bytes, bytes]:
    """What counts of the properties that pax writes before a file. Raises ReadError.

    Each has its length. After one that is damaged, nobody can tell where the next begins.
    """
    found: dict[bytes, bytes] = {}
    place = 0
    while (match := _PROPERTY.match(data, place)) is not None:
        end = place + int(match[1])
        if not match.end() < end <= len(data) or data[end - 1 : end] != b"\n":
            break
        key = match[2]
        if key in _KEPT:
            found[key] = data[match.end() : end - 1]
        elif key.startswith(_SPARSE_PROPERTY):
            found[_SPARSE_PROPERTY] = b""
        place = end
    if place != len(data):
        raise tarfile.ReadError("the properties of a file, such as its long name, are damaged")
    return found


def _describe_file(
    tape: _Tape,
    block: bytes,
    info: tarfile.TarInfo,
    long_name: bytes | None,
    properties: dict[bytes, bytes],
) -> _Header:
    """What a header says, with all that was said before it. Raises ReadError."""
    size = info.size
    if (stated := properties.get(b"size")) is not None:
        if not _NUMBER.fullmatch(stated):
            raise tarfile.ReadError("the properties of a file, such as its size, are damaged")
        size = int(stated)
    if info.type == _SPARSE:
        _pass_map(tape, block)
    # What stands beside a link, a folder or a device is no data, whatever size is given.
    has_data = info.isreg() or info.type not in tarfile.SUPPORTED_TYPES
    is_sparse = info.type == _SPARSE or not properties.keys().isdisjoint(
        (_SPARSE_PROPERTY, _SPARSE_NAME)
    )
    if info.isdir():
        kind = "folder"
    elif info.issym() or info.islnk():
        kind = "link"
    else:
        kind = "file" if info.isreg() and not is_sparse else "other"
    name = info.name
    if (given := properties.get(_SPARSE_NAME) or properties.get(b"path")) is not None:
        name = given.decode(_ENCODING, _ERRORS).rstrip("/")
    elif long_name is not None:
        name = long_name.decode(_ENCODING, _ERRORS)
    return _Header(name, size if has_data else 0, kind)


def _pass_map(tape: _Tape, block: bytes) -> None:
    """Pass over the rest of a sparse file's map, none of which is kept. Raises ReadError."""
    start = tape.place
    more = block[_MORE_MAP]
    while more:
        if tape.place - start >= _LONGEST_HEADER:
            raise tarfile.ReadError(f"more than {_LONGEST_HEADER:,} bytes before a sparse file")
        more = tape.read_whole(_BLOCK)[_STILL_MORE_MAP]


def _fill(size: int) -> int:
    """How many bytes some data has in an archive, where all begins with a block."""
    return -(-size // _BLOCK) * _BLOCK


def _open_content(tape: _Tape, size: int) -> IO[bytes]:
    return io.BufferedReader(_Content(tape, size))


class _Content(io.RawIOBase):
    """The next bytes of an archive, also what is there before a cut."""

    def __init__(self, tape: _Tape, size: int) -> None:
        super().__init__()
        self._tape = tape
        self._left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed's Buffer is newer than 3.11
        wanted = min(len(buffer), self._left)
        data = self._tape.read(wanted)
        if wanted and not data:
            raise tarfile.ReadError(f"cut off: {self._left:,} more bytes should follow")
        self._left -= len(data)
        buffer[: len(data)] = data
        return len(data)


def _check_end(tape: _Tape) -> None:
    """After a block of zeros: one more, then nothing but zeros. Raises ReadError."""
    tape.zeros = _BLOCK
    if len(second := tape.read(_BLOCK)) < _BLOCK or any(second):
        raise tarfile.ReadError("one block of zeros where the end of an archive has two")
    more = second
    while more and tape.zeros <= MOST_ZEROS:
        tape.zeros += len(more)
        if (more := tape.read(_PART)).strip(b"\0"):
            raise tarfile.ReadError("something follows the end of the archive")
