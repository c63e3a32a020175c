"""Chart: how much of the oracles a greedy summary finds, sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..grid import Cell, Grid, make_grid
from .facts import CaseFacts, Objective
from .figures import INK, MUTED, SERIES, Chart, draw_picture
from .numbers import mean, show_number, show_score, show_share

__all__ = ["chart_greedy"]

_BINS = 10


def chart_greedy(cases: Sequence[CaseFacts], key: str, _: Objective) -> Chart | None:
    """Histogram of the mean Jaccard index; None if no case has one."""
    known = [case for case in cases if case.jaccard is not None and case.greedy_hits is not None]
    if len(known) < 2:
        return None
    best = [0] * _BINS  # cases where greedy reaches the best score, by Jaccard index
    below = [0] * _BINS
    for case in known:
        place = min(int((case.jaccard or 0.0) * _BINS), _BINS - 1)
        (best if case.greedy_hits == case.hits else below)[place] += 1

    def draw(figure: Any, narrow: bool) -> None:
        from matplotlib.ticker import MaxNLocator

        axes = figure.add_subplot()
        edges = [k / _BINS + 0.5 / _BINS for k in range(_BINS)]
        width = 0.86 / _BINS
        axes.bar(edges, best, width=width, color=SERIES[0], label="greedy reaches the best score")
        axes.bar(
            edges,
            below,
            width=width,
            bottom=best,
            color=SERIES[4],
            hatch="//",
            edgecolor=INK,
            linewidth=0,
            label="greedy falls short",
        )
        value = mean([case.jaccard or 0.0 for case in known])
        top = max(a + b for a, b in zip(best, below, strict=True))
        axes.axvline(value, color=INK, linestyle=(0, (4, 3)), linewidth=1.2)
        axes.annotate(
            f"mean {show_score(value)}",
            (value, top * 1.08),
            xytext=(5 if value < 0.7 else -5, 0),
            textcoords="offset points",
            ha="left" if value < 0.7 else "right",
            va="center",
        )
        axes.set_ylim(0, top * 1.16)
        axes.set_xlim(0, 1)
        axes.set_xticks([k / 5 for k in range(6)])
        axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.set_xlabel("mean Jaccard index of the greedy summary with the oracles")
        axes.set_ylabel("cases")
        axes.tick_params(labelcolor=MUTED)
        axes.spines["left"].set_visible(False)
        axes.grid(axis="y")
        figure.legend(loc="outside upper left", ncols=1 if narrow else 2, labelcolor=INK)
        if narrow:
            axes.set_xlabel("mean Jaccard index with the oracles")

    optimal, average = sum(best), mean([case.jaccard or 0.0 for case in known])
    return Chart(
        key=key,
        title=_find(known, optimal, average),
        text=_explain(known),
        description=(
            f"Mean Jaccard index {show_score(average)}; greedy reaches the best score in {optimal} "
            f"of {len(known)} cases."
        ),
        picture=draw_picture(key, draw, height=280, narrow_height=300),
        numbers=_tabulate(best, below, key),
    )


def _find(cases: Sequence[CaseFacts], optimal: int, average: float) -> str:
    if not optimal:
        return (
            "Greedy never reaches the best score; "
            f"its mean Jaccard index with the oracles is {show_score(average)}"
        )
    share = show_share(optimal / len(cases))
    return (
        f"Greedy reaches the best score in {share} of cases; "
        f"its mean Jaccard index with the oracles is {show_score(average)}"
    )


def _explain(cases: Sequence[CaseFacts]) -> str:
    drawn = sum(not case.jaccard_exact for case in cases)
    text = (
        f"{show_number(len(cases), 'case')}. The Jaccard index of two sets of sentences is the "
        "number they share over the number in either: 1 if they are equal, 0 if they have "
        "nothing in common. It is averaged over all oracles of a case, so it stays below 1 if "
        "there are several."
    )
    if drawn:
        text += f" In {show_number(drawn, 'case')} it is estimated from oracles drawn uniformly."
    return text


def _tabulate(best: Sequence[int], below: Sequence[int], key: str) -> Grid:
    return make_grid(
        key,
        "Cases by Jaccard index of greedy and oracles",
        ("Jaccard index", "greedy reaches the best score", "greedy falls short"),
        (
            (
                Cell(value=f"{k / _BINS:.1f} to {(k + 1) / _BINS:.1f}"),
                Cell(value=a, style="count"),
                Cell(value=b, style="count"),
            )
            for k, (a, b) in enumerate(zip(best, below, strict=True))
        ),
    )
