"""CSV and TSV: a line of column names, then a row per record, quoted as spreadsheets and pandas do.

A row's number is that of the line it begins on, as an editor shows it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any, BinaryIO

import orjson

from ..errors import RecordError
from .caps import describe_cap
from .columns import Columns
from .documents import BadFile
from .rows import read_row
from .topic import Topic
from .unpacking import damage, describe

__all__ = ["read_separated"]

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_LONGEST_FIELD = 2**31 - 1  # what the csv module takes everywhere
_SEPARATORS = ",;\t"
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
    longest = min(record_bytes, _LONGEST_FIELD)
    if csv.field_size_limit() < longest:
        csv.field_size_limit(longest)  # the default is shorter than long articles
    lines = _Lines(stream, record_bytes)
    try:
        first = next(lines, "")
        if separator is None:
            separator = max(
                _SEPARATORS, key=lambda one: len(next(csv.reader([first], delimiter=one), []))
            )
        reader = csv.reader(lines.again(first), delimiter=separator, strict=True)
        names = [cell.strip() for cell in next(reader, [])]
        number = reader.line_num + 1
        for cells in reader:
            if any("\0" in cell for cell in cells):
                # A block that was never written to the disk: the ends of rows may be in it.
                reason = "the row contains NUL bytes: the file is damaged, rows may be lost"
                yield RecordError(name, number, reason, f"{label}:{number}")
            elif len(cells) == len(names):
                row = {key: _read_cell(key, cell) for key, cell in zip(names, cells, strict=True)}
                try:
                    yield read_row(row, number, name=name, label=label, columns=columns)
                except RecordError as error:
                    yield error
            elif cells:
                reason = (
                    f"the row has {len(cells)} cells, but the first line names {len(names)} columns"
                )
                yield RecordError(name, number, reason, f"{label}:{number}")
            number = reader.line_num + 1
    except _get_damage() as error:
        number = lines.number
        what = error.reason if isinstance(error, BadFile) else describe(error)
        reason = f"reading stopped here, the rest is lost: {what}"
        yield RecordError(name, number, reason, f"{label}:{number}")


def _get_damage() -> tuple[type[Exception], ...]:
    return csv.Error, BadFile, *damage()


class _Lines:
    """The lines of a stream as text, with their ends. Raises BadFile."""

    def __init__(self, stream: BinaryIO, longest: int) -> None:
        self._stream = stream
        self._longest = longest
        self._waiting: str | None = None
        self.number = 0  # of the line given last

    def again(self, line: str) -> _Lines:
        """Give a line once more."""
        self._waiting = line
        return self

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            return waiting
        self.number += 1
        line = self._stream.readline(self._longest + 1)
        if not line:
            raise StopIteration
        if len(line) > self._longest:
            raise BadFile(f"the line is {describe_cap(self._longest)}", self.number)
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
