"""Method `greedy` (Alg. 2): fast, and at least (1 - 1/e)/2 of the optimum under one limit."""

from __future__ import annotations

from .. import _kernel
from ..instances.instance import Instance
from .options import Clock, Options
from .oracle import Oracle
from .status import Status

__all__ = ["bound_root", "find_greedy", "select_in_time"]

_LEAST_SECONDS = 1.0


def bound_root(instance: Instance) -> int:
    """No feasible set has more hits: Alg. 1 at the root, or all candidates if that is less."""
    candidates = list(instance.candidates)
    return min(_kernel.upper_bound(instance.native, [], candidates), instance.hits(candidates))


def select_in_time(instance: Instance, clock: Clock, options: Options) -> _kernel.Selection:
    """The greedy set in what time is left, and in a second if it is less: there has to be a set."""
    left = None if clock.left is None else max(clock.left, _LEAST_SECONDS)
    return _kernel.select_greedily(instance.native, left, options.stop)


def find_greedy(instance: Instance, options: Options) -> Oracle:
    """The greedy set; the upper bound is that of Alg. 1 at the root.

    If the time ends, or `stop` says true, what was selected until then.
    """
    found = _kernel.select_greedily(instance.native, options.time_limit, options.stop)
    stopped = Status.INTERRUPTED if found.interrupted else Status.TIME_LIMIT
    return Oracle(
        indices=tuple(found.set),
        hits=found.hits,
        total=instance.total,
        upper_bound=bound_root(instance),
        checked=found.checked,
        method="greedy",
        status=stopped if found.stopped else Status.HEURISTIC,
        signature=instance.signature,
    )
