"""Charts: measures against human scores: correlations with intervals, and systems as points."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...evaluation.bootstrap import bootstrap_mean
from ...evaluation.correlation import correlate_measures
from ...evaluation.judged import gather_scores
from ..grid import Cell, Grid, Head
from .canvas import INK, MUTED, PAPER, SERIES, draw_picture, place_names, tidy_names
from .facts import Case
from .figures import Chart
from .numbers import mean, show_number

__all__ = ["chart_correlations", "chart_scatter"]

Record = Mapping[str, Any]

_LEVELS = {"system": "across systems", "summary": "across the summaries of a topic"}
_MARKS = {"pearson": ("o", 0), "spearman": ("s", 1), "kendall": ("^", 2)}
_FEWEST = 5  # systems below which a correlation says next to nothing
_FEWEST_POINTS = 3  # two points always lie on a line
_MOST_NAMES = 20
_PANEL = (310, 230)  # pixels of a panel of the scatter plots, roughly


def chart_correlations(records: Sequence[Record], key: str) -> Chart | None:
    """Every measure with its intervals, as `correlate` wrote them; None where it wrote none."""
    if not records:
        return None
    measures = list(dict.fromkeys(record["measure"] for record in records))
    levels = [level for level in _LEVELS if any(r["level"] == level for r in records)]

    def draw(figure: Any, narrow: bool) -> None:
        shape = (len(levels), 1) if narrow else (1, len(levels))
        every = figure.subplots(*shape, squeeze=False, sharey=not narrow).ravel()
        for axes, level in zip(every, levels, strict=True):
            rows = [record for record in records if record["level"] == level]
            _draw_level(axes, rows, measures, level, narrow=narrow)
        handles, names = every[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper left", ncols=3, labelcolor=INK)

    rows_height = 40 * len(measures)
    return Chart(
        key=key,
        title=_find_best(records),
        text=_explain_correlations(records),
        description=_describe(records),
        picture=draw_picture(
            key, draw, height=90 + rows_height, narrow_height=60 + (70 + rows_height) * len(levels)
        ),
        numbers=_tabulate_correlations(records, key),
    )


def _draw_level(
    axes: Any, records: Sequence[Record], measures: Sequence[str], level: str, *, narrow: bool
) -> None:
    for coefficient, (marker, k) in _MARKS.items():
        rows = [r for r in records if r["coefficient"] == coefficient and _defined(r["value"])]
        places = [measures.index(r["measure"]) + (k - 1) * 0.24 for r in rows]
        values = [r["value"] for r in rows]
        lows = [r["low"] if _defined(r["low"]) else r["value"] for r in rows]
        highs = [r["high"] if _defined(r["high"]) else r["value"] for r in rows]
        axes.hlines(places, lows, highs, color=SERIES[k], linewidth=1.6)
        axes.plot(
            values,
            places,
            linestyle="",
            marker=marker,
            color=SERIES[k],
            markersize=6.5,
            markeredgecolor=PAPER,
            label=coefficient.capitalize(),
        )
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_xlim(-1.05, 1.05)
    axes.set_ylim(len(measures) - 0.5, -0.6)
    shown = tidy_names(map(_short, measures), 26)
    axes.set_yticks(range(len(measures)), [shown[_short(name)] for name in measures])
    axes.set_title(_LEVELS[level], loc="left", fontsize=12, color=MUTED)
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")


def _short(measure: str) -> str:
    """The paper's name of an F-measure without what all of them share."""
    return measure.replace("F-measure (", "F (").replace(") (", ", ")


