"""Method `pairwise`: the approximation of Peyrard and Eckle-Kohler (2016), then scored exactly.

hits(S) is taken as the sum of the sentences' own hits minus the overlap of every pair in S, where
the overlap of a pair is what the two lose together, hits(i) + hits(j) - hits(i, j): exact for two
sentences, wrong where three share an n-gram. Only pairs that overlap and fit together get a
variable. Their number grows with the square of the document, so in documents of more than 200
candidates only the 200 with most own hits per length (under the first limit) take part. HiGHS
starts from the greedy set, the answer where time runs out before anything better turns up.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate, combinations

from .. import _kernel
from ..instances.instance import Instance
from .greedy import bound_root
from .milp import Program, Solution
from .options import Options
from .oracle import Oracle
from .status import Status

__all__ = ["find_overlaps", "find_pairwise"]

_MAX_SENTENCES = 200  # sentences


def find_pairwise(instance: Instance, options: Options) -> Oracle:
    """The set that is best under the approximation, with its true hits."""
    greedy = _kernel.select_greedily(instance.native, None, options.stop)
    selected, checked, status = tuple(greedy.set), 0, Status.INTERRUPTED
    if not greedy.interrupted:
        selected, solution = _improve(instance, selected, options)
        checked = solution.nodes
        status = Status.HEURISTIC if solution.status is Status.COMPLETE else solution.status
    return Oracle(
        indices=selected,
        hits=instance.hits(selected),
        total=instance.total,
        upper_bound=bound_root(instance),
        checked=checked,
        method="pairwise",
        status=status,
        signature=instance.signature,
    )


def _improve(
    instance: Instance, selected: tuple[int, ...], options: Options
) -> tuple[tuple[int, ...], Solution]:
    """What HiGHS makes of a set that is known, and how it ended."""
    program = Program()
    candidates = _choose(instance, selected)
    start = [float(i in selected) for i in candidates]
    column = {
        i: program.add_column(cost=float(instance.hits([i])), upper=1.0, whole=True)
        for i in candidates
    }
    for limit in instance.limits:
        program.add_limit([(column[i], limit.lengths[i]) for i in candidates], limit.budget)
    for (i, j), overlap in sorted(find_overlaps(instance, candidates).items()):
        if instance.feasible((i, j)):  # both at once costs the overlap: pair >= x_i + x_j - 1
            pair = program.add_column(cost=-float(overlap), upper=1.0, whole=False)
            program.add_row([(column[i], 1.0), (column[j], 1.0), (pair, -1.0)], 1.0)
            start.append(float(i in selected and j in selected))
    solution = program.solve(options.time_limit, options.stop, start)
    if solution.values is not None:
        rounded = tuple(i for i in candidates if solution.values[column[i]] > 0.5)
        if instance.feasible(rounded):
            selected = rounded
    return selected, solution


def _choose(instance: Instance, needed: Iterable[int]) -> list[int]:
    """The candidates that take part, ascending: the densest ones, and those that are needed."""

    def rank(i: int) -> tuple[bool, Fraction, int]:
        length = instance.lengths[i]
        hits = instance.hits([i])
        return (length == 0, Fraction(hits, length) if length else Fraction(hits), -i)

    densest = sorted(instance.candidates, key=rank, reverse=True)[:_MAX_SENTENCES]
    return sorted({*densest, *needed})


def find_overlaps(instance: Instance, among: Iterable[int]) -> dict[tuple[int, int], int]:
    """hits(i) + hits(j) - hits(i, j) for every pair of those sentences where it is not 0."""
    holders: dict[int, list[tuple[int, int]]] = {}
    for i in sorted(among):
        for ngram, count in instance.counts[i]:
            holders.setdefault(ngram, []).append((i, count))
    overlaps: dict[tuple[int, int], int] = {}
    for ngram, rows in holders.items():
        reached = list(accumulate(instance.gains[ngram], initial=0))
        last = len(reached) - 1
        for (i, a), (j, b) in combinations(rows, 2):
            apart = reached[min(a, last)] + reached[min(b, last)]
            overlap = apart - reached[min(a + b, last)]
            if overlap:
                overlaps[i, j] = overlaps.get((i, j), 0) + overlap
    return overlaps
