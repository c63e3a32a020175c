"""What Parquet and Arrow files announce: how large a part will be, before pyarrow unpacks it.

pyarrow makes room for whatever a part announces. It does not say how much that is for Arrow, and of
Parquet it ends the whole process if what describes a column is damaged. So these few numbers are
read here, and nothing else. All functions raise OSError for what is damaged.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

__all__ = ["Group", "Part", "is_joined", "list_file_parts", "list_groups", "list_stream_parts"]

_Read = TypeVar("_Read")
_DAMAGE = (IndexError, ValueError, OverflowError, struct.error)


# Parquet: the footer in Thrift's compact protocol, by the numbers of its fields.

_FOOTER = struct.Struct("<I4s")  # bytes of the footer, magic
_GROUPS, _COLUMNS, _ROWS, _ABOUT = 4, 1, 3, 3
_ENCODINGS, _PATH, _VALUES, _PACKED = 2, 3, 5, 7  # of a column
_DATA, _WORDS = 9, 11  # where its data is, and its dictionary
_STOP, _TRUE, _FALSE, _BYTE = 0, 1, 2, 3
_NUMBERS = (4, 5, 6)  # of 16, 32 and 64 bits, all written alike
_DOUBLE, _TEXT, _LIST, _SET, _MAP, _STRUCT = 7, 8, 9, 10, 11, 12
_DEEPEST = 32


class Group(NamedTuple):
    """A row group of Parquet: the most values that a column of lists has, and where it ends.

    A column with more values than rows has lists, and all of them may be in one row. Without such
    a column the number is 0.
    """

    repeated: int
    end: int
    encodings: dict[str, list[int]]  # of each column, by their numbers in Parquet


def list_groups(file: Any) -> tuple[list[Group], int]:
    """The row groups of a Parquet file, and where its footer begins."""
    end = file.seek(0, 2)
    file.seek(end - _FOOTER.size)
    size, _ = _FOOTER.unpack(file.read(_FOOTER.size))
    start = max(0, end - _FOOTER.size - size)
    file.seek(start)
    footer = _Compact(file.read(size))
    return _read_safely(_read_groups, footer), start


def _read_groups(footer: _Compact) -> list[Group]:
    groups = []
    for _ in footer.find(_GROUPS):
        for _ in range(footer.read_list()):
            rows = most = end = 0
            encodings: dict[str, list[int]] = {}
            for field in footer.find(_COLUMNS, _ROWS):
                if field == _ROWS:
                    rows = footer.read_number()
                    continue
                for _ in range(footer.read_list()):
                    for _ in footer.find(_ABOUT):
                        column, used, path = _read_column(footer)
                        encodings.setdefault(path, []).extend(used)
                        most = max(most, column.get(_VALUES, 0))
                        data = column.get(_DATA, 0)
                        start = min(column.get(_WORDS) or data, data)
                        end = max(end, start + column.get(_PACKED, 0))
            groups.append(Group(most if most > rows else 0, end, encodings))
    return groups


def _read_column(footer: _Compact) -> tuple[dict[int, int], list[int], str]:
    """The numbers of a column by their fields, its encodings, and its path."""
    numbers: dict[int, int] = {}
    used: list[int] = []
    path = ""
    for field in footer.find(_ENCODINGS, _PATH, _VALUES, _PACKED, _DATA, _WORDS):
        if field == _ENCODINGS:
            used = [footer.read_number() for _ in range(footer.read_list(_NUMBERS))]
        elif field == _PATH:
            path = ".".join(footer.read_text() for _ in range(footer.read_list((_TEXT,))))
        else:
            numbers[field] = footer.read_number()
    return numbers, used, path


class _Compact:
    """Reads what it is asked for, in the order in which it stands, and passes over the rest."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def find(self, *wanted: int) -> Iterator[int]:
        """The wanted fields of a structure; each has to be read before the next is asked for."""
        field = 0
        while (start := self._read_byte()) != _STOP:
            field = field + (start >> 4) if start >> 4 else self.read_number()
            if field in wanted:
                yield field
            else:
                self._skip(start & 15)

    def read_list(self, kinds: tuple[int, ...] = (_STRUCT,)) -> int:
        """How many structures a list has, or values of another kind."""
        count, kind = self._read_head()
        if kind not in kinds or count > len(self._data):
            raise ValueError("no list of these")
        return count

    def read_text(self) -> str:
        """Some text."""
        size = self._read_length()
        start, self._place = self._place, self._place + size
        self._check()
        return self._data[start : self._place].decode("utf-8", "replace")

    def read_number(self) -> int:
        """A whole number with a sign."""
        number = self._read_length()
        return number >> 1 ^ -(number & 1)

    def _read_byte(self) -> int:
        self._place += 1
        return self._data[self._place - 1]

    def _read_length(self) -> int:
        number = shift = 0
        while (byte := self._read_byte()) & 128:
            number |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise ValueError("a number that is too long")
        return number | byte << shift

    def _read_head(self) -> tuple[int, int]:
        start = self._read_byte()
        return (start >> 4 if start >> 4 < 15 else self._read_length()), start & 15

    def _skip(self, kind: int, depth: int = 0, *, listed: bool = False) -> None:
        if depth > _DEEPEST:
            raise ValueError("too deep")
        if kind in (_TRUE, _FALSE):  # as a field it is its kind, in a list a byte
            self._place += listed
        elif kind == _BYTE:
            self._place += 1
        elif kind in _NUMBERS:
            self._read_length()
        elif kind == _DOUBLE:
            self._place += 8
        elif kind == _TEXT:
            length = self._read_length()
            self._place += length
        elif kind in (_LIST, _SET):
            count, inner = self._read_head()
            for _ in range(count):
                self._skip(inner, depth + 1, listed=True)
                self._check()
        elif kind == _MAP:
            if count := self._read_length():
                kinds = self._read_byte()
                for _ in range(count):
                    self._skip(kinds >> 4, depth + 1, listed=True)
                    self._skip(kinds & 15, depth + 1, listed=True)
                    self._check()
        elif kind == _STRUCT:
            while (start := self._read_byte()) != _STOP:
                if not start >> 4:
                    self._read_length()
                self._skip(start & 15, depth + 1)
        else:
            raise ValueError("a field of no known kind")

    def _check(self) -> None:
        if self._place > len(self._data):
            raise ValueError("cut off")


