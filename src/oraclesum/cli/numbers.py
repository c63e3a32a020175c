"""Integers of any size in JSON: beyond what a double holds exactly, as decimal strings."""

from __future__ import annotations

import sys

__all__ = ["allow_long_integers", "exact"]

_LARGEST_EXACT_DOUBLE = 2**53


def exact(number: int) -> int | str:
    """The number, or its decimal digits where a JSON reader that uses doubles would round it."""
    return number if abs(number) <= _LARGEST_EXACT_DOUBLE else str(number)


def allow_long_integers() -> None:
    """Lift Python's guard against decimal strings of more than 4300 digits; ours are answers."""
    sys.set_int_max_str_digits(0)
