"""Numbers as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from ..digits import read_digits, show_large

__all__ = ["format_count", "format_indices", "format_score"]


def format_score(value: float) -> str:
    """A score to five decimals, as ROUGE-1.5.5 prints it."""
    return f"{value:.5f}"


def format_count(value: int | str) -> str:
    """A count with thousands separators; one too long to read as a power of ten."""
    return show_large(read_digits(value))


def format_indices(indices: Sequence[int]) -> str:
    """Sentence indices in a row."""
    return " ".join(map(str, indices))
