"""Where records go: JSON lines, and files of labels; and which files may be written."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import click
import orjson

from ..answers import WrittenRow
from ..answers.record import LabelRecord, Record
from ..errors import InputError
from ..message import show_name
from .settings import Settings

__all__ = [
    "JsonLines",
    "Sink",
    "forget_output",
    "name_output",
    "open_label_file",
    "open_output",
    "refuse_inside",
    "refuse_overwriting",
]

_ROWS_PER_GROUP = 1000


class Sink(Protocol):
    """Takes the rows of a run one by one."""

    def write(self, row: WrittenRow) -> None:
        """Take one row."""

    def close(self) -> None:
        """Show what was kept until the end."""


class JsonLines:
    """One JSON object per line."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, row: WrittenRow) -> None:
        self._stream.write(row.line)

    def close(self) -> None:
        self._stream.flush()


@contextmanager
def open_output(
    name: str | None, *, source: Path | None, force: bool, whole: bool = False
) -> Iterator[BinaryIO | None]:
    """The file to write to; None for a terminal, which gets a table instead.

    Lines are in the file as soon as they are written. What is of no use in part is `whole`: if it
    is not written to its end, the file is not there, or is the older one. If a run ends by wrong
    usage or a signal before anything is written, it is as if the file had not been opened.
    """
    if name is None or name == "-":
        yield None if name is None and sys.stdout.isatty() else sys.stdout.buffer
        return
    path = Path(name)
    refuse_overwriting(path, source, force)
    if whole:
        from ..replacing import open_whole  # most runs write lines

        with open_whole(path) as stream:
            yield stream
        return
    is_new = not path.exists()
    try:
        file = _Output(path, "wb", opener=_open_as_it_is)
        file.new = path if is_new else None
    except OSError as error:
        raise InputError(f"{show_name(path)}: cannot be written: {error.strerror}") from None
    with io.BufferedWriter(file) as stream:
        try:
            yield stream
        except BaseException:  # wrong usage, a signal, an output that cannot be written
            forget_output(stream)
            raise
        file.begin()


def _open_as_it_is(name: str, flags: int) -> int:
    return os.open(name, flags & ~os.O_TRUNC, 0o666)


class _Output(io.FileIO):
    """A file of lines that loses its earlier content when it gets a new one, not when opened.

    If the disk is full, the file ends with its last whole line.
    """

    new: Path | None = None  # its path, if there was no such file before
    _begun = False
    _kept = False
    _written = 0  # bytes
    _whole = 0  # bytes up to the end of the last whole line
    _failed: OSError | None = None

    def write(self, data: Any) -> int:
        if self._failed is not None:  # what comes later does not follow what is there
            raise self._failed
        if self._kept:
            return len(data)
        self.begin()
        try:
            written = super().write(data)
        except OSError as error:
            self._failed = error
            self._cut()
            raise
        end = bytes(data[:written]).rfind(b"\n") + 1
        if end:
            self._whole = self._written + end
        self._written += written
        return written

    def _cut(self) -> None:
        """Remove the part of a line that the disk still had room for."""
        if self._is_regular():
            with suppress(OSError):
                self.truncate(self._whole)

    def _is_regular(self) -> bool:
        return stat.S_ISREG(os.fstat(self.fileno()).st_mode)

    def begin(self) -> None:
        """Remove the earlier content, unless that is done."""
        if not self._begun and self._is_regular():
            self.truncate(0)
        self._begun = True

    def forget(self) -> None:
        """If nothing was written, leave all as if the file had not been opened."""
        self._kept = not self._begun
        if self._kept and self.new is not None:
            self.new.unlink(missing_ok=True)


def forget_output(stream: BinaryIO | None) -> None:
    """If nothing was written to a file, leave all as if it had not been opened."""
    file = getattr(stream, "raw", None)
    if isinstance(file, _Output):
        file.forget()


def name_output(name: str | None) -> str:
    """The output as messages call it."""
    return "standard output" if name is None or name == "-" else show_name(name)


def refuse_overwriting(path: Path, source: Path | None, force: bool) -> None:
    """Raise an InputError if the output is the input, or exists and may not be replaced."""
    try:
        status = path.stat()
    except OSError:
        return  # does not exist; opening it says what else may be wrong
    if source is not None and os.path.samefile(path, source):
        raise InputError(f"{show_name(path)}: is the input; choose another name for the output")
    # A pipe or device such as /dev/null cannot be overwritten.
    if stat.S_ISREG(status.st_mode) and not force:
        raise InputError(
            f"{show_name(path)}: exists; choose another name or give --force to overwrite it"
        )


def refuse_inside(output: str | None, source: str) -> None:
    """A file written into the corpus would be read as a part of it, if not now then next time."""
    folder = Path(source)
    if output in (None, "-") or "://" in str(output) or not folder.is_dir():
        return
    if Path(str(output)).resolve().is_relative_to(folder.resolve()):
        raise InputError(
            f"{show_name(output)}: is inside the input {show_name(folder)}; choose another place"
        )


def open_label_file(stream: BinaryIO, settings: Settings) -> Sink:
    """The sink for --to."""
    if settings.to == "parquet":
        return ParquetFile(stream)
    if settings.to == "presumm":
        return ExampleArray(stream)
    return JsonLines(stream) if settings.to == "jsonl" else ExampleLines(stream)


class ExampleLines:
    """One example per line. Training code knows no error records: they are told, not written."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left_out = 0

    def write(self, row: WrittenRow) -> None:
        example = row.record.get("example")
        if example is None:
            self._left_out += 1
        else:
            self._write_example(orjson.dumps(example))

    def _write_example(self, example: bytes) -> None:
        self._stream.write(example + b"\n")

    def close(self) -> None:
        self._stream.flush()
        if self._left_out:
            several = f"{self._left_out} records that failed are"
            what = "1 record that failed is" if self._left_out == 1 else several
            click.echo(f"{what} not in the output: this format has no place for errors", err=True)


class ExampleArray(ExampleLines):
    """All examples as one JSON array, which is what a shard of PreSumm is."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(stream)
        self._before = b"["

    def _write_example(self, example: bytes) -> None:
        self._stream.write(self._before + example)
        self._before = b",\n"

    def close(self) -> None:
        self._stream.write(b"[]\n" if self._before == b"[" else b"]\n")
        super().close()


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
