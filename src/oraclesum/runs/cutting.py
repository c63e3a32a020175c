"""A corpus cut into pieces of equally many records, and the fingerprint to know it by."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

from ..corpora import Opened, Reading, demo_path, is_line_file, open_items
from ..corpora.arrow import find_bomb
from ..corpora.opening import find_suffix
from ..corpora.reading import check_name, make_line, name_other, number_lines
from ..corpora.rows import table_damage
from ..corpora.unpacking import is_packed
from ..corpora.wrong import refuse_wrong
from ..errors import RecordError
from ..frozen import dataclass
from ..message import show_name
from .pieces import Lines, Listed, ParquetRows, Piece, name_of_file, open_input

__all__ = ["Corpus", "cut_corpus"]

_BLOCK = 1 << 20
_SAMPLES = 32
_SAMPLE = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """What a run reads."""

    pieces: Iterator[Piece]
    fingerprint: dict[str, Any]  # differs if the input differs
    size: int | None  # the sizes of all pieces together; None if nobody knows yet


def cut_corpus(source: Any, shard_size: int, reading: Reading | None = None) -> Corpus:
    """The pieces of a path, an address, `-`, `demo`, a table or an iterable. Raises InputError.

    One file of JSON lines or Parquet is read by the workers, each its own piece; all else is read
    here and sent to them.
    """
    how = Reading() if reading is None else reading
    name = str(source) if isinstance(source, str | Path) else None
    if name == "demo" and not Path(name).exists():
        name = str(demo_path())
    if name is not None and "://" not in name:
        check_name(name)
    if name is not None and not how.also and how.length is None and how.task == "multi":
        suffix = name_of_file(name).lower()
        plain = "://" in name or Path(name).is_file()
        table = plain and how.format in ("auto", "parquet") and suffix.endswith(".parquet")
        if table and (cut := _cut_parquet(name, shard_size, how)) is not None:
            return cut
        # At an address, only the name tells what a file is.
        lines = (
            find_suffix(suffix) in (None, "jsonl", "json")
            if "://" in name
            else is_line_file(Path(name))
        )
        if plain and lines and how.format in ("auto", "jsonl") and _is_text(name):
            return _cut_lines(name, shard_size, how)
    stack = ExitStack()
    opened = stack.enter_context(open_items(source, how))
    shown = name or f"<{type(source).__name__}>"
    return Corpus(
        pieces=_cut_items(opened, stack, shard_size),
        fingerprint={"kind": "records", "name": show_name(Path(shown).name)},
        size=None,
    )


def _cut_items(opened: Opened, stack: ExitStack, shard_size: int) -> Iterator[Piece]:
    with stack:
        rest = opened.parse()
        while some := tuple(islice(rest, shard_size)):
            yield Listed(items=some)


def _is_text(name: str) -> bool:
    """Whether a file is neither packed nor an archive nor empty, and can be cut between lines."""
    with open_input(name) as stream:
        start = stream.read(_BLOCK)
        while start and not start.strip():
            start = stream.read(_BLOCK)
    return bool(start) and not is_packed(start) and name_other(start) is None


def _cut_lines(name: str, shard_size: int, how: Reading) -> Corpus:
    with open_input(name) as stream:
        size = stream.seek(0, 2)
        fingerprint = {"kind": "lines", "bytes": size, "sample": _sample(stream, size)}
        stream.seek(0)
        _refuse_wrong_lines(stream, name, how)
    pieces = _find_lines(name, shard_size, how, size)
    return Corpus(pieces=pieces, fingerprint=fingerprint, size=size)


def _refuse_wrong_lines(stream: BinaryIO, name: str, how: Reading) -> None:
    """Raise InputError if the first lines are no records."""
    if not isinstance(stream, io.BufferedReader):  # a file of pyarrow has no lines
        stream = cast(BinaryIO, io.BufferedReader(stream))
    lines = number_lines(stream, longest=how.record_bytes)
    shown, label = show_name(name), name_of_file(name)
    refuse_wrong(make_line(shown, label, number, data, how.columns) for number, data in lines)


def _find_lines(name: str, shard_size: int, how: Reading, size: int) -> Iterator[Piece]:
    label = name_of_file(name)

    def cut(end: int) -> Piece:
        return Lines(
            name=name,
            label=label,
            start=start,
            size=end - start,
            first_line=first_line,
            record_bytes=how.record_bytes,
            columns=how.columns,
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
    if position < size:
        reason = (
            f"reading stopped here, the rest is lost: the file has {position:,} bytes, and had "
            f"{size:,} when the run began"
        )
        yield Listed(items=(RecordError(show_name(name), line, reason, f"{label}:{line}"),))


def _sample(stream: BinaryIO, size: int) -> str:
    """A hash of blocks spread over the file: quick, and another file has another one."""
    digest = sha256()
    for k in range(_SAMPLES):
        stream.seek(max(0, size - _SAMPLE) * k // (_SAMPLES - 1))
        digest.update(stream.read(_SAMPLE))
    return digest.hexdigest()


def _cut_parquet(name: str, shard_size: int, how: Reading) -> Corpus | None:
    """The pieces of a Parquet file; None if it has no row."""
    import pyarrow.parquet as pq

    with open_input(name) as stream:
        size = stream.seek(0, 2)
        fingerprint = {"kind": "parquet", "bytes": size, "sample": _sample(stream, size)}
        stream.seek(0)
        try:
            metadata = pq.ParquetFile(stream).metadata
            reason = find_bomb(metadata, stream, size, how.record_bytes)
        except table_damage() as error:
            return _report_damage(name, f"cannot be read as Parquet: {error}", fingerprint)
        if reason is not None:
            return _report_damage(name, reason, fingerprint)
        ends = [0]
        for group in range(metadata.num_row_groups):
            ends.append(ends[-1] + metadata.row_group(group).num_rows)
    if not ends[-1]:
        return None
    if "://" not in name:
        with open_items(name, how):  # refuses a table without known columns
            pass
    return Corpus(
        pieces=_find_rows(name, ends, shard_size, how),
        fingerprint=fingerprint,
        size=ends[-1],
    )


def _report_damage(name: str, reason: str, fingerprint: dict[str, Any]) -> Corpus:
    """One record that says what is wrong with the file, as in a run into a file."""
    shown = show_name(name)
    piece = Listed(items=(RecordError(shown, 1, reason, shown),))
    return Corpus(pieces=iter([piece]), fingerprint=fingerprint, size=piece.size)


def _find_rows(name: str, ends: list[int], shard_size: int, how: Reading) -> Iterator[Piece]:
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
            record_bytes=how.record_bytes,
            columns=how.columns,
        )
