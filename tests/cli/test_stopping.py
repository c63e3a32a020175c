"""A run that is stopped by a signal at any moment: whole lines, one message, nothing left running.

ORACLESUM_STOPS is how often each case is tried, at moments drawn at random; 1 by default.
"""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from children import list_group, run_child, start_child, wait_for_group
from cli.corpus import GOOD, jsonl
from oraclesum.cli.output import open_output
from oraclesum.errors import InputError
from oraclesum.stopping import Stopped, _find_work
from runs.documents import make_documents, write_lines

STOPS = int(os.environ.get("ORACLESUM_STOPS", "1"))
LATEST = 2.0  # seconds after the start
COMMAND = [sys.executable, "-m", "oraclesum", "enumerate"]
LIMIT = ["--max-words", "14"]
WORDS = {
    signal.SIGINT: "interrupted",
    signal.SIGTERM: "terminated",
    signal.SIGHUP: "terminal closed",
}

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="moments are found by /proc"
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """An input that takes a while, and its answers."""
    folder = tmp_path_factory.mktemp("corpus")
    lines = write_lines(folder / "in.jsonl", make_documents(6000, sentences=30))
    done = run_child([*COMMAND, lines, *LIMIT])
    assert done.returncode == 0
    return lines, done.stdout


def wait_until_heard(pid: int) -> None:
    """Wait until the command has its handlers; before, Python's own may show a traceback."""
    while True:
        status = Path(f"/proc/{pid}/status").read_text()
        caught = int(status.partition("SigCgt:")[2].split()[0], 16)
        if caught >> (signal.SIGHUP - 1) & 1:
            return
        time.sleep(0.001)


def draw_moments(name: str) -> Iterator[float]:
    draw = random.Random(name)
    for _ in range(STOPS):
        yield draw.uniform(0, LATEST) * draw.choice([0.1, 1])


@pytest.mark.parametrize("into", ["file", "pipe", "folder"])
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("sent", WORDS, ids=lambda sent: sent.name)
def test_a_signal_at_any_moment_leaves_whole_lines_and_no_process(
    corpus: tuple[Path, bytes], tmp_path: Path, sent: signal.Signals, jobs: int, into: str
) -> None:
    lines, answers = corpus
    for number, moment in enumerate(draw_moments(f"{sent} {jobs} {into}")):
        out = tmp_path / f"{number}.jsonl"
        where = {"file": ["-o", out], "pipe": [], "folder": ["-o", f"{out}/", "--shard-size", "50"]}
        command = [*COMMAND, lines, *LIMIT, "--jobs", str(jobs), *where[into]]
        with (
            (tmp_path / "said").open("w+b") as messages,
            start_child(command, stdout=subprocess.PIPE, stderr=messages) as child,
        ):
            wait_until_heard(child.pid)
            time.sleep(moment)
            # Ctrl-C and a closed terminal reach every process, `kill` reaches one.
            if sent == signal.SIGTERM:
                child.send_signal(sent)
            elif list_group(child.pid):
                os.killpg(child.pid, sent)
            written, _ = child.communicate()
            assert wait_for_group(child.pid) == []
            messages.seek(0)
            said = messages.read().decode()
        if child.returncode == 0:  # it came to its end before it heard
            assert WORDS[sent] not in said
            continue
        assert child.returncode == 128 + sent, said
        assert len(said.splitlines()) == 1, said
        assert WORDS[sent] in said
        if into == "file" and out.exists():
            written = out.read_bytes()
        if into == "folder":
            continue  # what a folder holds after any end is tested in tests/parallel
        assert answers.startswith(written)
        assert written.endswith(b"\n") or not written
        topics = written.count(b"\n")
        assert ("nothing was written" in said and not topics) or f": {topics} topic" in said


@pytest.mark.parametrize("into", ["file", "folder"])
def test_no_worker_outlives_a_parent_that_was_killed(
    corpus: tuple[Path, bytes], tmp_path: Path, into: str
) -> None:
    for number, moment in enumerate(draw_moments(into)):
        out = tmp_path / f"{number}"
        output = f"{out}/" if into == "folder" else out
        command = [*COMMAND, corpus[0], *LIMIT, "--jobs", "2", "-o", output]
        with start_child(command, stderr=subprocess.DEVNULL) as child:
            time.sleep(moment)
            child.kill()
            child.wait()
            assert wait_for_group(child.pid) == []


