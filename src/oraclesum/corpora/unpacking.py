"""Packed streams (gzip, bzip2, xz, zstd), unpacked little by little and checked to the last byte.

The standard library reads gzip inside tar without looking at the check sum, and takes a file that
was cut off for one that ends. Here all that could be unpacked is handed out first; the next read
then raises DamageError, which says what is wrong and where, and so does every later one.
"""

from __future__ import annotations

import io
import struct
import sys
import zlib
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import IO, BinaryIO, Protocol, cast

__all__ = [
    "MOST_MEMORY",
    "MOST_ZEROS",
    "DamageError",
    "SpoiltError",
    "damage",
    "describe",
    "describe_loss",
    "is_archive",
    "is_packed",
    "is_padding",
    "is_zip",
    "look",
    "peek",
    "unpack",
]

_INPUT = 1 << 14  # packed bytes taken at a time; deflate makes at most about 1000 of each
_BUFFER = 1 << 16
_ZSTD = b"\x28\xb5\x2f\xfd"
_MAGICS = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    _ZSTD: "zstd",
    **{bytes([0x50 + number]) + b"*M\x18": "zstd" for number in range(16)},  # notes beside data
}
_TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.zst")
_ZIP = ".zip"
_LIBRARY = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
_ERRORS = (
    ("tarfile", "TarError"),
    ("zipfile", "BadZipFile"),
    ("lzma", "LZMAError"),
    (_LIBRARY, "ZstdError"),
)
_LONGEST_REASON = 300
_TOO_MUCH_MEMORY = "Memory usage limit exceeded"  # what lzma says
_USUAL_PADDING = 1 << 16  # bytes of zeros that nobody asks about; tar writes up to 10,240
MOST_ZEROS = 1 << 30
"""How many bytes of zeros at an end are counted: packed, and packed again, they take no room."""
MOST_MEMORY = 1 << 28
"""How many bytes packed data may look back to: xz and zip are told by it, and take them."""


def is_archive(name: str) -> bool:
    """Whether a file of this name is walked as an archive."""
    return name.lower().endswith((*_TARS, _ZIP))


def is_zip(name: str) -> bool:
    """Whether a file of this name is a zip archive."""
    return name.lower().endswith(_ZIP)


def damage() -> tuple[type[Exception], ...]:
    """What reading an archive or packed stream raises if its bytes are not as they should be."""
    return (
        # What is not imported has raised nothing. At its end, Python can import no more.
        *(getattr(module, name) for place, name in _ERRORS if (module := sys.modules.get(place))),
        EOFError,
        OSError,
        ValueError,
        zlib.error,
        struct.error,
        NotImplementedError,  # a compression that zipfile does not know
        IndexError,  # zipfile, in the header of lzma data
        OverflowError,
        MemoryError,  # lzma, of a dictionary that nobody has room for
    )


class DamageError(OSError):
    """A packed stream that cannot be unpacked to its end."""


class SpoiltError(DamageError):
    """Packed data is not what was packed: what was unpacked before this was found may be wrong."""


