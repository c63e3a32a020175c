"""The one way into every corpus: a file, a stream, a folder, an archive, a table, a data set.

Lines of JSON are left to be parsed by workers. What else a path may contain is in `formats.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import Any, cast

from ..errors import InputError, RecordError
from ..frozen import dataclass
from ..given import is_one_of
from .caps import Caps
from .columns import Columns
from .reading import Line, Source, check_name, open_source, read_source
from .repeats import refuse_repeats
from .topic import Topic
from .unpacking import damage, is_archive, unpack
from .wrong import refuse_wrong

__all__ = [
    "SUFFIXES",
    "Opened",
    "Reading",
    "find_format",
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
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".pkl": "realsumm",
}
"""What the names of files say of their format."""

_PACKED = (".gz", ".bz2", ".xz", ".zst")
_PACKABLE = ("jsonl", "json", "csv", "tsv")
# Beside the tables of Hugging Face's datasets: what is said about them.
_ABOUT = ("dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json")
_START = 1 << 16  # bytes that are looked at to tell what a file of JSON is


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a corpus is read, beyond where it is."""

    format: str = "auto"
    also: tuple[str, ...] = ()  # further folders or archives of the same corpus
    length: str | None = None  # of the references, if DUC has several
    task: str = "multi"
    split: Callable[[str], list[str]] | None = None  # cuts text into sentences
    record_bytes: int = Caps.record_bytes  # longest line or file that is read
    columns: Columns = ()  # our names, each with the name it has in the data


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
        every = [*source, *how.also] if is_path_list(source) else source
        yield Opened(items=_read_corpus(every, how))
        return
    name, path = os.fspath(source), check_name(source)
    for one in how.also:
        check_name(one)
    by_lines = is_one_of(how.format, ("auto", "jsonl")) and not how.also
    if by_lines and (name == "-" or is_line_file(path)):
        with open_source(name, record_bytes=how.record_bytes, columns=how.columns) as opened:
            items = refuse_wrong(read_source(opened))
            yield Opened(items=items, path=opened.path, source=opened)
    elif name == "-":
        raise InputError(f"standard input is read as JSON lines, not as {how.format}")
    else:
        yield Opened(items=_read_corpus([path, *how.also], how), path=path)


def _read_corpus(source: Any, how: Reading) -> Iterator[Topic | RecordError]:
    from .formats import open_corpus  # most runs read lines, and need none of it

    return open_corpus(
        source,
        format=how.format,
        split=how.split,
        length=how.length,
        task=how.task,
        caps=Caps(record_bytes=how.record_bytes),
        columns=dict(how.columns),
    )


def is_line_file(path: Path) -> bool:
    """Whether a path is to be read line by line, as JSON lines."""
    if path.is_dir():
        return False
    return not is_archive(path.name) and find_format(path) == "jsonl"


def find_format(path: Path) -> str:
    """The format of one file: by its name, and for JSON by how it begins."""
    suffix = find_suffix(path.name)
    if suffix not in (None, "jsonl", "json") or not path.is_file():
        return "jsonl" if suffix in (None, "json") else suffix
    start = b""
    # Not `read`, which drops what it has if the last part of it fails; whoever reads it is told.
    with suppress(*damage()), path.open("rb") as raw, unpack(raw) as stream:
        while len(start) < _START and (more := cast(BufferedReader, stream).read1(_START)):
            start += more
    if suffix != "jsonl" and start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"["):
        return "json"
    return "summeval" if is_summeval(start) else "jsonl"


def is_summeval(start: bytes) -> bool:
    """Whether JSON lines that begin so are SummEval's annotations: a line for each system."""
    return b'"expert_annotations"' in start and b'"decoded"' in start


def is_path_list(source: Any) -> bool:
    """Whether an object is a list of paths that belong together."""
    return (
        isinstance(source, list | tuple)
        and bool(source)
        and all(isinstance(path, str | os.PathLike) for path in source)
    )


def find_suffix(name: str) -> str | None:
    """The format that the name of a file tells; None if it tells none."""
    name = name.lower()
    if name.rpartition("/")[2] in _ABOUT:
        return None
    packing = next((end for end in _PACKED if name.endswith(end)), "")
    name = name.removesuffix(packing)
    found = next((key for suffix, key in SUFFIXES.items() if name.endswith(suffix)), None)
    return None if packing and found not in _PACKABLE else found
