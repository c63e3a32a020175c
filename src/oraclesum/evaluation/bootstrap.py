"""Percentile intervals by seeded bootstrap; resampling only re-sums what was counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ..stopping import importing

__all__ = [
    "CONFIDENCE",
    "RESAMPLES",
    "bootstrap_mean",
    "bootstrap_means",
    "percentile_interval",
    "percentile_intervals",
]

CONFIDENCE = 0.95
RESAMPLES = 1000

_TOGETHER = 1 << 22  # values that are drawn at once: 100 MB
_REPEATED = 8  # values that are so often alike are drawn by how many there are of each


def bootstrap_mean(
    values: Sequence[float],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> tuple[float, float]:
    """95% interval of the mean of `values`; (nan, nan) if there is none, a point if all agree."""
    return bootstrap_means([values], seed=seed, resamples=resamples)[0]


def bootstrap_means(
    rows: Sequence[Sequence[float]],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> list[tuple[float, float]]:
    """`bootstrap_mean` of each row.

    Rows of one length share their resamples, but for long ones of few values, which are resampled
    in less time.
    """
    found = [_point(row) for row in rows]
    by_length: dict[int, list[int]] = {}
    for k, point in enumerate(found):
        if point is None:
            by_length.setdefault(len(rows[k]), []).append(k)
    if by_length:
        with importing():
            import numpy

        for places in by_length.values():
            values = numpy.asarray([rows[k] for k in places], dtype=float)
            intervals = percentile_intervals(_resample(values, seed, resamples))
            for k, interval in zip(places, intervals, strict=True):
                found[k] = interval
    return [point for point in found if point is not None]


def _resample(values: Any, seed: int, resamples: int) -> Any:
    """The means of each row in every resample; of long rows some resamples at a time."""
    import numpy

    length = values.shape[1]
    if resamples * length <= _TOGETHER:
        return values @ _weigh_all(seed, resamples, length)
    means = numpy.empty((len(values), resamples))
    others = []
    for k, row in enumerate(values):
        distinct, counts = numpy.unique(row, return_counts=True)
        if len(distinct) * _REPEATED > length:
            others.append(k)
            continue
        generator = numpy.random.default_rng(seed)
        for place in _cut(resamples, len(distinct)):
            drawn = generator.multinomial(length, counts / length, size=place.stop - place.start)
            means[k, place] = drawn @ distinct / length
    if others:
        generator = numpy.random.default_rng(seed)
        for place in _cut(resamples, length):
            weights = _weigh(generator, place.stop - place.start, length)
            means[others, place] = values[others] @ weights
    return means


def _cut(resamples: int, length: int) -> list[slice]:
    """Parts of the resamples that fit into memory."""
    step = max(1, _TOGETHER // length)
    return [slice(done, min(done + step, resamples)) for done in range(0, resamples, step)]


@lru_cache(maxsize=4)  # a run resamples every topic alike
def _weigh_all(seed: int, resamples: int, length: int) -> Any:
    import numpy

    return _weigh(numpy.random.default_rng(seed), resamples, length)


def _weigh(generator: Any, resamples: int, length: int) -> Any:
    """A column per resample: the share of each value in its mean."""
    import numpy

    drawn = generator.integers(0, length, size=(resamples, length))
    places = drawn * resamples + numpy.arange(resamples)[:, None]
    counts = numpy.bincount(places.ravel(), minlength=resamples * length)
    return counts.reshape(length, resamples) / length


def _point(values: Sequence[float]) -> tuple[float, float] | None:
    if not values:
        return math.nan, math.nan
    return (values[0], values[0]) if min(values) == max(values) else None


def percentile_interval(values: Sequence[float]) -> tuple[float, float]:
    """The middle 95% of the values; those that are not a number are left out."""
    with importing():
        import numpy

    return percentile_intervals(numpy.asarray([values], dtype=float))[0]


def percentile_intervals(rows: Any) -> list[tuple[float, float]]:
    """`percentile_interval` of each row of a matrix."""
    with importing():
        import numpy

    # As numpy.nanquantile, which takes longer to start than this takes in all.
    ordered = numpy.sort(rows, axis=-1)  # what is not a number comes last
    known = (ordered == ordered).sum(axis=-1).tolist()
    tail = (1 - CONFIDENCE) / 2
    return [
        (_interpolate(row, tail * (length - 1)), _interpolate(row, (1 - tail) * (length - 1)))
        if length
        else (math.nan, math.nan)
        for row, length in zip(ordered, known, strict=True)
    ]


def _interpolate(ordered: Any, place: float) -> float:
    below = math.floor(place)
    low, high = float(ordered[below]), float(ordered[math.ceil(place)])
    return low + (high - low) * (place - below)
