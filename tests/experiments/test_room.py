"""Room left: the oracle against greedy and the best system, paired over topics."""

from __future__ import annotations

from typing import Any

import pytest

from oraclesum.experiments.published import load_published
from oraclesum.experiments.results import Results
from oraclesum.experiments.settings import Experiment
from oraclesum.experiments.tables_room import measure_room, tabulate_room


def make_results(
    oracle: list[int], greedy: list[int], systems: dict[str, list[int]], ours: bool = False
) -> Results:
    topics: list[dict[str, Any]] = []
    for k, (best, found) in enumerate(zip(oracle, greedy, strict=True)):
        rows = {name: {"hits": hits[k], "reference_total": 10} for name, hits in systems.items()}
        case = {
            "n": 2, "reference": None, "hits": best, "greedy_hits": found, "total": 10,
            "proven": True, "exact": True, "systems": rows,
        }  # fmt: skip
        summaries = {name: {"ours": ours} for name in systems}
        topics.append({"id": str(k), "cases": [case], "summaries": summaries})
    return Results(
        corpus="made up",
        measured=topics,
        experiment=Experiment(max_words=9, measures=(2,)),
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
