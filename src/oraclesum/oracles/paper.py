"""Method `paper` (Alg. 3): the paper's depth-first branch and bound, the slips of its text mended.

Sets kept so far are thrown away when a better score comes, the bound uses the budget that is left,
and ties are integer ties. `checked` counts the summaries it looked at (Table 7, "proposed").
"""

from __future__ import annotations

from .. import _kernel
from ..instances.instance import Instance
from .enumeration import Enumeration
from .options import Options
from .oracle import Oracle

__all__ = ["enumerate_paper", "find_paper"]


def enumerate_paper(instance: Instance, options: Options) -> Enumeration:
    """All oracles by Alg. 3."""
    native = _kernel.enumerate_paper(
        instance.native,
        options.family,
        options.within_hits,
        options.max_list,
        options.time_limit,
        options.stop,
    )
    return Enumeration.from_native(native, instance.n_sentences)


def find_paper(instance: Instance, options: Options) -> Oracle:
    """One oracle by Alg. 3: the same search, but a set that only ties is not looked for."""
    native = _kernel.enumerate_paper(instance.native, "one", 0, 1, options.time_limit, options.stop)
    return Oracle.from_native(native, instance, "paper")
