"""The standard streams in every state a shell can start the command with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from children import run_child
from cli.corpus import GOOD, jsonl, records

COMMAND = f"{sys.executable} -m oraclesum"
LIMIT = "--max-words 8"
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


def shell(line: str, folder: Path, **changes: str) -> subprocess.CompletedProcess[bytes]:
    """A line of the shell; other tests' settings of the environment do not reach it."""
    environment = {**os.environ, **changes}
    return run_child(["sh", "-c", line], cwd=folder, env=environment)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an input whose second record is broken."""
    row = {**GOOD, "id": "Bär — 中", "sentences": [*GOOD["sentences"], "Der Bär schläft — 中."]}
    (tmp_path / "in.jsonl").write_bytes(jsonl(row, b"{"))
    return tmp_path


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_file_gets_every_record_whatever_streams_are_closed(
    closed: str, jobs: int, folder: Path
) -> None:
    line = f"{COMMAND} enumerate in.jsonl {LIMIT} --jobs {jobs}"
    done = shell(f"{line} -o out.jsonl {closed}", folder)
    assert done.returncode == 1  # of the broken record
    written = (folder / "out.jsonl").read_bytes()
    assert [row["status"] for row in records(written)] == ["complete", "error"]
    assert done.stdout == b""
    assert (b"in.jsonl:2: broken JSON" in done.stderr) == ("2>" not in closed)
    if jobs == 1:
        done = shell(f"{line} -o out/ {closed}", folder)
        assert done.returncode == 1
        assert (folder / "out" / "part-00000000.jsonl").read_bytes() == written


def test_messages_do_not_get_into_the_data_if_standard_error_is_closed(folder: Path) -> None:
    done = shell(f"{COMMAND} enumerate in.jsonl {LIMIT} 2>&-", folder)
    assert [row["status"] for row in records(done.stdout)] == ["complete", "error"]


@pytest.mark.parametrize("errors", [pytest.param("full", marks=FULL), "left"])
@pytest.mark.parametrize("output", ["", "-o out.jsonl", "-o out/", "--jobs 2"])
def test_messages_that_cannot_be_written_cost_no_result(
    errors: str, output: str, folder: Path
) -> None:
    reading, writing = os.pipe() if errors == "left" else [os.open("/dev/full", os.O_RDWR)] * 2
    if errors == "left":
        os.close(reading)
    arguments = ["enumerate", "in.jsonl", *LIMIT.split(), *output.split()]
    command = [sys.executable, "-m", "oraclesum", *arguments]
    try:
        done = run_child(command, cwd=folder, stderr=writing)
    finally:
        os.close(writing)
    assert done.returncode == 1  # of the broken record
    written = done.stdout
    if "-o" in output:
        name = "out.jsonl" if "jsonl" in output else "out/part-00000000.jsonl"
        written = (folder / name).read_bytes()
    assert [row["status"] for row in records(written)] == ["complete", "error"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (f"enumerate in.jsonl {LIMIT} >&-", b"standard output: writing stopped: Bad file"),
        ("--help >&-", b"standard output: writing stopped: Bad file"),
        (f"enumerate in.jsonl {LIMIT} -o /dev/stdout >&-", b"standard output: writing stopped"),
        (f"count in.jsonl {LIMIT} -o /dev/fd/1 >&-", b"standard output: writing stopped: Bad file"),
        (f"enumerate - {LIMIT} <&-", b"standard input cannot be read: Bad file descriptor"),
        pytest.param("--help > /dev/full", b"standard output: writing stopped: No", marks=FULL),
        pytest.param("--version > /dev/full", b"standard output: writing stopped: No", marks=FULL),
        pytest.param(
            "score in.jsonl > /dev/full", b"standard output: writing stopped: No", marks=FULL
        ),
    ],
)
def test_a_stream_that_cannot_be_used_is_told_in_one_line(
    arguments: str, message: bytes, folder: Path
) -> None:
    done = shell(f"{COMMAND} {arguments}", folder)
    assert done.returncode in (1, 2)
    assert done.stdout == b""
    assert message in done.stderr
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(message) == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments", ["enumerate demo --max-words 60 -q", "merge made -o - -q", "report made -q"]
)
def test_output_that_is_cut_short_is_told(arguments: str, unbuffered: str, folder: Path) -> None:
    assert shell(f"{COMMAND} enumerate demo --max-words 60 -o made/ -q", folder).returncode == 0
    whole = shell(f"{COMMAND} {arguments}", folder).stdout
    assert len(whole) > 512
    # The first write takes what there is room for, and does not fail.
    limited = f"ulimit -f 1; {COMMAND} {arguments} > out"
    done = shell(limited, folder, PYTHONUNBUFFERED=unbuffered, PYTHONDONTWRITEBYTECODE="1")
    assert done.stderr == b"standard output: writing stopped: File too large\n"
    assert done.returncode == 1
    assert whole.startswith((folder / "out").read_bytes())


def test_a_folder_without_room_is_not_called_standard_output(folder: Path) -> None:
    options = "--max-words 20 --systems none --objectives none --baseline-time-limit 0 -q"
    limited = f"ulimit -f 1; {COMMAND} reproduce demo --human coverage {options} -o tables"
    done = shell(limited, folder, PYTHONDONTWRITEBYTECODE="1")
    assert done.stderr == b"tables: writing stopped: File too large\n"
    assert done.returncode == 1


@pytest.mark.parametrize("limit", [5, 6, 7, 8, 9])
def test_too_few_open_files_are_not_blamed_on_the_output(limit: int, folder: Path) -> None:
    done = shell(f"ulimit -n {limit}; {COMMAND} enumerate in.jsonl {LIMIT}", folder)
    assert done.returncode in (1, 2)
    assert b"writing stopped" not in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_reader_that_has_left_is_told_nothing(folder: Path) -> None:
    line = f"{COMMAND} enumerate demo --max-words 60 --quiet; echo $? >&2"
    done = shell(f"({line}) | true", folder)
    assert done.stderr in (b"141\n", b"0\n")  # it may have written all before


@pytest.mark.parametrize(
    "changes",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1:strict"},
    ],
    ids=str,
)
@pytest.mark.parametrize("verb", ["enumerate", "extract", "score", "count", "compare", "labels"])
def test_any_text_can_be_shown_in_any_encoding(
    verb: str, changes: dict[str, str], folder: Path
) -> None:
    limit = "" if verb == "score" else LIMIT
    (folder / "in.jsonl").rename(folder / "Bär.jsonl")
    done = shell(f"{COMMAND} {verb} Bär.jsonl {limit}", folder, **changes)
    assert done.returncode == 1, done.stderr
    assert b"Traceback" not in done.stderr
    assert "Bär — 中" in done.stdout.decode("utf-8")  # data is UTF-8 everywhere
    assert b"r.jsonl:2: broken JSON" in done.stderr
