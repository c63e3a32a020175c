"""One way for the command to stop, for Ctrl-C, SIGTERM and SIGHUP alike.

A handler that raises wherever the program happens to be leaves locks taken, lines half written and
processes forgotten. Here a signal is only noted while `deferred()` holds, and raises `Stopped` at
places that say so by `interruptible()`: where input is read, where an answer is waited for. Signals
that were ignored when the command was started (`nohup`, a background job of a script) stay ignored.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time

TYPE_CHECKING = False  # what is imported here delays the moment from which signals are heard
if TYPE_CHECKING:
    from collections.abc import Iterable, Set
    from types import FrameType
    from typing import Any, NoReturn

__all__ = [
    "SIGNALS",
    "Stopped",
    "came_from",
    "came_from_handler",
    "deferred",
    "end",
    "explain_failure",
    "find_unraised",
    "finish",
    "finishing",
    "fork",
    "holding",
    "importing",
    "interruptible",
    "leave",
    "listen",
    "listen_again",
    "stop_listening",
]

SIGNALS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
"""What stops a run, and the word that says so."""
if sys.platform != "win32":  # which has none; the first call from Python comes by here too
    SIGNALS[signal.SIGHUP] = "terminal closed"

_PATIENCE = 5.0  # seconds from a signal to the end, however slow whoever reads our output is
_WAKING = 0.02  # seconds between attempts to be heard
_SAME = 0.5  # seconds in which further signals count as one with the first
_REST = b"\0"  # no signal's number: the watching thread is to end


class Stopped(KeyboardInterrupt):
    """A signal asks the command to stop."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    @property
    def word(self) -> str:
        """What happened, in a word."""
        return SIGNALS[signal.Signals(self.number)]


class _State:
    """What was heard, and whether it may raise; of the process, since signals are."""

    listening: Set[signal.Signals] = frozenset()
    heard: int | None = None
    when: float = 0.0
    woken: bool = False  # by ourselves: no second signal
    raised: bool = False
    deferred: bool = True  # nothing raises before the command says where
    holding: bool = False  # a library starts, and ends only when it is told to
    finishing: bool = False  # what is done is shown, which takes its time
    wakeups: tuple[int, int] = (-1, -1)  # the pipe that Python writes each signal's number to
    watcher: threading.Thread | None = None
    watched: bool = False  # the watching thread has seen a signal, and sees to the end


def listen() -> None:
    """Hear the signals from now on; deferred until an `interruptible` block."""
    _State.listening = {one for one in SIGNALS if signal.getsignal(one) is not signal.SIG_IGN}
    _State.wakeups = os.pipe()
    os.set_blocking(_State.wakeups[1], False)
    signal.set_wakeup_fd(_State.wakeups[1], warn_on_full_buffer=False)
    sys.unraisablehook = _take_back
    listen_again()  # before the thread is started, which takes a while
    _start_watcher()


def _start_watcher() -> bool:
    """Whether the system allows the thread; without it, signals are heard, if at times late."""
    _State.watcher = None
    watcher = threading.Thread(target=_watch, args=[_State.wakeups[0]], daemon=True)
    try:
        watcher.start()
    except RuntimeError:
        return False
    _State.watcher = watcher
    return True


def listen_again() -> None:
    """Take back the signals that a library took for itself; nothing if nobody listened."""
    for number in _State.listening:
        signal.signal(number, _hear)


def _hear(number: int, frame: FrameType | None) -> None:
    woken, _State.woken = _State.woken, False
    if _State.heard is None:
        _State.heard, _State.when = number, time.monotonic()
    elif not woken and time.monotonic() - _State.when > _SAME:
        os._exit(128 + _State.heard)  # asked twice; workers end with this process
    if not _is_importing(frame):
        _raise_if_allowed()


def came_from(error: BaseException, functions: Iterable[object]) -> bool:
    """Whether the error was raised inside one of these functions, methods or callable objects."""
    codes = {_find_code(function) for function in functions} - {None}
    step = error.__traceback__ if codes else None
    while step is not None:
        if step.tb_frame.f_code in codes:
            return True
        step = step.tb_next
    return False


