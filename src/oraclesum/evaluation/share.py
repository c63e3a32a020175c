"""The share of the oracle: hits of a summary over hits of its oracle, averaged over topics."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from statistics import fmean
from typing import overload

__all__ = ["average_shares", "measure_share"]


@overload
def measure_share(score: int, oracle: int) -> float | None: ...
@overload
def measure_share(score: Fraction, oracle: Fraction) -> Fraction | None: ...
def measure_share(score: int | Fraction, oracle: int | Fraction) -> float | Fraction | None:
    """The share in one case, hits or values counted alike; None if the oracle has none."""
    return score / oracle if oracle else None


def average_shares(topics: Iterable[Iterable[float | None]]) -> float | None:
    """The mean over topics; None if no topic has a share.

    Each topic brings a share for each of its references, which are averaged first. A case without
    a share is left out: an oracle without hits says nothing about a system.
    """
    known = ([share for share in shares if share is not None] for shares in topics)
    means = [fmean(shares) for shares in known if shares]
    return fmean(means) if means else None
