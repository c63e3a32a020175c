"""`upper-bound` writes the oracle row, in every form, and says what was maximised."""

from __future__ import annotations

import pytest

import oraclesum
from cli.corpus import GOOD, call, jsonl, records
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
        ("latex", [r"\toprule", "oracle &", "% @inproceedings{hirao"]),
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
