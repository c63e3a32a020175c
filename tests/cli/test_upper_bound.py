"""`upper-bound` writes the oracle row, in every form, and says what was maximised."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import oraclesum
from cli.corpus import GOOD, call, jsonl, records
from oraclesum.answers.answerer import write_row
from oraclesum.cli.settings import Settings
from oraclesum.cli.verbs.upper_bound import Table
from oraclesum.rouge.printed import PrintedScorer

LIMIT = ("--max-sentences", "2")


def test_rows_are_the_means_of_the_texts() -> None:
    rows = records(call("upper-bound", "-", *LIMIT, data=jsonl(GOOD)).stdout)
    family = oraclesum.enumerate_oracles(
        GOOD["sentences"], GOOD["references"], rouge="r1-f1+r2-f1", max_sentences=2
    )
    scorer = PrintedScorer(GOOD["sentences"], GOOD["references"], "rouge-score")
    wanted = [scorer.score(member)["r2"].f1 for member in family]
    (oracle,) = [r for r in rows if (r["style"], r["row"]) == ("rouge-score", "oracle")]
    assert oracle["r2"]["f1"]["mean"] == pytest.approx(sum(wanted) / len(wanted))
    assert {row["row"] for row in rows} == {
        "oracle",
        "smallest",
        "largest",
        "greedy",
        *(f"system {name}" for name in GOOD["systems"]),
    }
    assert "Oracle summaries maximise r1-f1+r2-f1" in oracle["methods"]
    assert "at most 2 sentences" in oracle["methods"]
    assert "For all 1 documents the optimum was proven" in oracle["methods"]


@pytest.mark.parametrize(
    ("to", "parts"),
    [
        ("markdown", ["| oracle |", "```bibtex", "F1: RLsum"]),
        ("latex", [r"\toprule", "oracle &", "% Oracle & ", "% @inproceedings{hirao"]),
    ],
)
def test_tables_for_papers(to: str, parts: list[str]) -> None:
    done = call("upper-bound", "-", *LIMIT, "--to", to, data=jsonl(GOOD))
    assert done.exit_code == 0
    for part in parts:
        assert part in done.stdout


def test_a_preset_brings_its_limits() -> None:
    row, *_ = records(call("upper-bound", "-", "--objective", "presumm", data=jsonl(GOOD)).stdout)
    assert "limit:sentences<=3" in row["signature"]
    assert "tok:presumm" in row["signature"]


def test_json_is_one_object() -> None:
    done = call("upper-bound", "-", *LIMIT, "--to", "json", data=jsonl(GOOD, {"id": "bad"}))
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert found["documents"] == found["proven"] == 1
    assert len(found["errors"]) == 1
    assert {row["row"] for row in found["rows"]} >= {"oracle", "greedy"}


def test_a_terminal_gets_json_if_it_asks_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(Settings(to="json"))
    for record in oraclesum.upper_bound([GOOD], max_sentences=2).to_records():
        table.write(write_row(record))
    table.close()
    assert json.loads(capsys.readouterr().out)["documents"] == 1


def test_the_verb_and_the_call_give_the_same_rows(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(jsonl(GOOD))
    rows = records(call("upper-bound", str(path), *LIMIT).stdout)
    assert rows == oraclesum.upper_bound(path, max_sentences=2).to_records()
