"""The methods that prove nothing: greedy with the paper's slip mended, genetic, pairwise."""

from __future__ import annotations

import pytest

from oraclesum import _kernel
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import Status, find_in_instance
from oraclesum.oracles.options import Options
from oraclesum.oracles.pairwise import find_overlaps
from reference import brute
from reference.generate import generate_instances


def make_instance(
    gains: list[list[int]], counts: list[list[tuple[int, int]]], budget: int, lengths: list[int]
) -> Instance:
    limit = Limit(unit="words", budget=budget, lengths=tuple(lengths))
    return Instance(
        id="made", total=sum(map(sum, gains)), gains=gains, counts=counts, limits=[limit]
    )


def test_greedy_skips_a_sentence_that_does_not_fit_without_using_its_length() -> None:
    # Densest first: sentence 0; sentence 1 no longer fits; sentence 2 does. As printed, Alg. 2
    # would have added the length of 1 and then refused 2.
    instance = make_instance(
        [[3], [3], [1]], [[(0, 1)], [(1, 1)], [(2, 1)]], budget=5, lengths=[3, 4, 2]
    )
    oracle = find_in_instance(instance, method="greedy")
    assert oracle.indices == (0, 2)
    assert oracle.hits == 4


def test_greedy_prefers_a_single_sentence_that_beats_the_dense_ones() -> None:
    instance = make_instance([[2], [9]], [[(0, 1)], [(1, 1)]], budget=10, lengths=[1, 10])
    oracle = find_in_instance(instance, method="greedy")
    assert oracle.indices == (1,)
    assert oracle.hits == 9


def test_greedy_takes_the_lowest_index_among_equals_and_adds_no_padding() -> None:
    twins = [[(0, 1)], [(0, 1)], [(0, 1)]]
    oracle = find_in_instance(make_instance([[1]], twins, 9, [3, 3, 3]), method="greedy")
    assert oracle.indices == (0,)
    assert oracle.proven


def test_greedy_takes_what_has_no_length_first() -> None:
    instance = make_instance([[1], [5]], [[(0, 1)], [(1, 1)]], budget=2, lengths=[0, 2])
    assert find_in_instance(instance, method="greedy").sentences == (0, 1)


def test_densities_beyond_64_bits_are_compared_exactly() -> None:
    # Gains and lengths whose cross products pass 2^63 and differ by one part in 2^60.
    long = 2**40
    instance = make_instance(
        [[2**24 - 1], [2**24]], [[(0, 1)], [(1, 1)]], budget=long, lengths=[long - 2**16, long]
    )
    assert find_in_instance(instance, method="greedy").hits == 2**24
    bound = _kernel.upper_bound(instance.native, [], [0, 1])
    exact = 2**24 - 1 + 2**24 * 2**16 // long
    assert bound == exact


def test_the_bound_takes_the_tightest_limit() -> None:
    limits = [
        Limit(unit="words", budget=100, lengths=(1, 1, 1)),
        Limit(unit="sentences", budget=2, lengths=(1, 1, 1)),
    ]
    instance = Instance(
        total=9, gains=[[3], [3], [3]], counts=[[(0, 1)], [(1, 1)], [(2, 1)]], limits=limits
    )
    assert _kernel.upper_bound(instance.native, [], [0, 1, 2]) == 6
    assert _kernel.upper_bound(instance.native, [0], [1, 2]) == 6


@pytest.mark.parametrize("method", ["greedy", "genetic", "pairwise"])
def test_an_approximation_is_feasible_and_never_beats_the_best(method: str) -> None:
    reached = 0
    for instance in generate_instances(60, seed=31):
        if not instance.candidates:
            continue
        oracle = find_in_instance(instance, method=method)
        best = brute.find_best(instance)
        assert oracle.hits == brute.count_hits(instance, oracle.indices) <= best
        assert brute.keeps_limits(instance, oracle.indices)
        assert best <= oracle.upper_bound
        assert list(oracle.indices) == sorted(oracle.indices)
        assert oracle.status == Status.HEURISTIC
        reached += oracle.hits == best
    assert reached > 20


def test_equal_seeds_evolve_equal_sets() -> None:
    for instance in generate_instances(10, seed=32, most_sentences=20):
        if instance.candidates:
            runs = [find_in_instance(instance, method="genetic", seed=7) for _ in range(2)]
            assert runs[0] == runs[1]


def test_a_seed_changes_what_evolves() -> None:
    instance = next(iter(generate_instances(1, seed=33, most_sentences=20)))
    checked = {find_in_instance(instance, method="genetic", seed=s).checked for s in range(12)}
    sets = {find_in_instance(instance, method="genetic", seed=s).sentences for s in range(12)}
    assert len(checked) > 1 or len(sets) > 1


def test_overlaps_are_what_a_pair_loses_together() -> None:
    for instance in generate_instances(100, seed=34):
        overlaps = find_overlaps(instance, instance.candidates, Options().start_clock())
        for i in instance.candidates:
            for j in instance.candidates:
                if i < j:
                    lost = instance.hits([i]) + instance.hits([j]) - instance.hits([i, j])
                    assert overlaps.get((i, j), 0) == lost


@pytest.mark.parametrize("method", ["pairwise", "ilp", "paper"])
def test_a_run_without_time_has_the_set_of_greedy_or_a_better_one(method: str) -> None:
    for instance in generate_instances(20, seed=36):
        if instance.candidates:
            least = find_in_instance(instance, method="greedy")
            oracle = find_in_instance(instance, method=method, time_limit=0)
            assert oracle.hits >= least.hits
            assert brute.keeps_limits(instance, oracle.indices)
            assert oracle.upper_bound >= brute.find_best(instance)
            assert oracle.status is Status.TIME_LIMIT


def test_pairwise_leaves_a_greedy_set_of_thousands_as_it_is() -> None:
    many = 1_200
    instance = make_instance([[1]] * many, [[(i, 1)] for i in range(many)], many, [1] * many)
    oracle = find_in_instance(instance, method="pairwise")
    assert (oracle.hits, oracle.checked, oracle.status) == (many, 0, Status.HEURISTIC)


def test_pairwise_is_exact_where_no_three_sentences_share() -> None:
    met = 0
    for instance in generate_instances(300, seed=35, most_sentences=6):
        holders = [0] * len(instance.gains)
        for i in instance.candidates:
            for ngram, _ in instance.counts[i]:
                holders[ngram] += 1
        if instance.candidates and max(holders) <= 2:
            oracle = find_in_instance(instance, method="pairwise")
            assert oracle.hits == brute.find_best(instance)
            met += 1
    assert met > 20
