"""Places at work: whoever leaves frees theirs at once, within a bound on work that will not end."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from oraclesum.explorer.guard import Guard
from oraclesum.explorer.jobs import JobQueue
from oraclesum.explorer.replies import ApiError, ClientGone


class Visitor:
    """A request whose client leaves when told to."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}


def test_a_place_is_free_at_once_though_the_work_does_not_notice() -> None:
    release = threading.Event()
    started = threading.Semaphore(0)

    def never_notice(_: Any) -> str:
        started.release()
        release.wait(60)
        return "done"

    async def visit() -> None:
        jobs = JobQueue(1, 4, name="test")
        try:
            for _ in range(2):  # as many as may be ending
                visitor: Any = Visitor()
                task = asyncio.ensure_future(jobs.run(visitor, never_notice))
                await asyncio.to_thread(started.acquire)
                visitor.gone.set()
                with pytest.raises(ClientGone):
                    await task
            other: Any = Visitor()
            assert await asyncio.wait_for(jobs.run(other, lambda _: "quick"), 60) == "quick"
            assert jobs.running == 2
            # One more that does not end keeps its place until it ends: threads are bounded.
            stubborn: Any = Visitor()
            task = asyncio.ensure_future(jobs.run(stubborn, never_notice))
            await asyncio.to_thread(started.acquire)
            stubborn.gone.set()
            with pytest.raises(ClientGone):
                await task
            last = asyncio.ensure_future(jobs.run(other, lambda _: "quick"))
            while not jobs.waiting:
                await asyncio.sleep(0.01)
            release.set()
            assert await asyncio.wait_for(last, 60) == "quick"
            while jobs.running:
                await asyncio.sleep(0.01)
        finally:
            release.set()
            jobs.close()

    asyncio.run(visit())


def test_who_comes_again_and_again_leaves_others_a_place_to_wait() -> None:
    release = threading.Event()
    visitor: Any = Visitor()

    async def visit() -> None:
        jobs = JobQueue(1, 4, name="test")

        def come(*, leave_room: bool = False) -> asyncio.Task[object]:
            work = jobs.run(visitor, lambda _: release.wait(60), leave_room=leave_room)
            return asyncio.ensure_future(work)

        try:
            tasks = [come()]
            tasks += [come(leave_room=True) for _ in range(5)]  # points of curves
            tasks += [come(), come()]
            while jobs.waiting < 4:
                await asyncio.sleep(0.01)
            release.set()
            done = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 60)
            refused = [isinstance(one, ApiError) and one.status == 429 for one in done]
            assert refused == [False] * 3 + [True] * 3 + [False] * 2
        finally:
            release.set()
            jobs.close()

    asyncio.run(visit())


def test_work_that_runs_out_of_things_to_look_at_is_an_error_and_no_silence() -> None:
    async def visit() -> None:
        jobs = JobQueue(1, 4, name="test")
        try:
            visitor: Any = Visitor()
            with pytest.raises(RuntimeError, match="without an answer"):
                await asyncio.wait_for(jobs.run(visitor, lambda _: next(iter(()))), 60)
        finally:
            jobs.close()

    asyncio.run(visit())


def test_a_body_that_is_still_arriving_is_told_of_the_servers_end() -> None:
    closing = threading.Event()
    sent: list[Any] = []

    async def never(*_: Any) -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    async def visit() -> None:
        guard = Guard(never, hosts=(), max_bytes=100, is_closing=closing.is_set)
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
        task = asyncio.ensure_future(guard(scope, never, send))
        await asyncio.sleep(0)
        assert not task.done()
        closing.set()
        await asyncio.wait_for(task, 60)

    asyncio.run(visit())
    assert sent[0]["status"] == 503
    assert b"shutting down" in sent[1]["body"]
