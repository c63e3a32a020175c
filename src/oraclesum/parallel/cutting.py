"""A corpus cut into pieces of equally many records, and the fingerprint to know it by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from ..answers import Item
from ..corpora import Source, demo_path, is_line_file, open_corpus, open_source, read_topics
from ..corpora.arrow import find_bomb, table_damage
from ..corpora.files import Caps
from ..corpora.reading import name_other
from ..corpora.rows import is_table, read_rows
from ..corpora.shown import show_name
from ..corpora.topic import Topic
from ..corpora.unpacking import is_packed
from ..errors import InputError, RecordError
from ..text import split_sentences
from .pieces import Held, Lines, ParquetRows, Piece, name_of_file, open_input

__all__ = ["Corpus", "cut_corpus", "read_items"]

_BLOCK = 1 << 20
_SAMPLES = 32
_SAMPLE = 1 << 16
_METHODS = ("to_batches", "iter_rows", "itertuples")  # of pyarrow, polars, pandas


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """What a run reads."""

    pieces: Iterator[Piece]
    fingerprint: dict[str, Any]  # differs where the input differs
    size: int | None  # the sizes of all pieces together; None where nobody knows yet


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a corpus is read, beyond its path."""

    format: str = "auto"
    also: tuple[str, ...] = ()
    length: str | None = None
    task: str = "multi"
    language: str = "en"
    record_bytes: int = Caps.record_bytes  # longest line or file that is read


def cut_corpus(source: Any, shard_size: int, **reading: Any) -> Corpus:
    """The pieces of a path, an address, `-`, `demo`, a table or an iterable. Raises InputError.

    The keywords are those of Reading. One file of JSON lines or Parquet is read by the workers,
    each its own piece; all else is read here and sent to them.
    """
    how = Reading(**reading)
    name = str(source) if isinstance(source, str | Path) else None
    if name == "demo" and not Path(name).exists():
        name = str(demo_path())
    if name is not None and not how.also and how.length is None and how.task == "multi":
        suffix = name_of_file(name).lower()
        plain = "://" in name or Path(name).is_file()
        table = plain and how.format in ("auto", "parquet") and suffix.endswith(".parquet")
        if table and (cut := _cut_parquet(name, shard_size, how.record_bytes)) is not None:
            return cut
        lines = "://" in name or is_line_file(Path(name))
        if plain and lines and how.format in ("auto", "jsonl") and _is_text(name):
            return _cut_lines(name, shard_size, how.record_bytes)
    items = read_items(source, **reading)
    shown = name or f"<{type(source).__name__}>"
    return Corpus(
        pieces=_cut_items(items, shard_size),
        fingerprint={"kind": "records", "name": show_name(Path(shown).name)},
        size=None,
    )


def read_items(source: Any, **reading: Any) -> Iterable[Item]:
    """The items of any source, one by one. Raises InputError where it is none."""
    how = Reading(**reading)
    if isinstance(source, str | Path):
        path = Path(source)
        by_lines = how.format in ("auto", "jsonl") and not how.also
        if by_lines and (str(source) == "-" or is_line_file(path)):
            return _read_lines(str(source), how.record_bytes)
        return open_corpus(
            [path, *how.also],
            format=how.format,
            split=partial(split_sentences, language=how.language),
            length=how.length,
            task=how.task,
            caps=Caps(record_bytes=how.record_bytes),
        )
    if isinstance(source, dict) or any(hasattr(source, name) for name in _METHODS):
        return open_corpus(source)
    if not is_table(source):
        raise InputError(f"a corpus is a path or a table, not {type(source).__name__}")
    return _read_iterable(source)


def _read_lines(name: str, record_bytes: int) -> Iterator[Item]:
    source: Source
    with open_source(name, record_bytes=record_bytes) as source:
        yield from read_topics(source)


def _read_iterable(source: Iterable[Any]) -> Iterator[Item]:
    for number, row in enumerate(source, start=1):
        if isinstance(row, Topic | RecordError):
            yield row
        else:
            yield from read_rows([row], first=number)


