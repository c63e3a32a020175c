"""Soft labels: how much weight the oracles, or near-optimal sets, give to each sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ..instances.instance import Instance
from ..oracles.family import OracleFamily
from ..oracles.options import Options
from ..oracles.solve import solve_all
from ..oracles.status import Status
from .settings import LabelSettings

__all__ = ["soften_labels"]

Shares = tuple[float, ...]

# Statuses of a family that has all its sets counted.
_COUNTED = (Status.COMPLETE, Status.LIST_LIMIT, Status.STREAMED, Status.NO_OVERLAP)


def soften_labels(
    instance: Instance,
    oracles: OracleFamily,
    settings: LabelSettings,
    *,
    method: str,
    options: Options,
) -> tuple[Shares, Status]:
    """For each sentence its share of the weight of all sets, and how the work for it ended."""
    if not settings.within_hits or not oracles.count:
        return tuple(oracles.inclusion), oracles.status
    first = 0 if settings.temperature is not None else settings.within_hits
    families = [
        _enumerate(instance, within, method=method, options=options)
        for within in range(first, settings.within_hits + 1)
    ]
    ended = [family.status for family in families if family.status not in _COUNTED]
    status = ended[0] if ended else oracles.status
    if settings.temperature is None:
        return tuple(families[0].inclusion), status
    return _weigh(families, settings.temperature), status


def _enumerate(
    instance: Instance, within_hits: int, *, method: str, options: Options
) -> OracleFamily:
    wider = Options(
        time_limit=options.time_limit,
        max_list=0,
        family=options.family,
        within_hits=within_hits,
        threads=options.threads,
        seed=options.seed,
    )
    return solve_all(instance, method, wider)


def _weigh(families: Sequence[OracleFamily], temperature: float) -> Shares:
    """Family j holds the sets up to j hits below the best, so level j is what it adds to j - 1.

    Counts have any size and weights any smallness, so sums are kept as fractions.
    """
    weight = Fraction(0)
    held = [Fraction(0)] * families[0].sentences
    below = 0
    held_below = [0] * families[0].sentences
    for level, family in enumerate(families):
        each = Fraction(math.exp(-level / temperature))
        counts = family.inclusion_counts
        weight += each * (family.count - below)
        for i, count in enumerate(counts):
            if count != held_below[i]:
                held[i] += each * (count - held_below[i])
        below, held_below = family.count, counts
    return tuple(float(share / weight) for share in held)
