"""A stream of topics from a file or standard input; a bad record is a value in it, not its end."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, cast

from ..errors import InputError, NoRecordError, RecordError
from ..frozen import dataclass
from ..given import check_path, is_one_of
from ..message import Message, Setting, show_name, show_value
from .bad import BadRecord, NoRecord
from .caps import Caps, describe_cap
from .columns import Columns, check_columns
from .demo import demo_path
from .record import parse_record
from .repeats import refuse_repeats
from .topic import Topic
from .unpacking import damage, describe_loss, look, unpack

__all__ = [
    "EMPTY",
    "Line",
    "Source",
    "check_name",
    "make_line",
    "name_other",
    "number_lines",
    "open_source",
    "read_source",
    "read_topics",
]

EMPTY = "empty: there is no record in it"
_BOM = b"\xef\xbb\xbf"
_TABLES = {b"PAR1": "Parquet", b"ARROW1": "Arrow"}
_OTHERS = {
    ".pt": "a file of PyTorch; give the JSON that it was made of (PreSumm's json_data)",
    ".pickle": "a pickle, which is not opened, as that can run any code; save the data as JSON",
    ".xlsx": "a spreadsheet; save it as CSV",
    ".xls": "a spreadsheet; save it as CSV",
}
_ZIP = b"PK\x03\x04"
_TAR = b"ustar"
_TAR_PLACE = 257
_PART = 1 << 20  # of a line that is passed over
_BUFFER = 1 << 18  # bytes read at a time; lines that are longer than a buffer are slow to find


@dataclass(frozen=True, kw_only=True)
class Source:
    """An open corpus: its name in messages, its lines, and how far reading has come."""

    name: str
    label: str  # the short name that ids of nameless records start with
    path: Path | None  # None for standard input
    lines: BinaryIO
    raw: BinaryIO
    size: int | None  # bytes on disk; None if it is not known
    record_bytes: int = Caps.record_bytes  # longest line that is read
    columns: Columns = ()  # that the user named

    @property
    def position(self) -> int | None:
        """Bytes taken so far, of the file as it is on disk; None if its size is not known."""
        return None if self.size is None else self.raw.tell()


@contextmanager
def open_source(
    name: str, *, record_bytes: int | None = None, columns: Columns = ()
) -> Iterator[Source]:
    """Open a file of JSON lines, for `read_topics`.

    Parameters
    ----------
    name
        A path (gzip, bzip2, xz and zstd are recognised by the first bytes), `-` for standard input,
        or `demo` for the built-in corpus.
    record_bytes
        A longer line is not read and comes out as an error. Default 256 MiB.
    columns
        Our names of fields, each with the name it has in the file. Default: those of known data
        sets.

    Returns
    -------
    A context that gives the Source

    Raises
    ------
    InputError
        If the file cannot be opened, or has no JSON lines.

    Examples
    --------
    >>> with open_source("demo") as source:
    ...     topics = list(read_topics(source))
    >>> len(topics)
    6
    """
    caps = Caps() if record_bytes is None else Caps(record_bytes=record_bytes)
    with ExitStack() as stack:
        path: Path | None = None
        if is_one_of(name, ("-",)):
            _refuse_closed_input()
            raw = cast(BinaryIO, sys.stdin.buffer)
            shown, label = "<stdin>", "stdin"
        else:
            path = check_name(name, "name")
            if name == "demo" and not path.exists():
                path = demo_path()
            raw = stack.enter_context(_open_file(path))
            shown, label = show_name(name), show_name(Path(name).name)
        size = os.fstat(raw.fileno()).st_size if path is not None and path.is_file() else None
        start, whole = look(raw)
        if (kind := name_other(start)) is not None:
            raise InputError(_refuse_other(shown, kind, piped=path is None))
        yield Source(
            name=shown,
            label=label,
            path=path,
            lines=unpack(whole, start),
            raw=raw,
            size=size,
            record_bytes=caps.record_bytes,
            columns=check_columns(columns),
        )


def _refuse_closed_input() -> None:
    with suppress(io.UnsupportedOperation):  # no file behind it
        number = sys.stdin.fileno()
        try:
            os.read(number, 0)
        except OSError as error:
            raise InputError(f"standard input cannot be read: {error.strerror}") from None


def name_other(start: bytes) -> str | None:
    """The kind of table or archive that begins with these bytes; None for text and packed data."""
    for magic, kind in _TABLES.items():
        if start.startswith(magic):
            return kind
    if start.startswith(_ZIP):
        return "a zip archive"
    return "a tar archive" if start[_TAR_PLACE:].startswith(_TAR) else None


def _refuse_other(shown: str, kind: str, *, piped: bool) -> str:
    if kind in _TABLES.values():
        return _refuse_table(shown, kind, piped=piped)
    how = "save it to a file" if piped else "rename it"
    return f"{shown}: is {kind}, not JSON lines; {how} so that its name says so"


def _refuse_table(shown: str, kind: str, *, piped: bool) -> str:
    if piped:
        return f"{shown}: is {kind}, which cannot be piped; save it to a file and name that"
    return Message(
        "{shown}: is {kind}, not JSON lines; to read it as a corpus, give {format}",
        shown=shown,
        kind=kind,
        format=Setting("format", repr(kind.lower())),
    )


def check_name(name: Any, parameter: str = "source") -> Path:
    """The path. Raises an InputError if no file can have this name, or nobody may look for it."""
    path = check_path(parameter, name)
    if not os.fspath(name):
        raise InputError("the name of a file or folder is empty")
    try:
        os.stat(name)
    except (FileNotFoundError, NotADirectoryError):
        pass  # whoever opens it will be told
    except OSError as error:
        raise InputError(f"{show_name(name)}: {error.strerror}") from None
    return path


def _open_file(path: Path) -> BinaryIO:
    if (other := _OTHERS.get(path.suffix.lower())) is not None and path.is_file():
        raise InputError(f"{show_name(path)}: is {other}")
    if path.suffix == ".parquet":
        raise InputError(f"{show_name(path)}: is Parquet, not JSON lines; open_corpus reads it")
    try:
        return path.open("rb", buffering=_BUFFER)
    except IsADirectoryError:
        raise InputError(f"{show_name(path)}: is a folder; name a file of JSON lines") from None
    except OSError as error:
        raise InputError(f"{show_name(path)}: cannot be read: {error.strerror}") from None


class Line(NamedTuple):
    """A line of a source that holds a record: to be parsed here or by a worker."""

    file: str
    number: int
    fallback_id: str  # of a record without one
    data: bytes
    columns: Columns = ()

    def parse(self) -> Topic | RecordError:
        """The record, or the error that tells why it is none."""
        try:
            return parse_record(
                self.data,
                file=self.file,
                number=self.number,
                fallback_id=self.fallback_id,
                columns=self.columns,
            )
        except BadRecord as bad:
            kind = NoRecordError if isinstance(bad, NoRecord) else RecordError
            return kind(self.file, self.number, bad.reason, bad.record_id or self.fallback_id)
        except MemoryError:
            return RecordError(self.file, self.number, "out of memory", self.fallback_id)


def read_topics(source: Source) -> Iterator[Topic | RecordError]:
    """Every record of an open source in its order.

    Parameters
    ----------
    source
        What `open_source` gives.

    Returns
    -------
    Iterator of Topic or RecordError
        Blank lines are skipped, unknown fields ignored. Of several records with one id the first
        is kept and each later one is an error.

    Raises
    ------
    Nothing
        A record that cannot be used comes out as a RecordError.

    Examples
    --------
    >>> with open_source("demo") as source:
    ...     print(next(read_topics(source)).id)
    harbour
    """
    if not isinstance(source, Source):
        raise InputError(f"source must be what open_source gives, not {show_value(source)}")
    return refuse_repeats(
        line.parse() if isinstance(line, Line) else line for line in read_source(source)
    )


def read_source(source: Source) -> Iterator[Line | RecordError]:
    """The lines of an open source that hold something; an error if reading had to stop.

    A source without any record is an error as well: most often something went wrong before.
    """
    found = False
    number = 0
    try:
        for number, data in number_lines(source.lines, longest=source.record_bytes):
            found = True
            yield make_line(source.name, source.label, number, data, source.columns)
    except damage() as error:
        found = True
        number += 1
        reason = f"reading stopped here, the rest is lost: {describe_loss(error)}"
        yield RecordError(source.name, number, reason, f"{source.label}:{number}")
    if not found:
        yield RecordError(source.name, 1, EMPTY, f"{source.label}:1")


def make_line(
    file: str, label: str, number: int, data: bytes | TooLong, columns: Columns = ()
) -> Line | RecordError:
    """A numbered line as an item of a source."""
    fallback_id = f"{label}:{number}"
    if isinstance(data, TooLong):
        reason = f"the line is {describe_cap(data.longest)}"
        return RecordError(file, number, reason, fallback_id)
    return Line(file, number, fallback_id, data, columns)


@dataclass(frozen=True, kw_only=True)
class TooLong:
    """Stands for a line that was not read."""

    longest: int


def number_lines(
    stream: IO[bytes], first: int = 1, *, longest: int
) -> Iterator[tuple[int, bytes | TooLong]]:
    """Lines with their numbers, without line ends, blank lines and the mark some editors put first.

    Of a line with more than `longest` bytes no more than these is ever in memory.
    """
    number = first
    while line := stream.readline(longest + 1):
        if len(line) > longest and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = stream.readline(_PART)
            yield number, TooLong(longest=longest)
        else:
            if number == 1:
                line = line.removeprefix(_BOM)
            # With its end, a broken line would be told about in other words than without it.
            if not line.isspace():
                yield number, line.rstrip(b"\r\n")
        number += 1
