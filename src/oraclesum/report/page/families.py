"""Chart: how many oracles a topic has, in decades, since counts can have hundreds of digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..grid import Cell, Grid, make_grid
from .facts import CaseFacts, Objective
from .figures import INK, PAPER, SERIES, Chart, draw_picture
from .numbers import median, raise_digits, show_count, show_number, show_share

__all__ = ["chart_families"]

_MAX_BINS = 14

Bin = tuple[str, int, int]  # its name, exact counts in it, lower bounds in it


def chart_families(cases: Sequence[CaseFacts], key: str, _: Objective) -> Chart | None:
    """The histogram; None if no case has a count."""
    counted = [case for case in cases if case.count is not None]
    if len(counted) < 2:
        return None
    bins = _fill(counted)
    tops = max(exact + bound for _, exact, bound in bins)

    def draw(figure: Any, narrow: bool) -> None:
        axes = figure.add_subplot()
        places = list(range(len(bins)))
        exact = [number for _, number, _ in bins]
        bound = [number for _, _, number in bins]
        axes.barh(places, exact, color=SERIES[0], height=0.72)
        if any(bound):
            stopped = [place for place in places if bound[place]]
            axes.barh(
                stopped,
                [bound[place] for place in stopped],
                left=[exact[place] for place in stopped],
                color=PAPER,
                edgecolor=SERIES[1],
                hatch="////",
                height=0.72,
                label="search stopped: found so far",
            )
            figure.legend(loc="outside upper left", labelcolor=INK)
        for place in places:
            whole = exact[place] + bound[place]
            if whole:
                axes.annotate(
                    f"{whole:,}",
                    (whole, place),
                    xytext=(5, 0),
                    textcoords="offset points",
                    va="center",
                )
        axes.set_yticks(places, [name for name, _, _ in bins])
        axes.invert_yaxis()
        axes.set_xlim(0, tops * 1.12)
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)

    return Chart(
        key=key,
        title=_find(counted),
        text=_explain(counted),
        description="; ".join(_describe(*each) for each in bins) + ".",
        picture=draw_picture(
            key, draw, height=(64 if any(bound for _, _, bound in bins) else 30) + 28 * len(bins)
        ),
        numbers=_tabulate(bins, key),
    )


def _fill(cases: Sequence[CaseFacts]) -> list[Bin]:
    counts = [case.count or 0 for case in cases]
    decades = len(str(max(counts)))
    # 0, 1 and 2-9 have bins of their own; larger counts share bins of `width` decades.
    width = max(1, -(-(decades - 1) // (_MAX_BINS - 3)))
    bins: dict[int, list[int]] = {}

    def place(count: int) -> int:
        return min(count, 2) if count < 10 else 3 + (len(str(count)) - 2) // width

    for case, count in zip(cases, counts, strict=True):
        bins.setdefault(place(count), [0, 0])[0 if case.exact else 1] += 1
    first, last = min(bins), max(bins)
    rows: list[Bin] = []
    for k in range(min(first, 1), last + 1):
        if k not in bins and k - 1 not in bins and k > 1:
            # A stretch without any case takes one row, however many decades it has.
            rows[-1] = ("⋮", 0, 0)
            continue
        exact, bound = bins.get(k, [0, 0])
        rows.append((_name(k, width), exact, bound))
    return rows


def _name(place: int, width: int) -> str:
    if place < 3:
        return ("none", "one", "2 to 9")[place]
    low = 1 + (place - 3) * width
    high = low + width
    if high <= 3:
        return f"{10**low:,} to {10**high - 1:,}"
    return f"10{raise_digits(low)} to 10{raise_digits(high)}"


def _describe(name: str, exact: int, stopped: int) -> str:
    rest = f" and {stopped:,} stopped" if stopped else ""
    return f"{name}: {exact:,} cases{rest}"


def _find(cases: Sequence[CaseFacts]) -> str:
    counts = [case.known_count for case in cases if case.known_count is not None]
    if not counts:
        return "How many oracles there are is not known: every search was stopped"
    alone = sum(count == 1 for count in counts)
    largest = max(counts)
    text = (
        "The oracle is never unique"
        if not alone
        else "Every oracle is unique"
        if alone == len(counts)
        else f"The oracle is unique in {show_share(alone / len(counts))} of cases"
    )
    of = f" (of {len(counts):,} with a known count)" if len(counts) < len(cases) else ""
    return f"{text}{of}; the median family has {show_count(median(counts))}, " + (
        f"the largest {show_count(largest)}"
    )


def show_number_of_oracles(count: int, exact: bool) -> str:
    """A count with its noun, as a bound if it is one."""
    noun = "oracle" if count == 1 else "oracles"
    return f"{'' if exact else 'at least '}{show_count(count) if count else 'no'} {noun}"


def _explain(cases: Sequence[CaseFacts]) -> str:
    stopped = sum(not case.exact for case in cases)
    text = (
        f"{show_number(len(cases), 'case')} by the number of sets of sentences that reach the best "
        "score. Counts are exact integers, also if the sets are too many to list."
    )
    if stopped:
        text += (
            f" But in {show_number(stopped, 'case')} the search was stopped: what was found until "
            "then is a lower bound if the best score is proven, and may be no oracle if it is not."
        )
    return text


def _tabulate(bins: Sequence[Bin], key: str) -> Grid:
    return make_grid(
        key,
        "Cases by number of oracles",
        ("oracles", "cases, exact count", "cases, search stopped"),
        (
            (Cell(value=name), Cell(value=a, style="count"), Cell(value=b, style="count"))
            for name, a, b in bins
        ),
    )
