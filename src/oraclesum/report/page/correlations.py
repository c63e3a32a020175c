"""Chart: how well measures agree with people: correlations with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...evaluation.agreement import note_repeated
from ..grid import Cell, Grid, Head
from .figures import INK, MUTED, PAPER, SERIES, Chart, draw_picture, tidy_names
from .numbers import show_number, show_signed

__all__ = ["chart_correlations"]

Record = Mapping[str, Any]

_LEVELS = {"system": "across systems", "summary": "across the summaries of a topic"}
_MARKS = {"pearson": ("o", 0), "spearman": ("s", 1), "kendall": ("^", 2)}
_FEWEST = 5  # systems below which a correlation says next to nothing


def chart_correlations(records: Sequence[Record], key: str) -> Chart | None:
    """Every measure with its intervals, as `correlate` wrote them; None if it wrote none."""
    if not records:
        return None
    measures = list(dict.fromkeys(record["measure"] for record in records))
    levels = [level for level in _LEVELS if any(r["level"] == level for r in records)]

    def draw(figure: Any, narrow: bool) -> None:
        shape = (len(levels), 1) if narrow else (1, len(levels))
        every = figure.subplots(*shape, squeeze=False, sharey=not narrow).ravel()
        figure.get_layout_engine().set(wspace=0.1)
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
    axes.set_xticks((-1, -0.5, 0, 0.5, 1), ("−1", "−0.5", "0", "0.5", "1"))  # noqa: RUF001
    axes.set_ylim(len(measures) - 0.5, -0.6)
    shown = tidy_names(map(_short, measures), 26)
    axes.set_yticks(range(len(measures)), [shown[_short(name)] for name in measures])
    axes.set_title(_LEVELS[level], loc="left", fontsize=12, color=MUTED)
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
    # A measure that repeats another one is no rival of it.
    competing = [r for r in rows if r["interval"] != "draws" and not r.get("same_as")]
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
        f"r = {show_signed(best['value'])}"
        + (
            f" [{show_signed(best['low'])}, {show_signed(best['high'])}]"
            if _defined(best["low"])
            else ""
        )
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
    repeated = {r["measure"]: r["same_as"] for r in records if r.get("same_as")}
    if (note := note_repeated(repeated)) is not None:
        text += f" {note}."
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
