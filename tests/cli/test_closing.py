"""The closing lines of a run: each topic counts once, and the median is the median."""

from __future__ import annotations

import re
from statistics import fmean

import pytest

from cli.corpus import GOOD, call, jsonl, records
from oraclesum.answers import Written
from oraclesum.answers.answerer import write_row
from oraclesum.cli.closing import Closing
from oraclesum.cli.settings import Settings

TWO = jsonl(GOOD, {**GOOD, "id": "dogs", "references": ["Dogs bark at night. Dogs bark."]})


def print_counts(
    counts: list[int], capsys: pytest.CaptureFixture[str], *, status: str = "complete"
) -> str:
    closing = Closing()
    for i, count in enumerate(counts):
        record = {"id": str(i), "status": status, "score": 0.5, "count": str(count)}
        closing.add([Written([write_row(record)], [])])
    closing.print_closing(Settings())
    return capsys.readouterr().err


def test_the_mean_is_over_topics_however_many_records_a_topic_has() -> None:
    limit = ("--rouge", "1", "--max-sentences", "1")
    one = call("labels", "-", *limit, data=TWO)
    every = call("labels", "-", "--choose", "all", *limit, data=TWO)
    assert len(records(every.stdout)) > len(records(one.stdout)) == 2
    mean = fmean(record["score"] for record in records(one.stdout))
    for done in (one, every):
        found = re.search(r"mean ROUGE-1 recall ([\d.]+)", done.stderr)
        assert found is not None
        assert found[1] == f"{mean:.5f}"


def test_the_median_of_an_even_number_of_topics_lies_between_the_two_in_the_middle(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "median oracles 6.5;" in print_counts([100, 1, 6, 7], capsys)
    assert "median oracles 1,500;" in print_counts([1000, 2000], capsys)
    assert "median oracles 7;" in print_counts([100, 1, 7], capsys)


def test_a_median_beyond_every_float_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert "median oracles 2.00e+400;" in print_counts([10**400, 3 * 10**400], capsys)


def test_numbers_that_rest_on_stopped_searches_are_said_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = "median oracles 1.5; 2 stopped, with what was found so far;"
    assert said in print_counts([1, 2], capsys, status="time_limit")
    assert "stopped" not in print_counts([1, 2], capsys, status="list_limit")
