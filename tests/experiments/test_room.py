"""Room left: the oracle against greedy and the best system, paired over topics."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from oraclesum.experiments.published import load_published
from oraclesum.experiments.results import Results
from oraclesum.experiments.settings import Experiment
from oraclesum.experiments.tables_room import measure_room, tabulate_room
from oraclesum.report.markup import to_csv


def make_results(
    oracle: list[int],
    greedy: list[int],
    systems: dict[str, list[int]],
    ours: bool = False,
    unproven: tuple[int, ...] = (),
    absent: tuple[int, ...] = (),
) -> Results:
    """Topics by their hits; `absent` are those that have no system, by number."""
    topics: list[dict[str, Any]] = []
    for k, (best, found) in enumerate(zip(oracle, greedy, strict=True)):
        rows = {
            name: {"hits": hits[k], "reference_total": 10}
            for name, hits in systems.items()
            if k not in absent
        }
        case = {
            "n": 2, "reference": None, "hits": best, "greedy_hits": found, "total": 10,
            "proven": k not in unproven, "exact": k not in unproven, "systems": rows,
        }  # fmt: skip
        summaries = {name: {"ours": ours} for name in rows}
        topics.append({"id": str(k), "cases": [case], "summaries": summaries})
    return Results(
        corpus="made up",
        measured=topics,
        experiment=Experiment(max_words=9, measures=(2,), time_limit=7),
        published=load_published(None),
    )


def test_differences_and_p_are_those_of_a_pencil() -> None:
    results = make_results(
        [8, 6, 4], [8, 6, 3], {"weak": [1, 1, 1], "good": [5, 5, 2], "bad": [0, 0, 0]}
    )
    greedy, best = measure_room(results)
    assert greedy.against == "greedy"
    assert greedy.test.difference == pytest.approx(0.1 / 3)
    assert (greedy.test.larger, greedy.test.p) == (1, 1.0)
    assert best.against == "good"
    assert (best.oracle, best.other) == pytest.approx((0.6, 0.4))
    assert best.test.difference == pytest.approx(0.2)
    assert best.test.p == 2 / 8  # all signs alike: two of the eight ways
    assert best.p_holm == 2 * best.test.p
    grid = tabulate_room(results)
    assert [cell.value for cell in grid.rows[1]][:2] == ["ROUGE-2 recall", "good"]
    assert grid.rows[1][6].value == pytest.approx(4 / 6)


def test_our_own_systems_take_the_place_of_missing_ones_only() -> None:
    ours = make_results([8, 6], [8, 6], {"oraclesum/lead": [5, 5]}, ours=True)
    assert measure_room(ours)[1].against == "oraclesum/lead"
    assert any("best of ours" in note for note in tabulate_room(ours).notes)
    none = make_results([8, 6], [8, 6], {})
    assert [room.against for room in measure_room(none)] == ["greedy"]


def test_what_unproven_optima_leave_open_is_marked() -> None:
    grid = tabulate_room(make_results([8, 6], [7, 6], {"good": [5, 5]}, unproven=(1,)))
    names = [head.name for head in grid.heads]
    for row in grid.rows:
        cells = dict(zip(names, row, strict=True))
        lower = {name for name, cell in cells.items() if cell.at_least}
        upper = {name for name, cell in cells.items() if cell.at_most}
        assert (lower, upper) == ({"oracle", "difference"}, {"ratio"})
    assert grid.rows[1][5].show().startswith("≥ .200 [")
    assert grid.rows[1][6].show() == "< .715"  # 10 of 14
    first = next(csv.DictReader(io.StringIO(to_csv(grid))))
    bounds = [first[f"{name} bound"] for name in ("oracle", "difference", "ratio")]
    assert bounds == ["lower", "lower", "upper"]
    (note,) = (note for note in grid.notes if note.startswith("Stopped"))
    assert "after 7 s: 1 search for all oracles (2 in all), 1 of them before the optimum" in note
    assert "p, and the topics with the oracle above or below rest on it too." in note


def test_an_unproven_optimum_marks_only_comparisons_that_have_its_topic() -> None:
    results = make_results([8, 6, 4], [7, 6, 4], {"good": [5, 5, 0]}, unproven=(2,), absent=(2,))
    greedy, good = tabulate_room(results).rows
    assert [cell.at_least or cell.at_most for cell in greedy[3:7]] == [True, False, True, True]
    assert not any(cell.at_least or cell.at_most for cell in good)


def test_a_ratio_that_there_is_not_has_no_bound() -> None:
    (row,) = tabulate_room(make_results([0], [0], {}, unproven=(0,))).rows
    assert (row[6].value, row[6].at_most) == (None, False)
