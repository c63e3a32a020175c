"""Sentence weights as whole numbers, so that sums of them are exact and ties are real ties."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from operator import index

from ..errors import InputError
from ..given import check_list
from ..message import show_value
from ..whole import is_whole

__all__ = ["scale_weights"]

# The kernel adds up 128-bit numbers, one per sentence; this leaves room for 2^30 sentences.
_MAX_BITS = 96


def scale_weights(weights: Sequence[float], sentences: int, name: str = "weights") -> list[int]:
    """Whole numbers in the proportions of the weights, one per sentence.

    Exact for whole numbers below 2^96, and for floats unless the largest is more than 2^43 times
    the smallest; beyond that, weights are rounded to 2^-96 of the largest one.
    """
    if isinstance(weights, Iterator):
        weights = list(islice(weights, sentences + 1))  # it may have no end
    weights = check_list(name, weights, "a list of numbers")
    if len(weights) != sentences:
        raise InputError(
            f"{name} must have a number per sentence: {sentences} sentences, {len(weights)} {name}"
        )
    if all(type(weight) is int for weight in weights):
        scaled = [int(weight) for weight in weights]  # the usual case: nothing to bring in line
    else:
        fractions = [_as_fraction(weight, i) for i, weight in enumerate(weights)]
        denominator = math.lcm(*(fraction.denominator for fraction in fractions))
        scaled = [int(fraction * denominator) for fraction in fractions]
    largest = max((abs(number) for number in scaled), default=0)
    surplus = largest.bit_length() - _MAX_BITS
    if surplus <= 0:
        return scaled
    return [round(Fraction(number, 1 << surplus)) for number in scaled]


def _as_fraction(weight: float, sentence: int) -> Fraction:
    try:
        if isinstance(weight, bool | str | bytes | bytearray):
            raise TypeError("no number, although float() takes it")
        return Fraction(index(weight)) if is_whole(weight) else Fraction(float(weight))
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"the weight of sentence {sentence} must be a finite number, not {show_value(weight)}"
        ) from None