def _find_code(function: object) -> object:
    if callable(function) and not hasattr(function, "__code__"):
        function = type(function).__call__
    return getattr(function, "__code__", None)


def came_from_handler(error: BaseException) -> bool:
    """Whether a signal handler raised it, which may mean a time limit of the caller's own."""
    return came_from(error, map(signal.getsignal, signal.valid_signals()))


def _take_back(lost: sys.UnraisableHookArgs) -> None:
    """What is raised while something is taken apart, Python drops: it is raised again later."""
    if isinstance(lost.exc_value, Stopped):
        _State.raised = False  # the watching thread wakes us until it is true
    else:
        sys.__unraisablehook__(lost)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported; some in C crash if that is interrupted."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _watch(wakeups: int) -> None:
    """See, on a thread, that a signal is heard and the process ends.

    Python runs handlers between two steps of the main thread. A signal that comes just before a
    system call that blocks is not heard until that returns, which may be never; so the main thread
    is woken until it has heard and, unless that is deferred, has raised `Stopped`.
    And a pipe that nobody reads must not keep us for ever.
    """
    number = os.read(wakeups, 1)[0]
    if number == _REST[0]:
        return
    _State.watched = True
    main = threading.main_thread().ident
    assert main is not None
    end = time.monotonic() + _PATIENCE
    worked = 0.0
    while time.monotonic() < end:
        before, worked = worked, _find_work(main)
        if _State.holding or (_State.finishing and worked > before):
            end = time.monotonic() + _PATIENCE
        if signal.getsignal(number) is not _hear:
            return  # a library has taken it, and sees to the end itself
        if _State.heard is None or not (_State.deferred or _State.raised):
            _State.woken = True
            signal.pthread_kill(main, number)
        time.sleep(_WAKING)
    os._exit(128 + number)


def _find_work(thread: int) -> float:
    """Seconds that a thread has worked; one that waits for a reader does not."""
    if sys.platform == "linux":
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return time.process_time()


def fork() -> int | None:
    """Fork the command: the process id of the child, 0 in the child; None if that is not safe.

    A thread that is not copied leaves its locks taken in the child. Ours is sent to rest meanwhile;
    with any other, and outside of the command, a new program has to be started instead. The child
    hears no signal before it unblocks them, which the caller has blocked. Raises OSError if the
    system allows a child or our thread, but not both.
    """
    watcher = _State.watcher
    if sys.platform != "linux" or watcher is None or _State.watched:
        return None
    if threading.current_thread() is not threading.main_thread():
        return None  # only the main thread may set handlers, and it would not be copied
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, a child would be gone unseen
    os.write(_State.wakeups[1], _REST)
    while watcher.is_alive() and not _State.watched:
        watcher.join(_WAKING)
    if _State.watched:
        return None
    try:
        child = os.fork() if _is_alone() else None
    except OSError:
        child = None
    if child == 0:
        signal.set_wakeup_fd(-1)
        _State.listening, _State.heard, _State.watcher = frozenset(), None, None
        _State.deferred = True
    elif not _start_watcher() and child is not None:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        _start_watcher()
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    return child


def _is_alone() -> bool:
    """Whether the system knows of one thread, a moment after another has ended."""
    for _ in range(5):
        if len(os.listdir("/proc/self/task")) == 1:
            return True
        time.sleep(0.001)
    return False


def find_unraised() -> int | None:
    """The signal that was heard and has not raised, if any: whoever takes over sees to it."""
    return None if _State.raised else _State.heard


def _raise_if_allowed() -> None:
    if _State.heard is not None and not _State.raised and not _State.deferred:
        _State.raised = True  # what ends the run is not interrupted again
        raise Stopped(_State.heard)


class _Mode:
    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted
        self._before = wanted
        self._ours = threading.current_thread() is threading.main_thread()  # handlers run there

    def __enter__(self) -> None:
        if self._ours:
            self._before, _State.deferred = _State.deferred, self._wanted
            _raise_if_allowed()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._ours:
            _State.deferred = self._before
            if kind is None:
                _raise_if_allowed()


