"""Pieces of a corpus, one per shard: where they stand, so that any worker can read them itself."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast

import orjson

from ..answers import Item
from ..corpora import Caps
from ..corpora.arrow import list_batches, open_parquet, unpack_rows
from ..corpora.bad import BadRecord
from ..corpora.columns import Columns
from ..corpora.reading import Line, make_line, number_lines
from ..corpora.rows import read_rows, table_damage
from ..errors import InputError, RecordError
from ..frozen import dataclass
from ..message import show_name

if TYPE_CHECKING:
    from hashlib import _Hash

__all__ = ["Lines", "Listed", "ParquetRows", "Piece", "name_of_file", "open_input"]

_BLOCK = 1 << 16


class Piece(Protocol):
    """Consecutive records of the input."""

    @property
    def size(self) -> int:
        """How much of the input it is, in the units of the whole's size."""

    def read(self) -> tuple[list[Item], str]:
        """The items, and a digest of the input they stand in."""


def open_input(name: str) -> AbstractContextManager[BinaryIO]:
    """A file, local or behind an address that pyarrow's file systems know. Raises InputError."""
    try:
        if "://" in name:
            from pyarrow import fs

            system, path = fs.FileSystem.from_uri(name)
            return cast(AbstractContextManager[BinaryIO], system.open_input_file(path))
        return Path(name).open("rb")
    except OSError as error:
        raise InputError(f"{show_name(name)}: cannot be read: {error.strerror or error}") from None


def name_of_file(name: str) -> str:
    """The last part of a path or an address, without what an address says of its store."""
    path = name.partition("?")[0] if "://" in name else name
    return show_name(path.rpartition("/")[2])


@dataclass(frozen=True, kw_only=True)
class Lines:
    """Whole lines of a file of JSON lines."""

    name: str
    label: str
    start: int  # byte
    size: int
    first_line: int
    record_bytes: int = Caps.record_bytes  # longest line that is read
    columns: Columns = ()

    def read(self) -> tuple[list[Item], str]:
        digest = sha256()
        with open_input(self.name) as stream:
            stream.seek(self.start)
            part = _Part(stream, self.size, digest)
            items = list(self._parse(io.BufferedReader(part, _BLOCK)))
        if part.left:
            place, number = show_name(self.name), self.first_line + len(items)
            reason = (
                f"reading stopped here, the rest is lost: {part.left:,} bytes that were here when "
                "the run began are gone"
            )
            items.append(RecordError(place, number, reason, f"{self.label}:{number}"))
        return items, digest.hexdigest()

    def _parse(self, part: io.BufferedReader) -> Iterator[Item]:
        shown = show_name(self.name)
        for number, data in number_lines(part, self.first_line, longest=self.record_bytes):
            line = make_line(shown, self.label, number, data, self.columns)
            yield line.parse() if isinstance(line, Line) else line


class _Part(io.RawIOBase):
    """The next bytes of a stream, hashed as they are read."""

    def __init__(self, stream: BinaryIO, size: int, digest: _Hash) -> None:
        super().__init__()
        self._stream = stream
        self.left = size
        self._digest = digest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed's Buffer is newer than 3.11
        data = self._stream.read(min(len(buffer), self.left))
        self.left -= len(data)
        self._digest.update(data)
        buffer[: len(data)] = data
        return len(data)


@dataclass(frozen=True, kw_only=True)
class ParquetRows:
    """Rows of a Parquet file."""

    name: str
    label: str
    start: int  # row
    size: int
    groups: tuple[int, ...]  # the row groups they stand in
    skip: int  # rows of the first group that come before
    record_bytes: int = Caps.record_bytes  # largest row that is read
    columns: Columns = ()

    def read(self) -> tuple[list[Item], str]:
        rows: list[Mapping[str, Any] | BadRecord] = []
        damage: str | None = None
        left_out = self.skip
        with open_input(self.name) as stream:
            try:
                for batch in list_batches(open_parquet(stream), self.groups):
                    wanted = batch.slice(left_out, self.size - len(rows))
                    left_out = max(0, left_out - batch.num_rows)
                    rows.extend(unpack_rows(wanted, self.record_bytes))
                    if len(rows) == self.size:
                        break
            except table_damage() as error:
                damage = str(error) or type(error).__name__
        if damage is None and len(rows) < self.size:
            damage = f"there should be {self.size} rows from row {self.start + 1} on"
        digest = _digest_rows(rows)
        shown = show_name(self.name)
        first = self.start + 1
        found = read_rows(rows, name=shown, label=self.label, first=first, columns=self.columns)
        items: list[Item] = list(found)
        if damage is not None:
            number = self.start + len(rows) + 1
            reason = (
                f"reading stopped here; of the {self.size} rows from row {self.start + 1} on, "
                f"the last {self.size - len(rows)} are lost: {damage}"
            )
            items.append(RecordError(shown, number, reason, f"{self.label}:{number}"))
        return items, digest


def _digest_rows(rows: Sequence[Any]) -> str:
    """The digest of the rows as one JSON array, of which only a row at a time is in memory."""
    digest = sha256(b"[")
    for k, row in enumerate(rows):
        digest.update(b"," if k else b"")
        digest.update(orjson.dumps(row, default=repr))
    digest.update(b"]")
    return digest.hexdigest()


@dataclass(frozen=True, kw_only=True)
class Listed:
    """Items that were read already: of archives, folders, tables, pipes."""

    items: tuple[Item, ...]

    @property
    def size(self) -> int:
        return len(self.items)

    def read(self) -> tuple[list[Item], str]:
        digest = sha256()
        for item in self.items:
            known = str(item) if isinstance(item, RecordError) else item
            digest.update(orjson.dumps(known, default=repr))
        return list(self.items), digest.hexdigest()