def _cut_items(items: Iterable[Item], shard_size: int) -> Iterator[Piece]:
    rest = iter(items)
    while some := tuple(islice(rest, shard_size)):
        yield Held(items=some)


def _is_text(name: str) -> bool:
    """Whether a file is neither packed nor an archive nor empty, and can be cut between lines."""
    with open_input(name) as stream:
        start = stream.read(_BLOCK)
        while start and not start.strip():
            start = stream.read(_BLOCK)
    return bool(start) and not is_packed(start) and name_other(start) is None


def _cut_lines(name: str, shard_size: int, record_bytes: int) -> Corpus:
    with open_input(name) as stream:
        size = stream.seek(0, 2)
        fingerprint = {"kind": "lines", "bytes": size, "sample": _sample(stream, size)}
    label = name_of_file(name)
    pieces = _find_lines(name, label, shard_size, record_bytes)
    return Corpus(pieces=pieces, fingerprint=fingerprint, size=size)


def _find_lines(name: str, label: str, shard_size: int, record_bytes: int) -> Iterator[Piece]:
    def cut(end: int) -> Piece:
        return Lines(
            name=name,
            label=label,
            start=start,
            size=end - start,
            first_line=first_line,
            record_bytes=record_bytes,
        )

    start = position = 0
    line = first_line = 1
    with open_input(name) as stream:
        while block := stream.read(_BLOCK):
            place = 0
            while (missing := shard_size - (line - first_line)) <= (
                ahead := block.count(b"\n", place)
            ):
                for _ in range(missing):
                    place = block.index(b"\n", place) + 1
                line += missing
                end = position + place
                yield cut(end)
                start, first_line = end, line
            line += ahead
            position += len(block)
    if position > start:
        yield cut(position)


def _sample(stream: BinaryIO, size: int) -> str:
    """A hash of blocks spread over the file: quick, and another file has another one."""
    digest = sha256()
    for k in range(_SAMPLES):
        stream.seek(max(0, size - _SAMPLE) * k // (_SAMPLES - 1))
        digest.update(stream.read(_SAMPLE))
    return digest.hexdigest()


def _cut_parquet(name: str, shard_size: int, record_bytes: int) -> Corpus | None:
    """The pieces of a Parquet file; None if it has no row."""
    import pyarrow.parquet as pq

    with open_input(name) as stream:
        size = stream.seek(0, 2)
        fingerprint = {"kind": "parquet", "bytes": size, "sample": _sample(stream, size)}
        stream.seek(0)
        try:
            metadata = pq.ParquetFile(stream).metadata
        except table_damage() as error:
            return _report_damage(name, f"cannot be read as Parquet: {error}", fingerprint)
        if (reason := find_bomb(metadata, size, record_bytes)) is not None:
            return _report_damage(name, reason, fingerprint)
        ends = [0]
        for group in range(metadata.num_row_groups):
            ends.append(ends[-1] + metadata.row_group(group).num_rows)
    if not ends[-1]:
        return None
    return Corpus(
        pieces=_find_rows(name, ends, shard_size, record_bytes),
        fingerprint=fingerprint,
        size=ends[-1],
    )


def _report_damage(name: str, reason: str, fingerprint: dict[str, Any]) -> Corpus:
    """One record that says what is wrong with the file, as in a run into a file."""
    shown = show_name(name)
    piece = Held(items=(RecordError(shown, 1, reason, shown),))
    return Corpus(pieces=iter([piece]), fingerprint=fingerprint, size=piece.size)


def _find_rows(name: str, ends: list[int], shard_size: int, record_bytes: int) -> Iterator[Piece]:
    label = name_of_file(name)
    for start in range(0, ends[-1], shard_size):
        end = min(start + shard_size, ends[-1])
        groups = [g for g in range(len(ends) - 1) if ends[g] < end and ends[g + 1] > start]
        yield ParquetRows(
            name=name,
            label=label,
            start=start,
            size=end - start,
            groups=tuple(groups),
            skip=start - ends[groups[0]],
            record_bytes=record_bytes,
        )
