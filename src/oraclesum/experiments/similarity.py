"""Jaccard indices of Table 4: a set with the oracles, and the oracles among themselves."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

from ..evaluation.bootstrap import bootstrap_mean
from ..frozen import dataclass
from ..oracles.family import OracleFamily

__all__ = ["Similarity", "compare_oracles", "compare_with_oracles"]

_LARGEST_LISTED = 10_000  # oracles compared one by one; more are sampled
_SAMPLE = 2_000


@dataclass(frozen=True, kw_only=True)
class Similarity:
    """A mean Jaccard index: exact, or from a sample with the 95% interval of its mean."""

    value: float
    exact: bool
    low: float
    high: float


def compare_with_oracles(
    selected: Iterable[int], family: OracleFamily, *, seed: int
) -> Similarity | None:
    """Mean over the oracles of their Jaccard index with a set; None without an oracle."""
    chosen = _mask(selected)
    if not family.count:
        return None
    exact = family.count <= _LARGEST_LISTED and len(family) == family.count
    oracles = family if exact else family.sample(_SAMPLE, seed)
    return _average([_jaccard(chosen, _mask(oracle)) for oracle in oracles], exact, seed)


def compare_oracles(family: OracleFamily, *, seed: int) -> Similarity | None:
    """Mean over all pairs of different oracles; None if there are fewer than two."""
    if family.count < 2:
        return None
    found = family.mean_jaccard(draws=_SAMPLE, seed=seed)
    return Similarity(value=found.value, exact=found.exact, low=found.low, high=found.high)


def _average(values: list[float], exact: bool, seed: int) -> Similarity:
    mean = fmean(values)
    low, high = (mean, mean) if exact else bootstrap_mean(values, seed=seed)
    return Similarity(value=mean, exact=exact, low=low, high=high)


def _mask(members: Iterable[int]) -> int:
    return sum(1 << i for i in members)


def _jaccard(first: int, second: int) -> float:
    either = (first | second).bit_count()
    return (first & second).bit_count() / either if either else 1.0
