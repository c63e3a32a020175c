"""A topic as the cases a verb answers: all references together, or one case per reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..answers.record import ErrorRecord
from ..corpora import Flaw, Reference, System, Topic
from ..instances import Instance
from ..instances.build import build_instance
from ..rouge import Rouge
from ..signature import extend_signature
from ..text import split_sentences, splitter_setting
from .settings import Settings

__all__ = ["Case", "split_topic"]


@dataclass(frozen=True, kw_only=True)
class Case:
    """What one output record is about."""

    id: str
    reference: int | None  # its index where references are taken one by one
    sentences: tuple[str, ...]
    was_split: bool  # the sentences were cut from `text` here, so the output has to show them
    references: tuple[Reference, ...]
    systems: Mapping[str, System]
    doc_ids: tuple[int, ...] | None
    human: Mapping[str, Mapping[str, float]]
    flaws: tuple[Flaw, ...]
    place: str  # of the record, as messages name it
    rouge: Rouge

    @property
    def head(self) -> dict[str, Any]:
        """The fields that every output record of this case starts with."""
        if self.reference is None:
            return {"id": self.id}
        return {"id": self.id, "reference": self.reference}

    def report_flaws(self, *fields: str) -> Iterator[ErrorRecord]:
        """An error record for each entry of those fields that a verb needs and cannot use."""
        for flaw in self.flaws:
            if flaw.field in fields:
                error = f"{self.place}: {flaw.reason}"
                yield ErrorRecord(**self.head, system=flaw.name, error=error)

    def build_instance(self, settings: Settings) -> Instance:
        """The case as an integer problem."""
        limits = settings.make_limits()
        return build_instance(self.sentences, self.references, self.rouge, limits, id=self.id)

    def sign(self, signature: str) -> str:
        """The signature, with the splitter that cut the sentences where they were cut here."""
        return extend_signature(signature, splitter_setting()) if self.was_split else signature

    @property
    def tail(self) -> dict[str, Any]:
        """The sentences that indices point to, where the user's record did not have them."""
        return {"sentences": list(self.sentences)} if self.was_split else {}


def split_topic(topic: Topic, settings: Settings) -> Iterator[Case]:
    """The cases of a topic. Raises InputError where its text cannot be cut into sentences."""
    rouge = settings.make_rouge(topic.language)
    sentences = topic.sentences
    if sentences is None:
        assert topic.text is not None
        sentences = tuple(split_sentences(topic.text, rouge.language))
    for reference in range(len(topic.references)) if settings.references == "single" else [None]:
        yield Case(
            id=topic.id,
            reference=reference,
            sentences=sentences,
            was_split=topic.sentences is None or topic.was_split,
            references=topic.references if reference is None else (topic.references[reference],),
            systems=topic.systems,
            doc_ids=topic.doc_ids,
            human=topic.human,
            flaws=topic.flaws,
            place=topic.place,
            rouge=rouge,
        )
