"""What `enumerate` asks of every case: in batches of the kernel, or case by case."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from .. import _kernel
from ..errors import LimitError
from ..frozen import dataclass
from ..given import check_choice
from ..instances.build import sign_problem
from ..instances.limits import Limits
from ..oracles.bounds import MAX_MEMORY, answer_within
from ..oracles.options import Options, sign_family
from ..oracles.status import Status
from ..oracles.store import share_each
from ..rouge import Rouge
from ..rouge.objective import add_terms, count_recall, describe_terms, scale_of
from ..rouge.printed import split_lines
from ..signature import extend_signature
from ..text import Preparation, detection_setting
from .answerer import Row, Task
from .case import Case, References
from .record import FamilyRecord, Found

if TYPE_CHECKING:
    from ..oracles.family import OracleFamily

__all__ = ["EnumerationTask", "FamilyTask"]

_LARGEST = 2**62  # beyond any text; the kernel counts in 64 bits
_ZERO = Fraction(0)


@dataclass
class NativeFamily:
    """All oracles of one problem of a batch, as the kernel tells of them."""

    outcome: _kernel.DocumentOutcome

    @property
    def status(self) -> Status:
        if not self.outcome.collected:
            return Status.MEMORY_LIMIT if self.outcome.out_of_memory else Status.TIME_LIMIT
        return Status.STREAMED if self.outcome.streamed else Status.COMPLETE

    @property
    def value(self) -> Fraction:
        return Fraction(self.hits, self.total)

    @property
    def upper_value(self) -> Fraction:
        return Fraction(self.upper_bound, self.total)

    @property
    def hits(self) -> int:
        return self.outcome.hits

    @property
    def total(self) -> int:
        return self.outcome.total

    @property
    def score(self) -> float:
        return self.outcome.hits / self.outcome.total  # what was searched has n-grams

    @property
    def count(self) -> int:
        return self.outcome.count

    @property
    def inclusion(self) -> list[float]:
        if not self.outcome.inclusion_known:
            raise LimitError("time or memory sufficed for the count alone")
        if shares := self.outcome.inclusion:
            return shares
        return share_each(self.outcome.containing, self.outcome.count)

    @property
    def upper_bound(self) -> int:
        return self.outcome.upper_bound

    @property
    def checked(self) -> int:
        return self.outcome.nodes

    def iterate(self) -> Iterator[list[int]]:
        return iter(self.outcome.sets)


class NativeObjective(NativeFamily):
    """The same under another objective than the paper's."""

    def __init__(self, outcome: _kernel.DocumentOutcome, rouge: Rouge, references: int) -> None:
        super().__init__(outcome)
        terms = rouge.terms
        found = bool(outcome.sets) or outcome.count > 0
        value = add_terms(terms, outcome.totals, outcome.tallies, references) if found else _ZERO
        upper = sum((Fraction(a, b) for a, b in outcome.uppers), _ZERO) / scale_of(terms)
        self._value, self._upper = value, max(value, min(upper, Fraction(1)))
        self._counted = count_recall(terms, outcome.totals[0], value, self._upper)

    @property
    def value(self) -> Fraction:
        return self._value

    @property
    def upper_value(self) -> Fraction:
        return self._upper

    @property
    def hits(self) -> int:
        return self._counted[0]

    @property
    def total(self) -> int:
        return self._counted[1]

    @property
    def upper_bound(self) -> int:
        return self._counted[2]

    @property
    def score(self) -> float:
        return float(self._value)


