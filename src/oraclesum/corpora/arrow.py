"""Parquet and Arrow files, a few rows at a time; pyarrow is imported when the first one is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, RecordError
from .files import describe_cap
from .rows import read_rows
from .topic import Topic

__all__ = ["find_bomb", "read_arrow", "read_parquet", "table_damage"]

_BATCH = 256
_CONTINUES = b"\xff\xff\xff\xff"  # before every message of an Arrow stream
_END = _CONTINUES + b"\0\0\0\0"
_OLD_END = b"\0\0\0\0"  # before Arrow 0.15
_DENSEST = 100  # times smaller than text is no text: it rarely packs to less than a tenth


def table_damage() -> tuple[type[Exception], ...]:
    """What pyarrow raises for bytes that are not as they should be."""
    import pyarrow as pa

    return pa.ArrowException, OSError, UnicodeDecodeError, MemoryError


def read_parquet(
    source: Path | bytes, *, name: str, label: str, record_bytes: int
) -> Iterator[Topic | RecordError]:
    """The rows of a Parquet file. Raises InputError if it is none, or unpacks to far too much."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(
            source if isinstance(source, Path) else pa.BufferReader(source),
            page_checksum_verification=True,
        )
    except table_damage() as error:
        raise InputError(f"{name}: cannot be read as Parquet: {error}") from None
    size = source.stat().st_size if isinstance(source, Path) else len(source)
    if (reason := find_bomb(file.metadata, size, record_bytes)) is not None:
        raise InputError(f"{name}: {reason}")
    yield from _read_batches(
        lambda: file.iter_batches(batch_size=_BATCH),
        name=name,
        label=label,
        expected=file.metadata.num_rows,
    )


def find_bomb(metadata: Any, size: int, record_bytes: int) -> str | None:
    """Why a Parquet file of so many bytes is not to be unpacked, by what it says of itself.

    Its columns are not asked: pyarrow ends the whole process if what describes one is damaged.
    """
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        unpacked = group.total_byte_size
        rows = 1 if unpacked > _DENSEST * size else max(1, group.num_rows)
        if unpacked > record_bytes * rows:
            return (
                f"refused: row group {number} unpacks to {unpacked:,} bytes: "
                f"a row may be {describe_cap(record_bytes)}"
            )
    return None


def read_arrow(source: Path | bytes, *, name: str, label: str) -> Iterator[Topic | RecordError]:
    """The rows of an Arrow file, as datasets.save_to_disk writes it. Raises InputError."""
    import pyarrow as pa

    try:
        buffer = pa.memory_map(str(source)) if isinstance(source, Path) else pa.BufferReader(source)
        try:
            batches: Iterable[Any] = _read_stream(pa.ipc.open_stream(buffer), buffer)
        except pa.ArrowInvalid:
            buffer.seek(0)
            reader = pa.ipc.open_file(buffer)
            batches = map(reader.get_batch, range(reader.num_record_batches))
    except table_damage() as error:
        raise InputError(f"{name}: cannot be read as Arrow: {error}") from None
    yield from _read_batches(lambda: batches, name=name, label=label)


def _read_stream(reader: Any, buffer: Any) -> Iterator[Any]:
    """The batches of an Arrow stream; OSError if it does not end with the mark of its end."""
    yield from reader
    place = buffer.tell()
    mark = _END if buffer.read_at(len(_CONTINUES), 0) == _CONTINUES else _OLD_END
    if buffer.read_at(len(mark), max(0, place - len(mark))) != mark:
        raise OSError(f"cut off: no mark of the end at byte {place:,}")
    if place != buffer.size():
        raise OSError(f"something follows the end, which is at byte {place:,}")


def _read_batches(
    open_batches: Callable[[], Iterable[Any]], *, name: str, label: str, expected: int | None = None
) -> Iterator[Topic | RecordError]:
    rows = _Rows(open_batches)
    yield from read_rows(rows, name=name, label=label)
    if rows.damage is None and expected not in (None, rows.count):
        rows.damage = f"there should be {expected} rows"
    if rows.damage is not None:
        number = rows.count + 1
        reason = f"reading stopped here, the rest is lost: {rows.damage}"
        yield RecordError(name, number, reason, f"{label}:{number}")


class _Rows:
    """The rows of record batches; damage ends them, and is kept to be told."""

    def __init__(self, open_batches: Callable[[], Iterable[Any]]) -> None:
        self._open_batches = open_batches
        self.count = 0
        self.damage: str | None = None

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        try:
            for batch in self._open_batches():
                # A value that says where it starts and ends in the data may say nonsense.
                batch.validate(full=True)
                for row in batch.to_pylist():
                    self.count += 1
                    yield row
        except table_damage() as error:
            self.damage = str(error) or type(error).__name__
