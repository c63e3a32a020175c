"""Jaccard indices: exact for small families, sampled and labelled for large ones."""

from __future__ import annotations

from itertools import combinations

import pytest

from evaluation.test_draws import make_pairs
from evaluation.test_overlap import make_family
from oraclesum.experiments.similarity import compare_oracles, compare_with_oracles


def jaccard(a: set[int], b: set[int]) -> float:
    return len(a & b) / len(a | b)


def test_small_families_are_compared_one_by_one() -> None:
    family = make_pairs(6)
    oracles = [set(oracle) for oracle in family]
    selected = {0, 2, 5}
    near = compare_with_oracles(selected, family, seed=0)
    assert near is not None
    assert near.exact
    assert near.value == pytest.approx(sum(jaccard(selected, o) for o in oracles) / len(oracles))
    among = compare_oracles(family, seed=0)
    assert among is not None
    assert among.exact
    pairs = [jaccard(a, b) for a, b in combinations(oracles, 2)]
    assert among.value == pytest.approx(sum(pairs) / len(pairs))


def test_large_families_are_sampled_with_an_interval() -> None:
    family = make_pairs(20)
    among = compare_oracles(family, seed=1)
    near = compare_with_oracles(range(0, 40, 2), family, seed=1)
    assert among is not None
    assert near is not None
    assert not among.exact
    assert not near.exact
    assert near.low < near.value < near.high
    # Two random oracles, or one and a fixed one, share about 10 of 20 + 20 - 10 sentences.
    assert among.value == pytest.approx(1 / 3, abs=0.02)
    assert near.value == pytest.approx(1 / 3, abs=0.02)
    assert compare_oracles(family, seed=1) == among


def test_one_oracle_has_no_other_to_be_compared_with() -> None:
    family = make_pairs(1)
    single = compare_with_oracles({0}, family, seed=0)
    assert single is not None
    assert single.value == 0.5
    alone = make_family((0, 3))
    assert compare_oracles(alone, seed=0) is None
    assert compare_with_oracles({0}, make_family(), seed=0) is None
