"""Files of labels: Parquet, a JSON array for PreSumm, JSON lines of examples for the others."""

from __future__ import annotations

from typing import Any, BinaryIO

import click
import orjson

from ..answers import Row
from .output import JsonLines, Sink
from .settings import Settings

__all__ = ["open_label_file"]

_ROWS_PER_GROUP = 1000


def open_label_file(stream: BinaryIO, settings: Settings) -> Sink:
    """The sink for --to."""
    if settings.to == "parquet":
        return ParquetFile(stream)
    if settings.to == "presumm":
        return ExampleArray(stream)
    return JsonLines(stream) if settings.to == "jsonl" else ExampleLines(stream)


def _tell_left_out(count: int) -> None:
    if count:
        what = "1 record that failed is" if count == 1 else f"{count} records that failed are"
        click.echo(f"{what} not in the output: this format has no place for errors", err=True)


class ExampleLines:
    """One example per line. Training code knows no error records: they are told, not written."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left_out = 0

    def write(self, row: Row) -> None:
        if "example" not in row.record:
            self._left_out += 1
            return
        line = orjson.dumps(row.record["example"], option=orjson.OPT_APPEND_NEWLINE)
        self._stream.write(line)
        self._stream.flush()

    def close(self) -> None:
        self._stream.flush()
        _tell_left_out(self._left_out)


class ExampleArray:
    """All examples as one JSON array, which is what a shard of PreSumm is."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._before = b"["
        self._left_out = 0

    def write(self, row: Row) -> None:
        if "example" not in row.record:
            self._left_out += 1
            return
        self._stream.write(self._before + orjson.dumps(row.record["example"]))
        self._before = b",\n"

    def close(self) -> None:
        self._stream.write(b"[]\n" if self._before == b"[" else b"]\n")
        self._stream.flush()
        _tell_left_out(self._left_out)


class ParquetFile:
    """The records as columns; a record that failed has a status, an error and no labels."""

    def __init__(self, stream: BinaryIO) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._stream = stream
        self._arrow = pa
        self._schema = pa.schema(
            [
                ("id", pa.string()),
                ("reference", pa.int32()),
                ("status", pa.string()),
                ("error", pa.string()),
                ("hits", pa.int64()),
                ("total", pa.int64()),
                ("score", pa.float64()),
                ("count", pa.string()),  # it may exceed 64 bits
                ("labels", pa.list_(pa.int8())),
                ("soft_labels", pa.list_(pa.float32())),
                ("oracle_ids", pa.list_(pa.int32())),
                ("sentences", pa.list_(pa.string())),
                ("method", pa.string()),
                ("signature", pa.string()),
            ]
        )
        self._writer = pq.ParquetWriter(stream, self._schema)
        self._rows: list[dict[str, Any]] = []

    def write(self, row: Row) -> None:
        record = dict(row.record)
        if "count" in record:
            record["count"] = str(record["count"])
        self._rows.append(record)
        if len(self._rows) == _ROWS_PER_GROUP:
            self._write_group()

    def close(self) -> None:
        self._write_group()
        self._writer.close()
        self._stream.flush()

    def _write_group(self) -> None:
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
            self._rows.clear()
