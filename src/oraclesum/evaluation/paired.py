"""Two summarisers on the same topics: the mean difference, its interval, and a paired test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev

from ..frozen import dataclass
from ..stopping import importing
from .bootstrap import bootstrap_mean

__all__ = ["PERMUTATIONS", "PairedTest", "compare_paired"]

PERMUTATIONS = 10_000
_MAX_TRIED_IN_FULL = 14  # topics that differ: all 2^14 signs; of more topics some are drawn
_BATCH = 1000  # draws at once: enough to be fast, small enough for memory


@dataclass(frozen=True, kw_only=True)
class PairedTest:
    """What the topics say about the first less the second.

    `p` is two-sided: how often the mean difference is as large if the sign of each topic's
    difference is left to chance (Fisher and Pitman's permutation test). It is exact for at most 14
    topics that differ; else from seeded draws, and `bound` is true if none of them came near.
    """

    topics: int
    difference: float
    low: float  # 95% bootstrap interval over topics
    high: float
    effect: float  # the mean difference over the standard deviation of the differences; nan if none
    larger: int  # topics on which the first has more
    smaller: int
    p: float
    exact: bool
    bound: bool


def compare_paired(
    first: Sequence[float],
    second: Sequence[float],
    *,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> PairedTest:
    """Compare the scores of the same topics in the same order.

    Examples
    --------
    >>> found = compare_paired([0.5, 0.4, 0.6], [0.25, 0.3, 0.4])
    >>> found.larger, found.p, found.exact
    (3, 0.25, True)
    """
    differences = [a - b for a, b in zip(first, second, strict=True)]
    if not differences:
        raise ValueError("there is no topic to compare on")
    low, high = bootstrap_mean(differences, seed=seed)
    mean = fmean(differences)
    spread = stdev(differences) if len(differences) > 1 else 0.0
    # A difference of zero has no sign to be left to chance.
    moving = [difference for difference in differences if difference]
    exact = len(moving) <= _MAX_TRIED_IN_FULL
    p, bound = _try_all(moving) if exact else _try_some(moving, permutations, seed)
    return PairedTest(
        topics=len(differences),
        difference=mean,
        low=low,
        high=high,
        effect=mean / spread if spread else math.nan,
        larger=sum(difference > 0 for difference in differences),
        smaller=sum(difference < 0 for difference in differences),
        p=p,
        exact=exact,
        bound=bound,
    )


def _try_all(differences: Sequence[float]) -> tuple[float, bool]:
    """Every assignment of signs."""
    with importing():
        import numpy

    sums = numpy.zeros(1)
    for difference in differences:
        sums = numpy.concatenate([sums + difference, sums - difference])
    observed = abs(math.fsum(differences))
    return float((abs(sums) >= observed - _slack(differences)).mean()), False


def _try_some(differences: Sequence[float], permutations: int, seed: int) -> tuple[float, bool]:
    """Signs drawn at random; the observed ones count as one more draw."""
    with importing():
        import numpy

    values = numpy.asarray(differences)
    observed = abs(math.fsum(differences)) - _slack(differences)
    generator = numpy.random.default_rng(seed)
    as_large = 0
    for done in range(0, permutations, _BATCH):
        size = min(_BATCH, permutations - done)
        signs = generator.integers(0, 2, size=(size, len(values)), dtype=numpy.int8) * 2 - 1
        as_large += int((abs(signs @ values) >= observed).sum())
    return (as_large + 1) / (permutations + 1), as_large == 0


def _slack(differences: Sequence[float]) -> float:
    """So much rounding can move a sum that is equal to the observed one."""
    return 1e-12 * sum(map(abs, differences))
