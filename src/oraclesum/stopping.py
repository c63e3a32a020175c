"""One way for the command to stop, for Ctrl-C, SIGTERM and SIGHUP alike.

A handler that raises wherever the program happens to be leaves locks taken, lines half written and
processes forgotten. Here a signal is only noted while `deferred()` holds, and raises `Stopped` at
places that say so by `interruptible()`: where input is read, where an answer is waited for. Signals
that were ignored when the command was started (`nohup`, a background job of a script) stay ignored.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

TYPE_CHECKING = False  # what is imported here delays the moment from which signals are heard
if TYPE_CHECKING:
    from collections.abc import Set
    from types import FrameType, TracebackType
    from typing import NoReturn

__all__ = [
    "SIGNALS",
    "Stopped",
    "deferred",
    "finish",
    "interruptible",
    "leave",
    "listen",
    "listen_again",
    "stop_listening",
]

SIGNALS = {
    signal.SIGINT: "interrupted",
    signal.SIGTERM: "terminated",
    signal.SIGHUP: "terminal closed",
}
"""What stops a run, and the word that says so."""

_PATIENCE = 5.0  # seconds from a signal to the end, however slow whoever reads our output is
_WAKING = 0.02  # seconds between attempts to be heard
_SAME = 0.5  # seconds in which further signals count as one with the first


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


def listen() -> None:
    """Hear the signals from now on; deferred until an `interruptible` block."""
    _State.listening = {one for one in SIGNALS if signal.getsignal(one) is not signal.SIG_IGN}
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=[reading], daemon=True).start()
    listen_again()


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
    main = threading.main_thread().ident
    assert main is not None
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if signal.getsignal(number) is not _hear:
            return  # a library has taken it, and sees to the end itself
        if _State.heard is None or not (_State.deferred or _State.raised):
            _State.woken = True
            signal.pthread_kill(main, number)
        time.sleep(_WAKING)
    os._exit(128 + number)


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._ours:
            _State.deferred = self._before
            if error is None:
                _raise_if_allowed()


def deferred() -> _Mode:
    """A block that no signal interrupts; one that comes raises `Stopped` after it."""
    return _Mode(True)


def interruptible() -> _Mode:
    """A block in which a signal raises `Stopped`, also inside of `deferred()`."""
    return _Mode(False)


def finish() -> None:
    """All is written: a signal that comes now changes nothing any more."""
    _State.raised = True


def stop_listening() -> None:
    """Ignore the signals to the end: the interpreter, on its way out, lets them kill otherwise."""
    for number in _State.listening:
        signal.signal(number, signal.SIG_IGN)


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
