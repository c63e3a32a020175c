"""Charts: how much work the search was, in nodes and in seconds, against the size of the topic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from ..grid import Cell, Grid, make_grid
from .facts import CaseFacts, Objective
from .figures import INK, MUTED, PAPER, SERIES, Chart, draw_picture, thin_points
from .numbers import (
    median,
    quantile,
    raise_digits,
    show_count,
    show_nodes,
    show_number,
    show_seconds,
)

__all__ = ["chart_nodes", "chart_seconds"]

_MARKS = ("o", "s", "^", "D", "v", "P")
_BANDS = 6  # rows of the table of medians


def chart_nodes(cases: Sequence[CaseFacts], key: str, _: Objective) -> Chart | None:
    """Nodes of the search against sentences; None if no case has both."""
    known = [case for case in cases if case.checked is not None and case.sentences]
    if len(known) < 2:
        return None
    proven = [case for case in known if case.proven and case.exact]
    stopped = [case for case in known if not (case.proven and case.exact)]

    def draw(figure: Any, narrow: bool) -> None:
        axes = figure.add_subplot()
        groups = ((proven, SERIES[0], "o", "ended"), (stopped, SERIES[1], "X", "stopped"))
        for timed, colour, marker, name in groups:
            pairs = [(float(case.sentences or 1), float(_bounded(case.checked))) for case in timed]
            _scatter(axes, pairs, colour, marker, name)
        if stopped:
            axes.legend(loc="upper left", labelcolor=INK)
        _set_scales(axes, "sentences of the input", "nodes of the search")

    nodes = [case.checked or 0 for case in known]
    hardest = [case for case in known if case.checked == max(nodes)]
    more = ""
    if stopped:
        more = (
            f" In {show_number(len(stopped), 'case')} the search was stopped: its nodes are "
            "those until then."
        )
    return Chart(
        key=key,
        title=(
            f"The search looks at {show_nodes(median(nodes))} in the median case, "
            f"and at {show_count(max(nodes))} in the hardest, {_name_ties(hardest)}"
        ),
        text=(
            f"{show_number(len(known), 'case')}; both axes are logarithmic. A node is one partial "
            "summary that the search looked into. Points that fall together are drawn once, larger "
            "for each power of ten of them; the table of all cases has every one." + more
        ),
        description=f"Median {show_nodes(median(nodes))}, at most {show_count(max(nodes))}.{more}",
        picture=draw_picture(key, draw, height=320, narrow_height=320),
        numbers=_band(
            [(case.sentences or 0, float(_bounded(case.checked))) for case in known],
            key,
            "Nodes by number of sentences",
            lambda value: show_count(round(value)),
        ),
    )


def chart_seconds(cases: Sequence[CaseFacts], key: str, _: Objective) -> Chart | None:
    """Seconds against sentences, by method; None if nothing was timed."""
    known = [case for case in cases if case.seconds and case.sentences]
    if not known:
        return None
    methods = list(dict.fromkeys(method for case in known for method in case.seconds))[
        : len(_MARKS)
    ]

    def draw(figure: Any, narrow: bool) -> None:
        axes = figure.add_subplot()
        for k, method in enumerate(methods):
            timed = [case for case in known if method in case.seconds]
            pairs = [
                (float(case.sentences or 1), max(case.seconds[method], 1e-6)) for case in timed
            ]
            _scatter(axes, pairs, SERIES[k], _MARKS[k], method)
        figure.legend(loc="outside upper left", ncols=2 if narrow else 4, labelcolor=INK)
        _set_scales(axes, "sentences of the input", "seconds", whole=False)

    first = methods[0]
    times = [case.seconds[first] for case in known if first in case.seconds]
    slowest = [case for case in known if case.seconds.get(first) == max(times)]
    return Chart(
        key=key,
        title=(
            f"{first}: {show_seconds(quantile(times, 0.5))} in the median case, "
            f"{show_seconds(max(times))} in the slowest, {_name_ties(slowest)}"
        ),
        text=(
            f"{show_number(len(known), 'case')}, as they were timed when the results were made; "
            "both axes are logarithmic. A method that its time limit stopped stands at that time."
        ),
        description="Medians: "
        + "; ".join(
            f"{m} {show_seconds(quantile([c.seconds[m] for c in known if m in c.seconds], 0.5))}"
            for m in methods
        ),
        picture=draw_picture(key, draw, height=340, narrow_height=360),
        numbers=_tabulate_seconds(known, methods, key),
    )


def _name_ties(cases: Sequence[CaseFacts]) -> str:
    """The first of cases that are equal, and how many more there are."""
    more = len(cases) - 1
    if not more:
        return cases[0].name
    return f"{cases[0].name} and {'one' if more == 1 else f'{more:,}'} more"


def _bounded(number: int | None) -> int:
    """At least one for a logarithm, and never beyond a float."""
    return max(1, min(number or 0, 10**300))


def _scatter(
    axes: Any, pairs: Sequence[tuple[float, float]], colour: str, marker: str, name: str
) -> None:
    if not pairs:
        return
    logs = [(math.log10(x), math.log10(y)) for x, y in pairs]
    low_x, low_y = min(x for x, _ in logs), min(y for _, y in logs)
    wide = max(x for x, _ in logs) - low_x or 1.0
    high = max(y for _, y in logs) - low_y or 1.0
    kept = thin_points([((x - low_x) / wide, (y - low_y) / high) for x, y in logs], 640, 260)
    base = 8.0 if len(kept) < 400 else 5.0
    for digits in sorted({len(str(number)) for number in kept.values()}, reverse=True):
        places = [k for k, number in kept.items() if len(str(number)) == digits]
        axes.plot(
            [pairs[k][0] for k in places],
            [pairs[k][1] for k in places],
            linestyle="",
            marker=marker,
            markersize=base + 3.5 * (digits - 1),
            color=colour,
            markeredgecolor=PAPER,
            markeredgewidth=0.6,
            alpha=0.85,
            label=name if digits == 1 else None,
        )


def _set_scales(axes: Any, x: str, y: str, *, whole: bool = True) -> None:
    """Logarithmic axes; x is a whole quantity, and y is one if `whole` says so."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

    scales = ((axes.xaxis, axes.set_xscale, True), (axes.yaxis, axes.set_yscale, whole))
    for axis, scale, counts in scales:
        scale("log")
        low, high = axis.get_view_interval()
        data = axis.get_data_interval()
        if data[0] == data[1]:  # one size only: matplotlib would show two powers of ten around it
            low, high = data[0] * 0.8, data[0] * 1.25
            axis.set_view_interval(low, high, ignore=True)
        decades = math.log10(high / low)
        if decades < 0.7:
            # One whole number is enough: others would be halves, or the same one again.
            axis.set_major_locator(MaxNLocator(nbins=5, integer=counts, min_n_ticks=1))
        else:
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades < 2 else (1,), numticks=8))
        axis.set_major_formatter(FuncFormatter(lambda value, _: _tick(value)))
        axis.set_minor_formatter(NullFormatter())
        axis.set_minor_locator(NullLocator())
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.tick_params(labelcolor=MUTED)
    axes.grid()


