"""Method `search`, the default: proves the optimum, builds the diagram of all sets that reach it.

No MIP solver is in its path; see docs/engine.md for the method and why it is exact.
"""

from __future__ import annotations

from .. import _kernel
from ..instances.instance import Instance
from .bounds import MAX_MEMORY
from .diagram import DiagramStore
from .enumeration import Enumeration
from .options import Options
from .oracle import Oracle
from .status import Status
from .store import ClassRow, ListedStore, Store, classify

__all__ = ["enumerate_search", "find_search", "store_streamed"]


def enumerate_search(instance: Instance, options: Options) -> Enumeration:
    """All oracles, as a diagram."""
    found = _run(instance, options, collect=True)
    store: Store
    if found.family is not None:
        store = DiagramStore(found.family, options.max_list)
        status = Status.COMPLETE if store.stored == store.count else Status.LIST_LIMIT
    elif found.streamed is not None:
        store = store_streamed(found.streamed, instance.n_sentences)
        status = Status.STREAMED
    else:
        # Stopped early: the best set found, if any, is all there is. Whether it is an oracle,
        # `upper_bound` tells.
        store = ListedStore([found.best] if found.best else (), instance.n_sentences)
        status = Status.INTERRUPTED if found.interrupted else Status.TIME_LIMIT
    return Enumeration(
        hits=found.hits,
        upper_bound=found.upper_bound,
        checked=found.nodes,
        status=status,
        store=store,
    )


def store_streamed(streamed: _kernel.Streamed, sentences: int) -> Store:
    """What is known of a family that was too large for one diagram."""
    classes = classify(streamed.members, sentences)
    by_size = {size: ClassRow(row, classes) for size, row in streamed.inclusion_by_size.items()}
    return ListedStore.from_sorted(
        sorted(streamed.listed),
        sentences,
        count=streamed.count,
        inclusion_counts=list(ClassRow(streamed.inclusion, classes)),
        inclusion_by_size=by_size if streamed.by_size else None,
        sizes=streamed.sizes if streamed.by_size else None,
    )


def find_search(instance: Instance, options: Options) -> Oracle:
    """One oracle, proven; nothing is enumerated."""
    found = _run(instance, options, collect=False)
    unproven = Status.INTERRUPTED if found.interrupted else Status.TIME_LIMIT
    return Oracle(
        indices=found.best,
        hits=found.hits,
        total=instance.total,
        upper_bound=found.upper_bound,
        checked=found.nodes,
        method="search",
        # A proven optimum is complete, also if time ran out after the proof.
        status=Status.COMPLETE if found.hits == found.upper_bound else unproven,
        signature=instance.signature,
    )


def _run(instance: Instance, options: Options, *, collect: bool) -> _kernel.Found:
    return _kernel.search(
        instance.native,
        options.within_hits,
        options.family == "minimal",
        collect,
        options.threads,
        options.time_limit,
        MAX_MEMORY,
        options.max_list,
        [],
        options.stop,
    )
