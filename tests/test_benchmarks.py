"""The benchmark of objectives asks the kernel in its own words: they must be those of today."""

from __future__ import annotations

from fractions import Fraction

import pytest

from findings import load


@pytest.mark.parametrize("counting", ["clipped", "sets"])
def test_the_benchmark_of_objectives_solves_and_judges_a_document(counting: str) -> None:
    objectives, peers = load("objectives"), load("objectives_peers")
    document = peers.Document(
        name="three", sentences=[[1, 2, 3], [4, 5], [1, 2, 4]], references=[[[1, 2, 3, 4]]]
    )
    found = objectives.solve(document, "r1-f1+r2-f1", 1, counting=counting)
    assert (found.value, found.count, found.selected) == (Fraction(6, 7) + Fraction(4, 5), 1, (0,))
    greedy = peers.select_greedily(document, 1)
    objectives._judge_greedy(document, "r1-f1+r2-f1", counting, greedy, found)
    assert greedy.more["share"] == 1
