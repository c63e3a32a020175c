"""A family is listed from any place of its order, however far, without visiting what is before."""

from __future__ import annotations

import tracemalloc
from itertools import islice
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oraclesum
from oraclesum.instances import Instance, Limit
from shared import shared

METHODS = ["search", "paper", "exhaustive"]


@given(
    st.lists(
        st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True), min_size=1, max_size=9
    ),
    st.integers(1, 12),
    st.sampled_from(METHODS),
)
def test_every_place_holds_what_iteration_shows_there(
    rows: list[list[int]], budget: int, method: str
) -> None:
    instance = Instance(
        total=12,
        gains=[[2, 1]] * 6,
        counts=[[(g, 1) for g in sorted(row)] for row in rows],
        limits=[
            Limit(unit="words", budget=budget, lengths=tuple(1 + i % 3 for i in range(len(rows))))
        ],
    )
    family = oraclesum.enumerate_instance(instance, method=method, within_hits=1)
    every = list(family)
    assert len(every) == family.count
    for place in range(len(every) + 2):
        assert list(family.iterate_at(place)) == every[place:]


def test_places_beyond_64_bits_are_reached() -> None:
    n = 140
    instance = Instance(
        total=n,
        gains=[[1]] * n,
        counts=[[(i, 1)] for i in range(n)],
        limits=[Limit(unit="words", budget=n // 2, lengths=(1,) * n)],
    )
    family = oraclesum.enumerate_instance(instance, max_list=1)
    assert family.count > 2**128
    assert list(family.iterate_at(family.count - 1)) == [tuple(range(n // 2, n))]
    assert next(family.iterate_at(family.count // 2)) == tuple(range(1, n // 2 + 1))


def test_a_place_among_31_million_is_reached() -> None:
    instance = Instance.read(shared("instances", "C08-1098-multi-250-900-rouge1.json"))
    family = oraclesum.enumerate_instance(instance, max_list=1)
    for place in (0, 1, 999_999, family.count // 2, family.count - 3):
        some = list(islice(family.iterate_at(place), 3))
        assert some == list(islice(family.iterate(some[0]), 3))
    # From the first set of a later sentence on, as many are left as inclusion says.
    after = family.count - family.inclusion_counts[0]
    if family.inclusion_counts[0]:
        assert next(family.iterate_at(family.count - after))[0] > 0


def count_up_to(n: int, size: int) -> int:
    """The sets of at most `size` of n sentences."""
    return sum(comb(n, k) for k in range(size + 1))


@pytest.mark.parametrize("budget", [300, 4000])
def test_places_among_thousands_of_equal_sentences_are_reached(budget: int) -> None:
    # This would not end if each sentence cost a pass that counts all choices anew.
    n = 4000
    family = oraclesum.enumerate_oracles(
        ["the"] * n, ["the"], rouge="r1-recall", max_words=budget, max_list=1
    )
    assert family.count == count_up_to(n, budget) - 1
    last = [(n - 3, n - 2, n - 1), (n - 3, n - 1), (n - 2,), (n - 2, n - 1), (n - 1,)]
    assert list(family.iterate_at(family.count - 5)) == last
    assert list(family.iterate_at(family.count)) == []
    # Of the sets that begin with sentence i, so many go on with i + 1.
    further = [count_up_to(n - i, budget - i) for i in range(1, 4)]
    assert next(family.iterate_at(further[0])) == (1,)
    assert next(family.iterate_at(1 + further[1])) == (0, 2)
    assert next(family.iterate_at(2 + further[2])) == (0, 1, 3)


def test_places_in_the_middle_are_those_that_counting_by_hand_finds() -> None:
    n, budget = 900, 90
    family = oraclesum.enumerate_oracles(
        ["the"] * n, ["the"], rouge="r1-recall", max_words=budget, max_list=1
    )
    for place in (family.count // 3, family.count // 2, family.count - family.count // 1000):
        chosen: list[int] = []
        left, sentence = place + 1, 0  # the empty set, which is no oracle, would be the first
        while left:
            left -= 1  # the set that ends here
            while left >= (with_it := count_up_to(n - sentence - 1, budget - len(chosen) - 1)):
                left -= with_it
                sentence += 1
            chosen.append(sentence)
            sentence += 1
        assert next(family.iterate_at(place)) == tuple(chosen)


def test_a_place_that_is_not_held_is_refused() -> None:
    family = oraclesum.enumerate_instance(
        Instance(
            total=6,
            gains=[[1]] * 6,
            counts=[[(i, 1)] for i in range(6)],
            limits=[Limit(unit="words", budget=3, lengths=(1,) * 6)],
        ),
        method="paper",
        max_list=4,
    )
    assert len(list(family.iterate_at(1))) == 3
    with pytest.raises(oraclesum.InputError, match="only 4 of 20"):
        family.iterate_at(4)
    with pytest.raises(oraclesum.InputError, match="at least 0"):
        family.iterate_at(-1)


def test_one_set_of_late_sentences_is_not_shown_with_all_numbers_before_it() -> None:
    family = oraclesum.enumerate_oracles(["a b c"] * 100_000, ["a b c"], max_words=10, max_list=1)
    listed = family.iterate([0, 60_000])
    tracemalloc.start()
    try:
        assert list(islice(listed, 3)) == [(0, 60_000), (0, 60_000, 60_001), (0, 60_000, 60_002)]
        assert tracemalloc.get_traced_memory()[1] < 300_000
    finally:
        tracemalloc.stop()
