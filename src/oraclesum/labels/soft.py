"""Soft labels: how much weight the oracles, or near-optimal sets, give to each sentence."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from ..digits import show_large
from ..errors import LimitError
from ..message import Message
from ..oracles.api import Problem, solve_problem
from ..oracles.bounds import check_bounds, find_end
from ..oracles.family import OracleFamily
from ..oracles.objective import ObjectiveProblem
from ..oracles.options import Options
from ..oracles.status import Status
from .settings import LabelSettings

__all__ = ["soften_labels"]

Shares = tuple[float, ...]

# Statuses of a family that has all its sets counted.
_COUNTED = (Status.COMPLETE, Status.LIST_LIMIT, Status.STREAMED, Status.NO_OVERLAP)

MAX_WEIGHED = 1_000_000  # sets that are scored for their weights
_PIECE = 256  # of them between two looks at the clock


def soften_labels(
    problem: Problem,
    oracles: OracleFamily,
    settings: LabelSettings,
    *,
    chosen: Sequence[int],
    method: str,
    options: Options,
) -> tuple[Shares, Status]:
    """For each sentence its share of the weight of all sets, and how the work for it ended.

    If it is stopped before all sets are weighed, the shares are those of the oracles; if these
    could not be counted either, those of one oracle, `chosen`. What is asked of families keeps to
    the bounds of `answer_within`, which the caller has set to those of `options`.
    """
    started = time.monotonic()
    try:  # first: the sets near them may take all the time that is left
        own = tuple(oracles.inclusion)
    except LimitError:
        alone = tuple(float(i in set(chosen)) for i in range(oracles.n_sentences))
        return alone, find_end() or Status.MEMORY_LIMIT
    if not settings.is_near or not oracles.count or oracles.status not in _COUNTED:
        return own, oracles.status

    def solve(wider: Options) -> OracleFamily:
        family = solve_problem(problem, method, wider.left_since(started))
        if family.status not in _COUNTED:
            raise _Stopped(family.status)
        return family

    try:
        shares = _weigh(problem, oracles, settings, settings.widen(options), solve)
    except _Stopped as stopped:
        return own, stopped.status
    except LimitError:
        if (reason := find_end()) is None:
            raise  # the sets are too many
        return own, reason
    return shares, oracles.status


class _Stopped(Exception):  # noqa: N818 - on its way to the status that says so
    """A search for near-optimal sets ended before it had all of them."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


def _weigh(
    problem: Problem,
    oracles: OracleFamily,
    settings: LabelSettings,
    wider: Options,
    solve: Callable[[Options], OracleFamily],
) -> Shares:
    """The shares in the oracles and the sets near them, which `solve` finds."""
    sums = replace(wider, max_list=0)
    if settings.temperature is None:
        return tuple(solve(sums).inclusion)
    if isinstance(problem, ObjectiveProblem):
        family = solve(replace(wider, max_list=MAX_WEIGHED))
        return _weigh_each(problem, family, settings.temperature)
    levels = (replace(sums, within_hits=level) for level in range(1, wider.within_hits + 1))
    return _weigh_levels([oracles, *map(solve, levels)], settings.temperature)


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
    sets = family.iterate()
    while piece := list(islice(sets, _PIECE)):
        check_bounds(what="weighing sets")
        for selected, value in zip(piece, problem.score_each(piece), strict=True):
            weight = math.exp(-float(best - value) / temperature)
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
