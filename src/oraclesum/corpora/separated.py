"""CSV and TSV: a line of column names, then a row per record, quoted as spreadsheets and pandas do.

A row's number is that of the line it begins on, as an editor shows it. A row that is too long is
passed over: it ends with the first line that does not end inside quotes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from threading import Lock
from typing import Any, BinaryIO

import orjson

from ..errors import RecordError
from .bad import BadFile
from .caps import describe_cap
from .columns import Columns
from .record import most_values
from .rows import name_cells, read_row
from .topic import Topic
from .unpacking import damage, describe_loss

__all__ = ["read_separated"]

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_LONGEST_FIELD = 2**31 - 1  # what the csv module takes everywhere
_SEPARATORS = ",;\t"
_SEPARATOR_BYTES = tuple(one.encode() for one in _SEPARATORS)
_PART = 1 << 20  # bytes of a row that is passed over
_OURS = ("sentences", "references", "doc_ids", "systems", "human", "measures")


def read_separated(
    stream: BinaryIO,
    *,
    name: str,
    label: str,
    separator: str | None,
    record_bytes: int,
    columns: Columns,
) -> Iterator[Topic | RecordError]:
    """The rows of a table; `separator` None: the one that the first line has most of."""
    lines = _Lines(stream, record_bytes)
    try:
        first = next(lines, "")
        if separator is None:
            separator = max(
                _SEPARATORS,
                key=lambda one: len(_take_row(csv.reader([first], delimiter=one)) or []),
            )
        reader = csv.reader(lines.again(first), delimiter=separator, strict=True)
        names = [cell.strip() for cell in _take_row(reader) or []]
        if any("\0" in cell for cell in names):
            raise BadFile("the names of the columns contain NUL bytes: the file is damaged", 1)
        while True:
            number = lines.begin_row()
            try:
                cells = _take_row(reader)
            except _TooLong as error:
                reason = f"{error.reason}{lines.pass_row(separator)}"
                yield RecordError(name, number, reason, f"{label}:{number}")
                reader = csv.reader(lines, delimiter=separator, strict=True)
                continue
            if cells is None:
                break
            if any("\0" in cell for cell in cells):
                # A block that was never written to the disk: the ends of rows may be in it.
                reason = "the row contains NUL bytes: the file is damaged, rows may be lost"
                yield RecordError(name, number, reason, f"{label}:{number}")
            elif len(cells) == len(names):
                row = name_cells(names, map(_read_cell, names, cells))
                try:
                    yield read_row(row, number, name=name, label=label, columns=columns)
                except RecordError as error:
                    yield error
            elif cells:
                reason = (
                    f"the row has {len(cells)} cells, but the first line names {len(names)} columns"
                )
                yield RecordError(name, number, reason, f"{label}:{number}")
    except _get_damage() as error:
        number = lines.number
        what = error.reason if isinstance(error, BadFile) else describe_loss(error)
        if isinstance(error, csv.Error) and "new-line" in what:
            what = "a carriage return (CR) outside of quotes; save the file with line ends LF"
        reason = f"reading stopped here, the rest is lost: {what}"
        yield RecordError(name, number, reason, f"{label}:{number}")


class _LongFields:
    """While any thread is inside, the csv module of the process takes long fields.

    Its limit, which is shorter than long articles, is one for all who use it; those outside of
    this package find it as they left it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._before = 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._before = csv.field_size_limit()
                csv.field_size_limit(max(self._before, _LONGEST_FIELD))
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                csv.field_size_limit(self._before)


_long_fields = _LongFields()


def _take_row(reader: Iterator[list[str]]) -> list[str] | None:
    """The next row of a table; None at its end. Rows are bounded by `_Lines`, not by csv."""
    with _long_fields:
        return next(reader, None)


def _get_damage() -> tuple[type[Exception], ...]:
    return csv.Error, BadFile, *damage()


class _TooLong(BadFile):
    """A row has more bytes or cells than are read."""


class _Lines:
    """The lines of a stream as text, with their ends. Raises BadFile."""

    def __init__(self, stream: BinaryIO, longest: int) -> None:
        self._stream = stream
        self._longest = longest
        self._waiting: str | None = None
        self._row: list[bytes] = []  # what was given of the row that is being read
        self._size = 0  # its bytes
        # No fewer than its cells, each of which takes some ten times its bytes in memory.
        self._separators = 0
        self.number = 0  # of the line given last

    def again(self, line: str) -> _Lines:
        """Give a line once more."""
        self._waiting = line
        return self

    def begin_row(self) -> int:
        """Say that the next line is the first of a row; its number."""
        self._row.clear()
        self._size = self._separators = 0
        return self.number + 1

    def pass_row(self, separator: str) -> str:
        """Read on to the end of a row that was begun; what to add to the message about it."""
        quotes = _Quotes(separator.encode())
        for line in self._row:
            quotes.read(line)
        while quotes.inside or not line.endswith(b"\n"):
            self.number += line.endswith(b"\n")
            if not (line := self._stream.readline(_PART)):
                return "; its last quote is not closed, so the rest is lost" * quotes.inside
            quotes.read(line)
        return ""

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            return waiting
        self.number += 1
        line = self._stream.readline(self._longest - self._size + 1)
        if not line:
            raise StopIteration
        self._row.append(line)
        self._size += len(line)
        if self._size > self._longest:
            raise _TooLong(f"the row is {describe_cap(self._longest)}", self.number)
        self._separators += sum(map(line.count, _SEPARATOR_BYTES))
        if self._separators > (most := most_values(self._size)):
            found = f"{self._separators:,} commas, semicolons and tabs in one row"
            raise _TooLong(f"refused: {found}, {most:,} are read at most", self.number)
        if self.number == 1:
            if line.startswith(_UTF16):
                raise BadFile("the file is UTF-16; save it as UTF-8", 1)
            line = line.removeprefix(_BOM)
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError as bad:
            byte = f"0x{line[bad.start]:02x}"
            raise BadFile(
                f"not UTF-8: {byte} at byte {bad.start + 1} of the line", self.number
            ) from None


class _Quotes:
    """Whether the end of what was read so far of a row is inside quotes, by the rules of `csv`."""

    def __init__(self, separator: bytes) -> None:
        self._separator = separator
        self._opening = re.compile(re.escape(separator) + b'"')
        self._starts_cell = True
        self._ends_quote = False  # or is the first of two, which stand for one in the text
        self.inside = False

    def read(self, piece: bytes) -> None:
        """Take the next bytes of the row."""
        place = 0
        if self._ends_quote or self._starts_cell:
            self.inside = piece.startswith(b'"')
            place = int(self.inside)
        self._ends_quote = self._starts_cell = False
        while place < len(piece):
            if not self.inside:
                if (opening := self._opening.search(piece, place)) is None:
                    self._starts_cell = piece.endswith(self._separator)
                    return
                self.inside, place = True, opening.end()
            elif (end := piece.find(b'"', place)) < 0:
                return
            elif end + 1 == len(piece):
                self.inside, self._ends_quote = False, True
                return
            else:
                self.inside = piece[end + 1 : end + 2] == b'"'
                place = end + 1 + self.inside


def _read_cell(column: str, cell: str) -> Any:
    """A cell as a record has it: lists and objects are written as JSON."""
    ours = column in _OURS
    if not cell and (ours or column == "id"):
        return None
    if cell.startswith(("[", "{") if ours else ('["', '[["')):
        try:
            return orjson.loads(cell)
        except orjson.JSONDecodeError:
            return cell
    return [cell] if column == "references" else cell
