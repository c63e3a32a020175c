"""A question made ready to be solved: the document it means, its measure, limits and key."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import orjson

from ..corpora.topic import Reference, System
from ..errors import InputError
from ..evaluation.alignment import Alignment, align_summary
from ..instances.limits import Limits
from ..rouge import Rouge
from .failure import ApiError
from .questions import (
    MOST_SENTENCES,
    FamilyQuestion,
    Settings,
    SpelledDocument,
    TopicDocument,
)
from .shelf import Shelf

__all__ = [
    "Case",
    "Split",
    "align_systems",
    "freeze_system",
    "make_case",
    "make_key",
    "make_rouge",
]

# Comparing text with every sentence takes about a microsecond each and cannot be stopped.
_MOST_COMPARISONS = 2_000_000
_MOST_REFERENCE_LETTERS = 500_000  # each n-gram of them is listed, with its count per reference
_SHORTEST_SENTENCE = 20  # characters, for a guess of how many sentences a text has


class Split(Protocol):
    """Cuts text into sentences; `field` is what an error names."""

    def __call__(self, text: str, language: str, *, field: str) -> list[str]: ...


@dataclass(frozen=True, kw_only=True)
class Case:
    """One document under one choice of settings."""

    key: str
    id: str
    number: int | None  # in the corpus; None: the document came with the question
    sentences: tuple[str, ...]
    text: str | None  # that the sentences were split from, here or by the reader
    was_split: bool
    references: tuple[Reference, ...]
    doc_ids: tuple[int, ...] | None
    systems: Mapping[str, System]
    alignments: Mapping[str, Alignment]
    rouge: Rouge
    limits: Limits
    settings: Settings
    seconds: float  # that a search may take

    @property
    def used(self) -> tuple[int, ...]:
        """Indices of the references that count."""
        if self.settings.reference is None:
            return tuple(range(len(self.references)))
        return (self.settings.reference,)

    @property
    def used_references(self) -> list[Reference]:
        """The references that count."""
        return [self.references[k] for k in self.used]


def make_case(
    question: FamilyQuestion,
    shelf: Shelf | None,
    *,
    most_seconds: float,
    split: Split,
) -> Case:
    """The case of a question. Raises ApiError or InputError where it cannot be used."""
    settings = question.settings
    document = question.document
    limits = Limits(
        max_words=settings.max_words,
        max_sentences=settings.max_sentences,
        max_bytes=settings.max_bytes,
    )
    text: str | None = None
    doc_ids: tuple[int, ...] | None = None
    number: int | None = None
    systems: Mapping[str, System]
    references: tuple[Reference, ...]
    if isinstance(document, TopicDocument):
        if shelf is None or document.topic >= len(shelf.entries):
            held = 0 if shelf is None else len(shelf.entries)
            raise ApiError(
                404,
                f"there is no topic {document.topic}: the corpus has {held}, numbered from 0",
                field="document.topic",
            )
        number = document.topic
        topic = shelf.topic(number)
        rouge = make_rouge(settings, topic.language)
        sentences = shelf.sentences(topic, rouge.language)
        was_split = topic.sentences is None or topic.was_split
        text, doc_ids, id = topic.text, topic.doc_ids, topic.id
        references, systems = topic.references, topic.systems
        alignments: Mapping[str, Alignment] = shelf.align(number, topic, rouge.language)
    else:
        rouge = make_rouge(settings, None)
        id = document.id or "pasted"
        references = tuple(
            one if isinstance(one, str) else tuple(one) for one in document.references
        )
        was_split = not isinstance(document, SpelledDocument)
        if isinstance(document, SpelledDocument):
            sentences = tuple(document.sentences)
        else:
            text = document.text
            sentences = tuple(split(text, rouge.language, field="document.text"))
            if not sentences:
                raise ApiError(422, "the document is empty: text is blank", field="document.text")
        systems = {name: freeze_system(one) for name, one in (document.systems or {}).items()}
        alignments = align_systems(
            systems, sentences, rouge.language, where="document.systems", split=split
        )
    _refuse_too_much(sentences, references)
    if settings.reference is not None and settings.reference >= len(references):
        raise ApiError(
            422,
            f"there is no reference {settings.reference}: the document has {len(references)}, "
            "numbered from 0",
            field="settings.reference",
        )
    return Case(
        key=make_key(question, shelf, most_seconds),
        id=id,
        number=number,
        sentences=sentences,
        text=text,
        was_split=was_split,
        references=references,
        doc_ids=doc_ids,
        systems=systems,
        alignments=alignments,
        rouge=rouge,
        limits=limits,
        settings=settings,
        seconds=min(most_seconds, settings.time_limit or most_seconds),
    )


def _refuse_too_much(sentences: Sequence[str], references: Sequence[Reference]) -> None:
    if len(sentences) > MOST_SENTENCES:
        raise ApiError(
            422,
            f"the document has {len(sentences):,} sentences, more than the {MOST_SENTENCES:,} that "
            "can be shown: use `oraclesum enumerate`",
            field="document",
        )
    letters = sum(len(one) if isinstance(one, str) else sum(map(len, one)) for one in references)
    if letters > _MOST_REFERENCE_LETTERS:
        raise ApiError(
            422,
            f"the references have {letters:,} characters, more than the "
            f"{_MOST_REFERENCE_LETTERS:,} that can be shown: use `oraclesum enumerate`",
            field="document.references",
        )


def make_rouge(settings: Settings, language: str | None) -> Rouge:
    """The measure, in the language of the settings or else that of the topic."""
    return Rouge(
        n=settings.rouge,
        stem=settings.stem,
        remove_stopwords=settings.remove_stopwords,
        language=settings.language or language or "en",
    )


def align_systems(
    systems: Mapping[str, System],
    sentences: Sequence[str],
    language: str,
    *,
    where: str,
    split: Split,
) -> dict[str, Alignment]:
    """Each system as sentences of the document; an ApiError where that would take too long."""
    comparisons = sum(_guess_units(system) for system in systems.values()) * len(sentences)
    if comparisons > _MOST_COMPARISONS:
        raise ApiError(
            422,
            "the system summaries are too long to be found in this document by their text: "
            "give them as lists of sentence indices",
            field=where,
        )
    found: dict[str, Alignment] = {}
    for name, system in systems.items():
        units = split(system, language, field=where) if isinstance(system, str) else system
        try:
            found[name] = align_summary(units, sentences, language=language)
        except InputError as error:
            raise ApiError(422, f"system {name!r}: {error}", field=where) from error
    return found


def _guess_units(system: System) -> int:
    if isinstance(system, str):
        return len(system) // _SHORTEST_SENTENCE + 1
    return sum(isinstance(part, str) for part in system)


def freeze_system(system: list[int] | list[str] | str) -> System:
    """A system as a question has it, as the stages take it."""
    return system if isinstance(system, str) else tuple(system)  # type: ignore[return-value] # of one kind


def make_key(question: FamilyQuestion, shelf: Shelf | None, most_seconds: float) -> str:
    """Equal for equal questions; corpora and servers differ by name and limit."""
    content: dict[str, Any] = question.model_dump()
    parts = (content, shelf.name if shelf else None, most_seconds)
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()[:32]
