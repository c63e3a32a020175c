"""Findings on M against S: the tests over topics and what they could have seen."""

from __future__ import annotations

import math
from pathlib import Path
from types import ModuleType

import numpy
import pytest

from findings import RESULTS, load, read_page
from oraclesum.evaluation.correlation import correlate_level


@pytest.fixture(scope="module")
def agreement() -> ModuleType:
    return load("findings_agreement")


def make_scores(topics: int, systems: int, draws: int, noise: float, seed: int = 1) -> tuple:
    """People, M that follows them, and draws of S: M with noise."""
    generator = numpy.random.default_rng(seed)
    human = generator.normal(size=systems) + generator.normal(size=(topics, systems))
    every = human + generator.normal(size=(topics, systems))
    return human, every, every + noise * generator.normal(size=(draws, topics, systems))


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_the_difference_is_that_of_the_correlations_of_the_product(
    agreement: ModuleType, level: str, coefficient: str
) -> None:
    human, every, one = make_scores(12, 8, 5, 1.0)
    found = agreement.compare_topics(
        every, one, human, level=level, coefficient=coefficient, resamples=50
    )
    with_all = correlate_level(every, human, level, coefficient)
    with_one = correlate_level(one, human, level, coefficient)
    assert found.all_oracles == pytest.approx(with_all)
    assert found.one_oracle == pytest.approx(with_one.mean())
    assert found.draws == pytest.approx(with_one.tolist())
    assert found.difference == pytest.approx(with_all - with_one.mean())


@pytest.mark.parametrize("level", ["system", "summary"])
def test_a_noisy_oracle_is_told_from_all_and_an_equal_one_is_not(
    agreement: ModuleType, level: str
) -> None:
    human, every, one = make_scores(40, 12, 4, 15.0)
    settings = {"level": level, "coefficient": "pearson", "resamples": 500}
    found = agreement.compare_topics(every, one, human, **settings)
    assert found.low > 0
    assert found.p < 0.05
    same = agreement.compare_topics(every, numpy.array([every, every]), human, **settings)
    assert same.difference == 0
    assert same.p == 1


def test_under_the_null_few_tests_say_that_there_is_a_difference(agreement: ModuleType) -> None:
    seen = {"system": 0, "summary": 0}
    for seed in range(60):
        generator = numpy.random.default_rng(seed)
        human = generator.normal(size=(10, 8))
        first, second = human + generator.normal(size=(2, 10, 8))
        for level in seen:
            found = agreement.compare_topics(
                first, second[None], human, level=level, coefficient="pearson", resamples=200
            )
            seen[level] += found.p < 0.05
    assert seen["system"] <= 7  # 60 of 5% are 3; the system level also doubles its p
    assert seen["summary"] <= 7


def test_equal_averages_share_a_rank_in_whatever_order_they_are_summed(
    agreement: ModuleType,
) -> None:
    # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last bit.
    human = numpy.array([[0.1, 0.3, 0.9], [0.2, 0.2, 0.9], [0.3, 0.1, 0.9]])
    every = numpy.array([[0.0, 1.0, 2.0]] * 3)
    found = agreement.compare_topics(
        every, every[None], human, level="system", coefficient="spearman", resamples=10
    )
    assert found.all_oracles == pytest.approx(math.sqrt(3) / 2)


def test_topics_without_a_correlation_take_no_part(agreement: ModuleType) -> None:
    human, every, one = make_scores(6, 5, 3, 1.0)
    every[2] = 0.0
    one[:, 4] = 0.0
    found = agreement.compare_topics(
        every, one, human, level="summary", coefficient="pearson", resamples=50
    )
    assert found.topics == 4
    kept = [0, 1, 3, 5]
    again = agreement.compare_topics(
        every[kept], one[:, kept], human[kept], level="summary", coefficient="pearson", resamples=50
    )
    assert found.difference == pytest.approx(again.difference)


def test_the_detectable_difference_is_seen_in_four_of_five_samples(agreement: ModuleType) -> None:
    from scipy.stats import ttest_1samp

    topics, spread = 10, 0.3
    difference = agreement.find_detectable(spread / math.sqrt(topics), topics)
    drawn = numpy.random.default_rng(0).normal(difference, spread, size=(4000, topics))
    power = (ttest_1samp(drawn, 0, axis=1).pvalue < 0.05).mean()
    assert power == pytest.approx(0.8, abs=0.03)


def test_williams_power_grows_with_systems_and_is_the_level_without_a_difference(
    agreement: ModuleType,
) -> None:
    settings = {"agreement": 0.5, "between": 0.8, "simulations": 600}
    powers = [
        agreement.simulate_williams(systems, difference=0.3, **settings) for systems in (8, 20, 60)
    ]
    assert powers == sorted(powers)
    assert powers[-1] > 0.8
    assert agreement.simulate_williams(20, difference=0.0, **settings) < 0.09
    assert math.isnan(agreement.simulate_williams(20, difference=0.95, **settings))


def test_the_smallest_difference_seen_shrinks_with_systems_and_has_the_power_asked_for(
    agreement: ModuleType,
) -> None:
    few, many = (
        agreement.find_detectable_by_systems(systems, 0.5, 0.8, simulations=400)
        for systems in (10, 60)
    )
    assert many < few <= agreement.largest_difference(0.5, 0.8)
    assert agreement.simulate_williams(60, 0.5, 0.8, many, simulations=400) >= 0.8
    assert agreement.simulate_williams(60, 0.5, 0.8, many - 0.02, simulations=400) < 0.8


def test_holm_corrects_each_coefficient_over_all_corpora_levels_and_measures(
    agreement: ModuleType,
) -> None:
    rows = [
        {"main": main, "coefficient": coefficient, "p": p}
        for main, coefficient, p in [
            (1, "pearson", 0.01),
            (1, "pearson", 0.04),
            (0, "pearson", 0.01),
        ]
    ]
    agreement._correct(rows)
    assert [row["p_holm"] for row in rows] == [0.02, 0.04, 0.01]


def test_the_page_says_what_the_recorded_results_say(agreement: ModuleType) -> None:
    if not (RESULTS / "agreement-differences.csv").exists():
        pytest.skip("the results were not recorded")
    for name, block in agreement.describe(RESULTS).items():
        assert read_page(name) == block.strip(), name


def test_the_picture_is_drawn_from_the_recorded_results(
    agreement: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (RESULTS / "agreement-differences.csv").exists():
        pytest.skip("the results were not recorded")
    drawn = []
    monkeypatch.setattr(agreement, "save_figure", lambda figure, name: drawn.append(name))
    agreement.draw(RESULTS)
    assert drawn == ["agreement"]
