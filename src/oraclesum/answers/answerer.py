"""Topics to output records: batches through the kernel, and what is unusual one by one in Python.

The kernel answers what nearly every record is: English text with words in every reference and a
sentence that shares an n-gram. All else takes the careful path, which has words for what is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from .. import _kernel
from ..corpora import Reference, Topic
from ..errors import LimitError, OraclesumError, RecordError
from ..instances.build import build_instance
from ..notices import collect_warnings
from ..oracles import OracleFamily
from ..oracles.bounds import answer_within
from ..oracles.solve import solve_all, warn_without_overlap
from ..oracles.status import Status
from ..rouge import Rouge
from ..text import split_sentences
from .answer import Answer, Item, Record, Row
from .emptiness import warn_of_empty_references
from .task import Task

__all__ = ["Answerer", "say_as_it_is"]

_PATIENCE = 0.05  # seconds of one record, where others wait to be written


@dataclass(frozen=True, kw_only=True)
class Case:
    """What one output record is about."""

    head: Record
    sentences: Sequence[str]
    references: Sequence[Reference]
    rouge: Rouge
    was_split: bool


def say_as_it_is(message: str) -> str:
    """The wording of messages for callers from Python."""
    return message


@dataclass(frozen=True, kw_only=True)
class Answerer:
    """Answers batches of items; can be sent to another process."""

    task: Task
    wording: Callable[[str], str] = say_as_it_is

    def answer_batch(self, items: Sequence[Item]) -> list[Answer]:
        """One answer per item, in order; never raises for what a record contains."""
        return list(self._answer_in_turn(items, None))

    def answer_some(self, items: Sequence[Item]) -> list[Answer]:
        """The same, but a record that takes long ends it, so that those before it need not wait.

        At least one item is answered, however long it takes.
        """
        return list(self._answer_in_turn(items, _PATIENCE))

    def _answer_in_turn(self, items: Sequence[Item], patience: float | None) -> Iterator[Answer]:
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

    def answer(self, item: Item) -> Answer:
        """The careful path for one item."""
        answer = self._answer_carefully(item, None)
        assert answer is not None
        return answer

    def _answer_carefully(self, item: Item, patience: float | None) -> Answer | None:
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

    def _is_whole(self, record: Record) -> bool:
        """Whether time sufficed for all that was asked."""
        if record["status"] in (Status.TIME_LIMIT.value, Status.COUNTED.value):
            return False
        wanted = min(record.get("count", 0), self.task.options.max_list)
        return bool(record["status"] != Status.LIST_LIMIT.value or len(record["oracles"]) == wanted)

    def refuse(self, error: RecordError) -> Answer:
        """The answer to a record that could not be read or worked on."""
        record = {"id": error.record_id, "status": "error", "error": str(error)}
        return Answer(rows=[Row(record=record)], messages=[str(error)])

    def _native_cases(self, item: Item) -> list[Case] | None:
        if isinstance(item, RecordError) or self.task.method != "search" or item.flaws:
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
        if self.task.references == "multi":
            yield Case(
                head={"id": topic.id},
                sentences=sentences,
                references=topic.references,
                rouge=rouge,
                was_split=was_split,
            )
            return
        for number, reference in enumerate(topic.references):
            yield Case(
                head={"id": topic.id, "reference": number},
                sentences=sentences,
                references=(reference,),
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
    ) -> Answer | None:
        """The answer from the kernel's outcomes; None where the careful path has to look."""
        if any(outcome.error is not None or not outcome.searched for outcome in taken):
            return None
        rows = [
            self._time(self._record_native(case, outcome), outcome.seconds)
            for case, outcome in zip(cases, taken, strict=True)
        ]
        return Answer(rows=rows)

    def _record_native(self, case: Case, outcome: _kernel.DocumentOutcome) -> Record:
        count, sets = outcome.count, outcome.sets
        if not outcome.collected:
            status = Status.TIME_LIMIT
        elif outcome.streamed:
            status = Status.STREAMED
        elif not outcome.inclusion_known:
            status = Status.COUNTED
        else:
            status = Status.COMPLETE if len(sets) == count else Status.LIST_LIMIT
        return self._record(
            case,
            status=status.value,
            hits=outcome.hits,
            total=outcome.total,
            score=outcome.hits / outcome.total,
            count=count,
            oracles=sets[: self.task.options.max_list],
            inclusion=_share(outcome),
            upper_bound=outcome.upper_bound,
            checked=outcome.nodes,
        )

    def _record(self, case: Case, **fields: Any) -> Record:
        record = {
            **case.head,
            **fields,
            "method": self.task.method,
            "signature": self.task.sign(case.rouge, was_split=case.was_split),
        }
        if not self.task.counts_nodes:
            del record["checked"]
        if case.was_split:  # the user's record does not have what the indices point to
            record["sentences"] = list(case.sentences)
        return record

    def _time(self, record: Record, seconds: float) -> Row:
        if self.task.seconds:
            record["seconds"] = seconds
        return Row(record=record, seconds=seconds)

    def _answer_topic(self, topic: Topic) -> Answer:
        answer = Answer()
        with collect_warnings() as collected:
            cases: list[Case] = []
            try:
                if self.task.references == "multi":
                    warn_of_empty_references(topic)
                cases = list(self._split(topic, self.task.rouge_for(topic.language)))
            except OraclesumError as error:
                self._add_error(answer, topic, {"id": topic.id}, str(error))
            for case in cases:
                started = time.perf_counter()
                try:
                    record = self._solve(case)
                except OraclesumError as error:
                    self._add_error(answer, topic, case.head, str(error))
                except MemoryError:
                    self._add_error(answer, topic, case.head, "out of memory")
                except Exception as error:  # a bug of ours must not cost the other records
                    reason = f"internal error, please report it: {type(error).__name__}: {error}"
                    self._add_error(answer, topic, case.head, reason)
                else:
                    answer.rows.append(self._time(record, time.perf_counter() - started))
        for flaw in topic.flaws:
            answer.messages.append(f"{topic.place}: warning: {flaw.reason}")
        for text in dict.fromkeys(map(str, collected)):
            answer.messages.append(f"{topic.place}: warning: {self.wording(text)}")
        return answer

    def _solve(self, case: Case) -> Record:
        task = self.task
        instance = build_instance(
            case.sentences, case.references, case.rouge, task.limits, id=case.head["id"]
        )
        warn_without_overlap(instance, stacklevel=2)
        started = time.monotonic()
        family = solve_all(instance, task.method, task.options)
        left = task.options.time_limit
        if left is not None:
            left = max(0.0, left - (time.monotonic() - started))
        status, inclusion, oracles = self._ask(family, left)
        return self._record(
            case,
            status=status.value,
            hits=family.hits,
            total=family.total,
            score=family.score,
            count=family.count,
            oracles=oracles,
            inclusion=inclusion,
            upper_bound=family.upper_bound,
            checked=family.checked,
        )

    def _ask(
        self, family: OracleFamily, seconds: float | None
    ) -> tuple[Status, list[float] | None, list[list[int]]]:
        """Inclusion, then the list, as far as time goes, and the status that says so."""
        oracles: list[list[int]] = []
        with answer_within(seconds=seconds):
            try:
                inclusion = family.inclusion
            except LimitError:
                return Status.COUNTED, None, oracles
            try:
                oracles.extend(map(list, islice(family, self.task.options.max_list)))
            except LimitError:
                return Status.LIST_LIMIT, inclusion, oracles
        return family.status, inclusion, oracles

    def _add_error(self, answer: Answer, topic: Topic, head: Record, reason: str) -> None:
        which = "" if "reference" not in head else f"reference {head['reference']}: "
        message = f"{topic.place}: {which}{self.wording(reason)}"
        answer.rows.append(Row(record={**head, "status": "error", "error": message}))
        answer.messages.append(message)


def _share(outcome: _kernel.DocumentOutcome) -> list[float] | None:
    """Each sentence's share of the oracles; None if it could not be counted."""
    if not outcome.inclusion_known:
        return None
    return outcome.inclusion or [held / outcome.count for held in outcome.held]
