"""Method `genetic`: a seeded genetic algorithm after Riedhammer et al. (Sec. 3).

It proves nothing of its own; the upper bound is that of Alg. 1 at the root.
"""

from __future__ import annotations

from .. import _kernel
from ..instances.instance import Instance
from .greedy import bound_root
from .options import Options
from .oracle import Oracle
from .status import Status

__all__ = ["find_genetic"]

_POPULATION = 100
_GENERATIONS = 1000
_PATIENCE = 50  # generations without a better best


def find_genetic(instance: Instance, options: Options) -> Oracle:
    """The best set that evolved; equal seeds give equal sets unless it is stopped early."""
    found = _kernel.evolve(
        instance.native,
        options.seed,
        _POPULATION,
        _GENERATIONS,
        _PATIENCE,
        options.time_limit,
        options.stop,
    )
    stopped = Status.INTERRUPTED if found.interrupted else Status.TIME_LIMIT
    return Oracle(
        indices=tuple(found.best.set),
        hits=found.best.hits,
        total=instance.total,
        upper_bound=bound_root(instance),
        checked=found.best.checked,
        method="genetic",
        status=stopped if found.stopped else Status.HEURISTIC,
        signature=instance.signature,
    )
