"""Correlations on a terminal: a table of measures per level, and the measures that differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from .grid import Cell, Grid, Head
from .grid_terminal import print_grid

__all__ = ["SIGNIFICANT", "print_correlations", "smallest_p", "tabulate_differences"]

Record = Mapping[str, Any]

_LEVELS = {
    "system": "Across systems (averages over topics)",
    "summary": "Across the summaries of a topic (averaged over topics)",
}
SIGNIFICANT = 0.05
_LEGEND = (
    "In brackets: 95% bootstrap intervals over topics and systems; of S, of the mean over the "
    "draws. M: against all oracles, S: against one random oracle."
)


def print_correlations(records: Sequence[Record], console: Console | None = None) -> None:
    """Print the records of `correlate`."""
    console = console or Console(highlight=False)
    correlations = [record for record in records if record.get("kind") == "correlation"]
    for level in _LEVELS:
        rows = [record for record in correlations if record["level"] == level]
        if rows:
            print_grid(_tabulate(rows, level), console)
    differences = [record for record in records if record.get("kind") == "difference"]
    if not differences:
        return
    shown = [record for record in differences if smallest_p(record) <= SIGNIFICANT]
    if shown:
        print_grid(tabulate_differences(shown), console)
    else:
        text = (
            f"No two measures differ at {SIGNIFICANT:g} after Holm's correction: "
            f"{len(differences)} comparisons, all in the JSON lines (-o)"
        )
        console.print(Text(text), end="\n\n")


def _tabulate(rows: Sequence[Record], level: str) -> Grid:
    by_measure: dict[str, dict[str, Record]] = {}
    for row in rows:
        by_measure.setdefault(row["measure"], {})[row["coefficient"]] = row
    names = list(dict.fromkeys(row["coefficient"] for row in rows))
    best = {
        name: max(
            (round(by[name]["value"], 3) for by in by_measure.values() if _competes(by[name])),
            default=math.nan,
        )
        for name in names
    }
    first = rows[0]
    return Grid(
        key=level,
        title=f"{_LEVELS[level]}: {first['human']}, {first['systems']} systems, "
        f"{first['topics']} topics",
        heads=(Head(name="measure", right=False), *(Head(name=name) for name in names)),
        rows=tuple(
            (Cell(value=measure), *(_show(by[name], best[name]) for name in names))
            for measure, by in by_measure.items()
        ),
        notes=(_LEGEND,) if level == "summary" else (),
    )


def _show(row: Record, best: float) -> Cell:
    return Cell(
        value=row["value"],
        style="ratio",
        low=row["low"],
        high=row["high"],
        best=_competes(row) and round(row["value"], 3) == best,
    )


def _competes(row: Record) -> bool:
    return row["interval"] != "draws" and not math.isnan(row["value"])


def tabulate_differences(records: Sequence[Record]) -> Grid:
    """Pairs of measures with the p values of both tests; p at the floor of a test is a bound."""
    names = ("level", "coefficient", "measure", "less measure")
    heads = [Head(name=name, right=False) for name in names]
    heads += [Head(name=name) for name in ("difference", "p Williams", "p permutation")]
    return Grid(
        key="differences",
        title=f"Pairs of measures that differ at {SIGNIFICANT:g} after Holm's correction",
        heads=tuple(heads),
        rows=tuple(
            (
                Cell(value=record["level"]),
                Cell(value=record["coefficient"]),
                Cell(value=record["first"]),
                Cell(value=record["second"]),
                Cell(value=record["difference"], style="ratio"),
                _show_p(record["williams_holm"]),
                _show_p(record["permutation_holm"], bound=bool(record.get("permutation_bound"))),
            )
            for record in records
        ),
    )


def _show_p(p: float | None, *, bound: bool = False) -> Cell:
    """A p value to four digits; what these would round to 0 is shown as a bound."""
    return Cell(value=p, style="ratio", digits=4, at_most=bound or (p is not None and p < 5e-5))


def smallest_p(record: Record) -> float:
    """The smaller of the corrected p values; infinite if no test was defined."""
    values = (record["williams_holm"], record["permutation_holm"])
    return min((p for p in values if p is not None and not math.isnan(p)), default=math.inf)