# Arrow: messages in FlatBuffers, by the numbers of their fields.

_CONTINUES = 0xFFFFFFFF  # before every message, since Arrow 0.15
_DICTIONARY, _BATCH = 2, 3
_OLD_COMPRESSION = b"ARROW:experimental_compression"  # in the metadata of Arrow 0.17
_NOT_PACKED = -1
_TAIL = struct.Struct("<i6s")  # of a file: bytes of the footer, magic
_ALIGNED = 8  # messages begin at multiples of it, the first after the magic
_LONGEST_GAP = 128
_JOINT = b"ARROW1ARROW1\0\0"  # the end of a file, and the start of another
_BLOCK = 1 << 20


class Part(NamedTuple):
    """A record batch, or a dictionary, with the number of its rows and its bytes unpacked."""

    is_dictionary: bool
    rows: int
    size: int


def list_stream_parts(file: Any) -> Iterator[Part]:
    """The parts of an Arrow stream, in their order."""
    place = 0
    while (found := _read_safely(_read_message, file, place)) is not None:
        part, place = found
        if part is not None:
            yield part


def list_file_parts(file: Any) -> Iterator[Part]:
    """The parts of an Arrow file: dictionaries, which pyarrow reads all at first, then batches.

    Raises OSError at the end if the file has parts that its footer does not name.
    """
    blocks, end = _read_safely(_list_blocks, file)
    named = [place for place, _ in blocks]
    for place in named:
        found = _read_safely(_read_message, file, place)
        if found is not None and found[0] is not None:
            yield found[0]
    if lost := len({*_find_parts(file, sorted(named), end)} - {*named}):
        raise OSError(f"its footer is damaged: it does not name {lost} of the parts in the file")


def is_joined(file: Any) -> bool:
    """Whether several Arrow files were written one after another into this one.

    The footer is that of the last, and its places are then those of the first file: between the
    last part that it names and itself, where writers leave a few bytes, are as many as all the
    other files have. False if there is no footer.
    """
    try:
        blocks, footer = _list_blocks(file)
    except (*_DAMAGE, OSError):
        return False
    if footer - max((end for _, end in blocks), default=0) <= _LONGEST_GAP:
        return False
    for place in range(0, footer, _BLOCK):
        size = min(_BLOCK + len(_JOINT) - 1, footer - place)
        if _JOINT in file.read_at(size, place):
            return True
    return False


