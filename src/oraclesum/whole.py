"""Whole numbers as callers write them: an int, or one of numpy's, but never a bool."""

from __future__ import annotations

import re
from fractions import Fraction
from operator import index
from typing import Any, SupportsIndex, TypeGuard

from .errors import InputError
from .message import Message, name_setting, show_value

__all__ = ["LARGEST", "as_fraction", "as_whole", "is_whole", "require_whole"]

LARGEST = 2**63 - 1  # that the kernel takes

# Short: the power of ten of a long exponent would take for ever.
_FRACTION = re.compile(
    r"\s*[+-]?(\d{1,300}/\d{1,300}|(?=[\d.])\d{0,300}(\.\d{0,300})?(e[+-]?\d{1,3})?)\s*", re.I
)


def as_fraction(text: str) -> Fraction:
    """A decimal, or "p/q", as an exact fraction; ValueError if it is neither."""
    if not _FRACTION.fullmatch(text):
        raise ValueError(f"no number: {text[:40]!r}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError("the denominator is 0") from None


def is_whole(value: Any) -> TypeGuard[SupportsIndex]:
    """Whether a value is a whole number of any library; a bool is none."""
    if isinstance(value, bool):
        return False
    try:
        index(value)
    except TypeError:
        return False
    return True


def as_whole(name: str, value: Any) -> int:
    """The value as an int, or an InputError that names it."""
    if type(value) is int:  # as nearly always, and many of them
        return value
    if not is_whole(value):
        message = Message(
            "{name} must be a whole number, not {value}",
            name=name_setting(name),
            value=show_value(value),
        )
        raise InputError(message)
    return index(value)


def require_whole(name: str, value: Any, *, least: int, most: int = LARGEST) -> int:
    """The value as an int; an InputError unless it is whole and from `least` to `most`."""
    number = as_whole(name, value)
    if number < least:
        message = "{name} must be at least {least}, not {number}"
        raise InputError(Message(message, name=name_setting(name), least=least, number=number))
    if number > most:  # and perhaps longer than Python prints
        limit = "below 2^63" if most == LARGEST else f"at most {most}"
        raise InputError(Message("{name} must be {limit}", name=name_setting(name), limit=limit))
    return number
