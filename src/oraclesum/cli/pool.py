"""Work over topics in input order: in this process or in several, few of them in flight."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from ..corpora import Topic
from ..errors import RecordError
from .numbers import allow_long_integers
from .work import Answer, answer_error

__all__ = ["answer_in_order", "kill_workers"]

Item = Topic | RecordError
Work = Callable[[Topic], Answer]
Pending = tuple[Item, "Future[Answer] | None"]


def answer_in_order(items: Iterable[Item], work: Work, *, jobs: int) -> Iterator[Answer]:
    """One answer per item, in the order of the items.

    A worker process that dies (say, for lack of memory) costs the one topic that killed it. After
    Ctrl-C the answers that are ready and next in order still come, then KeyboardInterrupt.
    """
    # With one job nothing is read ahead, so that a slow pipe is answered record by record.
    window = 1 if jobs == 1 else 4 * jobs
    executor = _start(jobs)
    pending: deque[Pending] = deque()
    try:
        for item in items:
            pending.append((item, _submit(executor, work, item)))
            while pending and (len(pending) >= window or _ready(pending[0])):
                try:
                    answer = _result(pending[0])
                except BrokenProcessPool:
                    executor.shutdown(wait=False)
                    yield from (_answer_alone(work, *each) for each in pending)
                    pending.clear()
                    executor = _start(jobs)
                    break
                pending.popleft()
                yield answer
        while pending:
            try:
                answer = _result(pending[0])
            except BrokenProcessPool:
                yield from (_answer_alone(work, *each) for each in pending)
                break
            pending.popleft()
            yield answer
        executor.shutdown()
    except KeyboardInterrupt:
        while pending and _ready(pending[0]):
            yield _result(pending.popleft())
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


def _submit(executor: Executor, work: Work, item: Item) -> Future[Answer] | None:
    if isinstance(item, RecordError):
        return None
    try:
        return executor.submit(work, item)
    except BrokenProcessPool as broken:
        future: Future[Answer] = Future()
        future.set_exception(broken)
        return future


def _ready(pending: Pending) -> bool:
    future = pending[1]
    return future is None or future.done()


def _result(pending: Pending) -> Answer:
    item, future = pending
    if isinstance(item, RecordError):
        return answer_error(item)
    assert future is not None
    return future.result()


def _answer_alone(work: Work, item: Item, future: Future[Answer] | None) -> Answer:
    """After a worker died: the finished answer, else a second try in a process of its own."""
    if isinstance(item, RecordError):
        return answer_error(item)
    assert future is not None
    if future.done() and future.exception() is None:
        return future.result()
    with _start_processes(1) as executor:
        try:
            return executor.submit(work, item).result()
        except BrokenProcessPool:
            reason = "the worker process died on this record; is there enough memory?"
            return answer_error(RecordError(item.file, item.line, reason, item.id))
