"""Numbers as a reader wants them: counts of any size, shares, quantiles, safe names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, median_low, stdev

import numpy as np

from ..grid import show_power

__all__ = [
    "half_interval",
    "mean",
    "median",
    "quantile",
    "raise_digits",
    "show_count",
    "show_nodes",
    "show_number",
    "show_score",
    "show_seconds",
    "show_share",
    "show_signed",
]

_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def raise_digits(exponent: int) -> str:
    """An exponent in raised digits."""
    return str(exponent).translate(_RAISED)


def show_count(count: int | None) -> str:
    """A count: whole up to a million, then three digits and a power of ten."""
    if count is None:
        return "not known"
    if count < 1_000_000:
        return f"{count:,}"
    mantissa, exponent = show_power(count)
    return f"{mantissa}×10{raise_digits(exponent)}"  # noqa: RUF001 - a multiplication sign is meant


def show_score(value: float) -> str:
    """A score to three decimals."""
    return f"{value:.3f}"


def show_share(value: float) -> str:
    """A share as a percentage; small ones are never rounded to nothing, large ones never to all."""
    if 0 < value < 0.005:
        return "under 1%"
    if 0.995 <= value < 1:
        return "over 99%"
    return f"{value:.0%}"


def show_signed(value: float, low: float | None = None, high: float | None = None) -> str:
    """A correlation to two decimals with its interval, if that is known, and true minus signs."""
    text = f"{value:.2f}"
    if low is not None and high is not None:
        text += f" [{low:.2f}, {high:.2f}]"
    return text.replace("-", "\N{MINUS SIGN}")


def show_number(number: int, noun: str) -> str:
    """A number with its noun, which takes an s."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def show_nodes(nodes: int) -> str:
    """How many nodes a search looked at, as `show_count` shows them."""
    return "1 node" if nodes == 1 else f"{show_count(nodes)} nodes"


def show_seconds(seconds: float) -> str:
    """A time with a unit that keeps it short."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:,.3g} s" if seconds < 1000 else f"{seconds:,.0f} s"


def mean(values: Sequence[float]) -> float:
    """The mean; nan of nothing."""
    return fmean(values) if values else math.nan


def median(counts: Sequence[int]) -> int:
    """The lower median of integers of any size."""
    return median_low(counts)


def quantile(values: Sequence[float], share: float) -> float:
    """The quantile by linear interpolation; nan of nothing."""
    return float(np.quantile(values, share)) if values else math.nan


def half_interval(values: Sequence[float]) -> float:
    """Half the 95% interval of the mean (normal approximation); infinite for fewer than two."""
    return 1.96 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
