"""What is done once for many resamples, summaries or draws equals the plain way."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oraclesum import Rouge, score
from oraclesum.evaluation import bootstrap, evaluate
from oraclesum.evaluation.bootstrap import bootstrap_mean, bootstrap_means, percentile_interval
from oraclesum.evaluation.coefficients import COEFFICIENTS, Coefficient, correlate_rows
from oraclesum.evaluation.correlation import LEVELS, Level, _resample, correlate_level
from oraclesum.evaluation.draws import Draw, evaluate_draws
from oraclesum.evaluation.significance import _standardise, permute_test
from oraclesum.instances import Instance, Limit
from oraclesum.instances.limits import count_words, split_words
from oraclesum.oracles import enumerate_instance
from oraclesum.rouge import score_summaries


def make_scores(seed: int, *, missing: bool = False) -> tuple[Any, Any, Any]:
    """Two measures and human scores with many ties; some are missing everywhere at once."""
    generator = numpy.random.default_rng(seed)
    topics, systems = generator.integers(2, 7), generator.integers(2, 8)
    human, first, second = generator.integers(0, 5, size=(3, topics, systems)) / 4
    first[0] = 0.25  # a topic without a difference
    if missing:
        gone = generator.random((topics, systems)) < 0.2
        for scores in (human, first, second):
            scores[gone] = numpy.nan
    return human, first, second


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(8))
def test_resamples_equal_those_that_are_correlated_one_by_one(
    seed: int, level: Level, coefficient: Coefficient, missing: bool
) -> None:
    human, scores, _ = make_scores(seed, missing=missing)
    topics, systems = scores.shape
    generator = numpy.random.default_rng(seed)
    plain = []
    for batch in (100, 30):
        rows = generator.integers(0, topics, size=(batch, topics, 1))
        columns = generator.integers(0, systems, size=(batch, 1, systems))
        for row, column in zip(rows, columns, strict=True):
            drawn = scores[row, column], human[row, column]
            plain.append(float(correlate_level(*drawn, level, coefficient)))
    fast = _resample(scores, human, level, coefficient, 130, seed)
    numpy.testing.assert_array_equal(fast, plain)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(8))
def test_exchanges_equal_those_that_are_correlated_one_by_one(
    seed: int, level: Level, coefficient: Coefficient, missing: bool
) -> None:
    human, first, second = make_scores(seed, missing=missing)
    x, y = _standardise(first)[0], _standardise(second)[0]

    def differ(one: Any, other: Any) -> float:
        with_one = correlate_level(one, human, level, coefficient)
        return abs(float(with_one - correlate_level(other, human, level, coefficient)))

    observed = differ(x, y)
    swaps = numpy.random.default_rng(seed).random((130, *x.shape)) < 0.5
    exchanged = [(numpy.where(swap, y, x), numpy.where(swap, x, y)) for swap in swaps]
    as_large = sum(differ(*pair) >= observed - 1e-12 for pair in exchanged)
    expected = math.nan if math.isnan(observed) else (as_large + 1) / 131
    found = permute_test(first, second, human, level, coefficient, 130, seed)
    numpy.testing.assert_equal(found, expected)


def test_measures_that_lack_different_scores_are_still_compared() -> None:
    human, first, second = make_scores(3)
    first[1, 0] = second[1, 1] = numpy.nan
    for level in LEVELS:
        for coefficient in COEFFICIENTS:
            assert 0 < permute_test(first, second, human, level, coefficient, 50) <= 1


@pytest.mark.parametrize("seed", range(5))
def test_ranks_are_those_of_scipy(seed: int) -> None:
    generator = numpy.random.default_rng(seed)
    x, y = generator.integers(0, 4, size=(2, 6, 9)).astype(float)
    ranked = [stats.rankdata(one, axis=-1) for one in (x, y)]
    numpy.testing.assert_array_equal(
        correlate_rows(x, y, "spearman"), correlate_rows(*ranked, "pearson")
    )


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_percentiles_are_those_of_numpy(values: list[float]) -> None:
    expected = numpy.percentile(values, [2.5, 97.5])
    assert percentile_interval([*values, math.nan]) == pytest.approx(tuple(expected), abs=1e-12)


def test_intervals_of_many_rows_are_those_of_each_alone() -> None:
    generator = numpy.random.default_rng(5)
    rows = [generator.choice([0.2, 0.3, 0.5], n).tolist() for n in (40, 40, 7, 1)]
    rows += [[0.5] * 9]
    together = bootstrap_means(rows, seed=2, resamples=200)
    alone = [bootstrap_mean(row, seed=2, resamples=200) for row in rows]
    numpy.testing.assert_allclose(together, alone, rtol=1e-14)
    drawn = numpy.random.default_rng(2).integers(0, 40, size=(200, 40))
    means = numpy.asarray(rows[0])[drawn].mean(axis=1)
    assert together[0] == pytest.approx(tuple(numpy.percentile(means, [2.5, 97.5])))


def test_long_rows_are_resampled_in_pieces_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = numpy.random.default_rng(5).random((3, 41)).tolist()
    together = bootstrap_means(rows, seed=2, resamples=200)
    for size in (1, 41 * 7, 41 * 199):
        monkeypatch.setattr(bootstrap, "_TOGETHER", size)
        numpy.testing.assert_allclose(
            bootstrap_means(rows, seed=2, resamples=200), together, rtol=1e-13
        )


def test_long_rows_of_few_values_have_the_intervals_of_their_resamples() -> None:
    """Resampled by how many there are of each value, whatever rows are with them."""
    generator = numpy.random.default_rng(7)
    rows = [generator.choice([0.0, 0.2, 0.5], 20_000).tolist() for _ in range(2)]
    (low, high), other = bootstrap_means(rows, resamples=20_000)
    assert other == bootstrap_mean(rows[1], resamples=20_000)
    mean, error = numpy.mean(rows[0]), numpy.std(rows[0]) / math.sqrt(20_000)
    assert (low - mean) / error == pytest.approx(-1.96, abs=0.1)  # 5 standard errors
    assert (high - mean) / error == pytest.approx(1.96, abs=0.1)
    mixed = [*rows, generator.random(20_000).tolist()]
    assert bootstrap_means(mixed, resamples=300)[:2] == bootstrap_means(rows, resamples=300)


WORDS = st.sampled_from(["the", "cat", "cats", "sat", "on", "a", "mat", ".", "", "Running"])
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=4)


@given(
    st.lists(SENTENCES, min_size=1, max_size=3),
    st.lists(SENTENCES, min_size=1, max_size=3),
    st.integers(1, 3),
    st.sampled_from(["en", "fr"]),
)
@pytest.mark.filterwarnings("ignore::oraclesum.errors.NoTokensWarning")
def test_summaries_scored_together_score_as_each_alone(
    summaries: list[list[str]], references: list[list[str]], n: int, language: str
) -> None:
    rouge = Rouge(n=n, language=language)
    assert score_summaries(summaries, references, rouge) == [
        (
            score(summary, references, rouge),
            score(summary, references, rouge, across_sentences=False),
        )
        for summary in summaries
    ]


@given(st.text(alphabet=" \t\n\x0b\x0c\r\x1c\x85\u00a0\u2003ab\u00e9\ud800", max_size=12))
def test_words_are_counted_as_they_are_split(text: str) -> None:
    assert count_words(text) == len(split_words(text))


@given(
    st.lists(st.lists(st.integers(0, 4), max_size=3, unique=True).map(tuple), max_size=20),
    st.lists(st.sets(st.integers(0, 4)), min_size=1, max_size=3),
)
def test_draws_of_many_selections_are_those_of_each_oracle(
    drawn: list[tuple[int, ...]], selections: list[set[int]]
) -> None:
    for selected, found in zip(selections, evaluate_draws(selections, drawn), strict=True):
        plain = tuple(
            Draw(shared=len(selected & set(one)), oracle=len(one), selected=len(selected))
            for one in drawn
        )
        assert found.draws == plain
        assert found.f_measures == tuple(draw.f_measure for draw in plain)


@pytest.mark.parametrize("seed", range(20))
def test_overlap_is_the_fraction_that_it_stands_for(seed: int) -> None:
    generator = numpy.random.default_rng(seed)
    sentences = 7
    instance = Instance(
        total=4,
        gains=[[1]] * 4,
        counts=[[(int(generator.integers(4)), 1)] for _ in range(sentences)],
        limits=[
            Limit(
                unit="words",
                budget=5,
                lengths=tuple(int(n) for n in generator.integers(1, 4, size=sentences)),
            )
        ],
    )
    family = enumerate_instance(instance)
    selected = {int(i) for i in generator.integers(sentences, size=3)}
    shared = [(Fraction(len(selected.intersection(oracle))), len(oracle)) for oracle in family]
    precision = sum(both for both, _ in shared) / len(selected) / len(shared)
    recall = sum(both / size for both, size in shared) / len(shared)
    both = precision + recall
    found = evaluate(selected, family)
    assert found.precision == float(precision)
    assert found.recall == float(recall)
    assert found.f_measure == (float(2 * precision * recall / both) if both else 0.0)
