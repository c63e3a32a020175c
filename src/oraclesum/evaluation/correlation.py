"""Correlation of measures with human scores, of systems and of summaries, with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, get_args

from ..errors import InputError
from ..frozen import dataclass
from ..given import check_choice
from ..whole import require_whole
from .bootstrap import RESAMPLES, bootstrap_mean, percentile_interval
from .coefficients import COEFFICIENTS, Coefficient, correlate_rows, scale_matrices
from .judged import Judged
from .signs import ResampledSigns

__all__ = [
    "LEVELS",
    "MOST_RESAMPLES",
    "Correlation",
    "Level",
    "check_question",
    "correlate_level",
    "correlate_measures",
    "do_nothing",
    "fit_sums",
    "mean_known",
]

Level = Literal["system", "summary"]
LEVELS: tuple[Level, ...] = get_args(Level)

MOST_RESAMPLES = 1_000_000
_BATCH = 100  # resamples at once: enough to be fast, small enough for memory


@dataclass(frozen=True, kw_only=True)
class Correlation:
    """One measure against the human scores; the interval says what it is an interval of."""

    measure: str
    level: Level
    coefficient: Coefficient
    value: float
    low: float
    high: float
    interval: Literal["topics and systems", "draws"]
    topics: int
    systems: int
    same_as: str | None = None  # an earlier measure that has the same scores

    def _repr_html_(self) -> str | None:
        from ..card import draw_safely
        from .cards import draw_correlation

        return draw_safely(lambda: draw_correlation(self))


def correlate_level(
    scores: Any, human: Any, level: Level, coefficient: Coefficient, size: float = 0.0
) -> Any:
    """Correlate matrices (topics by systems, further axes in front) with the human matrix.

    `system`: averages over the topics are correlated across systems. `summary`: the systems are
    correlated on each topic, and the topics where that is defined are averaged. `size` is that of
    `correlate_rows`.
    """
    import numpy

    if level == "system":
        # A system's average may only run over the summaries that both sides have.
        missing = numpy.isnan(scores) | numpy.isnan(human)
        if missing.any():
            scores = numpy.where(missing, numpy.nan, scores)
            human = numpy.where(missing, numpy.nan, human)
        return correlate_rows(mean_known(scores, -2), mean_known(human, -2), coefficient, size)
    return mean_known(correlate_rows(scores, human, coefficient, size), -1)


def fit_sums(scores: Any, level: Level) -> Any:
    """The scores, where they are summed over topics in a unit that keeps sums within a float."""
    return scale_matrices(scores) if level == "system" else scores


def mean_known(values: Any, axis: int) -> Any:
    """Mean of what is not nan; nan where nothing is left (numpy.nanmean would warn)."""
    import numpy

    known = ~numpy.isnan(values)
    if known.all() and values.shape[axis]:
        return values.sum(axis) / values.shape[axis]
    with numpy.errstate(invalid="ignore", divide="ignore"):
        return numpy.where(known, values, 0.0).sum(axis) / known.sum(axis)


def correlate_measures(
    judged: Judged,
    *,
    level: Level,
    coefficient: Coefficient,
    resamples: int = RESAMPLES,
    seed: int = 0,
    advance: Callable[[], None] | None = None,
) -> list[Correlation]:
    """Every measure against the human scores, in the order of the measures.

    The interval of a measure comes from drawing topics and systems anew (both with replacement);
    that of a drawn measure is the interval of its mean over the draws, as in the paper's Table 6.
    `advance` is called after each measure.
    """
    check_question(judged, level, coefficient, seed)
    resamples = require_whole("resamples", resamples, least=1, most=MOST_RESAMPLES)
    advance = advance or do_nothing
    human = fit_sums(judged.human, level)
    rows = []
    for name, given in judged.measures.items():
        scores = fit_sums(given, level)
        value = float(correlate_level(scores, human, level, coefficient))
        samples = _resample(scores, human, level, coefficient, resamples, seed)
        low, high = percentile_interval(samples)
        rows.append(_row(judged, name, level, coefficient, value, low, high, drawn=False))
        advance()
    for name, given in judged.drawn.items():
        scores = fit_sums(given, level)
        values = correlate_level(scores, human, level, coefficient).tolist()
        defined = [value for value in values if not math.isnan(value)]
        value = sum(defined) / len(defined) if defined else math.nan
        low, high = bootstrap_mean(defined, seed=seed, resamples=resamples)
        rows.append(_row(judged, name, level, coefficient, value, low, high, drawn=True))
        advance()
    return rows


def check_question(judged: Judged, level: Level, coefficient: Coefficient, seed: int) -> None:
    """Raise InputError for what is no question about agreement."""
    if not isinstance(judged, Judged):
        raise InputError(f"judged must be Judged, not {type(judged).__name__}")
    check_choice("level", level, LEVELS)
    check_choice("coefficient", coefficient, COEFFICIENTS)
    require_whole("seed", seed, least=0)


def do_nothing() -> None:
    """For callers who want no progress."""


def _resample(
    scores: Any, human: Any, level: Level, coefficient: Coefficient, resamples: int, seed: int
) -> list[float]:
    import numpy

    generator = numpy.random.default_rng(seed)
    topics, systems = scores.shape
    correlate = _prepare_resamples(scores, human, level, coefficient)
    samples: list[float] = []
    while len(samples) < resamples:
        batch = min(_BATCH, resamples - len(samples))
        rows = generator.integers(0, topics, size=(batch, topics, 1))
        columns = generator.integers(0, systems, size=(batch, 1, systems))
        samples += correlate(rows, columns).tolist()
    return samples


def _prepare_resamples(
    scores: Any, human: Any, level: Level, coefficient: Coefficient
) -> Callable[[Any, Any], Any]:
    """From drawn topics and systems to correlations; what all resamples share is done once."""
    import numpy

    if level == "summary" and coefficient != "pearson":
        signs = ResampledSigns(scores, human, coefficient)

        def correlate_ranks(rows: Any, columns: Any) -> Any:
            weights = (columns == numpy.arange(scores.shape[1])[:, None]).sum(-1)
            by_topic = signs.correlate(weights)
            return mean_known(numpy.take_along_axis(by_topic, rows[..., 0], 1), -1)

        return correlate_ranks
    if level == "system":
        missing = numpy.isnan(scores) | numpy.isnan(human)
        known_scores = numpy.where(missing, numpy.nan, scores)
        known_human = numpy.where(missing, numpy.nan, human)

        def correlate_averages(rows: Any, columns: Any) -> Any:
            x, y = (
                numpy.take_along_axis(mean_known(one[rows[..., 0]], -2), columns[:, 0], 1)
                for one in (known_scores, known_human)
            )
            return correlate_rows(x, y, coefficient)

        return correlate_averages

    def correlate_all(rows: Any, columns: Any) -> Any:
        return correlate_level(scores[rows, columns], human[rows, columns], level, coefficient)

    return correlate_all


def _row(
    judged: Judged,
    measure: str,
    level: Level,
    coefficient: Coefficient,
    value: float,
    low: float,
    high: float,
    *,
    drawn: bool,
) -> Correlation:
    return Correlation(
        measure=measure,
        level=level,
        coefficient=coefficient,
        value=value,
        low=low,
        high=high,
        interval="draws" if drawn else "topics and systems",
        topics=len(judged.topics),
        systems=len(judged.systems),
        same_as=judged.repeated.get(measure),
    )
