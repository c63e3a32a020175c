"""Calls made elsewhere: on threads, or in worker processes that end with this one, come what may.

A worker process is a copy of the command if that is safe, which saves starting Python and importing
everything again; if not, it is a new program. It is connected by two pipes and works on one call
after another. It ends when its pipe is closed, which the operating system does for a parent that
was killed; on Linux, the kernel kills it in that case even if it hears nothing. Which call it was
working on is known: a worker that dies costs that call alone. There are no locks between processes,
so none can be left taken.
"""

from __future__ import annotations

import errno
import fcntl
import gc
import os
import pickle
import select
import signal
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from .errors import InputError
from .stopping import SIGNALS, fork, interruptible

if TYPE_CHECKING:
    import subprocess

__all__ = [
    "MAX_JOBS",
    "Call",
    "Caller",
    "Here",
    "Threads",
    "WorkerDiedError",
    "Workers",
    "serve",
]

MAX_JOBS = 1024  # at once: processes, or threads of enumerate_corpus
_AHEAD = 4  # calls that wait or are made, for each worker
_MANY = 1 << 16  # more bytes than a pipe holds
_NO_THREAD = os.strerror(errno.EAGAIN)  # Python does not say why: mostly the limit of processes
_PIPE = 1 << 20  # bytes that wait in a pipe: a batch, so that sending it does not wait
_LENGTH = 8  # bytes that say how long a message is
_IN_FLIGHT = 2  # calls at a worker: the next one is there when it has done the first
# Milliseconds. A signal that the system gives to another thread does not wake the one that waits.
_LOOK_EVERY = 50
_LOOK_SECONDS = 1.0  # between two looks of an idle thread at whether it is needed any more

# The search path comes first, as the package itself may be found by it.
_PROGRAM = """
import sys
reading, writing, parent = map(int, sys.argv[1:4])
sys.path[:] = sys.argv[4:]
from oraclesum.workers import serve
serve(reading, writing, parent)
"""


class WorkerDiedError(Exception):
    """The process that worked on a call has ended without an answer."""


class _NotStartedError(Exception):
    """The system allows no further process, thread or file; says which in its words."""


class Call:
    """A function that was called, and what came of it."""

    def __init__(self) -> None:
        self.done = False
        self.result: Any = None
        self.error: BaseException | None = None

    def settle(self, result: Any, error: BaseException | None) -> None:
        """Note what came of it."""
        self.result, self.error, self.done = result, error, True

    def take(self) -> Any:
        """The result; raises what the function raised."""
        if self.error is not None:
            raise self.error
        return self.result


class Caller(Protocol):
    """Makes calls elsewhere. Used by one thread; each call is waited for once."""

    @property
    def window(self) -> int:
        """How many calls are worth being submitted before the first is waited for."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Call:
        """Have a call made."""

    def is_done(self, call: Call) -> bool:
        """Whether `wait` would not wait."""

    def wait(self, call: Call) -> Any:
        """The result of a call. Raises what it raised, or WorkerDiedError."""

    def repeat(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Make a call that sees to it itself that it survives, after the usual one died."""

    def close(self) -> None:
        """End the workers, whatever they are doing."""


