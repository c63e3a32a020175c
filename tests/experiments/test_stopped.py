"""What the tables say about searches that the time limit stopped."""

from __future__ import annotations

from typing import Any

import pytest

from oraclesum.experiments.published import load_published
from oraclesum.experiments.results import Results
from oraclesum.experiments.settings import Experiment
from oraclesum.experiments.tables_families import tabulate_counts, tabulate_times
from oraclesum.experiments.tables_room import tabulate_room
from oraclesum.experiments.tables_scores import tabulate_details, tabulate_scores, tabulate_systems


def make_case(
    reference: int | None, count: int, *, exact: bool = True, proven: bool = True
) -> dict[str, Any]:
    system = {
        "hits": 1, "reference_total": 4, "objective_hits": 1,
        "precision": 0.5, "recall": 0.5, "f_measure": 0.5,
    }  # fmt: skip
    return {
        "n": 2, "reference": reference, "count": str(count), "exact": exact, "proven": proven,
        "ended_one": proven, "hits": 2, "greedy_hits": 2, "total": 4, "seconds_one": 0.1,
        "seconds_all": 0.2, "baselines": {}, "systems": {"peer": system},
    }  # fmt: skip


def make_results(*multi: dict[str, Any]) -> Results:
    topics = [
        {
            "id": str(k),
            "cases": [case, make_case(0, 3)],
            "summaries": {"peer": {"words": 9, "coverage": 1.0, "ours": False}},
            "human": {},
        }
        for k, case in enumerate(multi)
    ]
    return Results(
        corpus="made up",
        measured=topics,
        experiment=Experiment(max_words=9, measures=(2,), time_limit=7),
        published=load_published(None),
    )


def test_nothing_is_marked_where_every_search_ended() -> None:
    results = make_results(make_case(None, 1), make_case(None, 5))
    for grid in (tabulate_counts(results), tabulate_times(results), tabulate_scores(results)):
        assert not any(cell.at_least for row in grid.rows for cell in row)
        assert not any("topped" in note for note in grid.notes)


def test_numbers_of_stopped_enumerations_are_lower_bounds() -> None:
    stopped = make_case(None, 1, exact=False)
    counts = tabulate_counts(make_results(stopped, make_case(None, 5), make_case(None, 1)))
    median, rate, largest = ((row[1], row[2]) for row in counts.rows)
    for single, multi in (median, rate, largest):
        assert not single.at_least
        assert multi.at_least
    assert rate[1].value == pytest.approx(1 / 3)
    (note,) = counts.notes
    assert note.startswith("Stopped after 7 s: 1 search for all oracles (6 in all), none of them")


def test_what_an_unproven_search_found_counts_as_one_oracle() -> None:
    stopped = make_case(None, 900, exact=False, proven=False)
    counts = tabulate_counts(make_results(stopped, make_case(None, 5), make_case(None, 2)))
    assert [row[2].show() for row in counts.rows] == ["≥ 2", "≥ .667", "≥ 5"]


def test_times_with_stopped_searches_are_lower_bounds() -> None:
    proven = tabulate_times(make_results(make_case(None, 1, exact=False)))
    marks = [cell.at_least for cell in proven.rows[1][1:]]
    names = [f"{head.group} {head.name}" for head in proven.heads[1:]]
    found = dict(zip(names, marks, strict=True))
    assert found["all oracles search"]
    assert found["all oracles slowest"]
    assert not found["one oracle search"]
    unproven = tabulate_times(make_results(make_case(None, 1, exact=False, proven=False)))
    assert unproven.rows[1][1].at_least
    assert any("before one oracle was proven: 1 search." in note for note in unproven.notes)


def test_details_do_not_claim_all_oracles_where_some_are_not_known() -> None:
    whole = tabulate_details(make_results(make_case(None, 1)))
    assert whole is not None
    assert "averages over all oracles." in whole.notes[0]
    part = tabulate_details(make_results(make_case(None, 1, exact=False), make_case(None, 1)))
    assert part is not None
    assert "averages over all oracles." not in "".join(part.notes)
    assert "1 search for all oracles (2 in all)" in part.notes[1]


@pytest.mark.parametrize(("number", "words"), [(1, "1 optimum is"), (2, "2 optima are")])
def test_unproven_optima_are_counted_in_good_english(number: int, words: str) -> None:
    cases = [make_case(None, 1, exact=False, proven=False) for _ in range(number)]
    grid = tabulate_scores(make_results(*cases))
    assert any(note.startswith(f"{words} not proven") for note in grid.notes)
    assert grid.rows[0][1].at_least


def test_the_systems_table_says_that_searches_were_stopped() -> None:
    unproven = make_case(None, 1, exact=False, proven=False)
    grid = tabulate_systems(make_results(unproven, make_case(None, 1)))
    assert grid is not None
    assert [row[1].at_least for row in grid.rows] == [True, False, False]
    (note,) = grid.notes
    assert note.startswith("Stopped after 7 s: 1 search for all oracles (4 in all), 1 of them")
    assert note.endswith("means of oracles with those are lower bounds (≥).")


@pytest.mark.parametrize("exact", [True, False])
def test_tables_of_best_scores_are_the_same_if_every_optimum_is_proven(exact: bool) -> None:
    whole = make_results(make_case(None, 1), make_case(None, 1))
    results = make_results(make_case(None, 1, exact=exact), make_case(None, 1))
    for tabulate in (tabulate_systems, tabulate_room):
        grid = tabulate(results)
        assert grid == tabulate(whole)
        assert grid is not None
        assert not any("topped" in note or "≥" in note for note in grid.notes)
