"""Numbers of any size and their digits, under the limit that Python starts with."""

from __future__ import annotations

import sys
from decimal import Context, localcontext
from typing import Any

import pytest

from oraclesum.digits import read_digits, show_large, show_whole, write_digits

pytestmark = pytest.mark.usefixtures("usual_digits")

LENGTHS = [1, 639, 640, 641, 4300, 4301, 20_000]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_of_any_length_becomes_digits_and_a_number_again(length: int, sign: int) -> None:
    number = sign * (10**length // 7)
    minus = "-" if sign < 0 else ""
    digits = minus + ("142857" * length)[:length]
    assert write_digits(number) == digits
    assert read_digits(digits) == number


def test_neither_the_smallest_limit_of_digits_nor_the_precision_of_decimals_matters() -> None:
    sys.set_int_max_str_digits(640)
    try:
        with localcontext(Context(prec=3)):
            assert read_digits(write_digits(10**5000 + 1)) == 10**5000 + 1
    finally:
        sys.set_int_max_str_digits(4300)


@pytest.mark.parametrize(
    "value",
    ["many", "", "1e999999999", "1" * 700 + "e999999999", "1" * 5000 + ".0", "٣" * 5000, "NaN"],
    ids=["word", "nothing", "power", "long power", "decimal", "other digits", "nan"],
)
def test_what_is_no_number_is_refused_as_python_does(value: Any) -> None:
    with pytest.raises(ValueError, match="int"):
        read_digits(value)


def test_a_number_is_shown_with_all_its_digits_if_they_are_few() -> None:
    assert show_whole(10**300) == "1" + "0" * 300
    assert show_whole(2**14_000) == "2.63e+4214"  # 2.6299


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (999_999, "999,999"),
        (10**15 - 1, "999,999,999,999,999"),
        (10**15, "1.00e+15"),
        (999 * 10**20, "9.99e+22"),
        (28_155 * 10**4511, "2.82e+4515"),
        (28_149 * 10**4511, "2.81e+4515"),
        (9_994 * 10**20, "9.99e+23"),
        (9_996 * 10**20, "1.00e+24"),
        (10**5000, "1.00e+5000"),
        (-123 * 10**5000, "-1.23e+5002"),
    ],
    ids=[
        "nothing",
        "whole",
        "just whole",
        "power",
        "three digits",
        "rounded up",
        "rounded down",
        "just not the next power",
        "the next power",
        "long",
        "below zero",
    ],
)
def test_numbers_of_any_size_are_short(number: int, text: str) -> None:
    assert show_large(number) == text
