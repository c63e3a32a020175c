"""Where records go: JSON lines, and files of labels; and which files may be written."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator
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
    "refuse_containing",
    "refuse_ending",
    "refuse_input",
    "refuse_overwriting",
]

_ROWS_PER_GROUP = 1000
_NOT_WRITTEN = (".parquet", ".arrow", ".csv", ".tsv", ".gz", ".bz2", ".xz", ".zst", ".zip")


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
def open_output(name: str | None, *, force: bool, whole: bool = False) -> Iterator[BinaryIO | None]:
    """The file to write to; None for a terminal, which gets a table instead.

    Lines are in the file as soon as they are written. What is of no use in part is `whole`: if it
    is not written to its end, the file is not there, or is the older one. If a run ends by wrong
    usage or a signal before anything is written, it is as if the file had not been opened.
    """
    if name is None or name == "-":
        yield None if name is None and sys.stdout.isatty() else sys.stdout.buffer
        return
    path = Path(name)
    refuse_overwriting(path, force)
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


def refuse_overwriting(path: Path, force: bool) -> None:
    """Raise an InputError if the output exists and may not be replaced."""
    try:
        status = path.stat()
    except OSError:
        return  # does not exist; opening it says what else may be wrong
    # A pipe or device such as /dev/null cannot be overwritten.
    if stat.S_ISREG(status.st_mode) and not force:
        raise InputError(
            f"{show_name(path)}: exists; choose another name or give --force to overwrite it"
        )


def refuse_ending(output: str | None, to: str) -> None:
    """Raise an InputError if the name of the output promises what is not written into it."""
    ending = Path(output or "").suffix.lower()
    if ending == f".{to}" or ending not in _NOT_WRITTEN:
        return
    if ending in (".parquet", ".arrow", ".csv", ".tsv"):
        how = "lines of JSON are written; .parquet files are what `merge` writes from a folder of "
        how += "shards, and `labels --to parquet`"
    else:
        how = "nothing is packed here; leave the ending out, or write to a pipe that packs"
    raise InputError(f"{name_output(output)}: its name ends in {ending}, but {how}")


def refuse_input(output: str | None, inputs: Iterable[str]) -> None:
    """Raise an InputError if the output is one of the inputs, or inside a folder that is one.

    A file written into the corpus would be read as a part of it, if not now then next time.
    Standard input and output may be files, too.
    """
    for name in inputs:
        if _is_same_file(output, name):
            raise InputError(
                f"{name_output(output)}: is the input; choose another name for the output"
            )
        if name != "-" and _is_inside(output, Path(name)):
            raise InputError(
                f"{name_output(output)}: is inside the input {show_name(name)}; choose another "
                "place"
            )


def refuse_containing(folder: str, inputs: Iterable[str]) -> None:
    """Raise an InputError if an input is inside the folder that is written to.

    It may be named as a shard is, and those are removed or replaced.
    """
    if "://" in folder:
        return
    for name in inputs:
        # The built-in corpus is no file, and may have the name of the folder.
        if not os.path.exists(name) or name == "-":
            continue
        if Path(name).resolve().is_relative_to(Path(folder).resolve()):
            raise InputError(
                f"{show_name(folder)}: contains the input {show_name(name)}; choose another folder"
            )


def _is_same_file(output: str | None, source: str) -> bool:
    written = _find_output(output)
    try:
        read = os.fstat(0) if source == "-" else os.stat(source)
    except (OSError, ValueError):  # it is not there, or closed
        return False
    return written is not None and stat.S_ISREG(read.st_mode) and os.path.samestat(written, read)


def _is_inside(output: str | None, folder: Path) -> bool:
    """Whether the output is in a folder, or one of its files is the output under another name."""
    if "://" in str(output) or not os.path.isdir(folder):
        return False
    if output not in (None, "-") and Path(str(output)).resolve().is_relative_to(folder.resolve()):
        return True
    written = _find_output(output)
    if written is None or not stat.S_ISREG(written.st_mode):
        return False
    if output not in (None, "-") and written.st_nlink == 1:
        return False  # it has no other name
    folders = [os.fspath(folder)]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.inode() == written.st_ino and os.path.samestat(entry.stat(), written):
                    return True
    return False


def _find_output(output: str | None) -> os.stat_result | None:
    try:
        return os.fstat(1) if output in (None, "-") else os.stat(str(output))
    except (OSError, ValueError):  # it is not there, or closed
        return None


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
