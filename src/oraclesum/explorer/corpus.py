"""The corpus that is served: its topics by number, read again from the file or kept in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from ..answers.case import clean_topic
from ..corpora import Reading, Source, Topic, demo_path, open_items
from ..corpora.columns import Columns, check_columns
from ..corpora.reading import make_line, number_lines
from ..errors import InputError, RecordError
from ..evaluation.alignment import Alignment, align_summary
from ..frozen import dataclass
from ..instances.limits import count_words
from ..message import show_name
from ..oracles.bounds import check_bounds
from ..text import Preparation, split_sentences
from ..text.sentences import Splitter, iterate_sentences
from .once import Once
from .replies import ApiError

__all__ = ["Entry", "ServedCorpus", "open_served", "require_topic", "split_until_stopped"]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What is always known of a record: its id, where it stands, and whether it can be used."""

    id: str
    line: int
    nameless: bool  # its id is made of file and line
    records: int  # that a verb writes for it if references are taken one by one
    error: str | None = None
    start: tuple[int, int] | None = None  # byte and line to read from, if topics are read again
    topic: Topic | None = None  # if they are kept


class ServedCorpus:
    """The topics of one corpus. Only its own file is ever read, from places found at the start."""

    def __init__(
        self,
        name: str,
        entries: list[Entry],
        source: Source | None = None,
        *,
        preparation: Preparation | None = None,
        columns: Columns = (),
    ) -> None:
        self.name = name  # as it was given: a path, in whatever bytes
        self.shown = show_name(name)
        self.preparation = Preparation() if preparation is None else preparation
        self.columns = columns  # our names, each with the name it has in the data
        self.entries = entries
        self._source = source  # a plain file of lines, whose topics are read when asked for
        self._stamp = None if source is None else _stamp(source)
        self.describe = Once(self._describe)
        self._alignments = Once(self._align, most=64)

    @property
    def is_demo(self) -> bool:
        """Whether it is the corpus that ships with the package."""
        return self.name == "demo" and not Path(self.name).exists()

    @property
    def by_lines(self) -> bool:
        """Whether a topic is a line of a plain file."""
        return self._source is not None

    def find(self, search: str) -> list[int]:
        """Numbers of the topics whose id contains the text, in upper or lower case."""
        wanted = search.casefold()
        return [k for k, entry in enumerate(self.entries) if wanted in entry.id.casefold()]

    def topic(self, number: int) -> Topic:
        """A topic by its number, which must be there. Raises InputError if it cannot be used."""
        topic = self._read_topic(number)
        clean = self.preparation.clean
        return topic if clean is None else clean_topic(topic, clean)

    def _read_topic(self, number: int) -> Topic:
        entry = self.entries[number]
        if entry.error is not None:
            raise InputError(entry.error)
        if entry.topic is not None:
            return entry.topic
        source = self._source
        assert source is not None
        assert source.path is not None
        assert entry.start is not None
        start, first = entry.start
        try:
            if _stamp(source) != self._stamp:
                raise InputError(
                    f"{self.shown}: has changed since it was opened; start serve again"
                )
            with source.path.open("rb") as file:
                file.seek(start)
                lines = number_lines(file, first, longest=source.record_bytes)
                line, data = next(lines, (first, b""))  # none: no record, as is said below
        except OSError as error:
            raise InputError(
                f"{self.shown}: can no longer be read: {error.strerror}; put it back, or start "
                "serve again"
            ) from error
        item = make_line(source.name, source.label, line, data, source.columns)
        topic = item if isinstance(item, RecordError) else item.parse()
        if isinstance(topic, RecordError):
            raise InputError(str(topic))
        return topic

    def sentences(self, topic: Topic, language: str | None = None) -> tuple[str, ...]:
        """The sentences of a topic, split here if it has text only."""
        if topic.sentences is not None:
            return topic.sentences
        assert topic.text is not None
        chosen = language or topic.language or "en"
        return tuple(split_until_stopped(topic.text, chosen, self.preparation.split))

    def _describe(self, number: int) -> dict[str, Any]:
        """A topic in the list, as `TopicLine` describes it."""
        entry = self.entries[number]
        if entry.error is not None:
            return {"number": number, "id": entry.id, "error": entry.error}
        topic = self.topic(number)
        sentences = self.sentences(topic)
        return {
            "number": number,
            "id": entry.id,
            "sentences": len(sentences),
            "words": sum(map(count_words, sentences)),
            "references": len(topic.references),
            "systems": list(topic.systems),
        }

    def align(self, number: int, language: str) -> dict[str, Alignment]:
        """The systems of a topic as sentences of it."""
        return self._alignments((number, language))

    def _align(self, key: tuple[int, str]) -> dict[str, Alignment]:
        number, language = key
        topic = self.topic(number)
        sentences = self.sentences(topic, language)
        return {
            name: align_summary(system, sentences, language=language)
            for name, system in topic.systems.items()
        }


def split_until_stopped(
    text: str, language: str, split: str | Splitter | None = None
) -> Iterator[str]:
    """The sentences of a text; LimitError if nobody waits for them any longer."""
    for sentence in iterate_sentences(text, language, split=split):
        # However long it takes, whoever waits gets an answer: there is no other way to the topic.
        check_bounds(what="splitting text", late=inf)
        yield sentence


def require_topic(corpus: ServedCorpus | None, number: int, *, field: str) -> ServedCorpus:
    """The corpus, if it has a topic of that number; raises ApiError if not."""
    topics = 0 if corpus is None else len(corpus.entries)
    if corpus is None or number >= topics:
        reason = f"there is no topic {number}: the corpus has {topics}, numbered from 0"
        raise ApiError(404, reason, field=field)
    return corpus


def open_served(
    name: str,
    *,
    columns: str | None = None,
    split: str | None = None,
    clean: str | None = None,
) -> ServedCorpus:
    """Open a corpus: a path, or `demo`. Raises InputError if nothing can be read.

    `columns`, `split` and `clean` are those of the other verbs.
    """
    if name == "-":
        raise InputError("standard input cannot be served; save it to a file and name that")
    how: dict[str, Any] = {
        "preparation": Preparation(split=split, clean=clean),
        "columns": check_columns(columns),
    }
    reading = Reading(split=partial(split_sentences, split=split), columns=how["columns"])
    with open_items(name, reading) as opened:
        source = opened.source
        if source is None:
            return ServedCorpus(name, list(map(_make_entry, opened.parse())), **how)
        keep = source.lines is not source.raw or source.path == demo_path()
        entries = list(_read_lines(opened.parse(), source, keep=keep))
        return ServedCorpus(name, entries, None if keep else source, **how)


def _read_lines(
    items: Iterable[Topic | RecordError], source: Source, *, keep: bool
) -> Iterator[Entry]:
    start, first = 0, 1
    for item in items:
        place = None if keep else (start, first)
        yield _make_entry(item, place, fallback_id=f"{source.label}:{item.line}")
        if not keep:
            start, first = source.lines.tell(), item.line + 1


def _make_entry(
    item: Topic | RecordError,
    start: tuple[int, int] | None = None,
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
        topic=item if start is None else None,
    )


def _stamp(source: Source) -> tuple[int, int]:
    assert source.path is not None
    status = os.stat(source.path)
    return status.st_size, status.st_mtime_ns
