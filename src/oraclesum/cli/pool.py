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
from ..corpora import Topic
from ..errors import RecordError
from .numbers import allow_long_integers
from .work import answer_error

__all__ = ["answer_in_order", "kill_workers"]

Work = Callable[[Sequence[Topic]], list[Answer]]
Item = Topic | Answer
"""A topic to work on, or the answer to a record that could not be read."""

Answers = tuple[list[Answer], float]
"""The answers to a batch, and the seconds they took."""

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

    def __init__(self, items: Iterable[Topic | RecordError]) -> None:
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
    items: Iterable[Topic | RecordError], work: Work, *, jobs: int, ahead: bool
) -> Iterator[Answer]:
    """One answer per item, in the order of the items.

    `ahead` says whether items may be read ahead; if not, one job answers record by record, as a
    pipe that fills slowly wants it. A worker process that dies (say, for lack of memory) costs the
    one topic that killed it. After Ctrl-C the answers that are ready and next in order still come,
    then KeyboardInterrupt.
    """
    window = 1 if jobs == 1 else _BATCHES_PER_JOB * jobs
    batches = Batcher(items)
    executor = _start(jobs)
    pending: deque[Batch] = deque()
    try:
        for batch in batches:
            pending.append(Batch(items=batch, future=_submit(executor, work, batch)))
            while pending and (len(pending) >= window or pending[0].future.done()):
                try:
                    answers, seconds = pending[0].future.result()
                except BrokenProcessPool:
                    executor.shutdown(wait=False)
                    yield from _answer_one_by_one(work, pending)
                    executor = _start(jobs)
                    break
                pending.popleft()
                if ahead or jobs > 1:
                    batches.learn(seconds / len(answers))
                yield from answers
        while pending:
            try:
                answers, _ = pending[0].future.result()
            except BrokenProcessPool:
                yield from _answer_one_by_one(work, pending)
                break
            pending.popleft()
            yield from answers
        executor.shutdown()
    except KeyboardInterrupt:
        while pending and pending[0].future.done():
            yield from pending.popleft().future.result()[0]
        raise


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


def _submit(executor: Executor, work: Work, batch: list[Item]) -> Future[Answers]:
    try:
        return executor.submit(_answer_batch, work, batch)
    except BrokenProcessPool as broken:
        future: Future[Answers] = Future()
        future.set_exception(broken)
        return future


def _answer_batch(work: Work, batch: list[Item]) -> Answers:
    started = time.perf_counter()
    worked = iter(work([item for item in batch if not isinstance(item, Answer)]))
    answers = [item if isinstance(item, Answer) else next(worked) for item in batch]
    return answers, time.perf_counter() - started


def _answer_one_by_one(work: Work, pending: deque[Batch]) -> Iterator[Answer]:
    """After a worker died: finished answers, and the rest once more, one at a time."""
    executor = _start_processes(1)
    while pending:
        batch = pending.popleft()
        if batch.future.done() and batch.future.exception() is None:
            yield from batch.future.result()[0]
            continue
        for item in batch.items:
            if isinstance(item, Answer):
                yield item
                continue
            try:
                yield from executor.submit(work, [item]).result()
            except BrokenProcessPool:
                reason = "the worker process died on this record; is there enough memory?"
                yield answer_error(RecordError(item.file, item.line, reason, item.id))
                executor.shutdown()
                executor = _start_processes(1)
    executor.shutdown()
