"""F-measures against single oracles drawn at random, and how they relate to those of all."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oraclesum.evaluation import evaluate
from oraclesum.evaluation.bootstrap import bootstrap_mean, percentile_interval
from oraclesum.evaluation.draws import Draw, draw_oracles, evaluate_draws
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import OracleFamily, enumerate_instance


def make_pairs(pairs: int) -> OracleFamily:
    """A family of 2^pairs oracles: of each pair of equal sentences, one."""
    instance = Instance(
        total=pairs,
        gains=[[1]] * pairs,
        counts=[[(i // 2, 1)] for i in range(2 * pairs)],
        limits=[Limit(unit="words", budget=pairs, lengths=(1,) * (2 * pairs))],
    )
    return enumerate_instance(instance)


def test_a_draw_has_the_f_measure_of_its_precision_and_recall() -> None:
    # The paper's worked example: S = {1,2,3,4} against O2 = {1,2,3}.
    draw = Draw(shared=3, oracle=3, selected=4)
    p, r = draw.precision, draw.recall
    assert (p, r) == (0.75, 1.0)
    assert draw.f_measure == pytest.approx(2 * p * r / (p + r))
    assert round(draw.f_measure, 2) == 0.86


def test_a_family_of_millions_equals_its_sample_within_sampling_error() -> None:
    family = make_pairs(24)
    assert family.count == 2**24
    selected = range(24)
    exact = evaluate(selected, family)
    # Each oracle shares 12 of its 24 sentences with the 24 selected ones.
    assert (exact.precision, exact.recall, exact.f_measure) == (0.5, 0.5, 0.5)
    uneven = list(range(0, 48, 2))[:20]
    exact = evaluate(uneven, family)
    assert exact.precision == 0.5
    assert exact.recall == pytest.approx(10 / 24)
    (drawn,) = evaluate_draws([uneven], draw_oracles(family, draws=2000, seed=3))
    assert drawn.low < exact.f_measure < drawn.high
    assert drawn.high - drawn.low < 0.02


def test_the_same_f_measure_where_the_family_can_be_listed() -> None:
    family = make_pairs(10)
    selected = [0, 1, 2, 4, 7, 19]
    listed = [set(oracle) for oracle in family]
    assert len(listed) == 2**10
    shared = [Fraction(len(oracle & set(selected))) for oracle in listed]
    precision = sum(shared) / len(selected) / len(listed)
    recall = sum(n / len(o) for n, o in zip(shared, listed, strict=True)) / len(listed)
    exact = evaluate(selected, family)
    assert exact.precision == float(precision)
    assert exact.recall == float(recall)
    assert exact.f_measure == float(2 * precision * recall / (precision + recall))


def test_draws_depend_on_the_seed_alone() -> None:
    family = make_pairs(8)
    assert draw_oracles(family, seed=1) == draw_oracles(family, seed=1)
    assert draw_oracles(family, seed=1) != draw_oracles(family, seed=2)


def test_the_interval_of_a_mean_holds_it_and_shrinks_with_more_values() -> None:
    few, many = [0.0, 1.0] * 5, [0.0, 1.0] * 500
    low, high = bootstrap_mean(few, seed=0)
    assert low < 0.5 < high
    narrow = bootstrap_mean(many, seed=0)
    assert narrow[1] - narrow[0] < (high - low) / 5
    assert bootstrap_mean([0.25] * 9) == (0.25, 0.25)


def test_percentiles_leave_out_what_is_not_a_number() -> None:
    assert percentile_interval([float("nan"), 2.0, 2.0]) == (2.0, 2.0)
