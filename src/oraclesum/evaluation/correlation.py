"""Correlation of measures with human scores, of systems and of summaries, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

from .bootstrap import RESAMPLES, bootstrap_mean, percentile_interval
from .coefficients import Coefficient, correlate_rows
from .judged import Judged

__all__ = ["LEVELS", "Correlation", "Level", "correlate_level", "correlate_measures"]

Level = Literal["system", "summary"]
LEVELS: tuple[Level, ...] = get_args(Level)

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


def correlate_level(scores: Any, human: Any, level: Level, coefficient: Coefficient) -> Any:
    """Correlate matrices (topics by systems, further axes in front) with the human matrix.

    `system`: averages over the topics are correlated across systems. `summary`: the systems are
    correlated on each topic, and the topics where that is defined are averaged.
    """
    import numpy

    if level == "system":
        # A system's average may only run over the summaries that both sides have.
        missing = numpy.isnan(scores) | numpy.isnan(human)
        return correlate_rows(
            _mean(numpy.where(missing, numpy.nan, scores), -2),
            _mean(numpy.where(missing, numpy.nan, human), -2),
            coefficient,
        )
    return _mean(correlate_rows(scores, human, coefficient), -1)


def _mean(values: Any, axis: int) -> Any:
    """Mean of what is not nan; nan where nothing is left (numpy.nanmean would warn)."""
    import numpy

    held = ~numpy.isnan(values)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        return numpy.where(held, values, 0.0).sum(axis) / held.sum(axis)


def correlate_measures(
    judged: Judged,
    *,
    level: Level,
    coefficient: Coefficient,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Correlation]:
    """Every measure against the human scores, in the order of the measures.

    The interval of a measure comes from drawing topics and systems anew (both with replacement);
    that of a drawn measure is the interval of its mean over the draws, as in the paper's Table 6.
    """
    rows = []
    for name, scores in judged.measures.items():
        value = float(correlate_level(scores, judged.human, level, coefficient))
        samples = _resample(scores, judged.human, level, coefficient, resamples, seed)
        low, high = percentile_interval(samples)
        rows.append(_row(judged, name, level, coefficient, value, low, high, drawn=False))
    for name, scores in judged.drawn.items():
        values = correlate_level(scores, judged.human, level, coefficient).tolist()
        defined = [value for value in values if not math.isnan(value)]
        value = sum(defined) / len(defined) if defined else math.nan
        low, high = bootstrap_mean(defined, seed=seed, resamples=resamples)
        rows.append(_row(judged, name, level, coefficient, value, low, high, drawn=True))
    return rows


def _resample(
    scores: Any, human: Any, level: Level, coefficient: Coefficient, resamples: int, seed: int
) -> list[float]:
    import numpy

    generator = numpy.random.default_rng(seed)
    topics, systems = scores.shape
    samples: list[float] = []
    while len(samples) < resamples:
        batch = min(_BATCH, resamples - len(samples))
        rows = generator.integers(0, topics, size=(batch, topics, 1))
        columns = generator.integers(0, systems, size=(batch, 1, systems))
        values = correlate_level(scores[rows, columns], human[rows, columns], level, coefficient)
        samples += values.tolist()
    return samples


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
