"""The one way into every corpus: a file, a stream, a folder, an archive, a table, a data set.

Lines of JSON are left to be parsed by workers. What else a path may contain is in `formats.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, RecordError
from .caps import Caps
from .reading import Line, Source, open_source, read_source
from .repeats import refuse_repeats
from .topic import Topic

__all__ = [
    "SUFFIXES",
    "Opened",
    "Reading",
    "find_suffix",
    "is_line_file",
    "is_path_list",
    "open_items",
]

SUFFIXES = {
    ".story": "stories",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".jsonl": "jsonl",
    ".jsonl.gz": "jsonl",
    ".jsonl.bz2": "jsonl",
    ".jsonl.xz": "jsonl",
    ".ndjson": "jsonl",
}
"""What the names of files say of their format."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a corpus is read, beyond where it is."""

    format: str = "auto"
    also: tuple[str, ...] = ()  # further folders or archives of the same corpus
    length: str | None = None  # of the references, if DUC has several
    task: str = "multi"
    split: Callable[[str], list[str]] | None = None  # cuts text into sentences
    record_bytes: int = Caps.record_bytes  # longest line or file that is read


@dataclass(frozen=True, kw_only=True)
class Opened:
    """The records of a corpus, and where they come from."""

    items: Iterable[Topic | Line | RecordError]
    path: Path | None = None  # what an output must not overwrite
    source: Source | None = None  # of lines: tells how far reading has come

    def parse(self) -> Iterator[Topic | RecordError]:
        """The items, lines parsed here; an id that was used before makes an error."""
        return refuse_repeats(
            item.parse() if isinstance(item, Line) else item for item in self.items
        )


@contextmanager
def open_items(source: Any, reading: Reading | None = None) -> Iterator[Opened]:
    """Open anything that has records. Raises InputError if it cannot be opened.

    `source` is a path, `-` for standard input, `demo`, a list of paths that belong together, a
    table (pandas, datasets, polars, pyarrow), or any iterable of mappings or Topics.
    """
    how = Reading() if reading is None else reading
    if not isinstance(source, str | os.PathLike):
        yield Opened(items=_read_object(source, how))
        return
    name, path = os.fspath(source), Path(source)
    by_lines = how.format in ("auto", "jsonl") and not how.also
    if by_lines and (name == "-" or is_line_file(path)):
        with open_source(name, record_bytes=how.record_bytes) as opened:
            yield Opened(items=read_source(opened), path=opened.path, source=opened)
    elif name == "-":
        raise InputError(f"standard input is read as JSON lines, not as {how.format}")
    else:
        yield Opened(items=_read_paths([path, *how.also], how), path=path)


def _read_object(source: Any, how: Reading) -> Iterator[Topic | RecordError]:
    from .rows import is_table, read_rows

    if is_path_list(source):
        return _read_paths([*source, *how.also], how)
    if not is_table(source):
        raise InputError(f"a corpus is a path or a table, not {type(source).__name__}")
    return refuse_repeats(read_rows(source))


def _read_paths(paths: Sequence[Any], how: Reading) -> Iterator[Topic | RecordError]:
    from .formats import open_corpus  # most runs read lines, and need none of it

    return open_corpus(
        paths,
        format=how.format,
        split=how.split,
        length=how.length,
        task=how.task,
        caps=Caps(record_bytes=how.record_bytes),
    )


def is_line_file(path: Path) -> bool:
    """Whether a path is to be read line by line, as JSON lines or plain text."""
    if path.is_dir():
        return False
    suffix = find_suffix(path.name)
    if suffix is not None:
        return suffix == "jsonl"
    from .archives import is_archive

    return not is_archive(path.name)


def is_path_list(source: Any) -> bool:
    """Whether an object is a list of paths that belong together."""
    return (
        isinstance(source, list | tuple)
        and bool(source)
        and all(isinstance(path, str | os.PathLike) for path in source)
    )


def find_suffix(name: str) -> str | None:
    """The format that the name of a file tells; None if it tells none."""
    return next((key for suffix, key in SUFFIXES.items() if name.lower().endswith(suffix)), None)
