"""Topics to output records: batches through the kernel, and what is unusual one by one in Python.

The kernel answers what nearly every record is: English text with words in every reference and a
sentence that shares an n-gram. All else takes the careful path, which has words for what is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from .. import _kernel
from ..corpora import Reference, Topic
from ..errors import LimitError, OraclesumError, RecordError
from ..instances import Instance
from ..notices import collect_warnings
from ..oracles.api import build_problem
from ..oracles.bounds import answer_within
from ..oracles.solve import solve_all, warn_without_overlap
from ..oracles.status import Status
from ..rouge import Rouge
from ..text import split_sentences
from .answer import Answer, Item, Row
from .emptiness import warn_of_empty_references
from .record import ErrorRecord, FamilyRecord, Found, Output
from .task import Task

__all__ = ["Answerer", "say_as_it_is"]

_PATIENCE = 0.05  # seconds of one record, where others wait to be written


@dataclass(slots=True, kw_only=True)
class Case:
    """What one output record is about."""

    id: str
    reference: int | None  # its index, if references are taken one by one
    sentences: Sequence[str]
    references: Sequence[Reference]
    rouge: Rouge
    was_split: bool


def say_as_it_is(message: str) -> str:
    """The wording of messages for callers from Python."""
    return message


@dataclass(slots=True)
class NativeFamily:
    """All oracles of one problem of a batch, as the kernel tells of them."""

    outcome: _kernel.DocumentOutcome

    @property
    def status(self) -> Status:
        if not self.outcome.collected:
            return Status.TIME_LIMIT
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
        count = self.outcome.count
        return [held / count for held in self.outcome.held]

    @property
    def upper_bound(self) -> int:
        return self.outcome.upper_bound

    @property
    def checked(self) -> int:
        return self.outcome.nodes

    def iterate(self) -> Iterator[list[int]]:
        return iter(self.outcome.sets)


@dataclass(frozen=True, kw_only=True)
class Answerer:
    """Answers batches of items; can be sent to another process."""

    task: Task
    wording: Callable[[str], str] = say_as_it_is

    def answer_batch(self, items: Sequence[Item]) -> list[Answer[Output]]:
        """One answer per item, in order; never raises for what a record contains."""
        return list(self._answer_in_turn(items, None))

    def answer_some(self, items: Sequence[Item]) -> list[Answer[Output]]:
        """The same, but a record that takes long ends it, so that those before it need not wait.

        At least one item is answered, however long it takes.
        """
        return list(self._answer_in_turn(items, _PATIENCE))

    def _answer_in_turn(
        self, items: Sequence[Item], patience: float | None
    ) -> Iterator[Answer[Output]]:
        cases: list[list[Case] | None] = [self._native_cases(item) for item in items]
        unhurried = len(cases[0] or ()) if cases else 0
        flat = [case for some in cases if some for case in some]
        outcomes = iter(self._ask_kernel(flat, patience, unhurried))
        hurry = None
        for item, some in zip(items, cases, strict=True):
            answer = None
            if some is not None:
                taken = list(islice(outcomes, len(some)))
                if len(taken) < len(some):
                    return
                answer = self._take(some, taken)
            answer = answer or self._answer_carefully(item, hurry)
            if answer is None:
                return
            yield answer
            hurry = patience

    def answer(self, item: Item) -> Answer[Output]:
        """The careful path for one item."""
        answer = self._answer_carefully(item, None)
        assert answer is not None
        return answer

    def _answer_carefully(self, item: Item, patience: float | None) -> Answer[Output] | None:
        """None where it takes longer than `patience` seconds."""
        if isinstance(item, RecordError):
            return self.refuse(item)
        if patience is None:
            return self._answer_topic(item)
        options = self.task.options
        if options.time_limit is not None and options.time_limit <= patience:
            return self._answer_topic(item)
        hurried = replace(self.task, options=replace(options, time_limit=patience))
        answer = replace(self, task=hurried)._answer_topic(item)
        return answer if all(self._is_whole(row.record) for row in answer.rows) else None

    def _is_whole(self, record: Output) -> bool:
        """Whether time sufficed for all that was asked."""
        if isinstance(record, ErrorRecord):
            return True
        if record.status in (Status.TIME_LIMIT.value, Status.COUNTED.value):
            return False
        wanted = min(record.count, self.task.options.max_list)
        return record.status != Status.LIST_LIMIT.value or len(record.oracles) == wanted

    def refuse(self, error: RecordError) -> Answer[Output]:
        """The answer to a record that could not be read or worked on."""
        record = ErrorRecord(id=error.record_id, error=str(error))
        return Answer(rows=[Row(record=record)], messages=[str(error)])

    def _native_cases(self, item: Item) -> list[Case] | None:
        if isinstance(item, RecordError) or not self.task.is_native or item.flaws:
            return None
        try:
            rouge = self.task.rouge_for(item.language)
            return list(self._split(item, rouge)) if rouge.analyser.native else None
        except OraclesumError:
            return None

    def _split(self, topic: Topic, rouge: Rouge) -> Iterator[Case]:
        sentences: Sequence[str] | None = topic.sentences
        if sentences is None:
            assert topic.text is not None
            sentences = split_sentences(topic.text, rouge.language)
        was_split = topic.sentences is None or topic.was_split
        single = self.task.references == "single"
        for one in range(len(topic.references)) if single else (None,):
            yield Case(
                id=topic.id,
                reference=one,
                sentences=sentences,
                references=topic.references if one is None else (topic.references[one],),
                rouge=rouge,
                was_split=was_split,
            )

    def _ask_kernel(
        self, cases: Iterable[Case], patience: float | None, unhurried: int
    ) -> Iterable[_kernel.DocumentOutcome]:
        batch = [
            (
                list(case.sentences),
                [[one] if isinstance(one, str) else list(one) for one in case.references],
            )
            for case in cases
        ]
        if not batch:
            return ()
        return _kernel.enumerate_batch(batch, self.task.native, patience, unhurried)

    def _take(
        self, cases: Sequence[Case], taken: Sequence[_kernel.DocumentOutcome]
    ) -> Answer[Output] | None:
        """The answer from the kernel's outcomes; None where the careful path has to look."""
        rows: list[Row[Output]] = []
        for case, outcome in zip(cases, taken, strict=True):
            if outcome.error is not None or not outcome.searched:
                return None
            record = self._describe(case, NativeFamily(outcome))
            rows.append(self._time(record, outcome.seconds))
        return Answer(rows=rows)

    def _describe(self, case: Case, found: Found) -> FamilyRecord:
        return FamilyRecord.describe(
            found,
            id=case.id,
            reference=case.reference,
            max_list=self.task.options.max_list,
            counts_nodes=self.task.counts_nodes,
            method=self.task.method,
            signature=self.task.sign(case.rouge, was_split=case.was_split),
            # The user's record does not have what the indices point to if it was split here.
            sentences=case.sentences if case.was_split else None,
        )

    def _time(self, record: FamilyRecord, seconds: float) -> Row[Output]:
        if self.task.seconds:
            record = replace(record, seconds=seconds)
        return Row(record=record, seconds=seconds)

    def _answer_topic(self, topic: Topic) -> Answer[Output]:
        answer: Answer[Output] = Answer()
        with collect_warnings() as collected:
            cases: list[Case] = []
            try:
                if self.task.references == "multi":
                    warn_of_empty_references(topic)
                cases = list(self._split(topic, self.task.rouge_for(topic.language)))
            except OraclesumError as error:
                self._add_error(answer, topic, None, str(error))
            for case in cases:
                started = time.perf_counter()
                try:
                    record = self._solve(case)
                except OraclesumError as error:
                    self._add_error(answer, topic, case.reference, str(error))
                except MemoryError:
                    self._add_error(answer, topic, case.reference, "out of memory")
                except Exception as error:  # a bug of ours must not cost the other records
                    reason = f"internal error, please report it: {type(error).__name__}: {error}"
                    self._add_error(answer, topic, case.reference, reason)
                else:
                    answer.rows.append(self._time(record, time.perf_counter() - started))
        for flaw in topic.flaws:
            answer.messages.append(f"{topic.place}: warning: {flaw.reason}")
        for text in dict.fromkeys(map(str, collected)):
            answer.messages.append(f"{topic.place}: warning: {self.wording(text)}")
        return answer

    def _solve(self, case: Case) -> FamilyRecord:
        task = self.task
        problem = build_problem(
            case.sentences, case.references, case.rouge, task.limits, task.options, id=case.id
        )
        started = time.monotonic()
        if isinstance(problem, Instance):
            warn_without_overlap(problem, stacklevel=2)
            family = solve_all(problem, task.method, task.options)
        else:
            family = problem.solve_all(task.method, task.options)
        left = task.options.time_limit
        if left is not None:
            left = max(0.0, left - (time.monotonic() - started))
        with answer_within(seconds=left):
            return self._describe(case, family)

    def _add_error(
        self, answer: Answer[Output], topic: Topic, reference: int | None, reason: str
    ) -> None:
        which = "" if reference is None else f"reference {reference}: "
        message = f"{topic.place}: {which}{self.wording(reason)}"
        record = ErrorRecord(id=topic.id, reference=reference, error=message)
        answer.rows.append(Row(record=record))
        answer.messages.append(message)