def _list_blocks(file: Any) -> tuple[list[tuple[int, int]], int]:
    """Where the parts are that the footer names and where they end, and where the footer is."""
    end = file.size() - _TAIL.size
    size, _ = _TAIL.unpack(file.read_at(_TAIL.size, end))
    if not 0 < size <= end:
        raise ValueError("no footer")
    footer = _Table.find_root(file.read_at(size, end - size))
    blocks = [
        (place, place + about + body)
        for field in (2, 3)
        for place, about, body in footer.read_vector(field, "<qi4xq")
    ]
    return blocks, end - size


def _find_parts(file: Any, named: list[int], end: int) -> Iterator[int]:
    """Where the parts before the footer are: messages one after the other, as in a stream.

    Some writers leave a short gap of zeros, and some begin with what is no message. After that, and
    after what is damaged, the part that the footer names next comes next.
    """
    place, gap = _ALIGNED, 0
    while place < end:
        try:
            found = _read_message(file, place)
        except _DAMAGE:
            found, gap = None, _LONGEST_GAP
        if found is None:
            place, gap = place + _ALIGNED, gap + _ALIGNED
            if gap > _LONGEST_GAP:
                following = bisect_left(named, place)
                place, gap = named[following] if following < len(named) else end, 0
            continue
        if found[0] is not None:
            yield place
        place, gap = found[1], 0


def _read_message(file: Any, place: int) -> tuple[Part | None, int] | None:
    """What a message announces, and where the next one begins; None at the end."""
    head = file.read_at(8, place)
    if len(head) < 4:
        return None
    (size,) = struct.unpack_from("<I", head)
    place += 4
    if size == _CONTINUES:
        (size,) = struct.unpack_from("<I", head, 4)
        place += 4
    if size == 0:
        return None
    if size > file.size() - place:
        raise ValueError("cut off")
    data = file.read_at(size, place)
    message = _Table.find_root(data)
    body = place + size
    following = body + message.read_number(3, "<q")
    if following < body:
        raise ValueError("it has less than no bytes")
    kind, header = message.read_number(1, "<B"), message.find_table(2)
    if kind not in (_DICTIONARY, _BATCH) or header is None:
        return None, following
    batch = header.find_table(1) if kind == _DICTIONARY else header
    if batch is None:
        return None, following
    is_packed = batch.find_table(3) is not None or _OLD_COMPRESSION in data
    total = 0
    for offset, length in batch.read_vector(2, "<qq"):
        if is_packed and length:
            (unpacked,) = struct.unpack("<q", file.read_at(8, body + offset))
            length = length if unpacked == _NOT_PACKED else unpacked
        if length < 0:
            raise ValueError("it has less than no bytes")
        total += length
    return Part(kind == _DICTIONARY, batch.read_number(0, "<q"), total), following


class _Table:
    """A table of FlatBuffers: where each of its fields is."""

    def __init__(self, data: bytes, place: int) -> None:
        self._data = data
        self._place = place

    @classmethod
    def find_root(cls, data: bytes) -> _Table:
        """The table that everything else is in."""
        return cls(data, struct.unpack_from("<I", data)[0])

    def read_number(self, field: int, form: str) -> int:
        """A number; 0 if it is not there."""
        place = self._find(field)
        return 0 if place is None else int(struct.unpack_from(form, self._data, place)[0])

    def find_table(self, field: int) -> _Table | None:
        """A table inside this one."""
        place = self._find(field)
        return None if place is None else _Table(self._data, self._follow(place))

    def read_vector(self, field: int, form: str) -> Iterator[tuple[int, ...]]:
        """Structures of one form, one after the other."""
        place = self._find(field)
        if place is None:
            return
        start = self._follow(place)
        (count,) = struct.unpack_from("<I", self._data, start)
        size = struct.calcsize(form)
        for k in range(count):
            yield struct.unpack_from(form, self._data, start + 4 + k * size)

    def _follow(self, place: int) -> int:
        return place + int(struct.unpack_from("<I", self._data, place)[0])

    def _find(self, field: int) -> int | None:
        fields = self._place - struct.unpack_from("<i", self._data, self._place)[0]
        (size,) = struct.unpack_from("<H", self._data, fields)
        at = 4 + 2 * field
        offset = struct.unpack_from("<H", self._data, fields + at)[0] if at < size else 0
        return self._place + offset if offset else None


def _read_safely(read: Callable[..., _Read], *arguments: Any) -> _Read:
    try:
        return read(*arguments)
    except _DAMAGE as error:
        raise OSError(f"what describes its parts is damaged: {error}") from None
