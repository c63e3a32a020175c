"""Counting feasible summaries (Appendix B) against the plain table and against brute force."""

from __future__ import annotations

import random
from functools import partial
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oraclesum.errors import InputError, LimitError
from oraclesum.oracles import count_feasible, enumerate_instance
from oraclesum.oracles.bounds import answer_within
from reference import brute
from reference.generate import generate_instances


def count_by_table(lengths: list[int], budget: int) -> int:
    """Alg. 4 as printed, with C[0][0] = 1: sets of length 1 to L_max."""
    table = [1] + [0] * budget
    for length in lengths:
        table = [table[j] + (table[j - length] if j >= length else 0) for j in range(budget + 1)]
    return sum(table[1:])


@given(lengths=st.lists(st.integers(1, 30), max_size=25), budget=st.integers(0, 120))
def test_the_count_equals_the_printed_table(lengths: list[int], budget: int) -> None:
    assert count_feasible(lengths, budget) == count_by_table(lengths, budget)


@given(lengths=st.lists(st.integers(0, 9), max_size=8), budget=st.integers(0, 40))
def test_the_count_equals_brute_force_with_sentences_of_no_length(
    lengths: list[int], budget: int
) -> None:
    sets = [s for k in range(1, len(lengths) + 1) for s in combinations(lengths, k)]
    assert count_feasible(lengths, budget) == sum(1 for s in sets if sum(s) <= budget)


def test_every_subset_counts_where_the_budget_never_binds() -> None:
    assert count_feasible([7] * 300, 10**9) == 2**300 - 1


def test_a_document_of_the_size_of_duc_2005_is_counted_exactly() -> None:
    rng = random.Random(5)
    lengths = [rng.randint(4, 45) for _ in range(885)]
    count = count_feasible(lengths, 250)
    assert count == count_by_table(lengths, 250)
    assert count > 10**30


def test_an_exhaustive_search_checks_exactly_the_feasible_sets() -> None:
    for instance in generate_instances(200, seed=12):
        if len(instance.limits) > 1 or not instance.candidates:
            continue
        lengths = [instance.lengths[i] for i in instance.candidates]
        family = enumerate_instance(instance, method="exhaustive")
        assert family.checked == count_feasible(lengths, instance.budget)
        assert family.checked == len(brute.list_feasible(instance))


@pytest.mark.parametrize(
    ("lengths", "budget", "message"),
    [
        ([1, -2], 5, "sentence 1 is negative"),
        ([1, 2.5], 5, "sentence 1 must be a whole number"),
        ([1, True], 5, "sentence 1 must be a whole number"),
        ([1], -1, "budget must not be negative"),
        ([1], "9", "budget must be a whole number"),
    ],
)
def test_a_count_that_makes_no_sense_is_refused(
    lengths: list[int], budget: int, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        count_feasible(lengths, budget)


@given(
    kinds=st.lists(st.tuples(st.integers(0, 9), st.integers(1, 6)), max_size=4),
    budget=st.integers(0, 40),
)
def test_equal_sentences_added_at_once_count_as_one_by_one(
    kinds: list[tuple[int, int]], budget: int
) -> None:
    lengths = [length for length, times in kinds for _ in range(times)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("oraclesum.oracles.feasible._MANY", 0)
        at_once = count_feasible(lengths, budget)
    assert at_once == count_feasible(lengths, budget)


def test_a_count_keeps_to_the_bounds_of_time_memory_and_a_stop() -> None:
    lengths = list(range(1, 200))
    with answer_within(seconds=0), pytest.raises(LimitError, match="time limit"):
        count_feasible(lengths, 500)
    with answer_within(max_bytes=1000), pytest.raises(LimitError, match="bytes of memory"):
        count_feasible(lengths, 500)
    with answer_within(stop=lambda: True), pytest.raises(LimitError, match="stopped"):
        count_feasible(lengths, 500)


@pytest.mark.parametrize(
    ("lengths", "budget"),
    [([1] * 4200 + [2] * 4200, 6300), ([1] * 200_000, 100_000), ([3] * 5000 + [2] * 6000, 9000)],
)
def test_whatever_is_counted_the_clock_is_looked_at_in_between(
    lengths: list[int], budget: int
) -> None:
    looks = iter([False] * 8)
    with (
        answer_within(stop=partial(next, looks, True), max_bytes=1 << 50),
        pytest.raises(LimitError, match="stopped"),
    ):
        count_feasible(lengths, budget)


def test_memory_that_is_not_there_is_known_before_the_sets_are_counted() -> None:
    with answer_within(max_bytes=1 << 20), pytest.raises(LimitError, match="bytes of memory"):
        count_feasible([1] * 1_000_000, 500_000)


def test_thousands_of_equal_sentences_are_counted_as_the_binomials_say() -> None:
    few = count_feasible([1] * 5000 + [2] * 5000, 6)
    sets = [(i, j) for i in range(7) for j in range(4) if i + 2 * j <= 6]
    assert few == sum(comb(5000, i) * comb(5000, j) for i, j in sets) - 1
    assert count_feasible([0] * 5000, 3) == 2**5000 - 1


def test_a_need_that_was_not_worked_out_is_said_to_be_more() -> None:
    with answer_within(max_bytes=1 << 20), pytest.raises(LimitError, match="needs more than"):
        count_feasible([3] * 50_000, 75_000)


def test_numbers_of_any_length_are_counted_or_refused_in_words() -> None:
    huge = 10**5000
    with pytest.raises(LimitError, match="needs more than 1,000,000,000,000,000,000 bytes"):
        count_feasible([huge - 1, huge], huge)