def deferred() -> _Mode:
    """A block that no signal interrupts; one that comes raises `Stopped` after it."""
    return _Mode(True)


def interruptible() -> _Mode:
    """A block in which a signal raises `Stopped`, also inside of `deferred()`."""
    return _Mode(False)


class _Holding(_Mode):
    def __enter__(self) -> None:
        super().__enter__()
        self._set_handler = signal.signal
        if self._ours:
            _State.holding = True
            signal.signal = self._set_other  # type: ignore[assignment]

    def _set_other(self, number: int, handler: Any) -> Any:
        if number in _State.listening:
            return signal.getsignal(number)
        return self._set_handler(number, handler)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._ours:
            signal.signal = self._set_handler
            listen_again()  # what is written in C does not ask Python
            _State.holding = False
        super().__exit__(None)  # what fails after a signal may fail because of it


def holding() -> _Mode:
    """A `deferred` block that takes its time, and in which no library takes our signals for itself.

    For a library that starts processes: ended in the midst of that, it would leave some behind.
    """
    return _Holding(True)


class _Finishing(_Mode):
    def __enter__(self) -> None:
        super().__enter__()
        if self._ours:
            _State.finishing = True

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._ours:
            _State.finishing = False
        super().__exit__(kind)


def finishing() -> _Mode:
    """A `deferred` block after a signal that is not cut off while it works, only while it waits.

    A second signal ends the process as always.
    """
    return _Finishing(True)


class _Importing:
    """Handlers run in the main thread, whichever thread a signal reaches: to block it here would
    not keep it from being heard.
    """

    def __init__(self) -> None:
        self._heard = False

    def __enter__(self) -> None:
        self._handler = signal.getsignal(signal.SIGINT)
        # Ours sees to imports itself; the others that are not called raise nothing.
        self._ours = callable(self._handler) and self._handler is not _hear
        if self._ours:
            try:
                signal.signal(signal.SIGINT, self._note)
            except ValueError:  # not the main thread: no handler runs in this one
                self._ours = False

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._heard = True

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if not self._ours:
            return
        if signal.getsignal(signal.SIGINT) == self._note:  # what was imported may have taken it
            signal.signal(signal.SIGINT, self._handler)
        if self._heard:
            assert callable(self._handler)
            self._handler(signal.SIGINT, sys._getframe())


def importing() -> _Importing:
    """A block that imports, in a program of anybody: Ctrl-C is heard after it, not inside."""
    return _Importing()


def finish() -> None:
    """All is written: a signal that comes now changes nothing any more."""
    _State.raised = True


def stop_listening() -> None:
    """Ignore the signals to the end: the interpreter, on its way out, lets them kill otherwise."""
    for number in _State.listening:
        signal.signal(number, signal.SIG_IGN)


def end(status: object) -> NoReturn:
    """End the process as `sys.exit` does, but at once: for Python to take itself apart takes longer
    than many a run. What was registered for the end is done; with a thread that has to be waited
    for, the usual way is taken.
    """
    import atexit

    others = [thread for thread in threading.enumerate() if not thread.daemon]
    if len(others) > 1 or not isinstance(status, int | None):
        sys.exit(status)  # type: ignore[arg-type]  # whatever was given to it before
    atexit._run_exitfuncs()
    leave(status or 0)


def explain_failure(reason: str) -> tuple[int, str]:
    """Exit status and message if writing fails: a signal that was heard before is the cause."""
    if _State.heard is None:
        return 1, reason
    stopped = Stopped(_State.heard)
    return 128 + stopped.number, f"{stopped.word}: {reason}"


def leave(status: int, message: str | None = None) -> NoReturn:
    """End the process at once with a message, whatever threads still do; finally-blocks are lost.

    Nothing else is sure to end a thread that is deep in the kernel or a solver.
    """
    try:
        sys.stdout.flush()
        if message is not None:
            print(message, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass  # whoever read it has left
    os._exit(status)
