"""A stream of topics from a file or standard input; a bad record is a value in it, not its end."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from ..errors import InputError, RecordError
from .demo import demo_path
from .record import BadRecord, parse_record
from .repeats import refuse_repeats
from .topic import Topic

__all__ = ["Line", "Source", "number_lines", "open_source", "read_source", "read_topics"]

_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_TABLES = {b"PAR1": "Parquet", b"ARROW1": "Arrow"}


@dataclass(frozen=True, kw_only=True)
class Source:
    """An open corpus: its name in messages, its lines, and how far reading has come."""

    name: str
    label: str  # the short name that ids of nameless records start with
    path: Path | None  # None for standard input
    lines: BinaryIO
    raw: BinaryIO
    size: int | None  # bytes on disk; None where it is not known

    @property
    def position(self) -> int | None:
        """Bytes taken so far, of the file as it is on disk; None where its size is not known."""
        return None if self.size is None else self.raw.tell()


@contextmanager
def open_source(name: str) -> Iterator[Source]:
    """Open FILE, `-` for standard input, or `demo`; gzip is recognised by its first bytes."""
    with ExitStack() as stack:
        path: Path | None = None
        if name == "-":
            raw = cast(BinaryIO, sys.stdin.buffer)
            shown, label = "<stdin>", "stdin"
        else:
            path = Path(name)
            if name == "demo" and not path.exists():
                path = demo_path()
            raw = stack.enter_context(_open_file(path))
            shown, label = name, Path(name).name
        size = os.fstat(raw.fileno()).st_size if path is not None and path.is_file() else None
        lines = raw
        start = _peek(raw)
        for magic, kind in _TABLES.items():
            if start.startswith(magic):
                raise InputError(_refuse_table(shown, kind, piped=path is None))
        if start[:2] == _GZIP:
            lines = cast(BinaryIO, stack.enter_context(gzip.open(raw, "rb")))
        yield Source(name=shown, label=label, path=path, lines=lines, raw=raw, size=size)


def _refuse_table(shown: str, kind: str, *, piped: bool) -> str:
    if piped:
        return f"{shown}: is {kind}, which cannot be piped; save it to a file and name that"
    return f"{shown}: is {kind}, not JSON lines; open_corpus reads it with format={kind.lower()!r}"


def _open_file(path: Path) -> BinaryIO:
    if path.suffix == ".parquet":
        raise InputError(f"{path}: is Parquet, not JSON lines; open_corpus reads it")
    try:
        return path.open("rb")
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder; name a file of JSON lines") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _peek(stream: BinaryIO) -> bytes:
    return stream.peek(8) if isinstance(stream, io.BufferedReader) else b""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of a source that holds a record: to be parsed here or by a worker."""

    file: str
    number: int
    fallback_id: str  # of a record without one
    data: bytes

    def parse(self) -> Topic | RecordError:
        """The record, or the error that tells why it is none."""
        try:
            return parse_record(
                self.data, file=self.file, number=self.number, fallback_id=self.fallback_id
            )
        except BadRecord as bad:
            return RecordError(
                self.file, self.number, bad.reason, bad.record_id or self.fallback_id
            )


def read_topics(source: Source) -> Iterator[Topic | RecordError]:
    """Every record of an open source in its order: a Topic, or the error that tells why it is none.

    Blank lines are skipped, unknown fields ignored. Of several records with one id the first is
    kept and each later one is an error.
    """
    return refuse_repeats(
        line.parse() if isinstance(line, Line) else line for line in read_source(source)
    )


def read_source(source: Source) -> Iterator[Line | RecordError]:
    """The lines of an open source that hold something; an error where reading had to stop."""
    for number, data in _number_lines(source):
        if isinstance(data, RecordError):
            yield data
        else:
            fallback_id = f"{source.label}:{number}"
            yield Line(file=source.name, number=number, fallback_id=fallback_id, data=data)


def number_lines(lines: Iterable[bytes], first: int = 1) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, without blank ones and the mark that some editors put first."""
    for number, line in enumerate(lines, start=first):
        if number == 1:
            line = line.removeprefix(_BOM)
        if line.strip():
            yield number, line


def _number_lines(source: Source) -> Iterator[tuple[int, bytes | RecordError]]:
    number = 0
    try:
        for number, line in number_lines(source.lines):
            yield number, line
    except (EOFError, OSError, zlib.error) as error:
        number += 1
        reason = f"reading stopped here, the rest is lost: {error}"
        yield number, RecordError(source.name, number, reason, f"{source.label}:{number}")
