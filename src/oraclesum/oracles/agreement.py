"""How alike the oracles of one problem are: the mean Jaccard index over all pairs of them."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

from .. import _kernel
from ..frozen import dataclass
from .bounds import ask
from .store import Store

__all__ = ["Agreement", "measure_agreement"]

# Up to here all pairs are looked at: 50 million of them, in well under a second.
_MAX_LISTED = 10_000
_QUANTILE = 1.959963984540054  # of the normal distribution, for 95 %


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Mean Jaccard index of two different oracles; by draws, `low` and `high` are a 95 % interval.

    Where `exact` is true, all pairs went into it, `low` and `high` equal `value`, and `draws` is 0.
    A family of one oracle (or none) has no pair: its value is 1.
    """

    value: float
    low: float
    high: float
    exact: bool
    draws: int


def measure_agreement(store: Store, *, draws: int, seed: int) -> Agreement:
    """Exact by listing where the family is small, else by pairs drawn uniformly."""
    if store.count <= _MAX_LISTED and store.stored == store.count:
        value = _average_pairs(store)
        return Agreement(value=value, low=value, high=value, exact=True, draws=0)
    # Pairs of one and the same oracle are no pairs; without them, the rest is uniform over pairs.
    drawn = store.sample(2 * draws, seed)
    pairs = zip(map(set, drawn[::2]), map(set, drawn[1::2]), strict=True)
    values = [len(a & b) / len(a | b) for a, b in pairs if a != b]
    value = statistics.fmean(values)
    margin = _QUANTILE * statistics.stdev(values) / math.sqrt(len(values))
    return Agreement(
        value=value,
        low=max(0.0, value - margin),
        high=min(1.0, value + margin),
        exact=False,
        draws=len(values),
    )


def _average_pairs(store: Store) -> float:
    if store.count < 2:
        return 1.0
    total = Fraction(0)
    sets = [list(members) for members in store]
    table = ask(lambda limits: _kernel.tally_overlaps(sets, limits))
    for sizes, row in enumerate(table):
        for shared, pairs in enumerate(row):
            if shared and pairs:
                total += Fraction(shared * pairs, sizes - shared)
    return float(total / math.comb(store.count, 2))
