"""Topics to output records, in batches: what can be goes through the kernel, the rest one by one.

Whatever a record contains, there is an answer to it, at worst an error record: a batch never fails.
Objects stay in the process that made them. Between processes, and into files, records travel as the
bytes of their JSON line (`Written`), with the few facts that a run adds up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import islice
from typing import NamedTuple, Protocol

import orjson

from ..corpora import Topic
from ..digits import read_digits
from ..errors import OraclesumError, OraclesumWarning, RecordError
from ..frozen import dataclass
from ..notices import Notice, collect_warnings
from ..oracles.status import Status
from ..rouge import Rouge
from ..stopping import came_from, came_from_handler
from ..text import Preparation
from .case import Case, References, settle_language, split_topic, warn_of_empty_references
from .record import ErrorRecord, Json, Record

__all__ = [
    "Answer",
    "Answerer",
    "Item",
    "Row",
    "Task",
    "Writer",
    "Written",
    "WrittenRow",
    "refuse",
    "write_answer",
    "write_row",
]

_SHORT = 0.05  # seconds of one record, if others wait to be written
_CUT_SHORT = {Status.TIME_LIMIT.value, Status.COUNTED.value}


Item = Topic | RecordError
"""What reading a record gave."""

Said = set[tuple[str, str]]
"""Kinds of notices, each with the file that it was said of."""


class Row(NamedTuple):
    """One output record, and the seconds it took (which are not part of the data)."""

    record: Record | Json
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Everything that one input record led to."""

    rows: list[Row] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)  # with file and line


class WrittenRow(NamedTuple):
    """One output record as a line of JSON, with what a run adds up."""

    line: bytes
    id: str | None
    reference: int | None
    status: str
    score: float | None
    family_count: int | None  # how many oracles there are
    seconds: float

    @property
    def record(self) -> Json:
        """The record as JSON has it."""
        record: Json = orjson.loads(self.line)
        return record


class Written(NamedTuple):
    """Everything that one input record led to, ready to be written or sent."""

    rows: list[WrittenRow]
    messages: list[str]


class Task(Protocol):
    """What is asked of every case of a run; can be sent to another process.

    A class that names this one as its base answers case by case unless it says more.
    """

    @property
    def references(self) -> References: ...

    @property
    def preparation(self) -> Preparation:
        """What is done to text before it is scored."""

    @property
    def time_limit(self) -> float | None:
        """Seconds for one case; None if there is no limit."""

    @property
    def stop(self) -> Callable[[], object] | None:
        """What the caller gave to end searches by."""
        return None

    @property
    def counts_words(self) -> bool:
        """Whether a limit counts words."""

    def rouge_for(self, language: str | None, *, detected: bool = False) -> Rouge:
        """The measure for a record in `language`. Raises InputError for an unknown one."""

    def takes(self, rouge: Rouge) -> bool:
        """Whether `answer_batch` can answer cases with this measure."""
        return False

    def answer_batch(
        self, cases: Sequence[Case], give_up_after: float | None, exempt: int
    ) -> Iterator[list[Row] | float]:
        """The rows of many cases at once.

        For a case that `answer_case` has to look at, how many seconds of its time are gone. Ends
        early at a case that takes longer than `give_up_after` seconds, unless it is among the
        first `exempt` ones.
        """
        return iter(())

    def answer_case(self, case: Case, time_limit: float | None) -> Iterable[Record | Json]:
        """The records of one case."""


