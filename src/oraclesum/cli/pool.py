"""Work over topics in input order: in this process or in several, few of them in flight."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..answers import Answer, Json
from ..answers.record import allow_long_integers
from ..corpora import Line, Repeats, Topic
from ..errors import RecordError
from ..stopping import interruptible
from ..workers import Call, Caller, WorkerDiedError, Workers, WorkerThread
from .work import answer_error

__all__ = ["answer_in_order"]

Work = Callable[[Sequence[Topic]], list[Answer[Json]]]
Item = Topic | Line | Answer[Json]
"""A topic to work on, a line that holds one, or the answer to a record that could not be read."""


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What a worker gives for a batch, or for its first items."""

    answers: list[Answer[Json]]
    ids: list[str | None]  # of the items that hold a topic
    seconds: float


_BATCHES_PER_JOB = 4
_SECONDS_PER_BATCH = 0.02
_LARGEST_BATCH = 64


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Consecutive items, and the answers to them that are being worked out."""

    items: list[Item]
    call: Call


class Batcher:
    """Cuts the stream into batches: handing over takes a millisecond, so small topics share it."""

    def __init__(self, items: Iterable[Topic | Line | RecordError]) -> None:
        self._items = items
        self._size = 1

    def __iter__(self) -> Iterator[list[Item]]:
        batch: list[Item] = []
        items = iter(self._items)
        while True:
            with interruptible():
                item = next(items, None)
            if item is None:
                break
            batch.append(answer_error(item) if isinstance(item, RecordError) else item)
            if len(batch) >= self._size:
                yield batch
                batch = []
        if batch:
            yield batch

    def learn(self, seconds_per_topic: float) -> None:
        """Choose the size of the batches to come."""
        size = int(_SECONDS_PER_BATCH / max(seconds_per_topic, 1e-6))
        self._size = max(1, min(_LARGEST_BATCH, size))


def answer_in_order(
    items: Iterable[Topic | Line | RecordError], work: Work, *, jobs: int, ahead: bool
) -> Iterator[Answer[Json]]:
    """One answer per item, in the order of the items.

    `ahead` says whether items may be read ahead; if not, one job answers record by record, as a
    pipe that fills slowly wants it. A worker process that dies (say, for lack of memory) costs the
    one topic that killed it. When a signal stops the run, the answers that are ready and next in
    order still come, then Stopped.
    """
    window = 1 if jobs == 1 else _BATCHES_PER_JOB * jobs
    batches = Batcher(items)
    queue = Queue(work, jobs)
    try:
        for batch in batches:
            queue.put(batch)
            while queue.pending and (len(queue.pending) >= window or queue.is_ready):
                yield from queue.take()
                if ahead or jobs > 1:
                    batches.learn(queue.pace)
        while queue.pending:
            yield from queue.take()
    except KeyboardInterrupt:
        while queue.pending and queue.is_ready:
            yield from queue.take()
        raise
    finally:
        queue.caller.close()


class Queue:
    """Batches being worked on, and their answers in order."""

    def __init__(self, work: Work, jobs: int) -> None:
        self._work = work
        self._used = Repeats()
        # One job runs on a thread beside the main one, which stays free to hear Ctrl-C.
        self.caller: Caller = (
            WorkerThread() if jobs == 1 else Workers(jobs, prepare=allow_long_integers)
        )
        self.pending: deque[Batch] = deque()
        self.pace = 0.0  # seconds of a topic, in the batch that was taken last

    @property
    def is_ready(self) -> bool:
        """Whether the first answers can be taken without waiting."""
        return self.caller.is_done(self.pending[0].call)

    def put(self, items: list[Item]) -> None:
        """Start work on a batch."""
        self.pending.append(self._submit(items))

    def take(self) -> Iterator[Answer[Json]]:
        """The answers to the first batch, or to its first items where the others take long."""
        batch = self.pending[0]
        try:
            done: Answers = self.caller.wait(batch.call)
        except WorkerDiedError:
            self.pending.popleft()
            yield from self._answer_one_by_one(batch.items)
            return
        self.pending.popleft()
        self.pace = done.seconds / len(done.answers)
        if rest := batch.items[len(done.answers) :]:
            self.pending.appendleft(self._submit(rest))
        yield from self._refuse_repeats(batch.items, done)

    def _submit(self, items: list[Item]) -> Batch:
        return Batch(items=items, call=self.caller.submit(_answer_batch, self._work, items))

    def _refuse_repeats(self, items: list[Item], done: Answers) -> Iterator[Answer[Json]]:
        """The answers; where the id of a line was used before, the answer that says so."""
        for item, answer, id in zip(items, done.answers, done.ids, strict=False):
            if isinstance(item, Line) and id is not None:
                error = self._used.find(id, item.file, item.number)
                yield answer if error is None else answer_error(error)
            else:
                yield answer

    def _answer_one_by_one(self, items: list[Item]) -> Iterator[Answer[Json]]:
        """After a worker died: each item alone, to find the one that killed it."""
        alone = Workers(1, prepare=allow_long_integers)
        try:
            for item in items:
                if isinstance(item, Answer):
                    yield item
                    continue
                try:
                    done = alone.wait(alone.submit(_answer_batch, self._work, [item]))
                except WorkerDiedError:
                    yield _give_up(item)
                else:
                    yield from self._refuse_repeats([item], done)
        finally:
            alone.close()


def _answer_batch(work: Work, batch: list[Item]) -> Answers:
    started = time.perf_counter()
    parsed = [item.parse() if isinstance(item, Line) else item for item in batch]
    worked = iter(work([item for item in parsed if isinstance(item, Topic)]))
    answers: list[Answer[Json]] = []
    for item in parsed:
        if isinstance(item, Answer):
            answers.append(item)
        elif isinstance(item, RecordError):
            answers.append(answer_error(item))
        elif (answer := next(worked, None)) is not None:
            answers.append(answer)
        else:
            break
    ids = [item.id if isinstance(item, Topic) else None for item in parsed]
    return Answers(answers=answers, ids=ids, seconds=time.perf_counter() - started)


def _give_up(item: Topic | Line) -> Answer[Json]:
    topic = item.parse() if isinstance(item, Line) else item
    assert isinstance(topic, Topic)  # nothing else is worked on
    reason = "the worker process died on this record; is there enough memory?"
    return answer_error(RecordError(topic.file, topic.line, reason, topic.id))
