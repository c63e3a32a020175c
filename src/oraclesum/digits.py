"""Whole numbers of any size and their decimal digits, whatever limit Python has for them.

Python refuses to turn more than 4300 digits into a number, or a number into more, unless the whole
process is told otherwise; that is for its owner to say. Counts of oracles are longer at times.
"""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["read_digits", "show_large", "show_whole", "write_digits"]

_ALWAYS = sys.int_info.str_digits_check_threshold  # digits that no limit can forbid
_ALWAYS_BITS = 3 * _ALWAYS
_MAX_BITS = 1000  # of a number that is shown with all its digits
_LARGEST_WHOLE = 10**15


def read_digits(value: Any) -> int:
    """What `int` gives, of digits without limit. Raises ValueError or TypeError as that does."""
    if isinstance(value, str) and len(value) > _ALWAYS:
        digits = value.removeprefix("-")
        if digits.isascii() and digits.isdigit():
            from decimal import Decimal  # has no such limit, and is exact whatever its context

            return int(Decimal(value))
    return int(value)


def write_digits(number: int) -> str:
    """What `str` gives, of numbers without limit."""
    if number.bit_length() <= _ALWAYS_BITS:
        return str(number)
    from decimal import Decimal

    return str(Decimal(number))


def show_whole(number: int) -> str:
    """A whole number with all its digits, or beyond 300 of them as a power of ten."""
    return str(number) if number.bit_length() <= _MAX_BITS else show_large(number)


def show_large(number: int) -> str:
    """A whole number of any size; a long one as a rounded power of ten. Never all its digits."""
    if abs(number) < _LARGEST_WHOLE:
        return f"{number:,}"
    if number < 0:
        return f"-{show_large(-number)}"
    exponent = int((number.bit_length() - 1) * 0.30102999566398)  # or one more
    if number >= 10 ** (exponent + 1):
        exponent += 1
    leading = round(number, 2 - exponent) // 10 ** (exponent - 2)
    if leading == 1000:
        exponent, leading = exponent + 1, 100
    return f"{leading / 100:.2f}e+{exponent}"
