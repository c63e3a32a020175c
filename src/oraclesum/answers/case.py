"""A topic as cases: what one output record is about, all references together or one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ..corpora import Reference, Topic, has_text
from ..errors import OraclesumWarning
from ..instances.limits import Limits
from ..message import Message
from ..notices import warn
from ..rouge import Rouge
from ..signature import extend_signature
from ..text import (
    Preparation,
    clean_text,
    detect_language,
    detection_setting,
    notice_references,
    notice_text,
)
from .record import ErrorRecord

if TYPE_CHECKING:
    from ..oracles.api import Problem
    from ..oracles.options import Options

__all__ = [
    "Case",
    "References",
    "clean_topic",
    "settle_language",
    "split_topic",
    "warn_of_empty_references",
]

_FALLBACK = "en"  # of text whose language cannot be told
_UNTOLD = "none"
_CANNOT_TELL = Message(
    "the language of the document cannot be told (too short, or none): English rules are used; "
    "use {language}, or `language` in the record"
)

References = Literal["multi", "single"]
"""All references of a topic together, or one case for each."""


@dataclass(slots=True, kw_only=True)
class Case:
    """What one output record is about."""

    topic: Topic
    reference: int | None  # its index, if references are taken one by one
    sentences: Sequence[str]
    references: Sequence[Reference]
    rouge: Rouge
    preparation: Preparation
    was_split: bool  # the sentences were cut from `text` here: the output has to show them

    @property
    def id(self) -> str:
        """The id of the topic."""
        return self.topic.id

    @property
    def head(self) -> dict[str, Any]:
        """The fields that every output record of this case starts with."""
        if self.reference is None:
            return {"id": self.id}
        return {"id": self.id, "reference": self.reference}

    @property
    def tail(self) -> dict[str, Any]:
        """What the user's record does not have: the sentences that indices point to, a language."""
        sentences = {"sentences": list(self.sentences)} if self.was_split else {}
        return {**sentences, **self.found_language}

    @property
    def found_language(self) -> dict[str, Any]:
        """The language, if it was detected here."""
        return {"language": self.rouge.language} if self.topic.detection else {}

    def sign(self, signature: str) -> str:
        """The signature, with what was done to the text here."""
        pairs = self.preparation.settings(
            self.rouge.language, was_split=self.was_split, detection=self.topic.detection
        )
        return extend_signature(signature, *pairs) if pairs else signature

    def sign_score(self, signature: str) -> str:
        """The same for summaries as they are, however their document was split."""
        pairs = self.preparation.settings(
            self.rouge.language, was_split=False, detection=self.topic.detection
        )
        return extend_signature(signature, *pairs) if pairs else signature

    def notice(self, *, counts_words: bool, said: Collection[str]) -> Iterator[tuple[str, Message]]:
        """What looks wrong about the text, or is read in one of two ways, by kind.

        `counts_words`: whether a limit does. Kinds that were `said` before are not looked for.
        """
        if self.topic.detection == _UNTOLD and "detection" not in said:
            yield "detection", _CANNOT_TELL
        references = [
            one if isinstance(one, str) else " ".join(one) for one in self.topic.references
        ]
        yield from notice_text(
            self.sentences,
            references,
            self.rouge.analyser,
            was_split=self.was_split and self.preparation.split not in ("none", "newline"),
            was_cleaned=self.preparation.clean is not None,
            counts_words=counts_words,
            said=said,
        )
        if "references" in said or self.reference is not None:
            return
        if all(isinstance(one, str) for one in self.topic.references):
            yield from notice_references(references)

    def report_flaws(self, *fields: str) -> Iterator[ErrorRecord]:
        """An error record for each entry of those fields that a verb needs and cannot use."""
        for flaw in self.topic.flaws:
            if flaw.field in fields:
                error = f"{self.topic.place}: {flaw.reason}"
                yield ErrorRecord(**self.head, system=flaw.name, error=error)

    def build_problem(self, limits: Limits, options: Options) -> Problem:
        """The case as a problem of its objective; says if nothing overlaps."""
        from ..oracles.api import build_problem
        from ..oracles.solve import warn_without_overlap

        problem = build_problem(
            self.sentences, self.references, self.rouge, limits, options, id=self.id
        )
        warn_without_overlap(problem)
        return problem


def settle_language(topic: Topic, preparation: Preparation) -> Topic:
    """The topic with the language that is detected in its document, if that is asked for."""
    if not preparation.detect or topic.language is not None:
        return topic
    text = topic.text if topic.text is not None else " ".join((topic.sentences or ())[:40])
    if not text:  # summaries alone are scored
        text = "\n".join(one if isinstance(one, str) else " ".join(one) for one in topic.references)
    if preparation.clean is not None:
        text = clean_text(text, preparation.clean)
    found = detect_language(text)
    detection = _UNTOLD if found is None else detection_setting()
    return replace(topic, language=found or _FALLBACK, detection=detection)


def split_topic(
    topic: Topic, rouge: Rouge, references: References, preparation: Preparation
) -> Iterator[Case]:
    """The cases of a topic. Raises InputError if its text cannot be split into sentences."""
    if preparation.clean is not None:
        topic = clean_topic(topic, preparation.clean)
    sentences: Sequence[str] | None = topic.sentences
    if sentences is None:
        assert topic.text is not None
        sentences = tuple(preparation.split_text(topic.text, rouge.language))
    was_split = topic.sentences is None or topic.was_split
    for one in range(len(topic.references)) if references == "single" else (None,):
        yield Case(
            topic=topic,
            reference=one,
            sentences=sentences,
            references=topic.references if one is None else (topic.references[one],),
            rouge=rouge,
            preparation=preparation,
            was_split=was_split,
        )


def clean_topic(topic: Topic, clean: str) -> Topic:
    """The topic without markup; every sentence keeps its place, even if nothing is left of it."""

    def clean_all(texts: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(clean_text(one, clean) if isinstance(one, str) else one for one in texts)

    def clean_one(given: Any) -> Any:
        return clean_text(given, clean) if isinstance(given, str) else clean_all(given)

    return replace(
        topic,
        text=None if topic.text is None else clean_text(topic.text, clean),
        sentences=None if topic.sentences is None else clean_all(topic.sentences),
        references=tuple(map(clean_one, topic.references)),
        systems={name: clean_one(system) for name, system in topic.systems.items()},
    )


def warn_of_empty_references(topic: Topic) -> None:
    """An empty reference adds nothing to hits or total, as in ROUGE; rarely what was meant."""
    for i, reference in enumerate(topic.references):
        if not has_text(reference):
            warn(f"references[{i}] is empty and adds nothing", OraclesumWarning)