def _defined(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _find_best(records: Sequence[Record]) -> str:
    rows = [
        r
        for r in records
        if r["level"] == "system" and r["coefficient"] == "pearson" and _defined(r["value"])
    ]
    human = records[0]["human"]
    competing = [r for r in rows if r["interval"] != "draws"]
    systems = records[0]["systems"]
    if systems < _FEWEST:
        return f"{show_number(systems, 'system')}: too few to say which measure agrees with people"
    if not competing:
        return f"No measure has a defined correlation with {human}"
    best = max(competing, key=lambda r: r["value"])
    others = [r["value"] for r in competing if r is not best]
    clear = _defined(best["low"]) and all(value < best["low"] for value in others)
    among = "" if clear else ", but not clear of the others"
    return (
        f"{_short(best['measure'])} correlates best with {human} across systems{among}: "
        f"r = {_sign(best['value'])}"
        + (f" [{_sign(best['low'])}, {_sign(best['high'])}]" if _defined(best["low"]) else "")
    )


def _explain_correlations(records: Sequence[Record]) -> str:
    first = records[0]
    text = (
        f"Correlation with the human score “{first['human']}”, "
        f"{show_number(first['systems'], 'system')}, {show_number(first['topics'], 'topic')}. "
        "Lines are 95% bootstrap intervals over topics and systems; of measures whose name ends "
        "with S (one random oracle) over the draws only. F is against all oracles (M) or one "
        "random oracle (S), of each reference alone (single) or all together (multi)."
    )
    if first["systems"] < _FEWEST:
        text += f" With {first['systems']} systems the intervals cover nearly everything."
    return text


def _describe(records: Sequence[Record]) -> str:
    return "; ".join(
        f"{_short(r['measure'])} {r['value']:.2f}"
        for r in records
        if r["level"] == "system" and r["coefficient"] == "pearson" and _defined(r["value"])
    )


def _tabulate_correlations(records: Sequence[Record], key: str) -> Grid:
    heads = [Head(name=name, right=False) for name in ("measure", "level", "coefficient")]
    return Grid(
        key=key,
        title="Correlations with the human score",
        heads=(*heads, Head(name="value"), Head(name="interval over", right=False)),
        rows=tuple(
            (
                Cell(value=r["measure"]),
                Cell(value=r["level"]),
                Cell(value=r["coefficient"]),
                Cell(value=r["value"], style="ratio", low=r["low"], high=r["high"]),
                Cell(value=r["interval"]),
            )
            for r in records
        ),
    )


def chart_scatter(
    cases: Sequence[Case], key: str, label: str, n: int, human: str | None
) -> Chart | None:
    """Systems as points, human score over measure; None where fewer than two were judged."""
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
    panels = ((f"ROUGE-{n} recall", 1), ("F-measure against all oracles", 2))
    rows = _correlate(cells, [name for name, _ in panels])

    def draw(figure: Any, narrow: bool) -> None:
        every = figure.subplots(2, 1) if narrow else figure.subplots(1, 2, sharey=True)
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
        ),
        description="; ".join(f"{name}: {text}" for name, text in rows.items()) or "Scatter plots.",
        picture=draw_picture(key, draw, height=340, narrow_height=620),
        numbers=_tabulate_points(points, key, human, n),
        label=label,
    )


# Human score, ROUGE and F of a system on a topic.
Values = tuple[float, float, float]
Point = tuple[str, list[Values]]


def _count_human(cases: Sequence[Case]) -> dict[str, int]:
    """The human scores, and how many summaries have each."""
    numbers: dict[str, int] = {}
    for case in cases:
        for row in case.systems.values():
            for name in row.human:
                numbers[name] = numbers.get(name, 0) + 1
    return numbers


def _gather(cases: Sequence[Case], human: str) -> dict[tuple[str, str], Values]:
    """What is known by topic and system; references of a topic are averaged first."""
    held: dict[tuple[str, str], list[Values]] = {}
    for case in cases:
        for name, row in case.systems.items():
            if human in row.human:
                values = (float(row.human[human]), row.recall, row.f_measure)
                held.setdefault((case.id, name), []).append(values)
    return {
        cell: (mean([v[0] for v in rows]), mean([v[1] for v in rows]), mean([v[2] for v in rows]))
        for cell, rows in held.items()
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
        row.measure: f"r = {_sign(row.value)} [{_sign(row.low)}, {_sign(row.high)}]"
        for row in found
        if math.isfinite(row.value)
    }


def _sign(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def _draw_scatter(
    axes: Any, points: Sequence[Point], column: int, names: Mapping[str, str]
) -> None:
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
    if len(points) <= _MOST_NAMES:
        _write_names(axes, middles, [names[name] for name, _ in points])
    axes.tick_params(length=0, labelcolor=MUTED)
    axes.grid()


def _write_names(axes: Any, middles: Sequence[tuple[float, float]], names: Sequence[str]) -> None:
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    wide, tall = _PANEL
    pixels = [
        ((x - left) / (right - left) * wide, (y - low) / (high - low) * tall) for x, y in middles
    ]
    for point, name, offset in zip(middles, names, place_names(pixels, names), strict=True):
        axes.annotate(name, point, xytext=offset, textcoords="offset points", fontsize=11)


def _tabulate_points(points: Sequence[Point], key: str, human: str, n: int) -> Grid:
    def cell(values: list[float]) -> Cell:
        low, high = bootstrap_mean(values)
        return Cell(value=mean(values), style="ratio", low=low, high=high)

    names = ("topics", human, f"ROUGE-{n} recall", "F-measure")
    return Grid(
        key=key,
        title="Systems with human scores",
        heads=(Head(name="system", right=False), *(Head(name=name) for name in names)),
        rows=tuple(
            (
                Cell(value=name),
                Cell(value=len(rows), style="count"),
                *(cell([row[k] for row in rows]) for k in range(3)),
            )
            for name, rows in points
        ),
    )
