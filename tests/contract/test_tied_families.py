"""Where ties abound, counts and inclusion are those of CP-SAT's sets and SCIP's count."""

from __future__ import annotations

from collections import Counter

import pytest

from oraclesum.oracles import enumerate_instance
from reference.generate import make_ties
from reference.solvers import count_by_scip, enumerate_by_cp_sat

SEEDS = range(4)


def test_cp_sat_finds_the_sets_and_so_the_inclusion() -> None:
    instances = [make_ties(seed) for seed in SEEDS]
    for instance, (best, sets) in zip(instances, enumerate_by_cp_sat(instances), strict=True):
        family = enumerate_instance(instance)
        held = Counter(i for selected in sets for i in selected)
        assert (family.hits, family.count) == (best, len(sets))
        assert family.inclusion_counts == [held[i] for i in range(instance.n_sentences)]
        assert list(family) == sets
        assert family.count > 50


@pytest.mark.parametrize("seed", SEEDS)
def test_scip_counts_as_many(seed: int) -> None:
    instance = make_ties(seed)
    family = enumerate_instance(instance)
    assert family.count == count_by_scip(instance, family.hits)


@pytest.mark.parametrize("within_hits", [1, 2])
def test_scip_counts_as_many_near_the_optimum(within_hits: int) -> None:
    instance = make_ties(1)
    family = enumerate_instance(instance, within_hits=within_hits)
    assert family.count == count_by_scip(instance, family.hits - within_hits)