@dataclass(frozen=True, kw_only=True)
class EnumerationTask:
    """The settings of one run of `enumerate`, and how a case is answered."""

    rouge: Rouge
    own_language: bool = True  # a record's `language` wins over that of `rouge`
    limits: Limits
    options: Options
    references: References = "multi"
    method: str = "search"
    preparation: Preparation = field(default_factory=Preparation)
    seconds: bool = False  # records say how long they took, and differ from run to run

    def __post_init__(self) -> None:
        check_choice("references", self.references, ("multi", "single"))

    @property
    def counts_words(self) -> bool:
        """Whether a limit counts words."""
        return self.limits.counts_words

    def rouge_for(self, language: str | None, *, detected: bool = False) -> Rouge:
        """The measure for a record in `language`. Raises InputError for an unknown one."""
        if not self.own_language or language is None or language == self.rouge.language:
            return self.rouge
        return self.rouge.in_language(language, detected=detected)

    def sign(self, rouge: Rouge, *, was_split: bool, detection: str | None = None) -> str:
        """The signature of an answer."""
        if rouge is self.rouge and not was_split and not detection:
            return self._signature
        return self._sign(rouge, was_split, detection)

    @cached_property
    def _signature(self) -> str:
        """That of nearly all answers, made once."""
        return self._sign(self.rouge, False, None)

    def _sign(self, rouge: Rouge, was_split: bool, detection: str | None) -> str:
        lasting = replace(self.options, stop=None)  # which would be kept, with all that it knows
        return _sign(rouge, self.limits, lasting, self.preparation, was_split, detection)

    @property
    def _language_setting(self) -> str:
        if self.preparation.detect:
            return f"of each record, else {detection_setting()}"
        return "of each record" if self.own_language else self.rouge.language

    @property
    def _split_setting(self) -> str:
        return self.preparation.settings(self.rouge.language, was_split=True)[-1][1]

    @property
    def time_limit(self) -> float | None:
        """Seconds for one case."""
        return self.options.time_limit

    @property
    def stop(self) -> Callable[[], object] | None:
        """What the caller gave to end searches by."""
        return self.options.stop

    def takes(self, rouge: Rouge) -> bool:
        """Whether the kernel answers whole batches: English text, the usual questions."""
        return self._is_usual and rouge.analyser.native

    @cached_property
    def _is_usual(self) -> bool:
        limits = self.limits
        if self.method != "search" or limits.costs or limits.required or limits.forbidden:
            return False
        if self._is_plain:
            return True
        floor = bool(limits.min_words or limits.min_sentences)
        degenerate = all(term.beta2 == 0 for term in self.rouge.terms) and not floor
        single = self.rouge.multi_reference == "pooled"
        return single and not degenerate and not self.options.within_hits

    @cached_property
    def _is_plain(self) -> bool:
        """Whether recall is maximised as the paper does."""
        near = self.options.within or self.options.top
        return self.rouge.plain and self.limits.simple and not near

    def answer_batch(
        self, cases: Sequence[Case], give_up_after: float | None, exempt: int
    ) -> Iterator[list[Row] | float]:
        """Cases through the kernel; seconds if what is unusual has to be put into words."""
        solved = self.solve_batch(cases, give_up_after, exempt)
        for case, (found, seconds) in zip(cases, solved, strict=False):
            if found is None:
                yield seconds
                continue
            record = self._describe(case, found)
            if self.seconds:
                record = replace(record, seconds=seconds)
            yield [Row(record=record, seconds=seconds)]

    def solve_batch(
        self,
        cases: Sequence[Case],
        give_up_after: float | None,
        exempt: int,
        *,
        spent: Sequence[float] = (),
    ) -> Iterator[tuple[Found | None, float]]:
        """What the kernel finds for each case, and the seconds that took.

        `spent`: how much of each case's time limit is gone already.
        """
        batch = list(map(self._take_texts, cases))
        # What `stop` leaves undone is put into words case by case.
        stop = self.options.stop
        outcomes = _kernel.enumerate_batch(
            batch, self._native, list(spent), give_up_after, exempt, stop
        )
        for case, outcome in zip(cases, outcomes, strict=False):
            yield self._look_at(case, outcome), outcome.seconds

    def _take_texts(self, case: Case) -> tuple[list[str], list[list[str]]]:
        split = split_lines if self.rouge.reads_lines else _keep_whole
        return (
            list(case.sentences),
            [split(one) if isinstance(one, str) else list(one) for one in case.references],
        )

    def _look_at(self, case: Case, outcome: _kernel.DocumentOutcome) -> NativeFamily | None:
        if outcome.error is not None or not outcome.searched:
            return None
        if self._is_plain:
            return NativeFamily(outcome)
        return NativeObjective(outcome, self.rouge, len(case.references))

    def solve_case(self, case: Case) -> OracleFamily:
        """All oracles of one case, to be asked more; says if nothing overlaps."""
        from ..oracles.api import solve_problem

        started = time.monotonic()
        if self.takes(case.rouge):
            ((family, _),) = self.solve_families([case], None, 0)
            if family is not None:
                return family
        options = replace(self.options, max_list=Options.max_list)  # to be drawn from, not written
        problem = case.build_problem(self.limits, options)
        # What was tried above is inside the same clock.
        return solve_problem(problem, self.method, options.left_since(started))

    def solve_families(
        self, cases: Sequence[Case], give_up_after: float | None, exempt: int
    ) -> Iterator[tuple[OracleFamily | None, float]]:
        """The same of each case by the kernel alone, and the seconds that took.

        None if what is unusual has to be put into words.
        """
        batch = list(map(self._take_texts, cases))
        outcomes = _kernel.enumerate_batch(
            batch, self._keeping_family, [], give_up_after, exempt, self.options.stop
        )
        for case, outcome in zip(cases, outcomes, strict=False):
            yield self._make_family(case, outcome), outcome.seconds

    def _make_family(self, case: Case, outcome: _kernel.DocumentOutcome) -> OracleFamily | None:
        from ..oracles.diagram import DiagramStore
        from ..oracles.family import OracleFamily
        from ..oracles.store import ListedStore, Store

        found = self._look_at(case, outcome)
        if found is None or outcome.streamed or (outcome.collected and not found.value):
            return None
        status = found.status
        store: Store
        if outcome.family is None:
            store = ListedStore(outcome.sets, len(case.sentences))
        else:
            store = DiagramStore(outcome.family, Options.max_list)
            if status is Status.COMPLETE and store.stored < store.count:
                status = Status.LIST_LIMIT
        return OracleFamily(
            store=store,
            n_sentences=len(case.sentences),
            hits=found.hits,
            total=found.total,
            value=found.value,
            upper_value=found.upper_value,
            status=status,
            upper_bound=found.upper_bound,
            checked=found.checked,
            method=self.method,
            signature=self.sign(case.rouge, was_split=False),
        )

    def answer_case(self, case: Case, time_limit: float | None) -> Iterator[FamilyRecord]:
        """The record of one case."""
        from ..oracles.api import solve_problem

        started = time.monotonic()
        options = replace(self.options, time_limit=time_limit)
        problem = case.build_problem(self.limits, options)
        family = solve_problem(problem, self.method, options.left_since(started))
        with answer_within(seconds=options.left_since(started).time_limit):
            record = self._describe(case, family)
        if self.seconds:
            record = replace(record, seconds=time.monotonic() - started)
        yield record

    def _describe(self, case: Case, found: Found) -> FamilyRecord:
        return FamilyRecord.describe(
            found,
            id=case.id,
            reference=case.reference,
            max_list=self.options.max_list,
            counts_nodes=self.counts_nodes,
            method=self.method,
            signature=self.sign(
                case.rouge, was_split=case.was_split, detection=case.topic.detection
            ),
            # The user's record does not have what the indices point to if it was split here.
            sentences=case.sentences if case.was_split else None,
            **case.found_language,
        )

    @cached_property
    def _native(self) -> _kernel.DocumentSettings:
        """The same for the kernel."""
        options = self.options
        settings = _kernel.DocumentSettings(
            self.rouge.size,
            self.rouge.analyser.rules or _kernel.Rules.ROUGE_155,  # of records in English
            self.rouge.stem,
            self.rouge.remove_stopwords,
            _clip(self.limits.max_words),
            _clip(self.limits.max_sentences),
            _clip(self.limits.max_bytes),
            options.within_hits,
            options.family == "minimal",
            options.max_list,
            options.threads,
            options.time_limit,
            MAX_MEMORY,
        )
        if self._is_plain:
            return settings
        near = options.within * scale_of(self.rouge.terms)
        return settings.with_objective(
            describe_terms(self.rouge.terms),
            self.rouge.boundaries == "across",
            self.rouge.counting == "sets",
            self.rouge.reference_boundaries == "within",
            _clip(self.limits.min_words),
            _clip(self.limits.min_sentences),
            (near.numerator, near.denominator),
            options.top,
        )

    @cached_property
    def _keeping_family(self) -> _kernel.DocumentSettings:
        return self._native.keeping_family()

    def __getstate__(self) -> dict[str, Any]:
        # What the kernel was told is told anew in another process.
        told = ("_native", "_keeping_family")
        return {key: value for key, value in vars(self).items() if key not in told}

    @property
    def counts_nodes(self) -> bool:
        """Whether `checked` is written: with several threads it would differ from run to run."""
        return self.options.threads == 1

    def describe(self) -> dict[str, Any]:
        """Every setting that moves what is written, as JSON; of threads, whether there is one."""
        options = asdict(self.options)
        del options["threads"]
        options["within"] = str(self.options.within)  # JSON has no fractions
        return {
            "signature": self.sign(self.rouge, was_split=False),
            "language": self._language_setting,
            "references": self.references,
            **({"split": self._split_setting} if self.preparation.split else {}),
            "method": self.method,
            "checked": self.counts_nodes,
            "seconds": self.seconds,
            **options,
        }


