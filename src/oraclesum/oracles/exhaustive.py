"""Method `exhaustive`: scores every feasible set of candidates; for a few dozen sentences at most.

`checked` counts the feasible sets scored, so a finished run agrees with `count_feasible` (Appendix
B).
"""

from __future__ import annotations

from .. import _kernel
from ..instances.instance import Instance
from .enumeration import Enumeration
from .options import Options
from .oracle import Oracle

__all__ = ["enumerate_exhaustive", "find_exhaustive"]


def enumerate_exhaustive(instance: Instance, options: Options) -> Enumeration:
    """All oracles by looking at every feasible set."""
    native = _kernel.enumerate_exhaustively(
        instance.native,
        options.family,
        options.within_hits,
        options.max_list,
        options.time_limit,
        options.stop,
    )
    return Enumeration.from_native(native, instance.n_sentences)


def find_exhaustive(instance: Instance, options: Options) -> Oracle:
    """One oracle by looking at every feasible set."""
    native = _kernel.enumerate_exhaustively(
        instance.native, "one", 0, 1, options.time_limit, options.stop
    )
    return Oracle.from_native(native, instance, "exhaustive")
