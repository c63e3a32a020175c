"""How a run ended. A limit is a status, never an exception."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Status"]


class Status(StrEnum):
    """How a run ended."""

    COMPLETE = "complete"  # optimum proven, every oracle held
    HEURISTIC = "heuristic"  # ended as planned; the method proves nothing and finds one set
    LIST_LIMIT = "list_limit"  # optimum proven, count exact, more oracles than are held
    TIME_LIMIT = "time_limit"  # stopped by the clock: best found and bounds are valid
    STREAMED = "streamed"  # optimum proven, count and inclusion exact, too large for one diagram
    INTERRUPTED = "interrupted"  # stopped by the user: best found and bounds are valid
    NO_OVERLAP = "no_overlap"  # no sentence that fits shares an n-gram with a reference
