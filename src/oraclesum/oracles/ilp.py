"""Method `ilp` (Sec. 4, Eq. 3-8): one oracle by HiGHS, rounded, scored again, bounded in hits.

All references are folded into the gains of an n-gram (gain k = number of references with at least k
of it), so one variable per run of equal gains replaces the z_kj of all references. Gains never
increase: the variables fill up in order by themselves and may be continuous. The certificate rests
on HiGHS' dual bound, a float; it is rounded down to whole hits with a tolerance on the safe side,
so that a doubtful bound shows as "not proven", never as a false proof.
"""

from __future__ import annotations

import math
from itertools import groupby

from ..instances.instance import Instance
from .greedy import bound_root, select_in_time
from .milp import Program, Solution
from .options import Clock, Ended, Options
from .oracle import Oracle
from .status import Status

__all__ = ["find_ilp"]

# Far above the solver's own 1e-6, far below one hit; of a bound beyond a thousand hits a millionth
# of it, since the solver's error grows with its numbers.
_TOLERANCE = 1e-3
_RELATIVE_TOLERANCE = 1e-6


def find_ilp(instance: Instance, options: Options) -> Oracle:
    """One oracle; if HiGHS is stopped or gives up, the better of its point and the greedy set."""
    clock = options.start_clock()
    alike: list[list[int]] = []
    try:
        alike = _group_equal(instance, clock)
        solution = _write(instance, alike, clock).solve(clock.left, options.stop)
    except Ended as ended:  # before HiGHS could start
        solution = Solution(values=None, bound=None, nodes=0, status=ended.status)
    best: tuple[int, ...] = tuple(select_in_time(instance, clock, options).set)
    hits = instance.hits(best)
    if solution.values is not None:
        rounded = tuple(
            sorted(
                i
                for equal, value in zip(alike, solution.values, strict=False)
                for i in equal[: round(value)]
            )
        )
        if instance.feasible(rounded) and instance.hits(rounded) >= hits:
            best, hits = rounded, instance.hits(rounded)
    upper_bound = bound_root(instance)
    if solution.bound is not None:
        tolerance = max(_TOLERANCE, abs(solution.bound) * _RELATIVE_TOLERANCE)
        upper_bound = min(upper_bound, math.floor(solution.bound + tolerance))
    status = solution.status
    if status is Status.COMPLETE and upper_bound > hits:  # a bound that is too wide proves nothing
        status = Status.HEURISTIC
    return Oracle(
        indices=best,
        hits=hits,
        total=instance.total,
        upper_bound=max(upper_bound, hits),
        checked=solution.nodes,
        method="ilp",
        status=status,
        signature=instance.signature,
    )


def _group_equal(instance: Instance, clock: Clock) -> list[list[int]]:
    """Candidates that no row tells apart: HiGHS would try them in every order."""
    found: dict[tuple[object, ...], list[int]] = {}
    for i in instance.candidates:
        clock.check()
        lengths = tuple(limit.lengths[i] for limit in instance.limits)
        found.setdefault((tuple(instance.counts[i]), lengths), []).append(i)
    return list(found.values())


def _write(instance: Instance, alike: list[list[int]], clock: Clock) -> Program:
    """Eq. 3-8 in the folded form: columns x_i first, one for each group of equal candidates."""
    program = Program()
    supply: dict[int, list[tuple[int, float]]] = {}  # n-gram -> its sentences' columns and counts
    for equal in alike:
        clock.check()
        column = program.add_column(cost=0.0, upper=float(len(equal)), whole=True)
        for ngram, count in instance.counts[equal[0]]:
            # Counts beyond the last gain only loosen the relaxation.
            supply.setdefault(ngram, []).append(
                (column, -float(min(count, len(instance.gains[ngram]))))
            )
    for limit in instance.limits:  # Eq. 4
        lengths = [limit.lengths[equal[0]] for equal in alike]
        program.add_limit(list(enumerate(lengths)), limit.budget)
    for ngram, terms in sorted(supply.items()):  # Eq. 5: no more hits than occurrences
        clock.check()
        for gain, run in groupby(instance.gains[ngram]):
            upper = float(sum(1 for _ in run))  # Eq. 6
            terms.append((program.add_column(cost=float(gain), upper=upper, whole=False), 1.0))
        program.add_row(terms, 0.0)
    return program
