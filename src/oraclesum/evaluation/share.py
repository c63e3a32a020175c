"""The share of the oracle: a summary's score over its oracle's, averaged over topics."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from statistics import fmean

__all__ = ["average_shares", "measure_share"]


def measure_share(score: int | Fraction, oracle: int | Fraction) -> float | None:
    """The share in one case, hits or values counted alike; None if the oracle has none."""
    if not oracle:
        return None
    if isinstance(score, int) and isinstance(oracle, int):
        return score / oracle  # rounded once, as that of fractions
    return float(Fraction(score) / oracle)


def average_shares(topics: Iterable[Iterable[float | None]]) -> float | None:
    """The mean over topics; None if no topic has a share.

    Each topic brings a share for each of its references, which are averaged first. A case without
    a share is left out: an oracle without hits says nothing about a system.
    """
    known = ([share for share in shares if share is not None] for shares in topics)
    means = [fmean(shares) for shares in known if shares]
    return fmean(means) if means else None
