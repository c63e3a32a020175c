"""Work over topics in input order: in this process or in several, few of them in flight."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from ..answers import Answer
from ..corpora import Line, Repeats, Topic
from ..errors import RecordError
from .numbers import allow_long_integers
from .work import answer_error

__all__ = ["answer_in_order", "kill_workers"]

Work = Callable[[Sequence[Topic]], list[Answer]]
Item = Topic | Line | Answer
"""A topic to work on, a line that holds one, or the answer to a record that could not be read."""


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What a worker gives for a batch, or for its first items."""

    answers: list[Answer]
    ids: list[str | None]  # of the items that hold a topic
    seconds: float


_BATCHES_PER_JOB = 4
_SECONDS_PER_BATCH = 0.02
_LARGEST_BATCH = 64


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Consecutive items, and the answers to them that are being worked out."""

    items: list[Item]
    future: Future[Answers]


class Batcher:
    """Cuts the stream into batches: handing over takes a millisecond, so small topics share it."""

    def __init__(self, items: Iterable[Topic | Line | RecordError]) -> None:
        self._items = items
        self._size = 1

    def __iter__(self) -> Iterator[list[Item]]:
        batch: list[Item] = []
        for item in self._items:
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
) -> Iterator[Answer]:
    """One answer per item, in the order of the items.

    `ahead` says whether items may be read ahead; if not, one job answers record by record, as a
    pipe that fills slowly wants it. A worker process that dies (say, for lack of memory) costs the
    one topic that killed it. After Ctrl-C the answers that are ready and next in order still come,
    then KeyboardInterrupt.
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
        queue.executor.shutdown()
    except KeyboardInterrupt:
        while queue.pending and queue.is_ready:
            yield from queue.take()
        raise


class Queue:
    """Batches being worked on, and their answers in order."""

    def __init__(self, work: Work, jobs: int) -> None:
        self._work = work
        self._jobs = jobs
        self._used = Repeats()
        self.executor = _start(jobs)
        self.pending: deque[Batch] = deque()
        self.pace = 0.0  # seconds of a topic, in the batch that was taken last

    @property
    def is_ready(self) -> bool:
        """Whether the first answers can be taken without waiting."""
        return self.pending[0].future.done()

    def put(self, items: list[Item]) -> None:
        """Start work on a batch."""
        self.pending.append(self._submit(items))

    def take(self) -> Iterator[Answer]:
        """The answers to the first batch, or to its first items where the others take long."""
        batch = self.pending.popleft()
        try:
            done = batch.future.result()
        except BrokenProcessPool:
            self.executor.shutdown(wait=False)
            self.pending.appendleft(batch)
            yield from self._take_one_by_one()
            self.executor = _start(self._jobs)
            return
        except KeyboardInterrupt:
            self.pending.appendleft(batch)
            raise
        self.pace = done.seconds / len(done.answers)
        if rest := batch.items[len(done.answers) :]:
            self.pending.appendleft(self._submit(rest))
        yield from self._refuse_repeats(batch.items, done)

    def _submit(self, items: list[Item]) -> Batch:
        try:
            return Batch(items=items, future=self.executor.submit(_answer_batch, self._work, items))
        except BrokenProcessPool as broken:
            future: Future[Answers] = Future()
            future.set_exception(broken)
            return Batch(items=items, future=future)

    def _refuse_repeats(self, items: list[Item], done: Answers) -> Iterator[Answer]:
        """The answers; where the id of a line was used before, the answer that says so."""
        for item, answer, id in zip(items, done.answers, done.ids, strict=False):
            if isinstance(item, Line) and id is not None:
                error = self._used.find(id, item.file, item.number)
                yield answer if error is None else answer_error(error)
            else:
                yield answer

    def _take_one_by_one(self) -> Iterator[Answer]:
        """After a worker died: finished answers, and the rest once more, one at a time."""
        executor = _start_processes(1)
        while self.pending:
            batch = self.pending.popleft()
            items = batch.items
            if batch.future.done() and batch.future.exception() is None:
                done = batch.future.result()
                yield from self._refuse_repeats(items, done)
                items = items[len(done.answers) :]
            for item in items:
                if isinstance(item, Answer):
                    yield item
                    continue
                try:
                    done = executor.submit(_answer_batch, self._work, [item]).result()
                except BrokenProcessPool:
                    yield _give_up(item)
                    executor.shutdown()
                    executor = _start_processes(1)
                else:
                    yield from self._refuse_repeats([item], done)
        executor.shutdown()


def kill_workers() -> None:
    """End every worker process at once; a thread in the kernel ends with this process."""
    for child in multiprocessing.active_children():
        child.kill()


def _start(jobs: int) -> Executor:
    # One job runs on a thread beside the main one, which stays free to hear Ctrl-C at any moment.
    return ThreadPoolExecutor(1) if jobs == 1 else _start_processes(jobs)


def _start_processes(jobs: int) -> Executor:
    # Forking a process that has threads can deadlock; a spawned one starts clean.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_prepare_worker)


def _prepare_worker() -> None:
    allow_long_integers()
    # Ctrl-C on a terminal reaches every process; the parent hears it and ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _answer_batch(work: Work, batch: list[Item]) -> Answers:
    started = time.perf_counter()
    parsed = [item.parse() if isinstance(item, Line) else item for item in batch]
    worked = iter(work([item for item in parsed if isinstance(item, Topic)]))
    answers: list[Answer] = []
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


def _give_up(item: Topic | Line) -> Answer:
    topic = item.parse() if isinstance(item, Line) else item
    assert isinstance(topic, Topic)  # nothing else is worked on
    reason = "the worker process died on this record; is there enough memory?"
    return answer_error(RecordError(topic.file, topic.line, reason, topic.id))
