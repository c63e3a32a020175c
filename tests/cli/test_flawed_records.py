"""A record with one bad entry: the entry is told and lost, and nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.corpus import GOOD, call, jsonl, records, run_process

LIMIT = ("--max-words", "8")
BAD_SYSTEM = {**GOOD, "systems": {**GOOD["systems"], "bad": [0, 99]}}
BAD_GRADE = {**GOOD, "human": {"first": {"grade": 1}, "text": {"grade": "high"}}}
REASON = "<stdin>:1: systems['bad'][1] is 99, but the sentences are numbered 0 to 2"


@pytest.mark.parametrize("verb", ["enumerate", "extract", "count", "compare", "labels"])
@pytest.mark.parametrize(
    "flawed", [BAD_SYSTEM, BAD_GRADE, {**GOOD, "systems": []}, {**GOOD, "human": 3}]
)
def test_a_verb_that_uses_neither_systems_nor_grades_warns_and_goes_on(
    verb: str, flawed: dict[str, Any]
) -> None:
    done = call(verb, "-", *LIMIT, "-q", data=jsonl(flawed))
    assert done.exit_code == 0
    assert all(record["status"] != "error" for record in records(done.stdout))
    (line,) = done.stderr.splitlines()
    assert line.startswith("<stdin>:1: warning: ")


@pytest.mark.parametrize(("verb", "limit"), [("evaluate", LIMIT), ("score", ())])
def test_one_bad_system_is_an_error_beside_the_others(verb: str, limit: tuple[str, ...]) -> None:
    done = call(verb, "-", *limit, "-q", data=jsonl(BAD_SYSTEM))
    assert done.exit_code == 1
    rows = [row for row in records(done.stdout) if row["status"] != "average"]
    assert rows[0] == {"id": "cats", "system": "bad", "status": "error", "error": REASON}
    assert [row["system"] for row in rows[1:]] == ["first", "texts", "text"]
    assert all(row["status"] == "complete" for row in rows[1:])
    assert done.stderr.splitlines().count(REASON) == 1
    assert "warning" not in done.stderr


@pytest.mark.parametrize(("verb", "limit"), [("evaluate", LIMIT), ("score", ())])
def test_systems_that_are_no_object_are_one_error(verb: str, limit: tuple[str, ...]) -> None:
    done = call(verb, "-", *limit, "-q", data=jsonl({**GOOD, "systems": ["a"]}))
    assert done.exit_code == 1
    (row,) = records(done.stdout)
    assert row["error"] == "<stdin>:1: `systems` must be an object, not a list"


def test_text_beside_sentences_is_ignored_with_a_warning() -> None:
    both = call("enumerate", "-", *LIMIT, data=jsonl({**GOOD, "text": "Something else."}))
    alone = call("enumerate", "-", *LIMIT, data=jsonl(GOOD))
    assert both.stdout == alone.stdout
    warning = "<stdin>:1: warning: `text` is ignored: the record has `sentences`"
    assert warning in both.stderr.splitlines()


def test_an_empty_oracle_is_explained_once() -> None:
    done = call("extract", "-", *LIMIT, "-q", data=jsonl({**GOOD, "references": ["Not shared"]}))
    (line,) = done.stderr.splitlines()
    assert "no sentence shares an n-gram" in line
    assert records(done.stdout)[0]["rouge"]["hits"] == 0


@pytest.mark.parametrize(("magic", "kind"), [(b"PAR1", "Parquet"), (b"ARROW1\0\0", "Arrow")])
def test_a_table_on_standard_input_is_one_clear_error(magic: bytes, kind: str) -> None:
    done = run_process("enumerate", "-", *LIMIT, data=magic + b"\x15\x04\n\x15" * 40 + magic)
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"is {kind}, which cannot be piped; save it to a file".encode() in done.stderr


def test_a_table_under_the_name_of_lines_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    path.write_bytes(b"PAR1\x15\x04\n\x15\nPAR1")
    done = call("enumerate", path, *LIMIT)
    assert (done.exit_code, done.stdout) == (2, "")
    assert (
        "is Parquet, not JSON lines; to read it as a corpus, give --format parquet" in done.stderr
    )


def test_the_help_of_count_promises_one_limit_only() -> None:
    assert "Exactly one limit is needed" in " ".join(call("count", "--help").stdout.split())
    assert "can be combined" in " ".join(call("enumerate", "--help").stdout.split())
