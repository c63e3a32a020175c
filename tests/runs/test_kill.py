"""The command killed without warning in the middle, and gone on with, writes what it would have."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import orjson
import pytest

from children import run_child, start_child
from runs.documents import make_documents, write_lines

SHARDS = 60


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """An input, and the output of an undisturbed run."""
    folder = tmp_path_factory.mktemp("corpus")
    lines = write_lines(folder / "in.jsonl", make_documents(SHARDS * 10, sentences=30))
    assert finish(lines, folder / "out")[0] == 0
    return lines, merge(folder / "out", folder / "one.jsonl")


def start(
    lines: Path, out: Path | str, *options: str, by: Sequence[str] = ()
) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """A run into a folder; `by` is a command that starts it."""
    command = [*by, sys.executable, "-m", "oraclesum", "enumerate", str(lines), "-o", f"{out}/"]
    command += ["--max-words", "14", "--shard-size", "10", "--jobs", "2", *options]
    return start_child(command, stderr=subprocess.PIPE)


def finish(lines: Path, out: Path | str, *options: str, by: Sequence[str] = ()) -> tuple[int, str]:
    """The exit status of a run, and what it said."""
    with start(lines, out, *options, by=by) as process:
        _, said = process.communicate()
    return process.returncode, said.decode()


def merge(out: Path, one: Path) -> bytes:
    done = run_child([sys.executable, "-m", "oraclesum", "merge", out, "-o", one])
    assert done.returncode == 0, done.stderr
    return one.read_bytes()


def count_shards(out: Path) -> int:
    return len(list(out.glob("part-*"))) if out.exists() else 0


def test_killed_at_ten_random_moments_it_loses_and_repeats_nothing(
    corpus: tuple[Path, bytes], tmp_path: Path
) -> None:
    lines, wanted = corpus
    draw = random.Random(1)
    kills = 0
    for wait_for in sorted(draw.sample(range(SHARDS - 5), 10)):
        with start(lines, tmp_path / "out", "--resume") as process:
            while process.poll() is None and count_shards(tmp_path / "out") < wait_for:
                time.sleep(0.001)
            time.sleep(draw.uniform(0, 0.01))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
            process.communicate()
    status, said = finish(lines, tmp_path / "out", "--resume")
    assert status == 0, said
    assert kills >= 8  # a run may come to its end while the clock is looked at
    assert merge(tmp_path / "out", tmp_path / "one.jsonl") == wanted
    assert count_shards(tmp_path / "out") == SHARDS
    assert not list((tmp_path / "out").glob(".*.tmp"))


def test_workers_end_with_the_process_that_was_killed(
    corpus: tuple[Path, bytes], tmp_path: Path
) -> None:
    lines, _ = corpus
    with start(lines, tmp_path / "out", "--quiet") as process:
        while count_shards(tmp_path / "out") == 0:
            time.sleep(0.001)
        process.kill()
        process.communicate()  # its standard error is closed when the last worker has ended
        before = count_shards(tmp_path / "out")
        time.sleep(0.2)
        assert count_shards(tmp_path / "out") == before


@pytest.mark.parametrize(
    ("sent", "status", "word"),
    [
        (signal.SIGINT, 130, "interrupted"),
        (signal.SIGTERM, 143, "terminated"),
        (signal.SIGHUP, 129, "terminal closed"),
    ],
)
def test_interrupted_it_says_how_to_go_on(
    corpus: tuple[Path, bytes], tmp_path: Path, sent: signal.Signals, status: int, word: str
) -> None:
    lines, wanted = corpus
    with start(lines, tmp_path / "out") as process:
        while count_shards(tmp_path / "out") == 0:
            time.sleep(0.001)
        os.killpg(process.pid, sent)
        _, said = process.communicate()
    if process.returncode:  # it may have come to its end before it heard
        assert process.returncode == status
        (line,) = said.decode().splitlines()
        assert re.fullmatch(
            rf"{tmp_path}/out/: {word}: \d+ shards? with \d+ documents? written; "
            "run the same command with --resume to continue",
            line,
        )
        shards = int(line.split(": ")[2].split()[0])
        known = orjson.loads((tmp_path / "out" / "_manifest.json").read_bytes())
        assert len(known["shards"]) == shards
    assert finish(lines, tmp_path / "out", "--resume")[0] == 0
    assert merge(tmp_path / "out", tmp_path / "one.jsonl") == wanted


@pytest.mark.parametrize("address", ["", "file://"])
def test_without_room_it_says_so_and_goes_on_later(
    corpus: tuple[Path, bytes], tmp_path: Path, address: str
) -> None:
    lines, wanted = corpus
    out = f"{address}{tmp_path}/out"

    little_room = (
        "import os, resource as r, sys; r.setrlimit(r.RLIMIT_FSIZE, (2000, r.RLIM_INFINITY)); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    status, said = finish(lines, out, by=[sys.executable, "-c", little_room])
    assert status == 1
    assert re.search("writing stopped: File too large: .*--resume to continue", said)
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "out" / "part-00000000.jsonl").exists()  # whole or not at all
    status, said = finish(lines, out, "--resume", "--progress", "json")
    assert status == 0, said
    reports = [orjson.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert reports, said
    assert reports[-1]["documents"] == SHARDS * 10
    assert merge(tmp_path / "out", tmp_path / "one.jsonl") == wanted


def test_a_folder_option_without_a_folder_is_wrong_usage(corpus: tuple[Path, bytes]) -> None:
    command = [sys.executable, "-m", "oraclesum", "enumerate", str(corpus[0]), "--resume"]
    done = run_child([*command, "--max-words", "9"])
    assert done.returncode == 2
    assert b"--resume needs a folder to write to" in done.stderr


def test_a_folder_holds_the_records_of_a_single_file(
    corpus: tuple[Path, bytes], tmp_path: Path
) -> None:
    lines, wanted = corpus
    command = [sys.executable, "-m", "oraclesum", "enumerate", str(lines), "--max-words", "14"]
    assert run_child([*command, "-o", tmp_path / "flat.jsonl", "--quiet"]).returncode == 0
    assert (tmp_path / "flat.jsonl").read_bytes() == wanted
