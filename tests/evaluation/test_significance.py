"""Tests of a difference between two measures, against published and hand-made numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy
import pytest
from scipy import stats

from evaluation.test_correlation import make_judged
from oraclesum.evaluation import Judged, compare_measures, correlate_measures
from oraclesum.evaluation.coefficients import COEFFICIENTS, Coefficient
from oraclesum.evaluation.correlation import LEVELS, Level
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


def list_numbers(judged: Judged, level: Level, coefficient: Coefficient) -> list[Any]:
    """Everything that is said of the measures."""
    rows = correlate_measures(judged, level=level, coefficient=coefficient, resamples=40)
    pairs = compare_measures(judged, level=level, coefficient=coefficient, permutations=40)
    return [[row.value, row.low, row.high] for row in rows] + [
        [pair.difference, pair.williams, pair.permutation, pair.permutation_holm] for pair in pairs
    ]


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", LEVELS)
def test_the_unit_of_the_scores_changes_nothing(
    level: Level, coefficient: Coefficient, missing: bool
) -> None:
    generator = numpy.random.default_rng(1)
    human = generator.random((8, 6))
    first, second = human + generator.random((8, 6)) / 2, generator.random((8, 6)) - 0.5
    if missing:
        first[0, 1] = second[3, 2] = human[4, 4] = math.nan

    def measure(of_human: int, of_first: int, of_second: int) -> list[Any]:
        x, y = numpy.ldexp(first, of_first), numpy.ldexp(second, of_second)
        judged = Judged(
            topics=tuple("abcdefgh"),
            systems=tuple("uvwxyz"),
            human=numpy.ldexp(human, of_human),
            measures={"first": x, "second": y},
            drawn={"drawn": numpy.stack([x, numpy.roll(x, 1)])},
        )
        return list_numbers(judged, level, coefficient)

    expected = measure(0, 0, 0)
    assert not numpy.isnan(numpy.array(expected[0])).any()
    # The last is as large as a score can be: a sum of two of them is no float.
    for units in [(0, -900, 0), (0, 900, -600), (900, 0, 0), (-900, 600, 600), (1023, 1023, 1023)]:
        numpy.testing.assert_equal(measure(*units), expected)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", LEVELS)
def test_scores_that_differ_by_rounding_alone_have_no_correlation_interval_or_p(
    level: Level, coefficient: Coefficient
) -> None:
    generator = numpy.random.default_rng(2)
    human, other = generator.random((2, 9, 6))
    dust = numpy.where(generator.random((9, 6)) < 0.5, 0.1 + 0.2, 0.3)
    assert len(set(dust.ravel().tolist())) == 2
    judged = Judged(
        topics=tuple("abcdefghi"),
        systems=tuple("uvwxyz"),
        human=human,
        measures={"dust": dust, "other": other},
    )
    of_dust, of_other, pair = list_numbers(judged, level, coefficient)
    assert all(map(math.isnan, of_dust))
    assert not any(map(math.isnan, of_other))
    assert math.isnan(pair[0])
    assert math.isnan(pair[2])


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_exchanges_leave_scores_tied_that_differ_by_rounding_alone(
    coefficient: Coefficient,
) -> None:
    generator = numpy.random.default_rng(4)
    human, second = generator.integers(0, 5, size=(2, 7, 6)) / 4
    first = generator.integers(0, 5, size=(7, 6)) / 4
    # Near the mean of the measure: little is left of these scores once it is subtracted.
    first[:3] = 0.3
    first[3] += 7 * (0.3 - first.mean())
    rounded = first.copy()
    rounded[:3] = numpy.where(generator.random((3, 6)) < 0.5, 0.1 + 0.2, 0.3)
    expected = permute_test(first, second, human, "summary", coefficient, 200)
    assert permute_test(rounded, second, human, "summary", coefficient, 200) == expected


def compare_at_system_level(human: list[float], **measures: list[float]) -> float:
    judged = Judged(
        topics=["t"],
        systems=range(len(human)),
        human=[human],
        measures={name: [row] for name, row in measures.items()},
    )
    [pair] = compare_measures(judged, level="system", coefficient="pearson", permutations=9)
    return pair.williams


def test_a_measure_in_another_unit_does_not_differ_by_williams() -> None:
    scores = [0.0, 0.7, 0.3, 1.0]
    assert compare_at_system_level([5, 3, 3, 5], x=scores, y=[v / 10 + 0.7 for v in scores]) == 1


def test_a_measure_and_its_mirror_image_have_no_williams() -> None:
    scores = [0.7, 0.5, 0, 0.9, 1.0]
    mirrored = [1 - v for v in scores]
    assert math.isnan(compare_at_system_level([4, 4, 1, 1, 3], x=scores, loss=mirrored))


def test_systems_without_a_score_do_not_count_for_williams() -> None:
    human, a, b = [1.0, 2, 3, 4, 5], [1.0, 2, 4, 3, 5], [2.0, 1, 5, 3, 3]
    known = compare_at_system_level(human, a=a, b=b)
    missing = [math.nan] * 3
    assert compare_at_system_level(human + missing, a=[*a, 1, 1, 1], b=[*b, 1, 1, 1]) == known
    assert compare_at_system_level([*human, 1, 1, 1], a=a + missing, b=[*b, 1, 1, 1]) == known
