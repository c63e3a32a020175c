"""Pieces of a corpus, one per shard: where they stand, so that any worker can read them itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

import orjson

from ..answers import Item
from ..corpora import refuse_repeats
from ..corpora.reading import Line, number_lines
from ..corpora.rows import read_rows
from ..errors import InputError, RecordError

__all__ = ["Held", "Lines", "ParquetRows", "Piece", "name_of_file", "open_input"]


class Piece(Protocol):
    """Consecutive records of the input."""

    @property
    def size(self) -> int:
        """How much of the input it is, in the units of the whole's size."""

    def read(self) -> tuple[list[Item], str]:
        """The items, and a digest of the input they stand in."""

    def digest(self) -> str:
        """The digest alone."""


def open_input(name: str) -> AbstractContextManager[BinaryIO]:
    """A file, local or behind an address that pyarrow's file systems know. Raises InputError."""
    try:
        if "://" in name:
            from pyarrow import fs

            system, path = fs.FileSystem.from_uri(name)
            return cast(AbstractContextManager[BinaryIO], system.open_input_file(path))
        return Path(name).open("rb")
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None


def name_of_file(name: str) -> str:
    """The last part of a path or an address, without what an address says of its store."""
    path = name.partition("?")[0] if "://" in name else name
    return path.rpartition("/")[2]


@dataclass(frozen=True, kw_only=True)
class Lines:
    """Whole lines of a file of JSON lines."""

    name: str
    label: str
    start: int  # byte
    size: int
    first_line: int

    def read(self) -> tuple[list[Item], str]:
        data = self._load()
        return list(refuse_repeats(self._parse(data))), sha256(data).hexdigest()

    def digest(self) -> str:
        return sha256(self._load()).hexdigest()

    def _load(self) -> bytes:
        with open_input(self.name) as stream:
            stream.seek(self.start)
            return stream.read(self.size)

    def _parse(self, data: bytes) -> Iterator[Item]:
        for number, line in number_lines(data.split(b"\n"), self.first_line):
            fallback_id = f"{self.label}:{number}"
            yield Line(file=self.name, number=number, fallback_id=fallback_id, data=line).parse()


@dataclass(frozen=True, kw_only=True)
class ParquetRows:
    """Rows of a Parquet file."""

    name: str
    label: str
    start: int  # row
    size: int
    groups: tuple[int, ...]  # the row groups they stand in
    skip: int  # rows of the first group that come before

    def read(self) -> tuple[list[Item], str]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        rows: list[dict[str, Any]] = []
        left_out = self.skip
        with open_input(self.name) as stream:
            try:
                for batch in pq.ParquetFile(stream).iter_batches(
                    batch_size=1024, row_groups=list(self.groups)
                ):
                    wanted = batch.slice(left_out, self.size - len(rows))
                    left_out = max(0, left_out - batch.num_rows)
                    rows.extend(wanted.to_pylist())
                    if len(rows) == self.size:
                        break
            except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
                raise InputError(f"{self.name}: cannot be read as Parquet: {error}") from None
        digest = sha256(orjson.dumps(rows, default=repr)).hexdigest()
        items = read_rows(rows, name=self.name, label=self.label, first=self.start + 1)
        return list(refuse_repeats(items)), digest

    def digest(self) -> str:
        return self.read()[1]


@dataclass(frozen=True, kw_only=True)
class Held:
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

    def digest(self) -> str:
        return self.read()[1]
