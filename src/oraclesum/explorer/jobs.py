"""Slow work off the event loop: a few jobs at once, a short queue, stopped when nobody waits."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.requests import Request

from ..errors import LimitError
from ..oracles.bounds import answer_within
from .replies import ApiError, ClientGone

__all__ = ["JobQueue", "Stop"]

Stop = Callable[[], bool]
"""Asked by the work now and then: true if it should end."""

_Result = TypeVar("_Result")

# Of all questions that one request asks of a family, after its search.
_QUESTION_SECONDS = 30.0
_QUESTION_BYTES = 700 << 20
_LOOK_SECONDS = 0.1  # between two looks at whether the server is to end


@dataclass(eq=False)
class _Job:
    """Work in a thread; once abandoned, its slot is somebody else's."""

    abandoned: bool = False


class JobQueue:
    """Takes work for `jobs` threads; more than `max_waiting` in the queue are sent away (429).

    Whoever leaves frees a slot at once, also if their work takes a while to notice: up to twice as
    many threads as `jobs` may be ending such work beside the others.
    """

    def __init__(self, jobs: int, max_waiting: int, *, name: str) -> None:
        self._max_abandoned = 2 * jobs
        self._abandoned = 0
        self._pool = ThreadPoolExecutor(jobs + self._max_abandoned, thread_name_prefix=name)
        self._started: set[Future[Any]] = set()  # and not ended
        self._free = jobs
        self._queue: deque[asyncio.Future[None]] = deque()
        self._max_waiting = max_waiting
        self._closing = False
        self.running = 0

    @property
    def waiting(self) -> int:
        """How many are in the queue."""
        return len(self._queue)

    async def run(
        self, request: Request, work: Callable[[Stop], _Result], *, leave_room: bool = False
    ) -> _Result:
        """The result of the work; ClientGone if the client left, and the work was told so.

        With `leave_room` it is sent away if half of the places to wait at are taken: for whoever
        comes again and again, so that others find a place.
        """
        stop = threading.Event()
        job = _Job()
        future: Future[_Result] | None = None
        answer: asyncio.Future[_Result] | None = None
        watcher = asyncio.ensure_future(_wait_until_gone(request))
        try:
            most = self._max_waiting // 2 if leave_room else self._max_waiting
            await self._take_slot(watcher, most)
            future = self._start(work, stop, job)
            answer = asyncio.wrap_future(future)
            # What it raises when nobody waits for it is no concern of the log.
            answer.add_done_callback(lambda done: done.cancelled() or done.exception())
            await self._wait_for(answer, watcher)
            if not answer.done():
                raise ClientGone
            return answer.result()
        finally:
            stop.set()
            watcher.cancel()
            if answer is not None:
                answer.cancel()  # or the work would tell a loop that may be closed by then
            if future is not None and not future.done() and not self._closing:
                self._abandon(job)

    async def _wait_for(self, *either: asyncio.Future[Any]) -> None:
        """Return when one of them is done; ApiError if the server is told to end.

        Work may be at a step that cannot be stopped, and its client need not wait for that.
        """
        done: set[asyncio.Future[Any]] = set()
        while not done and not self._closing:
            done, _ = await asyncio.wait(
                either, timeout=_LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
        if self._closing:
            raise _make_closing()

    async def _take_slot(self, watcher: asyncio.Future[None], max_waiting: int) -> None:
        """Return with a slot, or raise without one, also if this task is cancelled."""
        if self._closing:
            raise _make_closing()
        if self._free:
            self._free -= 1
            return
        if len(self._queue) >= max_waiting:
            raise ApiError(
                429,
                f"{self.running} searches are running and {self.waiting} are waiting: "
                "try again in a moment",
                headers={"Retry-After": "1"},
            )
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(place)
        taken = False
        try:
            await self._wait_for(place, watcher)
            if watcher.done():
                raise ClientGone
            taken = True
        finally:
            if not taken and place.done():
                self._give_slot()
            elif not taken:
                self._queue.remove(place)

    def _give_slot(self) -> None:
        if self._queue:
            self._queue.popleft().set_result(None)
        else:
            self._free += 1

    def _abandon(self, job: _Job) -> None:
        if self._abandoned < self._max_abandoned:
            self._abandoned += 1
            job.abandoned = True
            self._give_slot()

    def _start(
        self, work: Callable[[Stop], _Result], stop: threading.Event, job: _Job
    ) -> Future[_Result]:
        loop = asyncio.get_running_loop()
        try:
            future = self._pool.submit(_bound, work, lambda: stop.is_set() or self._closing)
        except RuntimeError as error:  # closed while this one was waiting
            self._give_slot()
            raise _make_closing() from error
        self.running += 1
        self._started.add(future)

        def leave(done: Future[_Result]) -> None:
            self._started.discard(done)  # by this name: it must not know itself, and what it found
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody needs the slot
                loop.call_soon_threadsafe(self._leave_slot, job)

        future.add_done_callback(leave)
        return future

    def _leave_slot(self, job: _Job) -> None:
        self.running -= 1
        if job.abandoned:
            self._abandoned -= 1
        else:
            self._give_slot()

    @property
    def closing(self) -> bool:
        """Whether no more work is taken."""
        return self._closing

    def stop(self) -> None:
        """Stop all work, and take no more. Takes no lock: a signal handler may call it."""
        self._closing = True

    def close(self) -> None:
        """Stop, and let the threads go."""
        self.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def has_ended(self, seconds: float) -> bool:
        """Whether all work ends in that time, once it was told to."""
        return not wait(self._started.copy(), timeout=seconds).not_done


def _bound(work: Callable[[Stop], _Result], stop: Stop) -> _Result:
    """The work, in which questions to a family keep to time, memory and `stop`."""
    with answer_within(seconds=_QUESTION_SECONDS, stop=stop, max_bytes=_QUESTION_BYTES):
        try:
            return work(stop)
        except StopIteration as error:  # a Future cannot carry it, and whoever waits would for ever
            raise RuntimeError("a question ended without an answer") from error
        except LimitError as error:
            if stop():
                raise ClientGone from None
            raise ApiError(422, f"{error}: set a tighter limit", field="settings") from None


def _make_closing() -> ApiError:
    return ApiError(503, "the server is shutting down")


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
