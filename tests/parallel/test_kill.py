"""The command killed without warning in the middle, and gone on with, writes what it would have."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import orjson
import pytest

from parallel.documents import make_documents, write_lines

SHARDS = 60


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """An input, and the output of an undisturbed run."""
    folder = tmp_path_factory.mktemp("corpus")
    lines = write_lines(folder / "in.jsonl", make_documents(SHARDS * 10, sentences=30))
    first = start(lines, folder / "out")
    first.communicate()
    assert first.returncode == 0
    return lines, merge(folder / "out", folder / "one.jsonl")


def start(lines: Path, out: Path, *options: str, **how: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "oraclesum", "enumerate", str(lines), "-o", f"{out}/"]
    command += ["--max-words", "14", "--shard-size", "10", "--jobs", "2", *options]
    return subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True, **how)


def merge(out: Path, one: Path) -> bytes:
    command = [sys.executable, "-m", "oraclesum", "merge", str(out), "-o", str(one)]
    subprocess.run(command, check=True, capture_output=True)
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
        process = start(lines, tmp_path / "out", "--resume")
        while process.poll() is None and count_shards(tmp_path / "out") < wait_for:
            time.sleep(0.001)
        time.sleep(draw.uniform(0, 0.01))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.communicate()
    last = start(lines, tmp_path / "out", "--resume")
    _, said = last.communicate()
    assert last.returncode == 0, said.decode()
    assert kills >= 8  # a run may come to its end while the clock is looked at
    assert merge(tmp_path / "out", tmp_path / "one.jsonl") == wanted
    assert count_shards(tmp_path / "out") == SHARDS
    assert not list((tmp_path / "out").glob(".*.tmp"))


def test_workers_end_with_the_process_that_was_killed(
    corpus: tuple[Path, bytes], tmp_path: Path
) -> None:
    lines, _ = corpus
    process = start(lines, tmp_path / "out", "--quiet")
    while count_shards(tmp_path / "out") == 0:
        time.sleep(0.001)
    process.kill()
    process.communicate()  # its standard error is closed when the last worker has ended
    before = count_shards(tmp_path / "out")
    time.sleep(0.2)
    assert count_shards(tmp_path / "out") == before


@pytest.mark.parametrize(
    ("sent", "status", "word"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_interrupted_it_says_how_to_go_on(
    corpus: tuple[Path, bytes], tmp_path: Path, sent: signal.Signals, status: int, word: str
) -> None:
    lines, wanted = corpus
    process = start(lines, tmp_path / "out")
    while count_shards(tmp_path / "out") == 0:
        time.sleep(0.001)
    os.killpg(process.pid, sent)
    _, said = process.communicate()
    if process.returncode:  # it may have come to its end before it heard
        assert process.returncode == status
        assert said.decode().splitlines() == [f"{word}; --resume goes on from here"]
    last = start(lines, tmp_path / "out", "--resume")
    last.communicate()
    assert last.returncode == 0
    assert merge(tmp_path / "out", tmp_path / "one.jsonl") == wanted


def test_without_room_it_says_so_and_goes_on_later(
    corpus: tuple[Path, bytes], tmp_path: Path
) -> None:
    lines, wanted = corpus

    def leave_little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))

    process = start(lines, tmp_path / "out", preexec_fn=leave_little_room)
    _, said = process.communicate()
    assert process.returncode == 1
    assert "writing stopped: File too large; --resume goes on from here" in said.decode()
    last = start(lines, tmp_path / "out", "--resume", "--progress", "json")
    _, said = last.communicate()
    assert last.returncode == 0, said
    reports = [orjson.loads(line) for line in said.splitlines() if line.startswith(b"{")]
    assert reports, said
    assert reports[-1]["documents"] == SHARDS * 10
    assert merge(tmp_path / "out", tmp_path / "one.jsonl") == wanted


def test_a_folder_option_without_a_folder_is_wrong_usage(corpus: tuple[Path, bytes]) -> None:
    command = [sys.executable, "-m", "oraclesum", "enumerate", str(corpus[0]), "--resume"]
    done = subprocess.run([*command, "--max-words", "9"], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"--resume needs a folder to write to" in done.stderr


def test_a_folder_holds_the_records_of_a_single_file(
    corpus: tuple[Path, bytes], tmp_path: Path
) -> None:
    lines, wanted = corpus
    command = [sys.executable, "-m", "oraclesum", "enumerate", str(lines), "--max-words", "14"]
    subprocess.run([*command, "-o", str(tmp_path / "flat.jsonl"), "--quiet"], check=True)
    assert (tmp_path / "flat.jsonl").read_bytes() == wanted