def hard_topic() -> dict[str, object]:
    """One that keeps an exhaustive search busy for ages."""
    words = [f"w{i}" for i in range(60)]
    sentences = [f"{a} {b} {c}" for a in words for b in words[:9] for c in words[:9]]
    return {"id": "hard", "sentences": sentences, "references": [" ".join(words)]}


@pytest.mark.parametrize("sent", [*WORDS, signal.SIGKILL], ids=lambda sent: sent.name)
@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_deep_in_the_kernel_end_too(
    jobs: int, sent: signal.Signals, tmp_path: Path
) -> None:
    rows = [GOOD, hard_topic(), {**hard_topic(), "id": "other"}]
    (tmp_path / "in.jsonl").write_bytes(jsonl(*rows))
    options = ["--rouge", "1", "--max-words", "30", "--method", "exhaustive", "--jobs", str(jobs)]
    command = [*COMMAND, tmp_path / "in.jsonl", *options]
    with start_child(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline()
        child.send_signal(sent)
        child.communicate()
        assert wait_for_group(child.pid) == []
    assert child.returncode == (-sent if sent == signal.SIGKILL else 128 + sent)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_signal_that_was_ignored_from_the_start_stays_ignored(
    jobs: int, corpus: tuple[Path, bytes]
) -> None:
    lines, answers = corpus
    command = [*COMMAND, lines, *LIMIT, "--jobs", str(jobs), "--quiet"]
    ignored = [signal.SIGINT, signal.SIGHUP]
    with start_child(command, ignored=ignored, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        first = child.stdout.readline()
        for sent in ignored:
            os.killpg(child.pid, sent)
        rest, _ = child.communicate()
    assert child.returncode == 0
    assert first + rest == answers


def test_one_signal_ends_a_run_whose_output_nobody_reads(tmp_path: Path) -> None:
    rows = [{**GOOD, "id": str(i), "text": "x"} for i in range(2000)]
    (tmp_path / "in.jsonl").write_bytes(jsonl(*rows))
    command = [*COMMAND, tmp_path / "in.jsonl", "--max-words", "8", "--quiet"]
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with start_child(command, **how) as child:
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(0.5)  # the pipe is full, or will be
        child.send_signal(signal.SIGINT)
        assert child.wait() == 130


IMPORT = """
from oraclesum.stopping import Stopped, interruptible, listen
listen()
try:
    with interruptible():
        import slow
        while True:
            pass
except Stopped as stopped:
    print(stopped.word)
"""
SLOW = """
import time
print("begin", flush=True)
for _ in range(100):
    time.sleep(0.01)
print("end", flush=True)
"""


def test_an_import_is_not_interrupted_but_what_comes_after_it_is(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "program.py").write_text(IMPORT)
    command = [sys.executable, tmp_path / "program.py"]
    with start_child(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"begin\n"
        child.send_signal(signal.SIGINT)
        rest, _ = child.communicate()
    assert rest == b"end\ninterrupted\n"


FINALISER = """
import os, signal, time
from oraclesum.stopping import Stopped, interruptible, listen
listen()
class Odd:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.01)
try:
    with interruptible():
        Odd()
        while True:
            time.sleep(0.01)
except Stopped as stopped:
    print(stopped.word)
"""


def test_a_signal_while_something_is_taken_apart_is_not_lost() -> None:
    done = run_child([sys.executable, "-c", FINALISER])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"terminated\n", b"")


AFTER_RENAMING = """
import os, signal
rename = os.replace
def rename_and_interrupt(*names):
    rename(*names)
    os.kill(os.getpid(), signal.SIGINT)
os.replace = rename_and_interrupt
from oraclesum.__main__ import run
run()
"""


@pytest.mark.parametrize("verb", ["merge", "report"])
def test_a_signal_when_the_file_is_in_place_changes_nothing(verb: str, tmp_path: Path) -> None:
    made = run_child([*COMMAND, "demo", "--max-words", "60", "-o", "made/", "-q"], cwd=tmp_path)
    assert made.returncode == 0
    command = [sys.executable, "-c", AFTER_RENAMING, verb, "made", "-o", "out", "-q"]
    done = run_child(command, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "out").stat().st_size


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        (["report", "made", "-q"], "interrupted: not all was written to standard output"),
        (["enumerate", "--help"], "interrupted"),
    ],
    ids=["report", "help"],
)
def test_what_was_stopped_while_it_was_written_is_not_said_to_be_unwritten(
    verb: list[str], said: str, tmp_path: Path
) -> None:
    if verb[1] == "made":
        made = run_child([*COMMAND, "demo", "--max-words", "60", "-o", "made/", "-q"], cwd=tmp_path)
        assert made.returncode == 0
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": tmp_path}
    # The pipe has room for less than is written, and nobody reads what is in it.
    with start_child([*COMMAND[:-1], *verb], pipesize=4096, **how) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        while not select.select([child.stdout], [], [], 1)[0]:
            assert child.poll() is None
        child.send_signal(signal.SIGINT)
        assert child.stderr.read().decode() == f"{said}\n"
        assert child.wait() == 130


