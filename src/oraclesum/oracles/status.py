"""How a run ended. A limit is a status, never an exception."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Status"]


class Status(StrEnum):
    """How a run ended."""

    COMPLETE = "complete"  # optimum proven, every oracle stored
    HEURISTIC = "heuristic"  # ended as planned; the method proves nothing and finds one set
    LIST_LIMIT = "list_limit"  # optimum proven, count exact, more oracles than are stored
    COUNTED = "counted"  # optimum proven, count exact; no time or memory left for inclusion
    TIME_LIMIT = "time_limit"  # stopped by the clock: best found and bounds are valid
    MEMORY_LIMIT = "memory_limit"  # memory does not suffice for all that are wanted; as above
    STREAMED = "streamed"  # optimum proven, count and inclusion exact, too large for one diagram
    INTERRUPTED = "interrupted"  # stopped by the user: best found and bounds are valid
    NO_OVERLAP = "no_overlap"  # no sentence that fits shares an n-gram with a reference
    NOT_AVAILABLE = "not_available"  # the method cannot do the objective; only of `compare`

    @property
    def partial(self) -> bool:
        """Whether not all sets are known: the best found and the bounds are valid."""
        return self in _PARTIAL

    @property
    def words(self) -> str:
        """What the status means, for people."""
        return _WORDS[self]


_PARTIAL = (Status.TIME_LIMIT, Status.MEMORY_LIMIT, Status.INTERRUPTED)

_WORDS = {
    Status.COMPLETE: "best score proven, all oracles stored",
    Status.HEURISTIC: "one set found, nothing proven",
    Status.LIST_LIMIT: "best score proven, count exact, not all oracles stored",
    Status.COUNTED: "best score proven, count exact, inclusion not counted within the limits",
    Status.TIME_LIMIT: "stopped by the time limit: the best found so far",
    Status.MEMORY_LIMIT: "more sets than memory suffices for: the best found so far",
    Status.STREAMED: "best score proven, count exact, too many oracles to hold",
    Status.INTERRUPTED: "interrupted: the best found so far",
    Status.NO_OVERLAP: "no sentence that fits shares an n-gram with a reference",
    Status.NOT_AVAILABLE: "not available for this objective",
}
