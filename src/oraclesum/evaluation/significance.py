"""Whether one measure agrees with people more than another: Williams, permutation, Holm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .bootstrap import RESAMPLES
from .coefficients import Coefficient
from .correlation import Level, correlate_level
from .judged import Judged

__all__ = ["Difference", "compare_measures", "correct_holm", "permute_test", "williams_test"]

_BATCH = 100  # permutations at once: enough to be fast, small enough for memory


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Two measures of one kind compared; p values are two-sided, `*_holm` for all pairs at once.

    The Williams test is one of Pearson correlations across systems, and None elsewhere.
    """

    first: str
    second: str
    level: Level
    coefficient: Coefficient
    difference: float  # correlation of the first less that of the second
    williams: float | None
    williams_holm: float | None
    permutation: float
    permutation_holm: float

    def _repr_html_(self) -> str | None:
        from ..card import draw_safely
        from .cards import draw_difference

        return draw_safely(lambda: draw_difference(self))


def compare_measures(
    judged: Judged,
    *,
    level: Level,
    coefficient: Coefficient,
    permutations: int = RESAMPLES,
    seed: int = 0,
) -> list[Difference]:
    """Every pair of measures; drawn measures carry their own interval and take no part.

    Nor does a measure that repeats another (`Judged.repeated`): Holm corrects for the pairs that
    are hypotheses of their own.
    """
    pairs = list(combinations((name for name in judged.measures if name not in judged.repeated), 2))
    tested = level == "system" and coefficient == "pearson"
    observed: list[float] = []
    williams: list[float] = []
    permuted: list[float] = []
    for first, second in pairs:
        x, y = judged.measures[first], judged.measures[second]
        with_x = float(correlate_level(x, judged.human, level, coefficient))
        with_y = float(correlate_level(y, judged.human, level, coefficient))
        observed.append(with_x - with_y)
        if tested:
            between = float(correlate_level(x, y, level, coefficient))
            williams.append(williams_test(with_x, with_y, between, len(judged.systems)))
        permuted.append(permute_test(x, y, judged.human, level, coefficient, permutations, seed))
    williams_holm = correct_holm(williams) if tested else []
    return [
        Difference(
            first=first,
            second=second,
            level=level,
            coefficient=coefficient,
            difference=observed[k],
            williams=williams[k] if tested else None,
            williams_holm=williams_holm[k] if tested else None,
            permutation=permuted[k],
            permutation_holm=corrected,
        )
        for k, ((first, second), corrected) in enumerate(
            zip(pairs, correct_holm(permuted), strict=True)
        )
    ]


def williams_test(with_first: float, with_second: float, between: float, systems: int) -> float:
    """Two-sided p of Williams' test (1959) that two dependent correlations are equal.

    `with_first`, `with_second`: correlations of the two measures with the human scores; `between`:
    of the measures with each other; over `systems` systems. nan for fewer than 4.
    """
    if systems < 4 or any(map(math.isnan, (with_first, with_second, between))):
        return math.nan
    if with_first == with_second:
        return 1.0
    from scipy.stats import t as student

    freedom = systems - 3
    rest = 1 - with_first**2 - with_second**2 - between**2 + 2 * with_first * with_second * between
    spread = 2 * max(rest, 0.0) * (systems - 1) / freedom
    spread += (with_first + with_second) ** 2 / 4 * (1 - between) ** 3
    if spread <= 0:
        return 1.0 if math.isclose(with_first, with_second) else 0.0
    statistic = (with_first - with_second) * math.sqrt((systems - 1) * (1 + between) / spread)
    return float(2 * student.sf(abs(statistic), freedom))


def permute_test(
    first: Any,
    second: Any,
    human: Any,
    level: Level,
    coefficient: Coefficient,
    permutations: int = RESAMPLES,
    seed: int = 0,
) -> float:
    """Two-sided p that both measures agree with people equally well: their scores are exchangeable.

    The scores are standardised, then exchanged for each summary with a probability of one half.
    """
    import numpy

    x, y = _standardise(first), _standardise(second)
    observed = abs(_difference(x, y, human, level, coefficient))
    if numpy.isnan(observed):
        return math.nan
    generator = numpy.random.default_rng(seed)
    as_large = done = 0
    while done < permutations:
        batch = min(_BATCH, permutations - done)
        swap = generator.random((batch, *x.shape)) < 0.5
        differences = _difference(
            numpy.where(swap, y, x), numpy.where(swap, x, y), human, level, coefficient
        )
        # A difference that rounding moved off the observed one still counts as large.
        as_large += int((numpy.abs(differences) >= observed - 1e-12).sum())
        done += batch
    return (as_large + 1) / (permutations + 1)


def _difference(x: Any, y: Any, human: Any, level: Level, coefficient: Coefficient) -> Any:
    with_x = correlate_level(x, human, level, coefficient)
    return with_x - correlate_level(y, human, level, coefficient)


def _standardise(scores: Any) -> Any:
    import numpy

    spread = numpy.nanstd(scores)
    return (scores - numpy.nanmean(scores)) / (spread if spread > 0 else 1.0)


def correct_holm(values: Sequence[float]) -> list[float]:
    """Holm's step-down correction of p values; nan stays nan and does not count."""
    order = sorted((p, k) for k, p in enumerate(values) if not math.isnan(p))
    corrected = list(values)
    largest = 0.0
    for rank, (p, k) in enumerate(order):
        largest = max(largest, min(1.0, p * (len(order) - rank)))
        corrected[k] = largest
    return corrected