class _Decoder(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    """One gzip member, its check sum and length compared at its end; used like bz2's decoder."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)
        self._error: zlib.error | None = None

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return self._error is None and not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        if self._error is not None:
            raise self._error
        data = self._inner.unconsumed_tail + data
        before = self._inner.copy()
        try:
            return self._inner.decompress(data, max_length)
        except zlib.error as error:
            self._error = error
        # What the failed call had unpacked is gone with it: once more, byte by byte.
        saved = bytearray()
        with suppress(zlib.error):
            for place in range(len(data)):
                saved += before.decompress(data[place : place + 1])
        return bytes(saved)


def _open_bzip2() -> _Decoder:
    import bz2

    return bz2.BZ2Decompressor()


def _open_xz() -> _Decoder:
    import lzma

    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY + (1 << 20))


class _Zstd:
    """One zstd frame (RFC 8878), the length that it states compared; used like bz2's decoder.

    A call that fails gives nothing, so the decoder never gets more than one block in a call.
    """

    def __init__(self) -> None:
        if sys.version_info >= (3, 14):
            from compression.zstd import ZstdDecompressor
        else:
            from backports.zstd import ZstdDecompressor

        self._inner = ZstdDecompressor()
        self._begun = False  # whether the decoder was given the header
        self._stated: int | None = None
        self._unpacked = 0
        self._parts = _cut_blocks()
        self._size = next(self._parts)
        self._part = b""  # that the decoder was given
        self._waiting = b""  # that it was not given yet

    @property
    def eof(self) -> bool:
        return self._inner.eof and not self._is_short

    @property
    def needs_input(self) -> bool:
        return self._inner.needs_input and not (self._begun and self._waiting)

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data + self._waiting

    @property
    def _is_short(self) -> bool:
        """Whether it ends before the length that it states: zstd does not look at an empty end."""
        return self._inner.eof and self._stated is not None and self._unpacked < self._stated

    def decompress(self, data: bytes, max_length: int) -> bytes:
        if self._is_short:
            raise ValueError(f"{self._unpacked:,} bytes where it states {self._stated:,}")
        self._waiting += data
        piece = self._cut() if self._inner.needs_input else b""
        unpacked = self._inner.decompress(piece, max_length)
        self._unpacked += len(unpacked)
        if self._stated is not None and self._unpacked > self._stated:
            raise ValueError(f"more than the {self._stated:,} bytes that it states")
        return unpacked

    def _cut(self) -> bytes:
        """What the decoder gets next: the whole header, then no more than the rest of a part."""
        if not self._begun:
            return self._cut_header()
        left = self._size - len(self._part)
        piece, self._waiting = self._waiting[:left], self._waiting[left:]
        self._part += piece
        if len(self._part) == self._size:
            self._size, self._part = self._parts.send(self._part), b""
        return piece

    def _cut_header(self) -> bytes:
        start = self._waiting
        flags = start[4] if len(start) > 4 else 0
        single = flags >> 5 & 1
        length = (single, 2, 4, 8)[flags >> 6]
        end = 6 - single + (0, 1, 2, 4)[flags & 3] + length
        if not start.startswith(_ZSTD):  # notes, of which the length is all that matters
            end = 8
        if len(start) < end:
            return b""
        header, self._waiting = start[:end], start[end:]
        self._begun = True
        if not start.startswith(_ZSTD):
            self._parts = _cut_notes()
            self._size = next(self._parts)
        elif length:
            self._stated = int.from_bytes(header[-length:], "little") + (length == 2) * 256
            if single and not self._stated:
                # zstd has no room for the byte that an empty block may repeat no times. With the
                # smallest window in place of the length, it has.
                header = _ZSTD + bytes([flags & 0x1F, 0]) + header[5:-length]
        return header


def _cut_blocks() -> Generator[int, bytes, None]:
    """The sizes of the parts behind a frame's header; each part is sent once it is known."""
    last = 0
    while not last:
        header = int.from_bytes((yield 3), "little")
        last, repeated = header & 1, header >> 1 & 3 == 1
        yield 1 if repeated else header >> 3
    yield from _cut_notes()


def _cut_notes() -> Generator[int, bytes, None]:
    while True:  # a check sum or notes, which unpack to nothing, and what follows the frame
        yield _INPUT


_DECODERS: dict[str, Callable[[], _Decoder]] = {
    "gzip": _Gzip,
    "bzip2": _open_bzip2,
    "xz": _open_xz,
    "zstd": _Zstd,
}


class _Unpacked(io.RawIOBase):
    """The unpacked bytes of a stream; several packed streams may follow each other."""

    def __init__(self, packed: IO[bytes], kind: str) -> None:
        super().__init__()
        self._packed = packed
        self._kind = kind
        self._magics = tuple(magic for magic, name in _MAGICS.items() if name == kind)
        self._decoder: _Decoder | None = _DECODERS[kind]()
        self._waiting = b""  # taken from the stream, not yet given to the decoder
        self._taken = 0
        self._damage: DamageError | None = None
        self._given: bytes | bytearray = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed's Buffer is newer than 3.11
        size = len(buffer)
        if not self._given:
            self._given = self._unpack(size)
        data, self._given = self._given[:size], self._given[size:]
        buffer[: len(data)] = data
        return len(data)

    def _unpack(self, size: int) -> bytes:
        """The next bytes, about `size` of them; none at the end. Raises DamageError."""
        while True:
            if self._damage is not None:
                raise self._damage
            decoder = self._decoder
            if decoder is None:
                if not self._begin_next():
                    return b""
                continue
            ended = False
            data = b""
            if decoder.needs_input:
                data = self._take()
                ended = not data
            try:
                unpacked = decoder.decompress(data, size)
            except damage() as error:
                if str(error) == _TOO_MUCH_MEMORY:
                    mebibytes = MOST_MEMORY >> 20
                    what = (
                        f"unpacking the {self._kind} data takes more than {mebibytes} MiB of memory"
                    )
                    self._damage = DamageError(f"{what}; pack it again, with at most xz -9")
                    continue
                what = f"the {self._kind} data is damaged at or before byte {self._taken:,}"
                self._damage = SpoiltError(f"{what}: {error}")
                continue
            if decoder.eof:
                self._waiting = decoder.unused_data + self._waiting
                self._decoder = None
            elif ended and not unpacked:
                what = f"cut off: the {self._kind} data stops at byte {self._taken:,}"
                self._damage = SpoiltError(what)  # damaged data may run on past its end
            if unpacked:
                return unpacked

    def _begin_next(self) -> bool:
        """Look behind the end of a packed stream: the next one, padding of zeros, or the end."""
        zeros = 0
        while True:
            found = len(self._waiting)
            self._waiting = self._waiting.lstrip(b"\0")
            zeros += found - len(self._waiting)
            if len(self._waiting) >= len(self._magics[0]) or zeros > MOST_ZEROS:
                break
            more = self._read()
            if not more:
                break
            self._waiting += more
        if not self._waiting and is_padding(zeros, self._taken):
            return False
        if not is_padding(zeros, self._taken - len(self._waiting)):
            more_than = "more than " * (zeros > MOST_ZEROS)
            self._damage = DamageError(
                f"{more_than}{zeros:,} bytes of zeros follow the {self._kind} data, which is more "
                "than padding has: there may have been more data"
            )
        elif self._waiting.startswith(self._magics):
            self._decoder = _DECODERS[self._kind]()
        else:
            place = self._taken - len(self._waiting)
            self._damage = DamageError(
                f"from byte {place:,} on, what follows the {self._kind} data is something else"
            )
        return True

    def _take(self) -> bytes:
        data, self._waiting = self._waiting, b""
        return data or self._read()

    def _read(self) -> bytes:
        data = self._packed.read(_INPUT)
        self._taken += len(data)
        return data


def describe(error: Exception) -> str:
    """What went wrong, in words: one line, and not all that a library may have to say."""
    reason = " ".join(str(error).split()) or type(error).__name__
    return reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]} …"


