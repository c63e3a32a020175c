"""Parquet and Arrow files, a few rows at a time; pyarrow is imported when the first one is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, RecordError
from .rows import read_rows
from .topic import Topic

__all__ = ["read_arrow", "read_parquet"]

_BATCH = 256


def read_parquet(source: Path | bytes, *, name: str, label: str) -> Iterator[Topic | RecordError]:
    """The rows of a Parquet file. Raises InputError where it is none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(source if isinstance(source, Path) else pa.BufferReader(source))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name}: cannot be read as Parquet: {error}") from None
    yield from _read_batches(file.iter_batches(batch_size=_BATCH), name=name, label=label)


def read_arrow(source: Path | bytes, *, name: str, label: str) -> Iterator[Topic | RecordError]:
    """The rows of an Arrow file, as datasets.save_to_disk writes it. Raises InputError."""
    import pyarrow as pa

    try:
        buffer = pa.memory_map(str(source)) if isinstance(source, Path) else pa.BufferReader(source)
        try:
            batches: Iterable[Any] = pa.ipc.open_stream(buffer)
        except pa.ArrowInvalid:
            buffer.seek(0)
            reader = pa.ipc.open_file(buffer)
            batches = map(reader.get_batch, range(reader.num_record_batches))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name}: cannot be read as Arrow: {error}") from None
    yield from _read_batches(batches, name=name, label=label)


def _read_batches(
    batches: Iterable[Any], *, name: str, label: str
) -> Iterator[Topic | RecordError]:
    rows = _Rows(batches)
    yield from read_rows(rows, name=name, label=label)
    if rows.damage is not None:
        number = rows.count + 1
        reason = f"reading stopped here, the rest is lost: {rows.damage}"
        yield RecordError(name, number, reason, f"{label}:{number}")


class _Rows:
    """The rows of record batches; damage ends them, and is kept to be told."""

    def __init__(self, batches: Iterable[Any]) -> None:
        self._batches = batches
        self.count = 0
        self.damage: Exception | None = None

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        import pyarrow as pa

        try:
            for batch in self._batches:
                for row in batch.to_pylist():
                    self.count += 1
                    yield row
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            self.damage = error
