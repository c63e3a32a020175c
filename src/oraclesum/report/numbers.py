"""Numbers as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

__all__ = ["format_count", "format_indices", "format_score"]


def format_score(value: float) -> str:
    """A score to five decimals, as ROUGE-1.5.5 prints it."""
    return f"{value:.5f}"


def format_count(value: int | str) -> str:
    """A count with thousands separators; one too long to read as a power of ten."""
    number = int(value)
    if number < 10**15:
        return f"{number:,}"
    return f"{Decimal(number):.2e}"  # rounded; a float would not reach beyond e+308


def format_indices(indices: Sequence[int]) -> str:
    """Sentence indices in a row."""
    return " ".join(map(str, indices))