@dataclass(frozen=True, kw_only=True)
class Answerer:
    """Answers batches of items; can be sent to another process."""

    task: Task
    wording: Callable[[str | BaseException], str] = str  # of messages; as Python says them

    def answer_batch(self, items: Sequence[Item]) -> list[Answer]:
        """One answer per item, in order; never raises for what a record contains."""
        return list(self._answer_in_turn(items, None))

    def answer_some(self, items: Sequence[Item]) -> list[Answer]:
        """The same, but a record that takes long ends it, so that those before it need not wait.

        At least one item is answered, however long it takes.
        """
        limit = self.task.time_limit
        enough = limit is not None and limit <= _SHORT
        return list(self._answer_in_turn(items, None if enough else _SHORT))

    def refuse(self, error: RecordError) -> Answer:
        """The answer to a record that could not be read or worked on."""
        return refuse(error, self.wording)

    def answer(self, item: Item) -> Answer:
        """The answer to one item, case by case, without the quick way for many."""
        if isinstance(item, RecordError):
            return self.refuse(item)
        return self._answer_topic(item, self.task.time_limit, set())

    def _answer_in_turn(
        self, items: Sequence[Item], give_up_after: float | None
    ) -> Iterator[Answer]:
        cases = [self._split_for_batch(item) for item in items]
        exempt = len(cases[0] or ()) if cases else 0
        flat = [case for some in cases if some for case in some]
        rows = self.task.answer_batch(flat, give_up_after, exempt) if flat else iter(())
        # Of one batch alone: other threads answer other batches, and the first record in the order
        # of the input is the one to speak.
        said: Said = set()
        for place, (item, some) in enumerate(zip(items, cases, strict=True)):
            answer = None
            taken: list[list[Row] | float] = []
            if some is not None:
                taken = list(islice(rows, len(some)))
                if len(taken) < len(some):
                    return
                done = [found for found in taken if not isinstance(found, float)]
                if len(done) == len(some):
                    answer = Answer(rows=[row for each in done for row in each])
                    answer.messages.extend(self._notice(some, said))
            if answer is None:
                limit = give_up_after if place else None
                answer = self._answer_alone(item, limit, said, taken)
            if answer is None:
                return
            yield answer

    def _answer_alone(
        self,
        item: Item,
        give_up_after: float | None,
        said: Said,
        taken: Sequence[list[Row] | float],
    ) -> Answer | None:
        """The answer, unless it takes longer than `give_up_after` seconds.

        `taken`: what `Task.answer_batch` gave for the cases of the item.
        """
        if isinstance(item, RecordError):
            return self.refuse(item)
        if give_up_after is None:
            return self._answer_topic(item, self.task.time_limit, said, taken)
        started = time.perf_counter()
        answer = self._answer_topic(item, give_up_after, said, taken)
        late = time.perf_counter() - started > 0.9 * give_up_after
        return None if late or any(map(_was_cut_short, answer.rows)) else answer

    def _split_for_batch(self, item: Item) -> list[Case] | None:
        if isinstance(item, RecordError) or item.flaws:
            return None
        try:
            topic, rouge = self._settle(item)
            if self.task.takes(rouge):
                return list(split_topic(topic, rouge, self.task.references, self.task.preparation))
        except OraclesumError:
            pass  # said when the item is looked at alone
        return None

    def _settle(self, topic: Topic) -> tuple[Topic, Rouge]:
        """The topic with its language, and the measure for that."""
        topic = settle_language(topic, self.task.preparation)
        return topic, self.task.rouge_for(topic.language, detected=topic.detection is not None)

    def _answer_topic(
        self,
        topic: Topic,
        time_limit: float | None,
        said: Said,
        taken: Sequence[list[Row] | float] = (),
    ) -> Answer:
        answer = Answer()
        with collect_warnings() as collected:
            cases: list[Case] = []
            try:
                if self.task.references == "multi":
                    warn_of_empty_references(topic)
                topic, rouge = self._settle(topic)
                cases = list(split_topic(topic, rouge, self.task.references, self.task.preparation))
            except OraclesumError as error:
                self._add_error(answer, topic, None, error)
            for place, case in enumerate(cases):
                found = taken[place] if place < len(taken) else 0.0
                if not isinstance(found, float):
                    answer.rows.extend(found)
                    continue
                left = None if time_limit is None else max(0.0, time_limit - found)
                started = time.perf_counter()
                try:
                    records = list(self.task.answer_case(case, left))
                except Exception as error:  # one record must not cost the others
                    if came_from_handler(error) or came_from(error, [self.task.stop]):
                        raise
                    self._add_error(answer, topic, case.reference, _explain(error, rouge))
                else:
                    seconds = (time.perf_counter() - started) / max(1, len(records))
                    for record in records:
                        own = getattr(record, "seconds", None)  # what it says of itself
                        answer.rows.append(Row(record=record, seconds=own or seconds))
                    answer.messages.extend(
                        record.error for record in records if isinstance(record, ErrorRecord)
                    )
        answer.messages.extend(self._notice(cases, said))
        for flaw in topic.flaws:
            message = f"{topic.place}: {flaw.reason}"
            if message not in answer.messages:  # no error for this verb, which does not look at it
                answer.messages.append(f"{topic.place}: warning: {flaw.reason}")
        for text in dict.fromkeys(map(self.wording, collected)):
            answer.messages.append(f"{topic.place}: warning: {text}")
        return answer

    def _notice(self, cases: Sequence[Case], said: Said) -> Iterator[Notice]:
        """What looks wrong about the text of a topic; each kind once for a file."""
        for case in cases[:1]:
            file = case.topic.file
            before = {kind for kind, where in said if where == file}
            for kind, message in case.notice(counts_words=self.task.counts_words, said=before):
                said.add((kind, file))
                text = self.wording(OraclesumWarning(message))
                yield Notice(f"{case.topic.place}: warning: {text} (said once)", (kind, file))

    def _add_error(
        self, answer: Answer, topic: Topic, reference: int | None, reason: str | Exception
    ) -> None:
        which = "" if reference is None else f"reference {reference}: "
        message = f"{topic.place}: {which}{self.wording(reason)}"
        record = ErrorRecord(id=topic.id, reference=reference, error=message)
        answer.rows.append(Row(record=record))
        answer.messages.append(message)


