"""One suite for all exact methods: score and very sets of brute force on random instances."""

from __future__ import annotations

from functools import cache

import pytest

from oraclesum.errors import NoOverlapWarning
from oraclesum.instances import Instance
from oraclesum.oracles import OracleFamily, Status, enumerate_instance, find_in_instance
from oraclesum.oracles.methods import ENUMERATORS, EXACT, FINDERS
from reference import brute
from reference.generate import generate_instances

ENUMERATOR_NAMES = sorted(ENUMERATORS)
FINDER_NAMES = sorted(EXACT & set(FINDERS))


@cache
def solved(
    number: int, seed: int, family: str = "all", within_hits: int = 0
) -> list[tuple[Instance, int, list[brute.Set]]]:
    """Random instances that have a candidate, with the best score and the family by brute force."""
    return [
        (
            instance,
            brute.find_best(instance),
            brute.list_family(instance, family=family, within_hits=within_hits),
        )
        for instance in generate_instances(number, seed)
        if brute.list_candidates(instance)
    ]


def assert_holds(family: OracleFamily, best: int, sets: list[brute.Set]) -> None:
    assert family.hits == family.upper_bound == best
    assert family.status == Status.COMPLETE
    assert list(family) == sets
    assert family.count == len(family) == len(sets)
    sizes = sorted({len(s) for s in sets})
    assert family.sizes == {size: sum(1 for s in sets if len(s) == size) for size in sizes}
    assert family.inclusion_by_size == {
        size: [sum(1 for s in sets if len(s) == size and i in s) for i in range(family.n_sentences)]
        for size in sizes
    }


@pytest.mark.parametrize("method", ENUMERATOR_NAMES)
def test_enumeration_equals_brute_force_on_two_thousand_instances(method: str) -> None:
    for instance, best, sets in solved(2000, seed=1):
        assert_holds(enumerate_instance(instance, method=method), best, sets)


@pytest.mark.parametrize("within_hits", [1, 2, 1000])
@pytest.mark.parametrize("method", ENUMERATOR_NAMES)
def test_near_optimal_families_equal_brute_force(method: str, within_hits: int) -> None:
    for instance, best, sets in solved(300, seed=2, within_hits=within_hits):
        family = enumerate_instance(instance, method=method, within_hits=within_hits)
        assert_holds(family, best, sets)


@pytest.mark.parametrize("within_hits", [0, 2])
@pytest.mark.parametrize("method", ENUMERATOR_NAMES)
def test_minimal_families_equal_brute_force(method: str, within_hits: int) -> None:
    for instance, best, sets in solved(400, seed=3, family="minimal", within_hits=within_hits):
        family = enumerate_instance(
            instance, method=method, family="minimal", within_hits=within_hits
        )
        assert_holds(family, best, sets)


@pytest.mark.parametrize("method", FINDER_NAMES)
def test_one_oracle_has_the_best_score_and_a_proof(method: str) -> None:
    for instance, best, sets in solved(150, seed=4):
        oracle = find_in_instance(instance, method=method)
        assert oracle.hits == oracle.upper_bound == best
        assert oracle.proven
        assert oracle.status == Status.COMPLETE
        assert oracle.method == method
        assert oracle.indices in sets


@pytest.mark.parametrize("method", ENUMERATOR_NAMES)
@pytest.mark.parametrize("max_list", [0, 1, 2])
def test_a_short_list_keeps_count_and_inclusion_exact(method: str, max_list: int) -> None:
    cut = 0
    for instance, best, sets in solved(200, seed=5):
        family = enumerate_instance(instance, method=method, max_list=max_list)
        whole = enumerate_instance(instance, method=method)
        assert (family.hits, family.upper_bound) == (best, best)
        assert family.count == len(sets)
        assert family.inclusion_by_size == whole.inclusion_by_size
        assert set(family) <= set(sets)
        if family.status != Status.COMPLETE:
            assert family.status == Status.LIST_LIMIT
            assert len(family) < len(sets)
            cut += 1
        else:
            assert list(family) == sets
    assert cut


@pytest.mark.parametrize("method", ENUMERATOR_NAMES)
def test_nothing_that_fits_gives_no_overlap_and_a_warning(method: str) -> None:
    met = 0
    for instance in generate_instances(300, seed=6):
        if brute.list_candidates(instance):
            continue
        with pytest.warns(NoOverlapWarning):
            family = enumerate_instance(instance, method=method)
        assert family.status == Status.NO_OVERLAP
        assert (family.hits, family.upper_bound, family.count) == (0, 0, 0)
        assert list(family) == []
        assert not family.complete
        met += 1
    assert met


@pytest.mark.parametrize("method", ENUMERATOR_NAMES)
def test_an_enumeration_is_the_same_whenever_it_is_run(method: str) -> None:
    for instance in generate_instances(30, seed=7, most_sentences=14):
        if not instance.candidates:
            continue
        first, second = (enumerate_instance(instance, method=method) for _ in range(2))
        assert list(first) == list(second)
        assert (first.hits, first.count, first.checked) == (
            second.hits,
            second.count,
            second.checked,
        )
