"""How a run behaves: pipes, files, terminals, several processes, Ctrl-C."""

from __future__ import annotations

import gzip
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from children import run_child, start_child
from cli.corpus import GOOD, call, jsonl, records, run_process, run_with_room

COMMAND = [sys.executable, "-m", "oraclesum"]
LIMIT = ("--max-words", "8")


def on_terminal(*arguments: str, columns: int = 100) -> str:
    """What a terminal shows of a run, without colours."""
    parent, child = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm", "NO_COLOR": "1"}
    with start_child(
        [*COMMAND, *arguments], stdout=child, stderr=child, env=environment
    ) as process:
        os.close(child)
        shown = b""
        while True:
            try:
                part = os.read(parent, 65536)
            except OSError:  # Linux says EIO where the other side has closed
                break
            if not part:
                break
            shown += part
        os.close(parent)
        assert process.wait() in (0, 1)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode()).replace("\r", "")


def test_a_pipe_gets_json_lines_and_messages_go_to_standard_error() -> None:
    done = run_process("enumerate", "demo", "--max-words", "60")
    assert done.returncode == 0
    assert len(records(done.stdout)) == 6
    assert b"6 topics in" in done.stderr
    assert b"ROUGE-2 recall, stems, stop words kept" in done.stderr
    assert b"\x1b" not in done.stdout + done.stderr


def test_quiet_leaves_only_errors_on_standard_error() -> None:
    good = call("enumerate", "-", *LIMIT, "--quiet", data=jsonl(GOOD))
    assert good.stderr == ""
    bad = call("enumerate", "-", *LIMIT, "--quiet", data=jsonl(GOOD, b"{"))
    assert bad.stderr.count("\n") == 1


def test_a_terminal_gets_an_aligned_table_and_a_closing_line() -> None:
    shown = on_terminal("enumerate", "demo", "--max-words", "60")
    lines = shown.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("harbour"))
    table = lines[start : start + 6]
    assert [line.split()[0] for line in table] == [
        "harbour",
        "manuscript",
        "cargo-bikes",
        "volcano",
        "football-club",
        "night-train",
    ]
    assert len({line.index("complete") for line in table}) == 1
    assert len({line.index(".") for line in table}) == 1
    assert all(re.search(r" 0\.\d{5} ", line) for line in table)
    assert "mean ROUGE-2 recall 0." in shown
    assert "at most 60 words, all references" in shown
    assert "{" not in shown


@pytest.mark.parametrize("verb", ["extract", "score", "count", "compare"])
def test_every_verb_has_something_to_read_on_a_terminal(verb: str) -> None:
    limit = [] if verb == "score" else ["--max-words", "60"]
    shown = on_terminal(verb, "demo", *limit)
    assert "harbour" in shown
    assert "6 topics in" in shown
    assert "{" not in shown


def test_a_narrow_terminal_cuts_names_and_no_numbers() -> None:
    shown = on_terminal("enumerate", "demo", "--max-words", "60", columns=68)
    assert re.search(r"foo\w*…\w*ub", shown)  # both ends: names often differ in the last letters
    assert len(re.findall(r" 0\.\d{5} ", shown)) == 6


def test_errors_keep_their_place_in_the_table(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(jsonl(GOOD, b"{", {**GOOD, "id": "last"}))
    lines = on_terminal("enumerate", str(path), *LIMIT, columns=200).splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("cats"))
    assert lines[first + 1].split() == ["in.jsonl:2", "error"]
    assert lines[first + 2].startswith("last")
    assert any(f"{path}:2: broken JSON" in line for line in lines)


