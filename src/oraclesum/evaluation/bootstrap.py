"""Percentile intervals by seeded bootstrap; resampling only re-sums what was counted."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["CONFIDENCE", "RESAMPLES", "bootstrap_mean", "percentile_interval"]

CONFIDENCE = 0.95
RESAMPLES = 1000


def bootstrap_mean(
    values: Sequence[float],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """Interval of the mean of `values`; (nan, nan) where there is none, a point where all agree."""
    if not values:
        return math.nan, math.nan
    if min(values) == max(values):
        return values[0], values[0]
    import numpy

    generator = numpy.random.default_rng(seed)
    held = numpy.asarray(values, dtype=float)
    means = held[generator.integers(0, len(held), size=(resamples, len(held)))].mean(axis=1)
    return percentile_interval(means.tolist(), confidence=confidence)


def percentile_interval(
    values: Sequence[float], *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The middle `confidence` of the values; those that are not a number are left out."""
    import numpy

    held = numpy.asarray(values, dtype=float)
    held = held[~numpy.isnan(held)]
    if not held.size:
        return math.nan, math.nan
    tail = 100 * (1 - confidence) / 2
    low, high = numpy.percentile(held, [tail, 100 - tail])
    return float(low), float(high)