def _tick(value: float) -> str:
    if value >= 1_000_000 and math.log10(value) % 1 < 1e-9:
        return f"10{raise_digits(round(math.log10(value)))}"
    if value >= 1 and abs(value - round(value)) < 1e-9:
        return show_count(round(value))
    return f"{Decimal(f'{value:g}'):f}"  # 0.00005, not 5e-05


def _band(pairs: Sequence[tuple[int, float]], key: str, title: str, show: Any) -> Grid:
    """Medians over bands of equal numbers of cases, by size."""
    ordered = sorted(pairs)
    bands = min(_BANDS, len(ordered))
    rows = []
    for k in range(bands):
        timed = ordered[k * len(ordered) // bands : (k + 1) * len(ordered) // bands]
        values = [value for _, value in timed]
        rows.append(
            (
                Cell(value=f"{timed[0][0]:,} to {timed[-1][0]:,}"),
                Cell(value=len(timed), style="count"),
                Cell(value=show(quantile(values, 0.5))),
                Cell(value=show(max(values))),
            )
        )
    return make_grid(key, title, ("sentences", "cases", "median", "largest"), rows)


def _tabulate_seconds(cases: Sequence[CaseFacts], methods: Sequence[str], key: str) -> Grid:
    rows = []
    for method in methods:
        timed = [case for case in cases if method in case.seconds]
        times = [case.seconds[method] for case in timed]
        ended = sum(case.ended.get(method, True) for case in timed)
        rows.append(
            (
                Cell(value=method),
                Cell(value=len(timed), style="count"),
                Cell(value=ended, style="count"),
                Cell(value=quantile(times, 0.5), style="seconds"),
                Cell(value=quantile(times, 0.95), style="seconds"),
                Cell(value=max(times), style="seconds"),
                Cell(value=sum(times), style="seconds"),
            )
        )
    names = ("method", "cases", "ended", "median s", "95% s", "largest s", "sum s")
    return make_grid(key, "Seconds by method", names, rows)