def test_output_to_a_file_is_the_same_as_to_a_pipe(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = call("enumerate", "demo", "--max-words", "60", "-o", out)
    assert done.stdout == ""
    assert out.read_text() == call("enumerate", "demo", "--max-words", "60").stdout


def test_gzipped_standard_input_is_read() -> None:
    done = run_process("enumerate", "-", *LIMIT, data=gzip.compress(jsonl(GOOD)))
    assert [row["id"] for row in records(done.stdout)] == ["cats"]


@pytest.mark.parametrize("verb", ["enumerate", "extract"])
def test_two_jobs_write_the_same_as_one(verb: str, tmp_path: Path) -> None:
    rows = [b"{" if i % 7 == 3 else {**GOOD, "id": str(i)} for i in range(30)]
    path = tmp_path / "in.jsonl"
    path.write_bytes(jsonl(*rows))
    one = run_process(verb, path, *LIMIT, "--jobs", "1")
    two = run_process(verb, path, *LIMIT, "--jobs", "2")
    assert one.returncode == two.returncode == 1
    assert one.stdout == two.stdout
    assert len(records(one.stdout)) == 30
    assert one.stderr.splitlines()[:-2] == two.stderr.splitlines()[:-2]


def test_a_slow_pipe_is_answered_record_by_record() -> None:
    with start_child(
        [*COMMAND, "enumerate", "-", *LIMIT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        for name in ("a", "b"):
            process.stdin.write(jsonl({**GOOD, "id": name}))
            process.stdin.flush()
            assert records(process.stdout.readline())[0]["id"] == name
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_stops_at_once_and_keeps_what_was_done(jobs: str, tmp_path: Path) -> None:
    # The third topic keeps the paper's method busy for ages; the first two are done by then.
    words = [f"w{i}" for i in range(60)]
    hard = {
        "id": "hard",
        "sentences": [f"{a} {b} {c}" for a in words for b in words[:9] for c in words[:9]],
        "references": [" ".join(words), " ".join(reversed(words)), " ".join(words[::2])],
    }
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(jsonl(GOOD, {**GOOD, "id": "second"}, hard, {**GOOD, "id": "never"}))
    options = ["--rouge", "1", "--max-words", "30", "--method", "exhaustive", "--jobs", jobs]
    with start_child(
        [*COMMAND, "enumerate", str(path), *options, "-o", str(out)], stderr=subprocess.PIPE
    ) as process:
        while not out.exists() or out.read_bytes().count(b"\n") < 2:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.stderr
        message = process.stderr.read().decode()
        assert process.wait() == 130
    assert [row["id"] for row in records(out.read_bytes())] == ["cats", "second"]
    assert f"interrupted: 2 topics done and written to {out}" in message
    assert "--resume" in message
    assert message.count("\n") == 1


def test_a_reader_that_leaves_early_is_no_trouble() -> None:
    with start_child(
        [*COMMAND, "enumerate", "-", *LIMIT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(jsonl(GOOD))
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(jsonl({**GOOD, "id": "more"}))
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_full_disk_is_told_in_one_line(jobs: str) -> None:
    done = run_process("enumerate", "demo", "--max-words", "60", "--jobs", jobs, "-o", "/dev/full")
    assert done.returncode == 1
    assert done.stderr == b"/dev/full: writing stopped: No space left on device\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_on_a_full_disk_a_file_of_lines_ends_with_a_whole_one(jobs: str, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    words = ("enumerate", "demo", "--max-words", "60", "--jobs", jobs, "-q", "-o")
    assert run_process(*words, str(whole)).returncode == 0
    lines = whole.read_bytes().splitlines(keepends=True)
    room = sum(map(len, lines[:3])) + len(lines[3]) // 2
    done = run_with_room(room, *words, cut)
    assert done.returncode == 1
    assert done.stderr.decode() == f"{cut}: writing stopped: File too large\n"
    kept = cut.read_bytes()
    assert kept == b"".join(lines[: kept.count(b"\n")])


def test_there_is_no_bar_where_the_reader_of_our_output_may_write_to_the_same_terminal() -> None:
    parent, child = pty.openpty()
    command = [*COMMAND, "enumerate", "demo", "--max-words", "60"]
    assert run_child(command, stderr=child).returncode == 0
    os.close(child)
    assert os.read(parent, 65536).startswith(b"6 topics in ")
    os.close(parent)
