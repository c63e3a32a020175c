"""The share of the oracle is one number, wherever it is shown."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.corpus import GOOD, call, jsonl, records
from oraclesum.evaluation.share import average_shares, measure_share
from oraclesum.report.page.facts import CaseFacts, Facts, read_objective
from oraclesum.report.page.gathering import gather_facts
from oraclesum.report.page.headline import render_headline
from oraclesum.report.page.ranking import average_cases
from oraclesum.report.page.records import load_results
from oraclesum.report.page.room import chart_room
from report.results import SIGNATURE

# Totals and shares differ from topic to topic, so that a mean of ratios is no ratio of means.
LONG = {
    "id": "long",
    "sentences": ["Old ships left the harbour at dawn.", "Few of them returned.", "Rain fell."],
    "references": ["Old ships left the harbour at dawn. Few of them returned. Rain fell again."],
    "systems": {"first": [1], "text": "Rain fell."},
}
NOTHING = {**LONG, "id": "nothing", "references": ["Unrelated words entirely."]}


def test_a_share_is_undefined_without_hits_of_the_oracle() -> None:
    assert measure_share(1, 4) == 0.25
    assert measure_share(0, 0) is None


def test_references_of_a_topic_are_averaged_before_topics() -> None:
    assert average_shares([[0.2, 0.4, None], [0.9], [None]]) == pytest.approx(0.6)
    assert average_shares([[None], []]) is None


@pytest.mark.parametrize("references", ["multi", "single"])
def test_the_closing_table_and_the_report_have_the_same_share(
    tmp_path: Path, references: str
) -> None:
    path = tmp_path / "evaluated.jsonl"
    options = ("--max-words", "7", "--references", references, "--draws", "2")
    done = call("evaluate", "-", *options, "-o", path, data=jsonl(GOOD, LONG, NOTHING))
    assert done.exit_code == 0, done.stderr
    rows = records(path.read_bytes())
    averages = {row["system"]: row["share"] for row in rows if row["status"] == "average"}
    by_hand: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        if row["status"] != "average" and row["oracle"]["hits"]:
            shares = by_hand.setdefault(row["system"], {}).setdefault(row["id"], [])
            shares.append(row["objective_hits"] / row["oracle"]["hits"])
    for system, topics in by_hand.items():
        means = [sum(shares) / len(shares) for shares in topics.values()]
        assert averages[system] == pytest.approx(sum(means) / len(means))
    assert [row["share"] for row in rows if row.get("id") == "nothing"] == [None, None]

    facts = gather_facts([load_results(path)])
    ((objective, by_key),) = facts.cases.items()
    cases = list(by_key.values())
    assert {each.name: each.share for each in average_cases(cases)} == pytest.approx(averages)
    chart = chart_room(cases, "room", objective)
    assert chart is not None
    column = [head.name for head in chart.numbers.heads].index("share of oracle")
    shown = {row[0].value: row[column].value for row in chart.numbers.rows}
    assert shown == pytest.approx({"Oracle": 1.0, **averages})


def test_the_headline_and_the_chart_give_greedy_the_same_share() -> None:
    cases = [
        CaseFacts(
            id="a", reference=None, status="complete", hits=4, total=100, count=1, greedy_hits=1
        ),
        CaseFacts(
            id="b", reference=None, status="complete", hits=4, total=5, count=1, greedy_hits=4
        ),
    ]
    found = read_objective(SIGNATURE, single=False)
    assert found is not None
    objective = found[0]
    facts = Facts(
        cases={objective: {case.key: case for case in cases}}, labels={objective: "ROUGE-2"}
    )
    chart = chart_room(cases, "room", objective)
    assert chart is not None
    assert "Greedy 0.405 · 62%" in chart.description
    assert "<b>62%</b>" in render_headline(facts)


@given(st.integers(0, 2**60), st.integers(1, 2**60))
def test_share_of_hits_is_that_of_their_fraction(hits: int, oracle: int) -> None:
    assert measure_share(hits, oracle) == float(Fraction(hits, oracle))
