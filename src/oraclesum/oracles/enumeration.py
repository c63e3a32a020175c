"""What an enumerator hands on: the best score, what is proven, and the sets in a store."""

from __future__ import annotations

from .. import _kernel
from ..frozen import dataclass
from .status import Status
from .store import ListedStore, Store

__all__ = ["Enumeration"]


@dataclass(frozen=True, kw_only=True)
class Enumeration:
    """One finished or stopped enumeration."""

    hits: int
    upper_bound: int
    checked: int
    status: Status
    store: Store

    @classmethod
    def from_native(cls, native: _kernel.Enumeration, sentences: int) -> Enumeration:
        """Take over what a kernel method listed."""
        store = ListedStore.from_sorted(
            native.sets,
            sentences,
            count=native.count,
            inclusion_by_size=native.inclusion_by_size,
            sizes=native.sizes,
        )
        if native.interrupted:
            status = Status.INTERRUPTED
        elif native.out_of_memory:
            status = Status.MEMORY_LIMIT
        elif native.stopped:
            status = Status.TIME_LIMIT
        elif store.stored < store.count:
            status = Status.LIST_LIMIT
        else:
            status = Status.COMPLETE
        return cls(
            hits=native.hits,
            upper_bound=native.upper_bound,
            checked=native.checked,
            status=status,
            store=store,
        )
