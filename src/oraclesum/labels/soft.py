"""Soft labels: how much weight the oracles, or near-optimal sets, give to each sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from ..digits import show_large
from ..errors import LimitError
from ..message import Message
from ..oracles.api import Problem, solve_problem
from ..oracles.family import OracleFamily
from ..oracles.objective import ObjectiveProblem
from ..oracles.options import Options
from ..oracles.status import Status
from .settings import LabelSettings

__all__ = ["soften_labels"]

Shares = tuple[float, ...]

# Statuses of a family that has all its sets counted.
_COUNTED = (Status.COMPLETE, Status.LIST_LIMIT, Status.STREAMED, Status.NO_OVERLAP)

MAX_WEIGHED = 1_000_000  # sets that are scored one by one for their weights


def soften_labels(
    problem: Problem,
    oracles: OracleFamily,
    settings: LabelSettings,
    *,
    method: str,
    options: Options,
) -> tuple[Shares, Status]:
    """For each sentence its share of the weight of all sets, and how the work for it ended."""
    if not settings.is_near or not oracles.count:
        return tuple(oracles.inclusion), oracles.status
    # Of a family in levels of hits only the sums are wanted.
    listed = isinstance(problem, ObjectiveProblem) and settings.temperature is not None
    wider = replace(settings.widen(options), max_list=MAX_WEIGHED if listed else 0)
    levels = [wider.within_hits]
    if settings.within_hits and settings.temperature is not None:
        levels = list(range(wider.within_hits + 1))
    families = [
        solve_problem(problem, method, replace(wider, within_hits=level)) for level in levels
    ]
    ended = [family.status for family in families if family.status not in _COUNTED]
    status = ended[0] if ended else oracles.status
    if settings.temperature is None:
        return tuple(families[0].inclusion), status
    if isinstance(problem, ObjectiveProblem):
        return _weigh_each(problem, families[0], settings.temperature), status
    return _weigh_levels(families, settings.temperature), status


def _weigh_each(problem: ObjectiveProblem, family: OracleFamily, temperature: float) -> Shares:
    """Each set by its own score."""
    if family.count > MAX_WEIGHED:
        raise LimitError(
            Message(
                "a {temperature} needs the score of each of {count} sets; at most {most} are "
                "weighed: make {within} or {top} smaller",
                count=show_large(family.count),
                most=f"{MAX_WEIGHED:,}",
            )
        )
    best = family.value
    weights: list[float] = []
    of_sentence: list[list[float]] = [[] for _ in range(family.n_sentences)]
    for selected in family.iterate():
        weight = math.exp(-float(best - problem.score(selected)) / temperature)
        weights.append(weight)
        for i in selected:
            of_sentence[i].append(weight)
    whole = math.fsum(weights)
    return tuple(math.fsum(each) / whole for each in of_sentence)


def _weigh_levels(families: Sequence[OracleFamily], temperature: float) -> Shares:
    """Family j has the sets up to j hits below the best, so level j is what it adds to j - 1.

    Counts have any size and weights any smallness, so sums are kept as fractions.
    """
    weight = Fraction(0)
    shares = [Fraction(0)] * families[0].n_sentences
    below = 0
    counts_below = [0] * families[0].n_sentences
    for level, family in enumerate(families):
        each = Fraction(math.exp(-level / temperature))
        counts = family.inclusion_counts
        weight += each * (family.count - below)
        for i, count in enumerate(counts):
            if count != counts_below[i]:
                shares[i] += each * (count - counts_below[i])
        below, counts_below = family.count, counts
    return tuple(float(share / weight) for share in shares)
