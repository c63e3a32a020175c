"""Correlations against SciPy computed by hand, one row at a time."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oraclesum.errors import InputError
from oraclesum.evaluation import Judged, compare_measures, correlate_measures, gather_scores
from oraclesum.evaluation.agreement import correlate_topics
from oraclesum.evaluation.coefficients import COEFFICIENTS, Coefficient, correlate_rows
from oraclesum.evaluation.correlation import LEVELS, correlate_level

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}

small = st.integers(-3, 3).map(float)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(data=st.lists(st.tuples(small, small), min_size=3, max_size=12))
def test_a_row_agrees_with_scipy(coefficient: Coefficient, data: list[tuple[float, float]]) -> None:
    x, y = zip(*data, strict=True)
    ours = float(correlate_rows(x, y, coefficient))
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(ours)
    else:
        assert ours == pytest.approx(SCIPY[coefficient](x, y).statistic, abs=1e-9)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_many_rows_at_once_are_the_rows_one_by_one(coefficient: Coefficient) -> None:
    generator = numpy.random.default_rng(5)
    x, y = generator.random((7, 9)), generator.random((7, 9))
    together = correlate_rows(x, y, coefficient)
    alone = [SCIPY[coefficient](a, b).statistic for a, b in zip(x, y, strict=True)]
    assert together == pytest.approx(alone)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_a_missing_score_is_left_out(coefficient: Coefficient) -> None:
    x = [0.1, 0.5, float("nan"), 0.3, 0.9]
    y = [1.0, 3.0, 9.0, float("nan"), 2.0]
    expected = SCIPY[coefficient]([0.1, 0.5, 0.9], [1.0, 3.0, 2.0]).statistic
    assert float(correlate_rows(x, y, coefficient)) == pytest.approx(expected)


def make_judged(seed: int = 0, topics: int = 6, systems: int = 8) -> Judged:
    generator = numpy.random.default_rng(seed)
    human = generator.random((topics, systems)) + numpy.arange(systems) / 4
    return Judged(
        topics=tuple(map(str, range(topics))),
        systems=tuple(map(str, range(systems))),
        human=human,
        measures={
            "good": human + generator.normal(0, 0.2, human.shape),
            "poor": human + generator.normal(0, 3.0, human.shape),
        },
        drawn={"drawn": human + generator.normal(0, 1.0, (40, *human.shape))},
    )


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_levels_agree_with_scipy_by_hand(coefficient: Coefficient) -> None:
    judged = make_judged()
    scores = judged.measures["poor"]
    by_system = SCIPY[coefficient](scores.mean(axis=0), judged.human.mean(axis=0)).statistic
    assert correlate_level(scores, judged.human, "system", coefficient) == pytest.approx(by_system)
    by_topic = [
        SCIPY[coefficient](a, b).statistic for a, b in zip(scores, judged.human, strict=True)
    ]
    summary = correlate_level(scores, judged.human, "summary", coefficient)
    assert summary == pytest.approx(sum(by_topic) / len(by_topic))


def test_intervals_are_seeded_and_hold_the_value() -> None:
    judged = make_judged()
    rows = correlate_measures(judged, level="summary", coefficient="pearson", seed=4)
    assert rows == correlate_measures(judged, level="summary", coefficient="pearson", seed=4)
    assert [row.measure for row in rows] == ["good", "poor", "drawn"]
    for row in rows:
        assert row.low <= row.value <= row.high
    good, poor, drawn = rows
    assert good.value > poor.value
    assert drawn.interval == "draws"
    # The interval of a mean over 40 draws is far narrower than one over topics and systems.
    assert drawn.high - drawn.low < (poor.high - poor.low) / 2


def test_a_drawn_measure_is_the_mean_of_the_correlations_of_its_draws() -> None:
    judged = make_judged()
    row = correlate_measures(judged, level="system", coefficient="spearman")[2]
    means = judged.human.mean(axis=0)
    values = [stats.spearmanr(draw.mean(axis=0), means).statistic for draw in judged.drawn["drawn"]]
    assert row.value == pytest.approx(sum(values) / len(values))


def test_only_summaries_with_every_score_take_part() -> None:
    human = {("t", "a"): 1.0, ("t", "b"): 2.0, ("t", "c"): 3.0, ("u", "a"): 1.5}
    measures = {"m": {("t", "a"): 0.1, ("t", "b"): 0.2, ("u", "a"): 0.3, ("u", "z"): 9.0}}
    judged = gather_scores(human, measures)
    assert (judged.topics, judged.systems) == (("t", "u"), ("a", "b"))
    assert judged.human[0].tolist() == [1.0, 2.0]
    assert numpy.isnan(judged.human[1, 1])


def make_topic(id: str, **human: float) -> dict[str, Any]:
    return {
        "id": id,
        "measures": {"ROUGE-1": {s: h / 7 for s, h in human.items()}},
        "drawn": {},
        "human": {s: {"grade": h} for s, h in human.items()},
    }


def test_a_measure_that_is_the_human_score_correlates_fully() -> None:
    topics = [make_topic("t", a=1, b=4, c=2), make_topic("u", a=2, b=5, c=3)]
    rows = correlate_topics(topics, resamples=50)
    assert len(rows) == 6
    assert all(row["value"] == pytest.approx(1.0) for row in rows)


def test_the_human_score_has_to_be_named_where_there_are_several() -> None:
    topic = make_topic("t", a=1, b=2, c=3)
    topic["human"]["a"]["fluency"] = 2.0
    with pytest.raises(InputError, match="grade, fluency"):
        correlate_topics([topic])
    with pytest.raises(InputError, match="'style'; there are: grade, fluency"):
        correlate_topics([topic], human="style")


def test_judged_takes_sequences_of_any_kind() -> None:
    arrays = make_judged()
    lists = Judged(
        topics=list(arrays.topics),
        systems=list(arrays.systems),
        human=arrays.human.tolist(),
        measures={name: tuple(map(tuple, m)) for name, m in arrays.measures.items()},
        drawn={name: m.tolist() for name, m in arrays.drawn.items()},
    )
    for level in LEVELS:
        settings: Any = {"level": level, "coefficient": "pearson", "resamples": 20}
        assert correlate_measures(lists, **settings) == correlate_measures(arrays, **settings)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"human": [[1, 2], [3]]}, "human must be a matrix of numbers"),
        ({"human": [1, 2]}, "human must have a score for 2 topics by 2 systems, but is 2"),
        ({"human": [[10**400, 1], [1, 1]]}, "human must be a matrix of numbers: int too large"),
        ({"human": 3}, "human must have a score for 2 topics by 2 systems, but is a single number"),
        ({"human": [["1", "2"], ["3", "4"]]}, "human must be a matrix of numbers: text"),
        ({"measures": {"m": [[1, 2]]}}, r"measures\['m'\] must have a score for 2 topics by 2"),
        ({"measures": [[1, 2], [3, 4]]}, "measures must map names to matrices"),
        ({"drawn": {"d": [[1, 2], [3, 4]]}}, r"drawn\['d'\] must have .* for each draw"),
        ({"systems": "ab"}, "systems must be a list of names, not str"),
    ],
)
def test_judged_says_which_part_does_not_fit(changes: dict[str, Any], said: str) -> None:
    fitting: dict[str, Any] = {
        "topics": ["a", "b"],
        "systems": ["x", "y"],
        "human": [[1, 2], [3, None]],
        "measures": {"m": [[1, 2], [3, 4]]},
    }
    Judged(**fitting)
    with pytest.raises(InputError, match=said):
        Judged(**{**fitting, **changes})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"level": "System"}, "level must be 'system' or 'summary', not 'System'"),
        ({"level": None}, "level must be 'system' or 'summary', not None"),
        ({"coefficient": "r"}, "coefficient must be one of 'pearson', .*, not 'r'"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"times": -5}, "must be at least 1, not -5"),
        ({"times": math.inf}, "must be a whole number, not inf"),
        ({"times": 10**7}, "must be at most 1000000"),
        ({"judged": None}, "judged must be Judged, not NoneType"),
    ],
)
def test_what_is_no_question_about_agreement_is_refused(wrong: dict[str, Any], said: str) -> None:
    asked: dict[str, Any] = {"level": "system", "coefficient": "pearson", "seed": 0, **wrong}
    judged, times = asked.pop("judged", make_judged()), asked.pop("times", 10)
    with pytest.raises(InputError, match=said):
        correlate_measures(judged, resamples=times, **asked)
    with pytest.raises(InputError, match=said):
        compare_measures(judged, permutations=times, **asked)


def test_progress_comes_to_the_last_step() -> None:
    systems = ["a", "b", "c"]
    topics = [
        {
            "id": str(t),
            "measures": {
                name: {s: (t * k + 2 * j) % 5 for j, s in enumerate(systems)}
                for k, name in enumerate(["one", "two", "three"], 1)
            },
            "drawn": {"drawn": {s: [0.1 * j, 0.2, 0.3 * t] for j, s in enumerate(systems)}},
            "human": {s: {"quality": j + t % 2} for j, s in enumerate(systems)},
        }
        for t in range(4)
    ]
    told: list[tuple[int, int]] = []
    correlate_topics(topics, resamples=20, progress=lambda *step: told.append(step))
    # Two levels and three coefficients, each with four measures and three pairs.
    assert told == [(done, 42) for done in range(1, 43)]


@pytest.mark.parametrize("coefficient", ["spearman", "kendall"])
def test_averages_that_differ_by_rounding_alone_are_tied(coefficient: Coefficient) -> None:
    # The first two systems have the same scores on other topics; their sums differ in the last bit.
    human = numpy.array([[0.1, 0.3, 0.9], [0.2, 0.2, 0.9], [0.3, 0.1, 0.9]])
    assert len(set(human.sum(axis=0).tolist())) == 3
    scores = numpy.array([[0.0, 1.0, 2.0]] * 3)
    found = correlate_level(scores, human, "system", coefficient)
    exact = SCIPY[coefficient]([0, 1, 2], [2, 2, 9]).statistic
    assert float(found) == pytest.approx(exact)
    missing = numpy.array([math.nan, *human.sum(axis=0)])
    ours = correlate_rows([5.0, 0.0, 1.0, 2.0], missing, coefficient)
    assert float(ours) == pytest.approx(exact)


@pytest.mark.parametrize("scale", [1e-6, 1, 1e3, 1e5, 1e9])
def test_averages_that_rounding_moves_apart_have_no_pearson(scale: float) -> None:
    draw = random.Random(5)
    for _ in range(50):
        scores = [round(draw.uniform(0, 1), 5) * scale for _ in range(7)]
        averages = [sum(draw.sample(scores, 7)) / 7 for _ in range(6)]
        assert math.isnan(correlate_rows(averages, range(6), "pearson"))


@pytest.mark.parametrize("scale", [1e-200, 1e-100, 1e-15, 1e-13, 1e15, 1e100, 1e200, 1e307])
def test_pearson_does_not_depend_on_the_scale_of_the_scores(scale: float) -> None:
    draw = numpy.random.default_rng(3)
    x, y = draw.random((4, 9)), draw.random((4, 9))
    x[0, 2] = numpy.nan
    known = correlate_rows(x, y, "pearson")
    assert correlate_rows(scale * x, y, "pearson") == pytest.approx(known)
    assert correlate_rows(x, scale * y, "pearson") == pytest.approx(known)
    assert correlate_rows(scale * x, scale * y, "pearson") == pytest.approx(known)