def describe_loss(error: Exception) -> str:
    """The same for who has used what came before: a check sum stands behind what it is of."""
    spoilt = "; what was read of it before may be wrong as well" * isinstance(error, SpoiltError)
    return describe(error) + spoilt


def peek(stream: IO[bytes]) -> bytes:
    """The first bytes of a stream, which stay in it; none if it cannot be looked into."""
    try:
        return stream.peek(_INPUT) if isinstance(stream, io.BufferedReader) else b""
    except damage():
        return b""  # whoever reads it will be told, as no stream here goes on after a damage


def look(stream: BinaryIO) -> tuple[bytes, BinaryIO]:
    """The first bytes, enough to tell packed data, and a stream that still has them.

    A pipe may hand them out one by one. No more is waited for than is needed: who writes to it may
    be waiting for an answer.
    """
    start = peek(stream)
    if not _may_become_packed(start):
        return start, stream
    slow = cast(io.BufferedReader, stream)
    start = b""
    while (more := slow.read1(_INPUT)) and _may_become_packed(start := start + more):
        pass
    return start, cast(BinaryIO, io.BufferedReader(_Resumed(start, slow), _BUFFER))


def _may_become_packed(start: bytes) -> bool:
    return start != b"" and any(
        magic.startswith(start) and len(start) < len(magic) for magic in _MAGICS
    )


class _Resumed(io.RawIOBase):
    """A stream whose first bytes were read before."""

    def __init__(self, start: bytes, rest: io.BufferedReader) -> None:
        super().__init__()
        self._start = start
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed's Buffer is newer than 3.11
        size = len(buffer)
        data = self._start[:size] or self._rest.read1(size)
        self._start = self._start[size:]
        buffer[: len(data)] = data
        return len(data)


def is_padding(zeros: int, length: int) -> bool:
    """Whether so many zeros at the end of so many bytes may fill a record, as that of a tape.

    Longer records than usual are powers of two, and all that is written has whole ones. The zeros
    may also have those two blocks of 512 bytes before them that end a tar archive.
    """
    record = 1 << max(0, zeros - 1024 - 1).bit_length()
    return zeros <= _USUAL_PADDING or (zeros <= MOST_ZEROS and length % record == 0)


def is_packed(start: bytes) -> bool:
    """Whether the first bytes of a file are those of packed data."""
    return start.startswith((*_MAGICS,))


def unpack(stream: IO[bytes], start: bytes | None = None) -> BinaryIO:
    """The stream, unpacked if its first bytes are those of gzip, bzip2, xz or zstd.

    `start` has the first bytes of a stream that cannot be looked into.
    """
    start = peek(stream) if start is None else start
    for magic, kind in _MAGICS.items():
        if start.startswith(magic):
            raw = _Unpacked(stream, kind)
            # typeshed does not count a raw stream that only reads as one.
            return cast(BinaryIO, io.BufferedReader(raw, _BUFFER))
    return cast(BinaryIO, stream)
