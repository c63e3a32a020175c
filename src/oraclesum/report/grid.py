"""A table of results before it is printed: typed cells, so that every format shows them its way."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from ..frozen import dataclass

__all__ = ["EMPTY", "TIMES", "Cell", "Grid", "Head", "Style", "make_grid", "show_power"]

TIMES = "\N{MULTIPLICATION SIGN}"

Style = Literal["text", "ratio", "count", "power", "seconds"]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One value; `low` and `high` are its interval.

    `at_least` marks a lower bound, `at_most` an upper one.
    """

    value: float | int | str | None = None
    style: Style = "text"
    low: float | None = None
    high: float | None = None
    at_least: bool = False
    at_most: bool = False
    best: bool = False
    digits: int = 3

    def show(self) -> str:
        """Plain text."""
        if self.value is None:
            return "-"
        if isinstance(self.value, str):
            return self.value
        if self.at_most:
            return f"< {self._number(_round_up(self.value, self.digits))}"
        text = self._number(self.value)
        if self.low is not None and self.high is not None:
            text += f" [{self._number(self.low)}, {self._number(self.high)}]"
        return f"≥ {text}" if self.at_least else text

    def _number(self, value: float | int) -> str:
        if isinstance(value, float) and math.isnan(value):
            return "-"
        if self.style == "ratio":
            # .427 as in the paper; 1.000 and -.123 keep their meaning
            return f"{value:.{self.digits}f}".replace("0.", ".", 1)
        if self.style == "seconds":
            return f"{value:.4f}" if value < 1 else f"{value:.2f}"
        if self.style == "power":
            mantissa, exponent = show_power(value)
            return f"{mantissa}{TIMES}10^{exponent}" if exponent else mantissa
        if self.style == "count":
            return f"{value:,}" if float(value).is_integer() else f"{value:,.1f}"
        return str(value)


def _round_up(value: float | int, digits: int) -> float:
    """The next number with so many digits, so that what is below the value is below this."""
    scale = math.pow(10, digits)
    return (math.floor(value * scale) + 1) / scale


EMPTY = Cell()


@dataclass(frozen=True, kw_only=True)
class Head:
    """A column: its name, and the group that a line above the names puts it in."""

    name: str
    group: str = ""
    right: bool = True


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A whole table. A line is drawn above the rows whose numbers are in `rules`."""

    key: str  # short and fit for a file name
    title: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    rules: frozenset[int] = frozenset()

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Neighbouring columns of one group: its name and how many they are."""
        found: list[tuple[str, int]] = []
        for head in self.heads:
            if found and head.group and found[-1][0] == head.group:
                found[-1] = (head.group, found[-1][1] + 1)
            else:
                found.append((head.group, 1))
        return found


def make_grid(key: str, title: str, names: Iterable[str], rows: Iterable[Iterable[Cell]]) -> Grid:
    """A plain table: the first column stands to the left, numbers to the right."""
    heads = tuple(Head(name=name, right=k > 0) for k, name in enumerate(names))
    return Grid(key=key, title=title, heads=heads, rows=tuple(map(tuple, rows)))


def show_power(value: float | int) -> tuple[str, int]:
    """A number as three digits and a power of ten; small ones whole, with the power 0.

    Integers of any size: floats end at 10^308.
    """
    if value < 10_000:
        return (f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"), 0
    digits = str(int(value))
    rounded = round(int(digits[:4]) / 10)
    exponent = len(digits) - 1
    if rounded == 1000:
        rounded, exponent = 100, exponent + 1
    return f"{rounded / 100:.2f}", exponent
