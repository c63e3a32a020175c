"""Precision, recall and F-measure against all oracles, exact also where they are not listed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oraclesum.errors import InputError
from oraclesum.evaluation import Overlap, evaluate
from oraclesum.oracles import OracleFamily, Status, enumerate_instance
from oraclesum.oracles.store import ListedStore
from reference.generate import generate_instances


def make_family(*sets: tuple[int, ...], sentences: int = 8) -> OracleFamily:
    return OracleFamily(
        store=ListedStore(sets, sentences),
        n_sentences=sentences,
        hits=3,
        total=9,
        status=Status.COMPLETE,
        upper_bound=3,
        checked=0,
        method="paper",
    )


def test_the_worked_example_of_the_paper() -> None:
    # Sec. 6.2.3: S = {1,2,3,4}, O1 = {1,2,5,6} (P .5, R .5), O2 = {1,2,3} (P .75, R 1).
    selected = [1, 2, 3, 4]
    first = evaluate(selected, make_family((1, 2, 5, 6)))
    assert (first.precision, first.recall, first.f_measure) == (0.5, 0.5, 0.5)
    second = evaluate(selected, make_family((1, 2, 3)))
    assert (second.precision, second.recall) == (0.75, 1.0)
    assert round(second.f_measure, 2) == 0.86
    both = evaluate(selected, make_family((1, 2, 5, 6), (1, 2, 3)))
    assert (both.precision, both.recall) == (0.625, 0.75)
    assert both.f_measure == float(Fraction(2) * Fraction(5, 8) * Fraction(3, 4) / Fraction(11, 8))


@given(
    sets=st.sets(st.sets(st.integers(0, 7), min_size=1).map(sorted).map(tuple), min_size=1),
    selected=st.sets(st.integers(0, 7), min_size=1),
)
def test_averages_equal_those_over_the_listed_sets(
    sets: set[tuple[int, ...]], selected: set[int]
) -> None:
    overlap = evaluate(selected, make_family(*sets))
    shared = [Fraction(len(selected & set(s))) for s in sets]
    precision = sum(n / len(selected) for n in shared) / len(sets)
    recall = sum(n / len(s) for n, s in zip(shared, sets, strict=True)) / len(sets)
    assert overlap.precision == float(precision)
    assert overlap.recall == float(recall)
    assert 0 <= overlap.f_measure <= 1


def test_a_family_that_is_only_counted_gives_the_same_numbers() -> None:
    for instance in generate_instances(100, seed=13):
        if not instance.candidates:
            continue
        listed = enumerate_instance(instance, method="paper")
        counted = enumerate_instance(instance, method="paper", max_list=0)
        selected = range(0, instance.n_sentences, 2)
        assert evaluate(selected, counted) == evaluate(selected, listed)


def test_an_empty_selection_and_an_empty_family_score_zero() -> None:
    nothing = Overlap(precision=0.0, recall=0.0, f_measure=0.0)
    assert evaluate([], make_family((1, 2))) == nothing
    assert evaluate([1], make_family()) == nothing
    assert evaluate([5], make_family((1, 2))) == nothing


@pytest.mark.parametrize(
    ("selected", "message"),
    [
        ([8], "sentence 8 is not among the 8 sentences"),
        ([-1], "sentence -1 is not among"),
        ([True], "must be a whole number"),
        ([1.0], "must be a whole number"),
        ("12", "must be a list of sentence indices, not '12'"),
        (3, "must be a list of sentence indices, not 3"),
    ],
)
def test_a_selection_that_makes_no_sense_is_refused(selected: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(selected, make_family((1, 2)))  # type: ignore[arg-type]  # wrong on purpose
