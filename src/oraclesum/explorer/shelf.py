"""The opened corpus: its topics by number, read again from the file or kept, and nothing else."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..corpora import (
    Source,
    Topic,
    demo_path,
    is_line_file,
    open_corpus,
    open_source,
    read_topics,
)
from ..corpora.record import BadRecord, parse_record
from ..errors import InputError, RecordError
from ..evaluation.alignment import Alignment, align_summary
from ..instances.limits import count_words
from ..text import split_sentences

__all__ = ["Entry", "Shelf", "open_shelf"]

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What is always known of a record: its id, where it stands, and whether it can be used."""

    id: str
    line: int
    nameless: bool  # its id is made of file and line
    records: int  # that a verb writes for it where references are taken one by one
    error: str | None = None
    start: int | None = None  # byte of the file, where topics are read again
    topic: Topic | None = None  # where they are kept


@dataclass(frozen=True, kw_only=True)
class Size:
    """How large a topic is."""

    sentences: int
    words: int
    references: int
    systems: tuple[str, ...]


class Shelf:
    """The topics of one corpus. Only its own file is ever read, by places found at the start."""

    def __init__(self, name: str, entries: list[Entry], path: Path | None) -> None:
        self.name = name
        self.entries = entries
        self._path = path  # of a plain file of lines, whose topics are read when asked for
        self._stamp = None if path is None else _stamp(path)
        self._sizes: dict[int, Size] = {}
        self._alignments: OrderedDict[tuple[int, str], dict[str, Alignment]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def is_demo(self) -> bool:
        """Whether it is the corpus that ships with the package."""
        return self.name == "demo" and not Path(self.name).exists()

    @property
    def by_lines(self) -> bool:
        """Whether a topic is a line of a plain file."""
        return self._path is not None

    def find(self, search: str) -> list[int]:
        """Numbers of the topics whose id holds the text, whatever its case."""
        if not search:
            return list(range(len(self.entries)))
        wanted = search.casefold()
        return [k for k, entry in enumerate(self.entries) if wanted in entry.id.casefold()]

    def topic(self, number: int) -> Topic:
        """A topic by its number, which must be there; an InputError where it cannot be used."""
        entry = self.entries[number]
        if entry.error is not None:
            raise InputError(entry.error)
        if entry.topic is not None:
            return entry.topic
        assert self._path is not None
        assert entry.start is not None
        if _stamp(self._path) != self._stamp:
            raise InputError(f"{self.name}: has changed since it was opened; start serve again")
        with self._path.open("rb") as file:
            file.seek(entry.start)
            line = file.readline()
        try:
            return parse_record(line, file=self.name, number=entry.line, fallback_id=entry.id)
        except BadRecord as bad:
            raise InputError(f"{self.name}:{entry.line}: {bad.reason}") from None

    def sentences(self, topic: Topic, language: str | None = None) -> tuple[str, ...]:
        """The sentences of a topic, split where it has text only."""
        if topic.sentences is not None:
            return topic.sentences
        assert topic.text is not None
        return tuple(split_sentences(topic.text, language or topic.language or "en"))

    def measure(self, number: int) -> Size:
        """The size of a topic."""
        if (known := self._sizes.get(number)) is not None:
            return known
        topic = self.topic(number)
        sentences = self.sentences(topic)
        size = Size(
            sentences=len(sentences),
            words=sum(map(count_words, sentences)),
            references=len(topic.references),
            systems=tuple(topic.systems),
        )
        self._sizes[number] = size
        return size

    def align(self, number: int, topic: Topic, language: str) -> dict[str, Alignment]:
        """The systems of a topic as sentences of it; kept for the topics asked for last."""
        place = (number, language)
        with self._lock:
            if place in self._alignments:
                self._alignments.move_to_end(place)
                return self._alignments[place]
        sentences = self.sentences(topic, language)
        found = {
            name: align_summary(system, sentences, language=language)
            for name, system in topic.systems.items()
        }
        with self._lock:
            self._alignments[place] = found
            while len(self._alignments) > 64:
                self._alignments.popitem(last=False)
        return found


def open_shelf(name: str) -> Shelf:
    """Open a corpus: a path, or `demo`. An InputError where nothing can be read."""
    path = Path(name)
    if name == "-":
        raise InputError("standard input cannot be served; save it to a file and name that")
    if is_line_file(path):
        with open_source(name) as source:
            plain = (
                source.path if source.lines is source.raw and source.path != demo_path() else None
            )
            return Shelf(name, list(_read_lines(source, keep=plain is None)), plain)
    items = open_corpus(path, split=split_sentences)
    return Shelf(name, list(map(_describe, items)), None)


def _read_lines(source: Source, *, keep: bool) -> Iterator[Entry]:
    starts = None if keep else _find_lines(source)
    for item in read_topics(source):
        line = item.line
        start = None if starts is None else starts[line - 1]
        yield _describe(item, keep=keep, start=start, fallback_id=f"{source.label}:{line}")


def _find_lines(source: Source) -> list[int]:
    starts = [0]
    for line in source.lines:
        starts.append(starts[-1] + len(line))
        if len(starts) == 2 and line.startswith(_BOM):
            starts[0] = len(_BOM)
    source.lines.seek(0)
    return starts


def _describe(
    item: Topic | RecordError,
    *,
    keep: bool = True,
    start: int | None = None,
    fallback_id: str | None = None,
) -> Entry:
    if isinstance(item, RecordError):
        name = item.record_id or f"{item.file}:{item.line}"
        return Entry(id=name, line=item.line, nameless=False, records=1, error=str(item))
    return Entry(
        id=item.id,
        line=item.line,
        nameless=item.id == fallback_id,
        records=len(item.references),
        start=start,
        topic=item if keep else None,
    )


def _stamp(path: Path) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns
