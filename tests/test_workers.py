"""Worker processes of the command: copies of it, with none of its files, and its end at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from children import TIME_LIMIT, list_group, run_child, start_child
from oraclesum.errors import InputError
from oraclesum.stopping import fork
from oraclesum.workers import Threads, Workers
from runs.documents import make_documents, write_lines

COMMAND = [sys.executable, "-m", "oraclesum", "enumerate", "-", "--max-words", "14", "--jobs", "2"]
# What the command imports is part of the copy; a thread beside it is not.
WITH_A_THREAD = f"""
import runpy, sys, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
sys.argv = {["oraclesum", *COMMAND[3:]]!r}
runpy.run_module("oraclesum", run_name="__main__")
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are copies on Linux")


@contextmanager
def two_at_work(command: list[str], folder: Path, **how: object) -> Iterator[list[int]]:
    """The workers of a run whose input is not at its end yet."""
    lines = write_lines(folder / "in.jsonl", make_documents(40, sentences=30)).read_bytes()
    with start_child(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **how) as process:
        process.stdin.write(lines)
        process.stdin.flush()
        while len(workers := sorted({*list_group(process.pid)} - {process.pid})) < 2:
            assert process.poll() is None
            time.sleep(0.001)
        yield workers
        said, _ = process.communicate()
        assert process.returncode == 0
        assert len(said.splitlines()) == 40


def read_command(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text()


def test_workers_of_the_command_are_copies_of_it(tmp_path: Path) -> None:
    with two_at_work(COMMAND, tmp_path) as workers:
        for worker in workers:
            assert "enumerate" in read_command(worker)


def test_a_copy_has_none_of_the_commands_files(tmp_path: Path) -> None:
    with two_at_work(COMMAND, tmp_path) as workers:
        for worker in workers:
            while not has_only_its_own(worker):  # it begins with those of the command
                time.sleep(0.001)


def has_only_its_own(process: int) -> bool:
    """No input, no output, standard error, and the two pipes to its parent; no other leads on."""
    try:
        files = {int(one.name): os.readlink(one) for one in Path(f"/proc/{process}/fd").iterdir()}
    except FileNotFoundError:  # one was closed meanwhile
        return False
    others = sorted(name for number, name in files.items() if number > 2 and name != "/dev/null")
    return (
        files.get(0) == files.get(1) == "/dev/null"
        and len(others) == 2
        and all(name.startswith("pipe:") for name in others)
    )


def test_beside_another_thread_workers_are_new_programs(tmp_path: Path) -> None:
    with two_at_work([sys.executable, "-c", WITH_A_THREAD], tmp_path) as workers:
        for worker in workers:
            while "enumerate" in read_command(worker):  # until it has become another one
                time.sleep(0.001)


def test_a_command_that_was_told_to_ignore_its_children_still_ends_them(tmp_path: Path) -> None:
    with two_at_work(COMMAND, tmp_path, ignored=[signal.SIGCHLD]) as workers:
        pass
    for worker in workers:
        assert not Path(f"/proc/{worker}").exists()


def test_nothing_but_the_command_is_copied() -> None:
    assert fork() is None


def test_what_is_registered_for_the_end_is_done(tmp_path: Path) -> None:
    program = f"""
import atexit, runpy, sys
atexit.register(print, "registered")
sys.argv = ["oraclesum", "enumerate", {str(tmp_path / "none.jsonl")!r}, "--max-words", "9"]
runpy.run_module("oraclesum", run_name="__main__")
"""
    done = run_child([sys.executable, "-c", program], stderr=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (2, b"registered\n")
    assert b"none.jsonl" in done.stderr


def test_a_thread_that_has_to_be_waited_for_is_waited_for() -> None:
    program = """
import runpy, sys, threading, time
threading.Thread(target=lambda: (time.sleep(1), print("waited for"))).start()
sys.argv = ["oraclesum", "--version"]
runpy.run_module("oraclesum", run_name="__main__")
"""
    done = run_child([sys.executable, "-c", program])
    assert done.returncode == 0
    assert done.stdout.endswith(b"waited for\n")


@pytest.mark.parametrize("files", [10, 11])  # the last worker gets the last file, or not quite
def test_with_few_open_files_allowed_fewer_workers_answer_every_record(
    files: int, tmp_path: Path
) -> None:
    program = f"""
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))
sys.argv = {["oraclesum", *COMMAND[3:-1], "16"]!r}
runpy.run_module("oraclesum", run_name="__main__")
"""
    done = answer_forty(program, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(b"\n") == 40


# Stands for the system's limit of processes, which root does not have.
FEW_THREADS = f"""
import os, runpy, sys, threading
start, command, started = threading._start_new_thread, os.getpid(), 0

def start_new_thread(*arguments):
    global started
    started += os.getpid() == command
    if CONDITION:
        raise RuntimeError("can't start new thread")
    return start(*arguments)

threading._start_new_thread = start_new_thread
sys.argv = {["oraclesum", *COMMAND[3:]]!r}
runpy.run_module("oraclesum", run_name="__main__")
"""


@pytest.mark.parametrize(
    "condition",
    [
        "os.getpid() != command and started == 2",  # in the second worker
        "os.getpid() == command and started in (1, 3)",  # beside the second worker, or at all
    ],
)
def test_with_few_threads_allowed_fewer_workers_answer_every_record(
    condition: str, tmp_path: Path
) -> None:
    done = answer_forty(FEW_THREADS.replace("CONDITION", condition), tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(b"\n") == 40


@pytest.mark.parametrize("condition", ["os.getpid() != command", "started == 2"])
def test_if_no_worker_can_be_started_the_command_says_so(condition: str, tmp_path: Path) -> None:
    done = answer_forty(FEW_THREADS.replace("CONDITION", condition), tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Error: a worker cannot be started: " in done.stderr
    assert b"Traceback" not in done.stderr


# Stands for a process that is allowed little memory.
LITTLE_MEMORY = f"""
import os, runpy, sys
from oraclesum import workers
command = os.getpid()
PATCH
sys.argv = {["oraclesum", *COMMAND[3:]]!r}
runpy.run_module("oraclesum", run_name="__main__")
"""
NOTHING_IS_HEARD = """
receive, heard = workers._receive, 0

def _receive(file):
    global heard
    heard += os.getpid() != command
    if heard == 4:
        raise MemoryError
    return receive(file)

workers._receive = _receive
"""
NOTHING_IS_SAID = """
import pickle
dumps, said = pickle.dumps, 0

def dump(what, *others):
    global said
    said += os.getpid() == command
    if said == 6:
        raise MemoryError
    return dumps(what, *others)

workers.pickle.dumps = dump
"""


@pytest.mark.parametrize("patch", [NOTHING_IS_HEARD, NOTHING_IS_SAID])
def test_without_memory_to_talk_to_a_worker_every_record_is_answered(
    patch: str, tmp_path: Path
) -> None:
    done = answer_forty(LITTLE_MEMORY.replace("PATCH", patch), tmp_path)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout.count(b"\n") == 40


def test_if_no_thread_can_be_started_the_command_says_so(tmp_path: Path) -> None:
    program = FEW_THREADS.replace("CONDITION", "True").replace("'--jobs', '2'", "'--jobs', '1'")
    done = answer_forty(program, tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Error: a worker cannot be started: " in done.stderr
    assert b"Traceback" not in done.stderr


def answer_forty(program: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    lines = write_lines(folder / "in.jsonl", make_documents(40, sentences=30)).read_bytes()
    return run_child([sys.executable, "-c", program], data=lines)


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_threads_that_cannot_all_be_started_leave_nothing_behind(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start
    started: list[threading.Thread] = []
    last = 2 if error is KeyboardInterrupt else 0  # with some, others are done without

    def start_some(thread: threading.Thread) -> None:
        if len(started) == last:
            raise error
        started.append(thread)
        start(thread)

    pipe = os.pipe()
    monkeypatch.setattr(os, "pipe", lambda: pipe)
    monkeypatch.setattr(threading.Thread, "start", start_some)
    with pytest.raises(KeyboardInterrupt if error is KeyboardInterrupt else InputError):
        Threads(4, join=True)
    for thread in started:
        thread.join(TIME_LIMIT)
        assert not thread.is_alive()
    for end in pipe:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(end)


def test_threads_that_nobody_closed_end_when_nobody_knows_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As after a Ctrl-C in the midst of closing: nothing has to run for it."""
    monkeypatch.setattr(weakref, "finalize", lambda *_: SimpleNamespace())
    ends: list[int] = []
    asked = threading.Event()

    def work(is_over: Callable[[], bool]) -> None:
        asked.set()
        while not is_over():
            time.sleep(0.01)

    def begin() -> list[threading.Thread]:
        threads = Threads(2)
        ends.extend((threads._shared.ends, threads._shared.end))
        threads.submit(work, threads.is_over)
        assert asked.wait(TIME_LIMIT)
        return list(threads._threads)

    for thread in begin():
        thread.join(TIME_LIMIT)
        assert not thread.is_alive()
    for end in ends:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(end)


def test_ctrl_c_while_a_worker_starts_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocked meanwhile, it is heard as soon as the signals are let through again."""
    files = len(os.listdir("/proc/self/fd"))
    set_mask = signal.pthread_sigmask
    before = signal.getsignal(signal.SIGINT)

    def let_through(how: int, mask: set[int]) -> set[int | signal.Signals]:
        if how == signal.SIG_SETMASK:
            os.kill(os.getpid(), signal.SIGINT)
        return set_mask(how, mask)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(signal, "pthread_sigmask", let_through)
    workers = Workers(1, prepare=int)
    try:
        with pytest.raises(KeyboardInterrupt):
            workers.submit(abs, -1)
    finally:
        signal.signal(signal.SIGINT, before)
        monkeypatch.undo()
    assert len(os.listdir("/proc/self/fd")) == files
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    assert not [one for one in children.split() if "oraclesum.workers" in read_command(int(one))]
    assert workers.wait(workers.submit(abs, -1)) == 1  # another one does it
    workers.close()
