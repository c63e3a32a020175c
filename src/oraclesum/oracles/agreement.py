"""How alike the oracles of one problem are: the mean Jaccard index over all pairs of them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from fractions import Fraction

from .. import _kernel
from ..errors import InputError
from ..frozen import dataclass
from .bounds import ask, check_bounds
from .store import Set, Store, gather

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
    if store.count <= _MAX_LISTED:
        sets = gather(store.iterate_from((), store.count))
        if len(sets) == store.count:
            value = _average_pairs(sets)
            return Agreement(value=value, low=value, high=value, exact=True, draws=0)
    values = list(_compare_pairs(store.draw(2 * draws, seed)))
    if len(values) < 2:
        raise InputError(f"of {draws} draws, fewer than two gave different oracles: raise draws")
    value = statistics.fmean(values)
    margin = _QUANTILE * statistics.stdev(values) / math.sqrt(len(values))
    return Agreement(
        value=value,
        low=max(0.0, value - margin),
        high=min(1.0, value + margin),
        exact=False,
        draws=len(values),
    )


def _compare_pairs(drawn: Iterator[Set]) -> Iterator[float]:
    """The Jaccard index of every two that follow each other.

    Pairs of one and the same oracle are no pairs; without them, the rest is uniform over pairs.
    """
    each = map(set, drawn)
    for one, other in zip(each, each, strict=True):
        check_bounds(what="comparing oracles")
        if one != other:
            yield len(one & other) / len(one | other)


def _average_pairs(sets: Sequence[Set]) -> float:
    if len(sets) < 2:
        return 1.0
    total = Fraction(0)
    for together, shared in enumerate(ask(lambda limits: _kernel.tally_overlaps(sets, limits))):
        if shared:
            check_bounds(what="comparing oracles")
            total += Fraction(shared, together)
    return float(total / math.comb(len(sets), 2))
