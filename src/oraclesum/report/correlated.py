"""Correlations on a terminal: a table of measures per level, and the measures that differ."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from .tables import Column, RecordTable

__all__ = ["print_correlations"]

Record = Mapping[str, Any]

_LEVELS = {
    "system": "Across systems (averages over topics)",
    "summary": "Across the summaries of a topic (averaged over topics)",
}
_SIGNIFICANT = 0.05


def print_correlations(records: Sequence[Record], console: Console | None = None) -> None:
    """Print the records of `correlate`."""
    console = console or Console(highlight=False)
    correlations = [record for record in records if record.get("kind") == "correlation"]
    for level, title in _LEVELS.items():
        rows = [record for record in correlations if record["level"] == level]
        if not rows:
            continue
        first = rows[0]
        text = Text(f"{title}: {first['human']}, {first['systems']} systems, ", style="bold")
        console.print(text.append(f"{first['topics']} topics"))
        _tabulate(rows, console)
    if correlations:
        legend = (
            "In brackets: 95% bootstrap intervals over topics and systems; of S, of the mean over "
            "the draws. M: F-measure from all oracles, S: from one random oracle."
        )
        console.print(Text(legend, style="dim"), end="\n\n")
    _print_differences([r for r in records if r.get("kind") == "difference"], console)


def _tabulate(rows: Sequence[Record], console: Console) -> None:
    by_measure: dict[str, dict[str, Record]] = {}
    for row in rows:
        by_measure.setdefault(row["measure"], {})[row["coefficient"]] = row
    names = list(dict.fromkeys(row["coefficient"] for row in rows))
    best = {
        name: max(
            (by[name]["value"] for by in by_measure.values() if _competes(by[name])),
            default=math.nan,
        )
        for name in names
    }

    def cell(name: str) -> Column:
        def show(record: Record, _: float) -> Text:
            row = record[name]
            value = row["value"]
            text = Text(_number(value), style="bold" if value == best[name] else "")
            return text.append(f" [{_number(row['low'])}, {_number(row['high'])}]", style="dim")

        return Column(header=name, cell=show)

    measure = Column(header="measure", cell=lambda r, _: r["measure"], right=False, yields=True)
    table = RecordTable([measure, *map(cell, names)], console)
    for name, row in by_measure.items():
        table.add({"measure": name, **row}, 0.0)
    table.print()


def _competes(row: Record) -> bool:
    return row["interval"] != "draws" and not math.isnan(row["value"])


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _print_differences(records: Sequence[Record], console: Console) -> None:
    if not records:
        return
    shown = [r for r in records if _smallest(r) <= _SIGNIFICANT]
    title = f"Pairs of measures that differ at {_SIGNIFICANT:g} after Holm's correction"
    console.print(Text(title, style="bold"))
    if not shown:
        text = f"none of {len(records)} comparisons; all are in the JSON lines (-o)"
        console.print(Text(text, style="dim"), end="\n\n")
        return
    table = RecordTable(
        [
            Column(header="level", cell=lambda r, _: r["level"], right=False),
            Column(header="coefficient", cell=lambda r, _: r["coefficient"], right=False),
            Column(header="measure", cell=lambda r, _: r["first"], right=False, yields=True),
            Column(header="less measure", cell=lambda r, _: r["second"], right=False, yields=True),
            Column(header="difference", cell=lambda r, _: f"{r['difference']:+.3f}"),
            Column(header="p\nWilliams", cell=lambda r, _: _p_value(r["williams_holm"])),
            Column(header="p\npermutation", cell=lambda r, _: _p_value(r["permutation_holm"])),
        ],
        console,
    )
    for record in shown:
        table.add(record, 0.0)
    table.print()


def _smallest(record: Record) -> float:
    values = (record["williams_holm"], record["permutation_holm"])
    return min((p for p in values if p is not None and not math.isnan(p)), default=math.inf)


def _p_value(p: float | None) -> str:
    return "-" if p is None or math.isnan(p) else f"{p:.4f}"
