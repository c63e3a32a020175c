"""Where records go: JSON lines into a pipe or file; and which files may be written."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from ..answers import WrittenRow
from ..errors import InputError

__all__ = [
    "JsonLines",
    "Sink",
    "name_output",
    "open_output",
    "refuse_inside",
    "refuse_overwriting",
]


class Sink(Protocol):
    """Takes the rows of a run one by one."""

    def write(self, row: WrittenRow) -> None:
        """Take one row."""

    def close(self) -> None:
        """Show what was kept until the end."""


class JsonLines:
    """One JSON object per line, each flushed when written: an interrupted run keeps them."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, row: WrittenRow) -> None:
        self._stream.write(row.line)
        self._stream.flush()

    def close(self) -> None:
        self._stream.flush()


@contextmanager
def open_output(name: str | None, *, source: Path | None, force: bool) -> Iterator[BinaryIO | None]:
    """The file to write JSON lines to; None for a terminal, which gets a table instead."""
    if name is None or name == "-":
        yield None if name is None and sys.stdout.isatty() else sys.stdout.buffer
        return
    path = Path(name)
    refuse_overwriting(path, source, force)
    try:
        stream = path.open("wb")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    with stream:
        yield stream


def name_output(name: str | None) -> str:
    """The output as messages call it."""
    return "standard output" if name is None or name == "-" else name


def refuse_overwriting(path: Path, source: Path | None, force: bool) -> None:
    """Raise an InputError where the output is the input, or exists and may not be replaced."""
    try:
        status = path.stat()
    except OSError:
        return  # does not exist; opening it says what else may be wrong
    if source is not None and os.path.samefile(path, source):
        raise InputError(f"{path}: is the input; choose another name for the output")
    # A pipe or device such as /dev/null cannot be overwritten.
    if stat.S_ISREG(status.st_mode) and not force:
        raise InputError(f"{path}: exists; choose another name or give --force to overwrite it")


def refuse_inside(output: str | None, source: str) -> None:
    """A file written into the corpus would be read as a part of it, if not now then next time."""
    folder = Path(source)
    if output in (None, "-") or "://" in str(output) or not folder.is_dir():
        return
    if Path(str(output)).resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{output}: is inside the input {folder}; choose another place")
