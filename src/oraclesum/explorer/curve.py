"""The best score against the limit: which limits, in which order, and each as a point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .case import Case
from .solving import solve_limit

__all__ = ["find_point", "order_limits"]


def order_limits(first: int, last: int, step: int) -> list[int]:
    """Both ends, then the middle of each gap, again and again: a line that gets finer."""
    limits = list(range(first, last + 1, step))
    if limits[-1] != last:
        limits.append(last)
    ends = [0, len(limits) - 1] if len(limits) > 1 else [0]
    ordered = [limits[k] for k in ends]
    gaps = [(0, len(limits) - 1)]
    while gaps:
        halves = []
        for low, high in gaps:
            if high - low > 1:
                middle = (low + high) // 2
                ordered.append(limits[middle])
                halves += [(low, middle), (middle, high)]
        gaps = halves
    return ordered


def find_point(
    case: Case, max_words: int, seconds: float, stop: Callable[[], bool]
) -> dict[str, Any]:
    """The best score under one limit, as `CurvePoint` describes it."""
    solved = solve_limit(case, max_words, seconds, stop)
    family = solved.family
    return {
        "limit": max_words,
        "hits": family.hits,
        "total": family.total,
        "score": family.score,
        "count": str(family.count),
        "status": "complete" if family.status == "list_limit" else family.status.value,
        "proven": family.proven,
        "seconds": solved.seconds,
    }
