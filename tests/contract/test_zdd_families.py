"""Graphillion, an independent library for sets of sets, gives the same families and answers."""

from __future__ import annotations

import random

import pytest
from graphillion import setset

from oraclesum.instances import Instance
from oraclesum.oracles import enumerate_instance
from reference.generate import generate_instances, make_ties
from reference.zdd import enumerate_by_zdd


def list_instances() -> list[Instance]:
    drawn = generate_instances(150, seed=51, most_sentences=13)
    return [instance for instance in drawn if len(instance.candidates) > 5]


def assert_same(instance: Instance, best: int, sets: setset) -> None:
    family = enumerate_instance(instance)
    assert (family.hits, family.count) == (best, len(sets))
    for i in instance.candidates:
        assert family.inclusion_counts[i] == len(sets & setset({"include": {i}}))
    assert {tuple(sorted(selected)) for selected in sets} == set(family)


def test_random_instances_have_the_families_that_graphillion_finds() -> None:
    instances = list_instances()
    assert len(instances) > 40
    for instance in instances:
        assert_same(instance, *enumerate_by_zdd(instance))


@pytest.mark.parametrize("seed", range(6))
def test_instances_full_of_ties_have_the_families_that_graphillion_finds(seed: int) -> None:
    instance = make_ties(seed)
    best, sets = enumerate_by_zdd(instance)
    assert len(sets) > 50
    assert_same(instance, best, sets)


@pytest.mark.parametrize("seed", range(3))
def test_pairs_and_best_members_are_those_of_graphillion(seed: int) -> None:
    instance = make_ties(seed)
    _, sets = enumerate_by_zdd(instance)
    family = enumerate_instance(instance)
    rng = random.Random(seed)
    weights = [rng.choice([-1, 0, 1, 2, 2.5]) for _ in range(instance.n_sentences)]
    best = next(sets.max_iter({i: weights[i] for i in instance.candidates}))
    assert sum(weights[i] for i in family.best(weights)) == sum(weights[i] for i in best)
    assert len(family.smallest()) == min(map(len, sets))
    assert len(family.largest()) == max(map(len, sets))
    for i in instance.candidates:
        counts = family.pair_counts(i)
        for j in instance.candidates:
            assert counts[j] == len(sets & setset({"include": {i, j}}))


def test_the_minimal_family_is_what_graphillion_calls_minimal_among_the_oracles() -> None:
    for instance in list_instances():
        _, sets = enumerate_by_zdd(instance)
        # A set from which a sentence can be dropped without loss contains a smaller oracle.
        minimal = {tuple(sorted(selected)) for selected in sets.minimal()}
        assert set(enumerate_instance(instance, family="minimal")) == minimal
