"""Child processes of tests: default signals, a time limit, and nothing left behind.

A suite that runs in the background or under `nohup` ignores SIGINT or SIGHUP, and children inherit
that: one that is to be interrupted would then run for ever. Children started here have the default
disposition of every signal, whatever the suite was started with, except those that a test names in
`ignored`. Each has a process group of its own, which is killed when the test is done with it or its
time is over, grandchildren included.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

__all__ = ["TIME_LIMIT", "list_group", "run_child", "start_child", "wait_for_group"]

TIME_LIMIT = 120.0
"""Seconds after which a child counts as hung; far more than any takes."""

# Sets the signals and becomes the command. Not a preexec_fn: that runs Python code after a fork,
# which can deadlock when the suite has threads.
_LAUNCHER = """
import os, signal, sys
ignored = {int(number) for number in sys.argv[1].split(",") if number}
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    try:
        signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
    except OSError:
        pass  # the C library keeps a few for itself
signal.pthread_sigmask(signal.SIG_SETMASK, [])
os.execvp(sys.argv[2], sys.argv[2:])
"""


@contextmanager
def start_child(
    command: Sequence[str | Path],
    *,
    seconds: float = TIME_LIMIT,
    ignored: Sequence[signal.Signals] = (),
    **how: Any,
) -> Iterator[subprocess.Popen[Any]]:
    """Start a command; `how` has further keywords of Popen, such as `stdin` and `stderr`.

    The process leads a group of its own (`os.killpg(process.pid, …)` reaches all of it). After
    `seconds` the group is killed, so that reading from the child or waiting for it ends, and the
    `with` block ends with a TimeoutError. The group is killed at the end of the block in any case.
    """
    numbers = ",".join(str(int(one)) for one in ignored)
    launcher = [sys.executable, "-I", "-S", "-c", _LAUNCHER, numbers]
    process = subprocess.Popen([*launcher, *map(str, command)], start_new_session=True, **how)
    late = threading.Event()

    def give_up() -> None:
        late.set()
        _kill_group(process.pid)

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield process
    finally:
        timer.cancel()
        timer.join()
        _kill_group(process.pid)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        process.wait()
    if late.is_set():
        raise TimeoutError(f"still running after {seconds:.0f} s: {' '.join(map(str, command))}")


def run_child(
    command: Sequence[str | Path],
    *,
    data: Any = None,
    seconds: float = TIME_LIMIT,
    ignored: Sequence[signal.Signals] = (),
    **how: Any,
) -> subprocess.CompletedProcess[Any]:
    """Run a command to its end with `data` as its standard input; what it wrote is captured."""
    for name in ("stdout", "stderr"):
        how.setdefault(name, subprocess.PIPE)
    how.setdefault("stdin", subprocess.PIPE if data is not None else subprocess.DEVNULL)
    with start_child(command, seconds=seconds, ignored=ignored, **how) as process:
        written, said = process.communicate(data)
    return subprocess.CompletedProcess(list(command), process.returncode, written, said)


def list_group(group: int) -> list[int]:
    """The living processes of a group. Linux only: needs /proc."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):  # it ended meanwhile
            # The name, in parentheses, may hold anything; behind it: state, parent, group.
            state, _, its_group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(its_group) == group and state not in ("Z", "X"):
                found.append(int(entry.name))
    return found


def wait_for_group(group: int, seconds: float = TIME_LIMIT / 2) -> list[int]:
    """Wait until no process of a group lives; those that still do after `seconds`. Linux only."""
    end = time.monotonic() + seconds
    while (living := list_group(group)) and time.monotonic() < end:
        time.sleep(0.01)
    return living


def _kill_group(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # macOS: EPERM if only zombies are left
        os.killpg(group, signal.SIGKILL)
