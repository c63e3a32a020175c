"""The corpus of a reproduction: what it is, how long its summaries are, and its topics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ..corpora import LAYOUTS, Reading, Topic, open_items, recognise_format
from ..errors import InputError, RecordError
from ..frozen import dataclass
from ..message import show_name
from ..text import split_sentences
from .published import YEARS, find_year

__all__ = ["Corpus", "read_corpus"]


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """All topics, and a message for each record that is none."""

    name: str
    topics: Sequence[Topic]
    messages: Sequence[str]
    year: str | None = None  # of DUC, if the paper has figures for it
    words: int | None = None  # length of the task, if the corpus is known


def read_corpus(
    name: str,
    *,
    format: str = "auto",
    also: Sequence[str] = (),
    reference_length: str | None = None,
    language: str | None = None,
) -> Corpus:
    """Read a file, a folder or an archive (`also`: what belongs to it), `-` or `demo`."""
    reading = Reading(
        format=format,
        also=tuple(also),
        length=reference_length,
        split=partial(split_sentences, language=language or "en"),
    )
    with open_items(name, reading) as opened:
        items = list(opened.parse())
    key = format
    if opened.source is not None:
        key = "jsonl"
    elif format == "auto":
        key = recognise_format([Path(name), *map(Path, also)])
    if key not in LAYOUTS:
        return _collect(name, items, find_year(name), None)
    words = LAYOUTS[key].words
    if reference_length is not None and reference_length.isdigit():
        words = int(reference_length)
    # The paper has figures for the main task of a year at its usual length.
    usual = key.removeprefix("duc") in YEARS and words == LAYOUTS[key].words
    return _collect(name, items, key.removeprefix("duc") if usual else None, words)


def _collect(
    name: str, items: Sequence[Topic | RecordError], year: str | None, words: int | None
) -> Corpus:
    topics = [item for item in items if isinstance(item, Topic)]
    messages = [str(item) for item in items if isinstance(item, RecordError)]
    if not topics:
        first = f"; the first: {messages[0]}" if messages else ""
        raise InputError(f"{show_name(name)}: holds no topic that can be used{first}")
    return Corpus(
        name=show_name(Path(name).name), topics=topics, messages=messages, year=year, words=words
    )
