"""The paired test over topics, against scipy and by hand."""

from __future__ import annotations

import random

import pytest

from oraclesum.evaluation.paired import compare_paired


def draw(number: int, shift: float) -> tuple[list[float], list[float]]:
    draws = random.Random(number)
    first = [draws.random() for _ in range(number)]
    return first, [value - shift + draws.gauss(0, 0.2) for value in first]


def test_few_topics_are_tested_exactly_as_scipy_does() -> None:
    from scipy import stats

    for number in (2, 5, 9, 12):
        first, second = draw(number, 0.1)
        found = compare_paired(first, second)
        expected = stats.permutation_test(
            ([a - b for a, b in zip(first, second, strict=True)],),
            lambda x, axis: x.mean(axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=10**6,
        )
        assert found.exact
        assert found.p == pytest.approx(expected.pvalue)


def test_draws_come_near_the_exact_p() -> None:
    first, second = draw(14, 0.08)
    exact = compare_paired(first, second)
    padded = compare_paired([*first, 1e-9], [*second, 0.0])  # one topic more: signs are drawn
    assert exact.exact
    assert not padded.exact
    assert padded.p == pytest.approx(exact.p, abs=0.02)


def test_topics_without_a_difference_decide_nothing() -> None:
    found = compare_paired([0.5] * 30 + [0.6, 0.7], [0.5] * 30 + [0.5, 0.6])
    assert (found.topics, found.larger, found.smaller) == (32, 2, 0)
    assert found.p == 0.5
    assert compare_paired([0.5, 0.5], [0.5, 0.5]).p == 1.0


def test_p_that_no_draw_reaches_is_a_bound() -> None:
    found = compare_paired([1.0 + k / 100 for k in range(40)], [0.0] * 40, permutations=200)
    assert found.bound
    assert found.p == 1 / 201


def test_the_same_seed_gives_the_same_p() -> None:
    first, second = draw(25, 0.05)
    assert compare_paired(first, second, seed=3) == compare_paired(first, second, seed=3)


def test_without_topics_there_is_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match="no topic"):
        compare_paired([], [])
