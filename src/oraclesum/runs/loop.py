"""The one loop over the records of a run: in input order, few in flight, whatever dies on the way.

Records are worked on elsewhere: on threads, in worker processes, on a Ray cluster (`Caller`). The
same rules hold for all of them. Answers come in the order of the input. A worker that dies costs
the one record that killed it. Of several records with one id the first is kept. When a signal stops
the run, the answers that are ready and next in order still come, then `Stopped`.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeVar

from ..answers import Item
from ..answers.record import allow_long_integers
from ..corpora import Line, Repeats, Topic
from ..errors import RecordError
from ..stopping import Stopped, interruptible
from ..workers import Call, Caller, WorkerDiedError, Workers

__all__ = [
    "DIED",
    "Answering",
    "answer_alone",
    "answer_batches",
    "answer_in_order",
    "run_in_order",
]

DIED = "the worker process died on this record; is there enough memory?"

_SECONDS_PER_BATCH = 0.02
_LARGEST_BATCH = 64

J = TypeVar("J")
R = TypeVar("R")
A = TypeVar("A")


def run_in_order(
    jobs: Iterable[J],
    run: Callable[[J], R],
    rerun: Callable[[J], R],
    caller: Caller,
    *,
    find_rest: Callable[[J, R], J | None] = lambda job, result: None,
) -> Iterator[tuple[J, R]]:
    """Each job with its result, in order; a bounded number of jobs is read ahead.

    `rerun` makes a job whose worker died or ran out of memory. A job that was done in part goes on
    at once with what `find_rest` says is left of it. The caller is closed at the end.
    """
    pending: deque[tuple[J, Call]] = deque()
    rest = iter(jobs)

    def take(*, repeats: bool = True) -> tuple[J, R]:
        job, call = pending[0]
        try:
            result: R = caller.wait(call)
        except (MemoryError, WorkerDiedError):
            if not repeats:
                raise
            # It stays the first meanwhile: if a signal comes, none that is behind it may be given.
            result = caller.repeat(rerun, job)
        pending.popleft()
        if (left := find_rest(job, result)) is not None:
            pending.appendleft((left, caller.submit(run, left)))
        return job, result

    try:
        while True:
            with interruptible():
                job = next(rest, None)
            if job is None:
                break
            pending.append((job, caller.submit(run, job)))
            while pending and (len(pending) >= caller.window or caller.is_done(pending[0][1])):
                yield take()
        while pending:
            yield take()
    except Stopped:
        with suppress(MemoryError, WorkerDiedError):  # that job is not done, and ends the answers
            while pending and caller.is_done(pending[0][1]):
                yield take(repeats=False)
        raise
    finally:
        caller.close()


class Answering(Protocol[A]):
    """Answers items, of which a batch is sent to a worker."""

    def answer_batch(self, items: Sequence[Item]) -> list[A]:
        """One answer per item, in order."""

    def answer_some(self, items: Sequence[Item]) -> list[A]:
        """The same for one or more items from the first; a slow one lets those before it go."""

    def refuse(self, error: RecordError) -> A:
        """The answer to an item that cannot be worked on."""


class Answers(NamedTuple):
    """What a worker gives for a batch, or for its first items."""

    answers: list[Any]
    ids: list[str | None]  # of the items that have a topic
    seconds: float


def answer_in_order(
    items: Iterable[Topic | Line | RecordError], answering: Answering[A], caller: Caller
) -> Iterator[A]:
    """One answer per item, in the order of the items."""
    return chain.from_iterable(answer_batches(items, answering, caller))


def answer_batches(
    items: Iterable[Topic | Line | RecordError],
    answering: Answering[A],
    caller: Caller,
    *,
    ahead: bool = True,
) -> Iterator[list[A]]:
    """The same, with the answers that are ready together in one list.

    `ahead` says whether items may be read ahead; if not, one worker answers record by record, as a
    pipe that fills slowly wants it.
    """
    batches = _Batches(items)
    used = Repeats()
    work = _BatchWork(answering)
    done = run_in_order(batches, work.run, work.rerun, caller, find_rest=_find_rest)
    for batch, result in done:
        answers = result.answers
        if result.seconds and (ahead or caller.window > 1):
            batches.learn(result.seconds / len(answers))
        for place in range(len(answers)):
            item, id = batch[place], result.ids[place]
            if isinstance(item, Line) and id is not None:
                error = used.find(id, item.file, item.number)
                if error is not None:
                    answers[place] = answering.refuse(error)
        yield answers


class _Batches:
    """Cuts the stream into batches: handing over takes a millisecond, so small topics share it."""

    def __init__(self, items: Iterable[Topic | Line | RecordError]) -> None:
        self._items = items
        self._size = 1

    def __iter__(self) -> Iterator[list[Topic | Line | RecordError]]:
        batch: list[Topic | Line | RecordError] = []
        for item in self._items:
            batch.append(item)
            if len(batch) >= self._size:
                yield batch
                batch = []
        if batch:
            yield batch

    def learn(self, seconds_per_topic: float) -> None:
        """Choose the size of the batches to come."""
        size = int(_SECONDS_PER_BATCH / max(seconds_per_topic, 1e-6))
        self._size = max(1, min(_LARGEST_BATCH, size))


Batch = list[Topic | Line | RecordError]


def _find_rest(batch: Batch, result: Answers) -> Batch | None:
    return batch[len(result.answers) :] or None


class _BatchWork:
    """A batch of items in a worker. What answers them is sent with each, and unpacked once."""

    def __init__(self, answering: Answering[Any]) -> None:
        self._answering = answering
        self._packed: bytes | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        if self._packed is None:
            self._packed = pickle.dumps(self._answering)
        return _unpack, (self._packed,)

    def run(self, batch: Batch) -> Answers:
        started = time.perf_counter()
        parsed = _parse(batch)
        answers = self._answering.answer_some(parsed)
        return Answers(answers, _take_ids(parsed), time.perf_counter() - started)

    def rerun(self, batch: Batch) -> Answers:
        parsed = _parse(batch)
        return Answers(answer_alone(self._answering, parsed), _take_ids(parsed), 0.0)


@lru_cache(maxsize=2)
def _unpack(packed: bytes) -> _BatchWork:
    return _BatchWork(pickle.loads(packed))


def _parse(batch: Batch) -> list[Item]:
    return [item.parse() if isinstance(item, Line) else item for item in batch]


def _take_ids(items: Sequence[Item]) -> list[str | None]:
    return [item.id if isinstance(item, Topic) else None for item in items]


def answer_alone(answering: Answering[A], items: Sequence[Item]) -> list[A]:
    """Every item alone in a child process, after a worker died: the one that kills it is known."""
    answers: list[A] = []
    child = Workers(1, prepare=allow_long_integers)
    try:
        for item in items:
            if isinstance(item, RecordError):
                answers.append(answering.refuse(item))
                continue
            try:
                answers.extend(child.wait(child.submit(answering.answer_batch, [item])))
            except WorkerDiedError:
                answers.append(answering.refuse(_give_up(item, DIED)))
            except MemoryError:
                answers.append(answering.refuse(_give_up(item, "out of memory")))
    finally:
        child.close()
    return answers


def _give_up(topic: Topic, reason: str) -> RecordError:
    return RecordError(topic.file, topic.line, reason, topic.id)
