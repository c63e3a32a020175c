"""Tests of a difference between two measures, against published and hand-made numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy
import pytest
from scipy import stats

from evaluation.test_correlation import make_judged
from oraclesum.evaluation import Judged, compare_measures
from oraclesum.evaluation.correlation import LEVELS
from oraclesum.evaluation.significance import (
    correct_holm,
    permute_test,
    student_tails,
    williams_test,
)


def test_williams_by_the_formula() -> None:
    # Steiger (1980), Eq. 7 (Williams' T2), worked by hand.
    a, b, c, n = 0.50, 0.32, 0.65, 103
    determinant = 1 - a * a - b * b - c * c + 2 * a * b * c
    mean = (a + b) / 2
    t = (a - b) * math.sqrt(
        ((n - 1) * (1 + c)) / (2 * ((n - 1) / (n - 3)) * determinant + mean**2 * (1 - c) ** 3)
    )
    assert williams_test(a, b, c, n) == pytest.approx(2 * stats.t.sf(t, n - 3))
    assert williams_test(a, b, c, n) == pytest.approx(williams_test(b, a, c, n))


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 30, 101, 1000])
def test_tails_of_student_are_those_of_scipy(freedom: int) -> None:
    for statistic in (0.01, 0.3, 0.9, 1.0, 1.5, 1.9, 2.5, 6.0, 40.0, 1e4):
        expected = 2 * stats.t.sf(statistic, freedom)
        assert student_tails(statistic, freedom) == pytest.approx(expected, rel=1e-11, abs=1e-300)
        assert student_tails(-statistic, freedom) == student_tails(statistic, freedom)


def test_tails_of_student_have_ends() -> None:
    assert student_tails(0.0, 5) == student_tails(1e-200, 5) == 1.0
    assert student_tails(math.inf, 5) == student_tails(1e200, 5) == 0.0


def test_williams_of_equal_correlations_is_one_and_needs_four_systems() -> None:
    assert williams_test(0.4, 0.4, 0.9, 10) == 1.0
    assert math.isnan(williams_test(0.4, 0.5, 0.9, 3))


def test_williams_p_values_are_even_where_nothing_differs() -> None:
    generator = numpy.random.default_rng(1)
    values = []
    for _ in range(400):
        human, x, y = generator.normal(size=(3, 20))
        r = numpy.corrcoef([human, human + x, human + y])
        values.append(williams_test(r[0, 1], r[0, 2], r[1, 2], 20))
    assert stats.kstest(values, "uniform").pvalue > 0.001


def test_permutation_finds_a_clear_difference_and_no_difference_with_itself() -> None:
    judged = make_judged(topics=10, systems=12)
    good, poor = judged.measures["good"], judged.measures["poor"]
    assert permute_test(good, poor, judged.human, "summary", "pearson", 300) < 0.02
    assert permute_test(good, good, judged.human, "summary", "pearson", 300) == 1.0


def test_p_at_the_floor_of_the_permutations_is_a_bound() -> None:
    judged = make_judged(topics=10, systems=12)
    settings: Any = {"level": "summary", "coefficient": "pearson"}
    (few,) = compare_measures(judged, permutations=30, **settings)
    assert few.permutation == pytest.approx(1 / 31)
    assert few.permutation_bound


def test_holm_steps_down() -> None:
    assert correct_holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert correct_holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    corrected = correct_holm([math.nan, 0.02])
    assert math.isnan(corrected[0])
    assert corrected[1] == 0.02


def test_every_pair_is_compared_once_and_williams_only_where_it_applies() -> None:
    judged = make_judged()
    (pair,) = compare_measures(judged, level="system", coefficient="pearson", permutations=50)
    assert (pair.first, pair.second) == ("good", "poor")
    assert pair.difference > 0
    assert pair.williams is not None
    (pair,) = compare_measures(judged, level="summary", coefficient="kendall", permutations=50)
    assert pair.williams is None


def test_a_measure_that_repeats_another_is_no_further_hypothesis() -> None:
    judged = make_judged()
    good, poor = judged.measures["good"], judged.measures["poor"]
    third = numpy.tanh(good + 2 * poor)
    alone = replace(judged, measures={"good": good, "poor": poor, "third": third})
    repeating = {"good": good, "again": good.copy(), "poor": poor, "same": poor, "third": third}
    with_repeats = replace(judged, measures=repeating)
    assert with_repeats.repeated == {"again": "good", "same": "poor"}
    for level in LEVELS:
        pairs = compare_measures(with_repeats, level=level, coefficient="pearson", permutations=50)
        assert pairs == compare_measures(alone, level=level, coefficient="pearson", permutations=50)
        assert len(pairs) == 3


def test_scores_that_are_missing_in_the_same_places_are_the_same_scores() -> None:
    scores = [[0.1, math.nan, 0.3]]
    judged = Judged(
        topics=["a"],
        systems=["x", "y", "z"],
        human=[[1, 2, 3]],
        measures={"one": scores, "two": [list(scores[0])], "three": [[0.1, 0.2, 0.3]]},
    )
    assert judged.repeated == {"two": "one"}