def test_the_signal_decides_the_status_if_the_terminal_is_gone_too() -> None:
    ours, terminal = os.openpty()
    how = {"stdin": subprocess.PIPE, "stdout": terminal, "stderr": subprocess.PIPE}
    with start_child([*COMMAND, "-", *LIMIT], **how) as child:
        os.close(terminal)
        assert child.stdin is not None
        assert child.stderr is not None
        child.stdin.write(jsonl(GOOD, b"{"))
        child.stdin.flush()
        assert b"broken JSON" in child.stderr.readline()  # there is a row to show
        os.close(ours)
        child.send_signal(signal.SIGHUP)
        _, said = child.communicate()
    assert child.returncode == 129
    assert said == b"terminal closed: standard output: writing stopped: Input/output error\n"


# Takes SIGTERM for itself and is ended by it, as Ray is while it starts.
STAND_IN_FOR_RAY = """
import os, signal, sys

def is_initialized():
    return False

def init(**options):
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(number))
    os.kill(os.getpid(), signal.SIGTERM)
    print("started", flush=True)

def cluster_resources():
    return {}

def remote(**options):
    return lambda function: function

def shutdown():
    print("shut down", flush=True)
"""


def test_a_signal_while_ray_starts_is_heard_once_it_can_be_shut_down(tmp_path: Path) -> None:
    (tmp_path / "ray.py").write_text(STAND_IN_FOR_RAY)
    command = [*COMMAND, "demo", "--max-words", "60", "-o", "out/", "--engine", "ray"]
    done = run_child(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert done.returncode == 143
    assert done.stderr == b"out/: terminated: nothing was written; run it again\n"
    assert done.stdout == b"started\nshut down\n"


def test_reading_a_terminal_or_pipe_that_says_nothing_can_be_interrupted() -> None:
    how = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with start_child([*COMMAND, "-", *LIMIT], **how) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(jsonl(GOOD))
        child.stdin.flush()
        assert child.stdout.readline()
        child.send_signal(signal.SIGINT)
        _, said = child.communicate()
    assert child.returncode == 130
    assert said.startswith(b"interrupted: 1 topic done and written to standard output")


def test_a_signal_before_signals_are_heard_shows_no_traceback() -> None:
    program = """
import os, runpy, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "oraclesum.streams":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
runpy.run_module("oraclesum", run_name="__main__")
"""
    done = run_child([sys.executable, "-c", program], stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (130, b"")


@pytest.mark.parametrize("verb", ["upper-bound", "enumerate --summary"])
def test_a_result_that_is_not_written_leaves_no_file_in_the_way(verb: str, tmp_path: Path) -> None:
    sentences = [" ".join(f"w{(i * k) % 97}" for k in range(1, 30)) for i in range(400)]
    row = {"id": "long", "sentences": sentences, "references": [" ".join(sentences[::3])]}
    (tmp_path / "in.jsonl").write_bytes(jsonl(row))
    output = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "oraclesum", *verb.split(), tmp_path / "in.jsonl"]
    command += ["--objective", "rl-f1+r2-f1", "-o", output]
    with start_child(command, stderr=subprocess.PIPE) as child:
        while len(list(tmp_path.iterdir())) < 2:  # it writes under another name
            assert child.poll() is None
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        assert child.stderr is not None
        said = child.stderr.read()
        assert child.wait() == 130
    # The second if the signal comes between the opening of the file and the run's first record.
    assert b"no result was written" in said or said == b"interrupted: nothing was written\n"
    assert b"--resume" not in said
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def fail_after(content: bytes, error: BaseException, path: Path) -> None:
    with open_output(str(path), force=True) as stream:
        assert stream is not None
        assert path.exists()
        stream.write(content)
        stream.flush()
        raise error


@pytest.mark.parametrize("error", [Stopped(signal.SIGTERM), OSError("full"), InputError("usage")])
def test_an_output_to_which_nothing_was_written_is_not_left(
    error: Exception, tmp_path: Path
) -> None:
    path = tmp_path / "out.jsonl"
    with pytest.raises(type(error)):
        fail_after(b"", error, path)
    assert not path.exists()
    path.write_bytes(b"older\n")
    with pytest.raises(type(error)):
        fail_after(b"", error, path)
    assert path.read_bytes() == b"older\n"


def test_lines_that_were_written_before_a_signal_are_left(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with pytest.raises(Stopped):
        fail_after(b"a line\n", Stopped(signal.SIGTERM), path)
    assert path.read_bytes() == b"a line\n"


@pytest.mark.parametrize(("to", "resumes"), [("jsonl", True), ("presumm", False)])
def test_only_a_run_that_could_be_resumed_recommends_it(
    corpus: tuple[Path, bytes], to: str, resumes: bool
) -> None:
    lines = corpus[0].read_bytes()[: 1 << 20]  # more than a pipe has room for
    command = [sys.executable, "-m", "oraclesum", "labels", "-", "--max-sentences", "1", "--to", to]
    with start_child(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        child.stdin.write(lines[: lines.rindex(b"\n") + 1])
        child.stdin.flush()  # returns when most of it was read
        child.send_signal(signal.SIGTERM)
        _, said = child.communicate()
    assert child.returncode == 128 + signal.SIGTERM
    assert (b"--resume" in said) == resumes, said


SHOWING = """
import itertools, os, signal, sys, time
from oraclesum import stopping

stopping._PATIENCE = 0.2
if sys.argv[1] == "works":
    steps = itertools.count()
    stopping._find_work = lambda thread: next(steps)
else:
    stopping._find_work = lambda thread: 1.0
stopping.listen()
try:
    with stopping.interruptible():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(600)
except stopping.Stopped:
    with stopping.finishing():
        time.sleep(1 if sys.argv[1] == "works" else 600)
    stopping.leave(130, "shown")
"""


@pytest.mark.parametrize(("what", "said"), [("works", b"shown\n"), ("waits", b"")])
def test_what_is_done_is_shown_as_long_as_that_is_work_and_no_waiting(
    what: str, said: bytes
) -> None:
    done = run_child([sys.executable, "-c", SHOWING, what], stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (130, said)


def test_only_work_counts_as_work() -> None:
    thread = threading.get_ident()
    before = _find_work(thread)
    while _find_work(thread) == before:
        pass
    assert _find_work(thread) > before


INTERRUPTED_TABLE = """
import os, signal, sys
from oraclesum.report.tables import RecordTable

def stop(table):
    os.kill(os.getpid(), signal.SIGINT)
    print("still here")

RecordTable.print = stop
sys.argv = ["oraclesum", "enumerate", "demo", "--max-words", "60", "-q"]
from oraclesum.__main__ import run
run()
"""


def test_a_table_that_is_shown_at_the_end_can_be_interrupted() -> None:
    shown, terminal = os.openpty()
    command = [sys.executable, "-c", INTERRUPTED_TABLE]
    done = run_child(command, stdout=terminal, stderr=subprocess.PIPE)
    os.close(terminal)
    assert done.returncode == 130
    with open(shown, "rb", buffering=0) as screen, pytest.raises(OSError, match="Input/output"):
        screen.read(1)  # nothing was written before the other end was closed
    assert done.stderr == (
        b"interrupted: 6 topics done, but not all of the output was shown; -o FILE keeps it\n"
    )
