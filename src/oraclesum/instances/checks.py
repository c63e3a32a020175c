"""Checks the numbers of an instance before the kernel sees them, and says which one is wrong."""

from __future__ import annotations

from typing import Any

from .. import _kernel
from ..errors import InputError
from ..given import check_list
from ..message import show_value
from ..whole import is_whole
from .limits import Limit

__all__ = ["check_counts", "check_gains", "check_limit", "check_text", "check_total"]

# The kernel states its ranges, and why all that it computes then fits (ranges.hpp).
_RANGES = _kernel.ranges()


def check_total(value: Any) -> int:
    """ROUGE's denominator."""
    return _check_number("total", value, _RANGES["total"])


def check_gains(rows: Any) -> list[list[int]]:
    """For each n-gram its gains, which never increase."""
    found = []
    for g, row in enumerate(check_list("gains", rows)):
        gains = _check_numbers(f"gains[{g}]", row, _RANGES["total"])
        for k in range(1, len(gains)):
            if gains[k] > gains[k - 1]:
                raise InputError(
                    f"gains[{g}][{k}] must not be larger than the gain before it: "
                    f"{gains[k]} follows {gains[k - 1]}"
                )
        found.append(gains)
    total = sum(map(sum, found))
    if total > _RANGES["total"]:
        raise InputError(f"gains must add up to at most {_RANGES['total']}, not {total}")
    return found


def check_counts(rows: Any, ngrams: int) -> list[list[tuple[int, int]]]:
    """For each sentence its pairs (n-gram, count)."""
    most = _RANGES["count"]
    found = []
    for i, row in enumerate(check_list("counts", rows)):
        pairs: dict[int, int] = {}
        for k, pair in enumerate(check_list(f"counts[{i}]", row)):
            place = f"counts[{i}][{k}]"
            entry = check_list(place, pair)
            if len(entry) != 2:
                raise InputError(
                    f"{place} must be a pair of an n-gram and its count, not {len(entry)} values"
                )
            ngram = _check_number(f"{place}[0]", entry[0])
            if ngram >= ngrams:
                raise InputError(
                    f"{place}[0] names n-gram {show_value(ngram)}, but gains has {ngrams} rows"
                )
            count = pairs.get(ngram, 0) + _check_number(f"{place}[1]", entry[1], most)
            # Repeated pairs add up, so their sum must keep the range as well.
            pairs[ngram] = _check_number(f"{place}[1], with those before it,", count, most)
        found.append(list(pairs.items()))
    return found


def check_limit(limit: Limit, n_sentences: int, place: str = "") -> Limit:
    """One limit; `place` stands before its fields in a message."""
    lengths = _check_numbers(f"{place}lengths", limit.lengths, _RANGES["length"])
    if len(lengths) != n_sentences:
        raise InputError(
            f"{place}lengths has {len(lengths)} entries, but counts has {n_sentences} sentences"
        )
    if limit.floor != 0:
        raise InputError(
            f"{place}floor must be 0: an instance has upper limits only; enumerate_oracles has "
            "lower ones"
        )
    return Limit(
        unit=check_text(f"{place}unit", limit.unit),
        budget=_check_number(f"{place}budget", limit.budget, _RANGES["budget"]),
        lengths=tuple(lengths),
    )


def check_text(place: str, value: Any) -> str:
    """A str that can be written as UTF-8."""
    if not isinstance(value, str):
        raise InputError(f"{place} must be a string, not {show_value(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{place} is not valid Unicode: {error.reason}") from error
    return value


def _check_numbers(place: str, values: Any, largest: int) -> list[int]:
    checked = []
    for k, value in enumerate(check_list(place, values)):
        # The usual number passes without its place being spelled out.
        usual = type(value) is int and 0 <= value <= largest
        checked.append(value if usual else _check_number(f"{place}[{k}]", value, largest))
    return checked


def _check_number(place: str, value: Any, largest: int | None = None) -> int:
    if not is_whole(value):
        raise InputError(f"{place} must be a whole number, not {show_value(value)}")
    number = value.__index__()
    if number < 0:
        raise InputError(f"{place} must not be negative, not {show_value(number)}")
    if largest is not None and number > largest:
        raise InputError(f"{place} must be at most {largest}, not {show_value(number)}")
    return number
