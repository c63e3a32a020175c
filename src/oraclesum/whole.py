"""Whole numbers as callers write them: an int, or one of numpy's, but never a bool."""

from __future__ import annotations

from operator import index
from typing import Any, SupportsIndex, TypeGuard

from .errors import InputError

__all__ = ["as_whole", "is_whole"]


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
    if not is_whole(value):
        raise InputError(f"{name} must be a whole number, not {value!r}")
    return index(value)
