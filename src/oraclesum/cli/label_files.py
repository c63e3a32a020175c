"""Files of labels: Parquet, a JSON array for PreSumm, JSON lines of examples for the others."""

from __future__ import annotations

from typing import BinaryIO

import click
import orjson

from ..answers import WrittenRow
from ..answers.record import LabelRecord, Record
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

    def write(self, row: WrittenRow) -> None:
        example = row.record.get("example")
        if example is None:
            self._left_out += 1
            return
        line = orjson.dumps(example, option=orjson.OPT_APPEND_NEWLINE)
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

    def write(self, row: WrittenRow) -> None:
        example = row.record.get("example")
        if example is None:
            self._left_out += 1
            return
        self._stream.write(self._before + orjson.dumps(example))
        self._before = b",\n"

    def close(self) -> None:
        self._stream.write(b"[]\n" if self._before == b"[" else b"]\n")
        self._stream.flush()
        _tell_left_out(self._left_out)


class ParquetFile:
    """The records as columns; a record that failed has a status, an error and no labels."""

    def __init__(self, stream: BinaryIO) -> None:
        import pyarrow.parquet as pq

        self._stream = stream
        self._writer = pq.ParquetWriter(stream, LabelRecord.schema())
        self._records: list[Record] = []

    def write(self, row: WrittenRow) -> None:
        self._records.append(LabelRecord.read(row.record))
        if len(self._records) == _ROWS_PER_GROUP:
            self._write_group()

    def close(self) -> None:
        self._write_group()
        self._writer.close()
        self._stream.flush()

    def _write_group(self) -> None:
        if self._records:
            self._writer.write_table(LabelRecord.tabulate(self._records))
            self._records.clear()
