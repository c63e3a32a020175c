"""Method `pairwise`: the approximation of Peyrard and Eckle-Kohler (2016), then scored exactly.

hits(S) is taken as the sum of the sentences' own hits minus the overlap of every pair in S, where
the overlap of a pair is what the two lose together, hits(i) + hits(j) - hits(i, j): exact for two
sentences, wrong where three share an n-gram. Only pairs that overlap and fit together get a
variable. Their number grows with the square of the document, so in documents of more than 200
candidates only the 200 with most own hits per length (under the first limit) take part, and those
of the greedy set, from which HiGHS starts. That set is the answer where time runs out before
anything better turns up, and where it has more than 1,000 sentences.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate, combinations

from ..instances.instance import Instance
from .greedy import bound_root, select_in_time
from .milp import Program, Solution
from .options import Clock, Ended, Options
from .oracle import Oracle
from .status import Status

__all__ = ["find_overlaps", "find_pairwise"]

_MAX_SENTENCES = 200  # that take part
_MAX_SELECTED = 1_000  # sentences of the greedy set: beyond, their pairs would be millions


def find_pairwise(instance: Instance, options: Options) -> Oracle:
    """The set that is best under the approximation, with its true hits."""
    clock = options.start_clock()
    greedy = select_in_time(instance, clock, options)
    selected, checked = tuple(greedy.set), 0
    status = Status.INTERRUPTED if greedy.interrupted else Status.TIME_LIMIT
    if not greedy.stopped:
        try:
            selected, solution = _improve(instance, selected, options, clock)
            checked = solution.nodes
            status = Status.HEURISTIC if solution.status is Status.COMPLETE else solution.status
        except Ended as ended:
            status = ended.status
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
    instance: Instance, selected: tuple[int, ...], options: Options, clock: Clock
) -> tuple[tuple[int, ...], Solution]:
    """What HiGHS makes of a set that is known, and how it ended. Ended if time is up before."""
    if len(selected) > _MAX_SELECTED:
        return selected, Solution(values=None, bound=None, nodes=0, status=Status.HEURISTIC)
    program = Program()
    candidates = _choose(instance, selected, clock)
    start = [float(i in selected) for i in candidates]
    column = {
        i: program.add_column(cost=float(instance.hits([i])), upper=1.0, whole=True)
        for i in candidates
    }
    for limit in instance.limits:
        program.add_limit([(column[i], limit.lengths[i]) for i in candidates], limit.budget)
    for (i, j), overlap in sorted(find_overlaps(instance, candidates, clock).items()):
        clock.check()
        if instance.feasible((i, j)):  # both at once costs the overlap: pair >= x_i + x_j - 1
            pair = program.add_column(cost=-float(overlap), upper=1.0, whole=False)
            program.add_row([(column[i], 1.0), (column[j], 1.0), (pair, -1.0)], 1.0)
            start.append(float(i in selected and j in selected))
    solution = program.solve(clock.left, options.stop, start)
    if solution.values is not None:
        rounded = tuple(i for i in candidates if solution.values[column[i]] > 0.5)
        if instance.feasible(rounded):
            selected = rounded
    return selected, solution


def _choose(instance: Instance, needed: Iterable[int], clock: Clock) -> list[int]:
    """The candidates that take part, ascending: the densest ones, and those that are needed."""

    def rank(i: int) -> tuple[bool, Fraction, int]:
        clock.check()
        length = instance.lengths[i]
        hits = instance.hits([i])
        return (length == 0, Fraction(hits, length) if length else Fraction(hits), -i)

    densest = sorted(instance.candidates, key=rank, reverse=True)[:_MAX_SENTENCES]
    return sorted({*densest, *needed})


def find_overlaps(
    instance: Instance, among: Iterable[int], clock: Clock
) -> dict[tuple[int, int], int]:
    """hits(i) + hits(j) - hits(i, j) for every pair of those sentences where it is not 0.

    Raises Ended if time is up.
    """
    holders: dict[int, list[tuple[int, int]]] = {}
    for i in sorted(among):
        for ngram, count in instance.counts[i]:
            holders.setdefault(ngram, []).append((i, count))
    overlaps: dict[tuple[int, int], int] = {}
    for ngram, rows in holders.items():
        reached = list(accumulate(instance.gains[ngram], initial=0))
        last = len(reached) - 1
        for (i, a), (j, b) in combinations(rows, 2):
            clock.check()
            apart = reached[min(a, last)] + reached[min(b, last)]
            overlap = apart - reached[min(a + b, last)]
            if overlap:
                overlaps[i, j] = overlaps.get((i, j), 0) + overlap
    return overlaps