@dataclass(frozen=True, kw_only=True)
class FamilyTask(Task):
    """A task that asks something of the families that an enumeration finds, with its settings."""

    enumeration: EnumerationTask

    @property
    def references(self) -> References:
        """All references together, or one by one."""
        return self.enumeration.references

    @property
    def preparation(self) -> Preparation:
        """What is done to text before it is scored."""
        return self.enumeration.preparation

    @property
    def time_limit(self) -> float | None:
        """Seconds for one case."""
        return self.enumeration.time_limit

    @property
    def stop(self) -> Callable[[], object] | None:
        """What the caller gave to end searches by."""
        return self.enumeration.stop

    @property
    def counts_words(self) -> bool:
        """Whether a limit counts words."""
        return self.enumeration.counts_words

    def rouge_for(self, language: str | None, *, detected: bool = False) -> Rouge:
        """The measure for a record in `language`."""
        return self.enumeration.rouge_for(language, detected=detected)


def _keep_whole(text: str) -> list[str]:
    """A reference of which n-grams alone are asked: they run across its lines."""
    return [text]


def _clip(limit: int | None) -> int | None:
    return None if limit is None else min(limit, _LARGEST)


@lru_cache(maxsize=256)
def _sign(
    rouge: Rouge,
    limits: Limits,
    options: Options,
    preparation: Preparation,
    was_split: bool,
    detection: str | None,
) -> str:
    signature = sign_family(sign_problem(rouge, limits), options)
    pairs = preparation.settings(rouge.language, was_split=was_split, detection=detection)
    return extend_signature(signature, *pairs) if pairs else signature