def _explain(error: Exception, rouge: Rouge) -> str | Exception:
    if isinstance(error, OraclesumError):
        return error
    if came_from(error, [rouge.tokenizer]):
        return f"the tokenizer failed: {type(error).__name__}: {error}"
    if isinstance(error, MemoryError):
        return "out of memory"
    if isinstance(error, OSError):  # a file or thread that the system does not allow
        return f"the system refused: {error.strerror or error}"
    return f"internal error, please report it: {type(error).__name__}: {error}"


def _was_cut_short(row: Row) -> bool:
    record = row.record
    status = record["status"] if isinstance(record, dict) else vars(record)["status"]
    return status in _CUT_SHORT


@dataclass(frozen=True, kw_only=True)
class Writer:
    """Answers as lines of JSON: what workers send."""

    answerer: Answerer

    def answer_batch(self, items: Sequence[Item]) -> list[Written]:
        """As `Answerer.answer_batch`."""
        return list(map(write_answer, self.answerer.answer_batch(items)))

    def answer_some(self, items: Sequence[Item]) -> list[Written]:
        """As `Answerer.answer_some`."""
        return list(map(write_answer, self.answerer.answer_some(items)))

    def refuse(self, error: RecordError) -> Written:
        """The answer to a record that could not be read or worked on."""
        return write_answer(self.answerer.refuse(error))


def write_answer(answer: Answer) -> Written:
    """The answer as lines."""
    rows = [write_row(row.record, row.seconds) for row in answer.rows]
    return Written(rows, answer.messages)


def write_row(record: Record | Json, seconds: float = 0.0) -> WrittenRow:
    """One record as a line."""
    values = record.to_json() if isinstance(record, Record) else record
    return WrittenRow(
        orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE),
        values.get("id"),
        values.get("reference"),
        values.get("status", "complete"),
        values.get("score"),
        None if values.get("count") is None else read_digits(values["count"]),
        seconds,
    )


def refuse(error: RecordError, wording: Callable[[str | BaseException], str] = str) -> Answer:
    """The answer to a record that could not be read or worked on."""
    message = wording(error)
    record = ErrorRecord(id=error.record_id, error=message)
    return Answer(rows=[Row(record=record)], messages=[message])
