"""What `labels` asks of every case: in batches of the kernel, or case by case."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..answers import Case, Row
from ..answers.enumeration import EnumerationTask, FamilyTask
from ..answers.record import LabelRecord, write_fraction
from ..errors import LimitError
from ..frozen import dataclass
from ..oracles.status import Status
from ..signature import extend_signature
from ..text import split_sentences
from .settings import LabelSettings
from .shapes import SHAPES, shape_example

if TYPE_CHECKING:
    from ..answers.record import Found
    from ..rouge import Rouge
    from .label import Labels

__all__ = ["LabelTask"]


@dataclass(frozen=True, kw_only=True)
class LabelTask(FamilyTask):
    """The settings of one run of `labels`, and how a case is answered.

    `enumeration` finds the oracles; its options say nothing of near-optimal sets, which `settings`
    does.
    """

    settings: LabelSettings
    shape: str = "jsonl"

    def takes(self, rouge: Rouge) -> bool:
        """Whether the kernel answers whole batches: the first oracle, and plain shares."""
        return (
            self.settings.choose == "first"
            and self.settings.temperature is None
            and self.enumeration.takes(rouge)
            and (self._wider is None or self._wider.takes(rouge))
        )

    @cached_property
    def _first(self) -> EnumerationTask:
        """The same oracles, of which one is listed."""
        options = replace(self.enumeration.options, max_list=1)
        return replace(self.enumeration, options=options)

    @cached_property
    def _wider(self) -> EnumerationTask | None:
        """The sets of the soft labels, if they are more than the oracles."""
        if not self.settings.is_near:
            return None
        options = replace(self.settings.widen(self.enumeration.options), max_list=0)
        return replace(self.enumeration, options=options)

    def answer_batch(
        self, cases: Sequence[Case], give_up_after: float | None, exempt: int
    ) -> Iterator[list[Row] | float]:
        """Cases through the kernel; seconds if one has to be looked at alone."""
        solved = list(self._first.solve_batch(cases, give_up_after, exempt))
        near = self._solve_near(cases, solved)
        for place, (oracles, seconds) in enumerate(solved):
            case, (around, more) = cases[place], near.get(place, (oracles, 0.0))
            record = None
            if oracles is not None and around is not None:
                record = self._describe(case, oracles, around, seconds + more)
            yield seconds + more if record is None else [Row(record=record, seconds=seconds + more)]

    def _solve_near(
        self, cases: Sequence[Case], solved: Sequence[tuple[Found | None, float]]
    ) -> dict[int, tuple[Found | None, float]]:
        """The sets of the soft labels, if they are more than the oracles, by the case's place.

        They have the time that the oracles left: a search that was stopped has left none.
        """
        places = [
            place
            for place, (found, _) in enumerate(solved)
            if found is not None and found.status is Status.COMPLETE
        ]
        if self._wider is None or not places:
            return {}
        found = self._wider.solve_batch(
            [cases[place] for place in places],
            None,
            0,
            spent=[solved[place][1] for place in places],
        )
        return dict(zip(places, found, strict=True))

    def _describe(
        self, case: Case, oracles: Found, near: Found, seconds: float
    ) -> LabelRecord | None:
        status, count = oracles.status, oracles.count
        chosen = next(oracles.iterate(), ())
        if status is Status.STREAMED or (status is Status.COMPLETE and not chosen):
            return None  # the first of all sets is not known
        if status is Status.COMPLETE and count > self.enumeration.options.max_list:
            status = Status.LIST_LIMIT
        labels = [0] * len(case.sentences)
        for i in chosen:
            labels[i] = 1
        shares, stopped = self._share(oracles, near, labels, seconds)
        if stopped is not None:
            status = stopped
        return self._make_record(
            case,
            status=status,
            hits=oracles.hits,
            total=oracles.total,
            value=write_fraction(oracles.value),
            score=oracles.score,
            count=count,
            labels=labels,
            soft_labels=shares,
            oracle_ids=list(chosen),
        )

    def _share(
        self, oracles: Found, near: Found, labels: Sequence[int], seconds: float
    ) -> tuple[list[float], Status | None]:
        """The soft labels, and what ended before they could be those of all sets if it did.

        They are then those of the oracles, or the hard ones if not even these could be counted.
        """
        own = list(map(float, labels))
        try:
            own = oracles.inclusion
            return (own, near.status) if near.status.partial else (near.inclusion, None)
        except LimitError:
            late = self.time_limit is not None and seconds >= self.time_limit
            return own, Status.TIME_LIMIT if late else Status.MEMORY_LIMIT

    def answer_case(self, case: Case, time_limit: float | None) -> Iterator[LabelRecord]:
        """A record per chosen oracle; in another program's shape it also has the `example`."""
        from ..oracles.bounds import answer_within
        from .label import label_problem, take_lead

        started = time.monotonic()
        enumeration = self.enumeration
        options = replace(enumeration.options, time_limit=time_limit)
        with answer_within(seconds=time_limit):
            problem = case.build_problem(enumeration.limits, self.settings.widen(options))
            lead: tuple[int, ...] = ()
            if self.settings.choose == "lead":
                lead = take_lead(case.sentences, case.topic.doc_ids, enumeration.limits)
            made: Iterator[Labels] = label_problem(
                problem,
                lead,
                self.settings,
                method=enumeration.method,
                options=options.left_since(started),
            )
            records = [
                self._make_record(
                    case,
                    status=labels.status,
                    hits=labels.hits,
                    total=labels.total,
                    value=write_fraction(labels.value),
                    score=labels.score,
                    count=labels.count,
                    labels=list(labels.labels),
                    soft_labels=list(labels.soft_labels),
                    oracle_ids=list(labels.oracle_ids),
                )
                for labels in made
            ]
        yield from records

    def _make_record(self, case: Case, *, status: Status, **fields: Any) -> LabelRecord:
        example = None
        if self.shape in SHAPES:
            example = shape_example(
                self.shape,
                case.sentences,
                _split_reference(case),
                fields["labels"],
                fields["oracle_ids"],
            )
        return LabelRecord(
            **case.head,
            status=status.value,
            **fields,
            method=self.enumeration.method,
            signature=self._sign(case),
            **case.tail,
            example=example,
        )

    def _sign(self, case: Case) -> str:
        usual = case.rouge is self.enumeration.rouge
        if usual and not case.was_split and not case.topic.detection:
            return self._signature
        oracles = self.enumeration.sign(case.rouge, was_split=False)
        return case.sign(extend_signature(oracles, *self.settings.describe()))

    @cached_property
    def _signature(self) -> str:
        """That of nearly all answers, made once."""
        oracles = self.enumeration.sign(self.enumeration.rouge, was_split=False)
        return extend_signature(oracles, *self.settings.describe())

    def __getstate__(self) -> dict[str, Any]:
        # What is remembered is made anew in another process.
        return {name: vars(self)[name] for name in ("enumeration", "settings", "shape")}

    def describe(self) -> dict[str, Any]:
        """Every setting that moves what is written, as JSON."""
        wanted = asdict(self.settings)
        wanted["within"] = str(self.settings.within)  # JSON has no fractions
        return {**self.enumeration.describe(), "signature": self._signature, "labels": wanted}


def _split_reference(case: Case) -> list[str]:
    """The first reference in sentences: the shapes have room for one."""
    first = case.references[0]
    return split_sentences(first, case.rouge.language) if isinstance(first, str) else list(first)