class Here:
    """Makes each call on the thread that waits for it."""

    window = 1

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Call:
        call = Call()
        call.result = (function, arguments)
        return call

    def is_done(self, call: Call) -> bool:
        return False

    def wait(self, call: Call) -> Any:
        function, arguments = call.result
        return function(*arguments)

    def repeat(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    def close(self) -> None:
        pass


class Threads:
    """Threads that make calls, so that the thread that waits can hear signals.

    Closing waits for the calls that are being made if `join` is set; those that ask `is_over` then
    end early. So does the end of the interpreter. An object that nobody knows any more is over too,
    as closing may be interrupted. Without `join`, calls may be deep in the kernel, and end with the
    process.
    """

    def __init__(self, number: int, *, join: bool = False) -> None:
        self.window = 1 if number == 1 else _AHEAD * number
        self._join = join
        self._shared = _Shared(weakref.ref(self))
        self.is_over = self._shared.is_over  # may be asked on any thread, and does not keep this
        self._poll = select.poll()
        self._poll.register(self._shared.ends, select.POLLIN)
        self._unfinished: set[Call] = set()
        self._threads: list[threading.Thread] = []
        self._finish = weakref.finalize(self, _finish, self._shared, self._threads, join)
        self._finish.atexit = join
        try:
            for _ in range(number):
                thread = threading.Thread(target=_work, args=[self._shared], daemon=True)
                thread.start()
                self._threads.append(thread)
        except BaseException as error:  # also Ctrl-C
            refused = isinstance(error, RuntimeError)
            if not (refused and self._threads):  # fewer threads will do
                self.close()
                if refused:
                    raise _refuse(_NO_THREAD) from None
                raise

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Call:
        call = Call()
        self._unfinished.add(call)
        self._shared.calls.put((call, function, arguments))
        return call

    def is_done(self, call: Call) -> bool:
        return call.done

    def wait(self, call: Call) -> Any:
        while not call.done:
            with interruptible():
                ended = self._poll.poll(_LOOK_EVERY)
            if ended:
                os.read(self._shared.ends, _MANY)  # of all calls that are done by now
        self._unfinished.discard(call)
        return call.take()

    def repeat(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    def close(self) -> None:
        self._shared.ending = True  # first of all, should a signal raise here
        self._finish()
        if self._join or all(call.done for call in self._unfinished):
            for thread in self._threads:
                thread.join()
            self._shared.close()


class _Shared:
    """What the threads of a `Threads` know of it: not itself, so that it can be forgotten."""

    def __init__(self, owner: Callable[[], Threads | None]) -> None:
        from ._kernel import make_ready_to_throw  # most runs use processes

        self._owner = owner
        self.make_ready = make_ready_to_throw
        self.ending = False  # no Event: a signal might leave its lock taken
        self.calls: SimpleQueue[tuple[Call, Callable[..., Any], tuple[Any, ...]] | None]
        self.calls = SimpleQueue()
        # A pipe can be waited for without a lock, which an interrupted wait might leave taken.
        self.ends, self.end = os.pipe()
        os.set_blocking(self.end, False)
        self._open = True

    def is_over(self) -> bool:
        return self.ending or self._owner() is None

    def next_call(self) -> tuple[Call, Callable[..., Any], tuple[Any, ...]] | None:
        """The next call to be made, None if there will be none."""
        while not self.is_over():
            with suppress(Empty):
                return self.calls.get(timeout=_LOOK_SECONDS)
        return None

    def close(self) -> None:
        if self._open:
            self._open = False
            _close(self.ends, self.end)

    def __del__(self) -> None:
        if vars(self).get("_open"):  # if not, it was never made whole
            self.close()


def _finish(shared: _Shared, threads: list[threading.Thread], join: bool) -> None:
    """End the threads of a `Threads`; wait for them if asked to."""
    try:
        shared.ending = True
        with suppress(Empty):
            while True:
                shared.calls.get_nowait()
    finally:
        shared.calls.put(None)
    if join:
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join()


def _work(shared: _Shared) -> None:
    shared.make_ready()
    while (given := shared.next_call()) is not None:
        call, function, arguments = given
        try:
            result = function(*arguments)
        except BaseException as error:
            call.settle(None, error)
        else:
            call.settle(result, None)
        del given, call, function, arguments  # it may hold whoever forgot this thread
        with suppress(BlockingIOError):  # a full pipe wakes whoever waits as well
            os.write(shared.end, b".")
    shared.calls.put(None)  # for the next thread


class Workers:
    """Up to `number` worker processes; each runs `prepare` first. Started when there is work."""

    def __init__(self, number: int, prepare: Callable[[], None]) -> None:
        self.window = _AHEAD * number
        self._number = number
        self._prepare = prepare
        self._workers: dict[int, _Worker] = {}  # by the pipe that its answers come from
        self._waiting: deque[tuple[Call, bytes]] = deque()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Call:
        call = Call()
        try:
            packed = pickle.dumps((function, arguments))
        except MemoryError as error:  # it costs this call alone
            call.settle(None, error)
            return call
        self._waiting.append((call, packed))
        self._hand_out()
        return call

    def is_done(self, call: Call) -> bool:
        if not call.done:
            self._collect(wait=False)
        return call.done

    def wait(self, call: Call) -> Any:
        while not call.done:
            self._collect(wait=True)
        return call.take()

    def repeat(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    def close(self) -> None:
        self._waiting.clear()
        for worker in self._workers.values():
            worker.kill()  # all at once; then they are waited for
        while self._workers:
            self._workers.popitem()[1].end()

    def _hand_out(self) -> None:
        while self._waiting:
            worker = min(self._workers.values(), key=lambda one: len(one.calls), default=None)
            if worker is None or (worker.calls and len(self._workers) < self._number):
                try:
                    worker = _Worker(self._prepare)
                except _NotStartedError as error:
                    self._make_do(error)
                    continue
                self._workers[worker.answers] = worker
            elif len(worker.calls) >= _IN_FLIGHT:
                return
            worker.calls.append(self._waiting.popleft())
            worker.send()

    def _make_do(self, error: _NotStartedError) -> None:
        """Go on with the workers that are there, as no more of them can be had."""
        if not self._workers:
            raise _refuse(str(error)) from None
        self._number = len(self._workers)

    def _collect(self, *, wait: bool) -> None:
        poll = select.poll()
        for answers in self._workers:
            poll.register(answers, select.POLLIN)
        with interruptible():
            ready = poll.poll(_LOOK_EVERY if wait else 0)
        for answers, _ in ready:
            worker = self._workers[answers]
            try:
                result, error = pickle.loads(_receive(answers))
            except (EOFError, OSError):
                del self._workers[answers]
                worker.end()
                if worker.calls:
                    worker.calls.popleft()[0].settle(None, WorkerDiedError())
                self._waiting.extendleft(reversed(worker.calls))
                continue
            if isinstance(error, _NotStartedError):
                del self._workers[answers]
                worker.end()
                self._waiting.extendleft(reversed(worker.calls))
                self._make_do(error)
            else:
                worker.calls.popleft()[0].settle(result, error)
        self._hand_out()


class _Worker:
    """One worker process, seen from its parent. It ends with this object at the latest.

    Whoever starts or ends it may be interrupted in the midst of that.
    """

    def __init__(self, prepare: Callable[[], None]) -> None:
        self._process: _Copy | subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()
        self._pipes: tuple[int, ...] = ()
        self.calls: deque[tuple[Call, bytes]] = deque()  # the first is being worked on
        try:
            self._start()
            self._write(pickle.dumps(prepare))
        except BaseException:  # also a signal that came while it was started
            self.end()
            raise

    def _start(self) -> None:
        reading, self._calls = _open_pipe()
        self._pipes = (self._calls,)
        try:
            self.answers, writing = _open_pipe()
        except _NotStartedError:
            _close(reading)
            raise
        self._pipes = (self._calls, self.answers)
        # Started with the signals blocked, it hears none before it can ignore them: Ctrl-C on a
        # terminal reaches every process, and the parent ends its workers.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            child = fork()
            if child == 0:
                _serve_as_copy(reading, writing, self._owner)
            self._process = _Copy(child) if child else _start_program(reading, writing, self._owner)
        except OSError as error:
            raise _NotStartedError(error.strerror) from None
        finally:
            _close(reading, writing)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def send(self) -> None:
        self._write(self.calls[-1][1])

    def _write(self, data: bytes) -> None:
        with suppress(OSError):  # it died, which is found out when its answers are collected
            _send(self._calls, data)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        pipes, self._pipes = self._pipes, ()
        _close(*pipes)

    def __del__(self) -> None:
        if self._owner == os.getpid():  # a copy of this process has no part in it
            self.end()


def _refuse(reason: str) -> InputError:
    return InputError(f"a worker cannot be started: {reason}; use fewer jobs, or raise that limit")


def _open_pipe() -> tuple[int, int]:
    """A pipe: where it is read, where it is written."""
    try:
        reading, writing = os.pipe()
    except OSError as error:
        raise _NotStartedError(error.strerror) from None
    if sys.platform == "linux":
        with suppress(OSError):  # a user may have so much of it in all; less is only slower
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _PIPE)
    return reading, writing


def _close(*files: int) -> None:
    for file in files:
        os.close(file)


def _send(file: int, data: bytes) -> None:
    """Write a message: its length, and itself."""
    left = memoryview(len(data).to_bytes(_LENGTH, "little") + data)
    while left:
        left = left[os.write(file, left) :]


def _receive(file: int) -> bytes:
    """The next message. Raises EOFError if whoever sends has closed the pipe, or has ended."""
    return _read(file, int.from_bytes(_read(file, _LENGTH), "little"))


def _read(file: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(file, size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _start_program(reading: int, writing: int, parent: int) -> subprocess.Popen[bytes]:
    import subprocess

    numbers = map(str, (reading, writing, parent))
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _PROGRAM, *numbers, *map(os.fspath, sys.path)],
        pass_fds=[reading, writing],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # data is written by the parent alone
    )


class _Copy:
    """A worker process that is a copy of this one, as `Popen` would describe it."""

    def __init__(self, id: int) -> None:
        self._id = id

    def kill(self) -> None:
        os.kill(self._id, signal.SIGKILL)  # it is there until it was waited for

    def wait(self) -> None:
        os.waitpid(self._id, 0)


def _serve_as_copy(reading: int, writing: int, parent: int) -> NoReturn:
    """The same in a copy of the parent, with none of its files but standard error."""
    try:
        # Each file that is opened takes the place of one that was closed: there may be no other.
        os.close(0)
        os.open(os.devnull, os.O_RDWR)
        os.close(1)
        files = map(int, os.listdir("/proc/self/fd"))
        os.dup2(0, 1)
        for file in files:
            if file > 2 and file not in (reading, writing):
                os.close(file)
        serve(reading, writing, parent)
    finally:
        os._exit(1)


def serve(reading: int, writing: int, parent: int) -> None:
    """What a worker process does: calls, until its parent ends it or has ended.

    Returns if it cannot begin, which its parent is told.
    """
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    _end_with_parent(parent)
    gc.set_threshold(100_000, 50, 100)  # as the command itself
    calls: SimpleQueue[bytes] = SimpleQueue()
    try:
        threading.Thread(target=_read_ahead, args=[reading, calls], daemon=True).start()
    except RuntimeError:
        _send(writing, pickle.dumps((None, _NotStartedError(_NO_THREAD))))
        return
    pickle.loads(calls.get())()
    while True:
        try:
            function, arguments = pickle.loads(calls.get())
            answer = pickle.dumps((function(*arguments), None))
        except BaseException as error:
            answer = pickle.dumps((None, _make_portable(error)))
        _send(writing, answer)


def _read_ahead(reading: int, calls: SimpleQueue[bytes]) -> None:
    """Take calls as they come, so that the parent never waits to be heard; none: it is gone.

    However that ends, also for lack of memory, the worker ends with it: nobody would wake it up.
    """
    try:
        while True:
            calls.put(_receive(reading))
    finally:
        os._exit(1)


def _make_portable(error: BaseException) -> BaseException:
    """The error, or one with its words if it cannot be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _end_with_parent(parent: int) -> None:
    """Ask Linux to kill this process when its parent ends, even if no Python code can run."""
    if sys.platform == "linux":
        import ctypes

        set_death_signal = 1  # PR_SET_PDEATHSIG
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before
        os._exit(1)
