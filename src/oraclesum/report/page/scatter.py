"""Chart: systems as points, what people say over what measures say."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...evaluation.bootstrap import bootstrap_mean
from ...evaluation.correlation import correlate_measures
from ...evaluation.judged import gather_scores
from ..grid import Cell, Grid, make_grid
from .facts import CaseFacts, Objective, explain_partial
from .figures import MUTED, PAPER, SERIES, Chart, draw_picture, place_names, tidy_names
from .numbers import mean, show_number, show_signed

__all__ = ["chart_scatter"]

_FEWEST = 5  # systems below which a correlation says next to nothing
_FEWEST_POINTS = 3  # two points always lie on a line
_MAX_NAMES = 20
_PANEL = (310, 230)  # pixels of a panel, roughly


def chart_scatter(
    cases: Sequence[CaseFacts], key: str, objective: Objective, *, human: str | None
) -> Chart | None:
    """Systems as points, human score over measure; None if fewer than two were judged."""
    score = objective.system_score
    scores = _count_human(cases)
    if not scores:
        return None
    if human is None or human not in scores:
        # The one that most summaries have; the first of equals.
        human = max(scores, key=lambda name: scores[name])
    others = [name for name in scores if name != human]
    cells = _gather(cases, human)
    points = _group(cells)
    if len(points) < 2:
        return None
    names = tidy_names([name for name, _ in points], 20)
    panels = ((score, 1), ("F-measure against all oracles", 2))
    rows = _correlate(cells, [name for name, _ in panels])

    def draw(figure: Any, narrow: bool) -> None:
        every = figure.subplots(2, 1) if narrow else figure.subplots(1, 2, sharey=True)
        figure.get_layout_engine().set(wspace=0.09)
        for axes, (name, column) in zip(every, panels, strict=True):
            _draw_scatter(axes, points, column, names)
            axes.set_xlabel(f"{name}\n{rows[name]}" if name in rows else name)
        for axes in every if narrow else every[:1]:
            axes.set_ylabel(tidy_names([human], 30)[human])

    return Chart(
        key=key,
        title=f"{show_number(len(points), 'system')}: what people say against what measures say",
        text=(
            f"Each point is a system: its mean “{human}” over its mean score, with 95% bootstrap "
            "intervals over topics."
            + (
                " Below each panel: Pearson's r across systems with its 95% bootstrap interval "
                "over topics and systems."
                if rows
                else ""
            )
            + (" So few systems say next to nothing." if len(points) < _FEWEST else "")
            + (f" --human chooses another score: {', '.join(others)}." if others else "")
            + explain_partial(cases)
        ),
        description="; ".join(f"{name}: {text}" for name, text in rows.items()) or "Scatter plots.",
        picture=draw_picture(key, draw, height=340, narrow_height=620),
        numbers=_tabulate_points(points, key, human, score),
    )


# Human score, ROUGE and F of a system on a topic.
Values = tuple[float, float, float]
Point = tuple[str, list[Values]]


def _count_human(cases: Sequence[CaseFacts]) -> dict[str, int]:
    """The human scores, and how many summaries have each."""
    numbers: dict[str, int] = {}
    for case in cases:
        for row in case.systems.values():
            for name in row.human:
                numbers[name] = numbers.get(name, 0) + 1
    return numbers


def _gather(cases: Sequence[CaseFacts], human: str) -> dict[tuple[str, str], Values]:
    """What is known by topic and system; references of a topic are averaged first."""
    found: dict[tuple[str, str], list[Values]] = {}
    for case in cases:
        for name, row in case.systems.items():
            if human in row.human:
                values = (float(row.human[human]), row.score, row.f_measure)
                found.setdefault((case.id, name), []).append(values)
    return {
        cell: (mean([v[0] for v in rows]), mean([v[1] for v in rows]), mean([v[2] for v in rows]))
        for cell, rows in found.items()
    }


def _group(cells: Mapping[tuple[str, str], Values]) -> list[Point]:
    by_system: dict[str, list[Values]] = {}
    for (_, system), values in cells.items():
        by_system.setdefault(system, []).append(values)
    return list(by_system.items())


def _correlate(cells: Mapping[tuple[str, str], Values], names: Sequence[str]) -> dict[str, str]:
    """Pearson's r of each panel with its interval, as text."""
    judgements = {cell: values[0] for cell, values in cells.items()}
    measures = {
        name: {cell: values[k] for cell, values in cells.items()} for k, name in enumerate(names, 1)
    }
    judged = gather_scores(judgements, measures)
    if len(judged.systems) < _FEWEST_POINTS:
        return {}
    found = correlate_measures(judged, level="system", coefficient="pearson")
    return {
        row.measure: f"r = {show_signed(row.value, row.low, row.high)}"
        for row in found
        if math.isfinite(row.value)
    }


def _draw_scatter(
    axes: Any, points: Sequence[Point], column: int, names: Mapping[str, str]
) -> None:
    from matplotlib.ticker import MaxNLocator

    middles = []
    for _, rows in points:
        human, values = [row[0] for row in rows], [row[column] for row in rows]
        x, y = mean(values), mean(human)
        (left, right), (low, high) = bootstrap_mean(values), bootstrap_mean(human)
        axes.hlines(y, left, right, color=MUTED, linewidth=1)
        axes.vlines(x, low, high, color=MUTED, linewidth=1)
        axes.plot(
            [x], [y], marker="o", markersize=9, color=SERIES[0], markeredgecolor=PAPER, zorder=3
        )
        middles.append((x, y))
    axes.margins(x=0.2, y=0.12)
    if axes.get_xlim()[0] < 0:
        axes.set_xlim(left=0)
    if len(points) <= _MAX_NAMES:
        _write_names(axes, middles, [names[name] for name, _ in points])
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5))
    axes.tick_params(labelcolor=MUTED)
    axes.grid()


def _write_names(axes: Any, middles: Sequence[tuple[float, float]], names: Sequence[str]) -> None:
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    wide, tall = _PANEL
    pixels = [
        ((x - left) / (right - left) * wide, (y - low) / (high - low) * tall) for x, y in middles
    ]
    for point, name, offset in zip(middles, names, place_names(pixels, names), strict=True):
        axes.annotate(name, point, xytext=offset, textcoords="offset points", fontsize=11)


def _tabulate_points(points: Sequence[Point], key: str, human: str, score: str) -> Grid:
    def cell(values: list[float]) -> Cell:
        low, high = bootstrap_mean(values)
        return Cell(value=mean(values), style="ratio", low=low, high=high)

    return make_grid(
        key,
        "Systems with human scores",
        ("system", "topics", human, score, "F-measure"),
        (
            (
                Cell(value=name),
                Cell(value=len(rows), style="count"),
                *(cell([row[k] for row in rows]) for k in range(3)),
            )
            for name, rows in points
        ),
    )
