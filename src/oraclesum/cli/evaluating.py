"""What `evaluate` asks of every case: all systems against the oracles, in batches or one by one."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from ..answers import Case, Row
from ..answers.record import EvaluationRecord, Record, exact, write_fraction, write_rouge
from ..errors import InputError, LimitError
from ..evaluation.bootstrap import bootstrap_means
from ..evaluation.panel import (
    ScoredText,
    Summary,
    derive_case_seed,
    prepare_summaries,
    score_panel,
    score_texts,
    take_first,
)
from ..evaluation.summary import SummaryScore
from ..frozen import dataclass
from ..message import Message
from ..notices import collect_warnings
from ..oracles.bounds import TEXT_SECONDS, answer_within
from ..oracles.family import OracleFamily
from ..oracles.status import Status
from ..rouge import Rouge
from ..signature import extend_signature
from .options import run_own_systems
from .run import CaseTask
from .settings import Settings

__all__ = ["EvaluationTask"]

_LONG = 1 << 18  # characters


@dataclass(frozen=True, kw_only=True)
class EvaluationTask(CaseTask):
    """The settings of one run of `evaluate`, and how a case is answered."""

    @classmethod
    def make(cls, settings: Settings) -> EvaluationTask:
        """The task under these settings."""
        return cls(answer=answer_case, settings=settings)

    def takes(self, rouge: Rouge) -> bool:
        """Whether the kernel solves whole batches."""
        return self.settings.enumeration.takes(rouge)

    def answer_batch(
        self, cases: Sequence[Case], give_up_after: float | None, exempt: int
    ) -> Iterator[list[Row] | float]:
        """Step by step for all cases; one that has to be looked at alone has all of its time again.

        First all oracles, then the scores, then what is written: the words of the kernel and the
        resamples of the bootstrap are large tables, which stay in the processor's cache so.
        """
        measured: list[tuple[Measured | None, float]] = []
        solved = self.settings.enumeration.solve_families(cases, give_up_after, exempt)
        for case, (family, seconds) in zip(cases, solved, strict=False):
            started = time.perf_counter()
            limit = give_up_after if len(measured) >= exempt else None
            found = None
            if family is not None:
                found = self._measure_within(case, family, seconds, limit)
            seconds += time.perf_counter() - started
            if limit is not None and seconds > limit:
                break
            measured.append((found, seconds))
        for found, seconds in measured:
            if found is None:
                yield 0.0
                continue
            records = list(found.describe(self.settings))
            yield [Row(record=record, seconds=seconds / len(records)) for record in records]

    def _measure_within(
        self, case: Case, family: OracleFamily, seconds: float, give_up_after: float | None
    ) -> Measured | None:
        """What is measured if nothing is to be said about it and time suffices, else None."""
        limit = self.time_limit if give_up_after is None else give_up_after
        left = None if limit is None else max(0.0, limit - seconds)
        measure_all = measure_in_time if give_up_after is None else measure
        with collect_warnings() as said, answer_within(seconds=left):
            try:
                systems = find_systems(case, self.settings)
                if not systems:
                    return None
                summaries = prepare(case, systems, self.settings)
                if left is not None and _are_long(case, summaries):
                    return None
                found = measure_all(case, summaries, family, self.settings)
            except Exception:  # put into words when the case is looked at alone
                return None
        return None if said else found


def _are_long(case: Case, summaries: dict[str, Summary]) -> bool:
    """Whether texts may take longer to be scored than to be searched; that is tried once only."""
    if case.rouge.plain:
        return False
    texts = chain.from_iterable(summary.texts for summary in summaries.values())
    return sum(map(len, texts)) > _LONG


def answer_case(case: Case, settings: Settings) -> Iterator[Record]:
    """One record per system of the case."""
    flaws = list(case.report_flaws("systems"))
    yield from flaws
    systems = find_systems(case, settings)
    if not systems and flaws:
        return
    if not systems:
        raise InputError("the record has no `systems` to evaluate; add some of ours by --systems")
    family = settings.enumeration.solve_case(case)
    try:
        summaries = prepare(case, systems, settings)
        found = measure_in_time(case, summaries, family, settings)
    except LimitError as error:
        raise LimitError(
            Message("{x}: raise {time_limit}, or shorten the systems", x=error)
        ) from None
    yield from found.describe(settings)


def find_systems(case: Case, settings: Settings) -> dict[str, Any]:
    """The systems of the record, and our own that were asked for."""
    return {**case.topic.systems, **run_own_systems(case, settings)}


def prepare(case: Case, systems: dict[str, Any], settings: Settings) -> dict[str, Summary]:
    """The systems of a case as sentences of its document."""
    return prepare_summaries(
        systems,
        case.sentences,
        cut_to=settings.enumeration.limits if settings.cut else None,
        threshold=settings.threshold,
        language=case.rouge.language,
    )


def measure(
    case: Case,
    summaries: dict[str, Summary],
    family: OracleFamily,
    settings: Settings,
    scored: Sequence[ScoredText] | None = None,
) -> Measured:
    """The systems of a case against its oracles."""
    scores = score_panel(
        summaries,
        case.references,
        case.rouge,
        family,
        scored=scored,
        draws=settings.draws,
        seed=derive_case_seed(settings.seed, case.id, case.rouge.size, case.reference),
        intervals=False,
    )
    return Measured(case, family, scores)


def measure_in_time(
    case: Case, summaries: dict[str, Summary], family: OracleFamily, settings: Settings
) -> Measured:
    """The same against the first oracles if there is no time for all."""
    scored = score_texts(summaries, case.references, case.rouge)
    try:
        return measure(case, summaries, family, settings, scored)
    except LimitError:
        with answer_within(seconds=None if settings.time_limit is None else TEXT_SECONDS):
            return measure(case, summaries, take_first(family), settings, scored)


@dataclass
class Measured:
    """All that is known of a case, but for the intervals."""

    case: Case
    family: OracleFamily
    scores: dict[str, SummaryScore]

    def describe(self, settings: Settings) -> Iterator[EvaluationRecord]:
        """A record per system."""
        case, family = self.case, self.family
        # What the records of all systems have in common.
        head, tail = case.head, case.tail
        whole = family.exact and family.status is not Status.NO_OVERLAP
        status = "complete" if whole else family.status.value
        oracle = {
            **({} if family.hits is None else {"hits": family.hits, "total": family.total}),
            "value": write_fraction(family.value),
            "score": family.score,
            "count": exact(family.count),  # a lower bound if the status is not "complete"
            "proven": family.proven,
        }
        signature = extend_signature(case.sign(family.signature), *_settings_of(settings))
        intervals = bootstrap_means([score.drawn.f_measures for score in self.scores.values()])
        for (name, score), interval in zip(self.scores.items(), intervals, strict=True):
            human = case.topic.human.get(name)
            yield EvaluationRecord(
                **head,
                system=name,
                status=status,
                oracle=oracle,
                **_describe(score, interval),
                human=None if human is None else dict(human),
                signature=signature,
                **tail,
            )


def _describe(score: SummaryScore, interval: tuple[float, float]) -> dict[str, Any]:
    """The fields of one scored summary."""
    alignment, value = score.alignment, score.objective_value
    return {
        "rouge": write_rouge(score.rouge),
        "objective_hits": score.objective_hits,
        "objective_value": None if value is None else write_fraction(value),
        "share": score.share,
        "all": {
            "precision": score.overlap.precision,
            "recall": score.overlap.recall,
            "f_measure": score.overlap.f_measure,
        },
        "random": {
            "draws": len(score.drawn.shared),
            "f_measure": score.drawn.f_measure,
            "low": interval[0],
            "high": interval[1],
            "shared": list(score.drawn.shared),
            "sizes": list(score.drawn.sizes),
        },
        "missed_core": None if score.missed_core is None else list(score.missed_core),
        "words": score.words,
        "selected": list(alignment.indices),
        "alignment": {
            "coverage": alignment.coverage,
            "fuzzy": [
                {"text": each.text, "index": each.index, "similarity": each.similarity}
                for each in alignment.fuzzy
            ],
            "unaligned": list(alignment.unaligned),
            "repeated": [list(equal) for equal in alignment.repeated],
        },
    }


def _settings_of(settings: Settings) -> tuple[tuple[str, str], ...]:
    """What the signature says of the settings that only an evaluation has."""
    return (
        ("refs", settings.references),
        ("cut", "yes" if settings.cut else "no"),
        ("threshold", f"{settings.threshold:g}"),
        ("draws", str(settings.draws)),
        ("seed", str(settings.seed)),
    )
