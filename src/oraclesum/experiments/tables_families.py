"""Tables 4, 5 and 7 and the times: how alike, how many, how hard, how long."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean
from typing import Any

from ..report.grid import Cell, Grid, Head
from .results import (
    KINDS,
    Results,
    beside_paper,
    bounds_median,
    count_of,
    median,
    name_number,
)

__all__ = ["tabulate_counts", "tabulate_effort", "tabulate_jaccard", "tabulate_times"]


def tabulate_jaccard(results: Results) -> Grid:
    """Table 4: mean Jaccard index of greedy summaries with the oracles, and among the oracles."""
    heads, lay_out = beside_paper(results, KINDS)
    rows = []
    sampled = 0
    for field, label in (
        ("jaccard_greedy", "greedy with oracles"),
        ("jaccard_among", "among oracles"),
    ):
        for n in results.experiment.measures:
            mine, theirs = [], []
            for kind in KINDS:
                found = [case[field] for case in results.cases(n, kind) if case[field]]
                estimates = [each for each in found if not each["exact"]]
                sampled += len(estimates)
                mine.append(_average_similarity(found, bool(estimates)))
                published = results.published.get(field)
                value = published[kind][str(n)] if isinstance(published, dict) else published
                theirs.append(Cell(value=value, style="ratio"))
            rows.append((Cell(value=f"ROUGE-{n} recall, {label}"), *lay_out(mine, theirs)))
    notes = ["Averaged over all oracles of a case, and over all pairs of its oracles."]
    if sampled:
        notes.append(
            f"Estimated from seeded samples of large families: {sampled} of the averaged values; "
            "the brackets are the 95% interval that this adds to the mean."
        )
    notes += results.note_stopped("only the oracles found by then are compared")
    return Grid(
        key="table4",
        title="Table 4: Jaccard index between greedy and oracle summaries, and among oracles",
        heads=(Head(name="", right=False), *heads),
        rows=tuple(rows),
        notes=tuple(notes),
        rules=frozenset({len(results.experiment.measures)}),
    )


def _average_similarity(found: list[dict[str, Any]], estimated: bool) -> Cell:
    if not found:
        return Cell()
    value = fmean(each["value"] for each in found)
    if not estimated:
        return Cell(value=value, style="ratio")
    # Errors of independent samples add up as squares.
    spread = sum(((each["high"] - each["low"]) / 2) ** 2 for each in found) ** 0.5 / len(found)
    return Cell(value=value, style="ratio", low=value - spread, high=value + spread)


def tabulate_counts(results: Results) -> Grid:
    """Table 5: median number of oracles, and the share of cases with more than one."""
    measures = results.experiment.measures
    groups = [f"{kind} ROUGE-{n} recall" for kind in KINDS for n in measures]
    heads, lay_out = beside_paper(results, groups)

    def row(
        label: str, published: str, make: Callable[[list[dict[str, Any]]], Cell]
    ) -> tuple[Cell, ...]:
        mine, theirs = [], []
        for kind in KINDS:
            for n in measures:
                cell = make(results.cases(n, kind))
                mine.append(cell)
                value = results.published.get(published, kind, str(n))
                theirs.append(Cell(value=value, style=cell.style))
        return (Cell(value=label), *lay_out(mine, theirs))

    rows = [
        row("median number", "median_oracles", _median_count),
        row("rate of several", "multiple_rate", _rate_of_several),
    ]
    if results.published.year is None:
        rows.append(row("largest number", "", _largest_count))
    return Grid(
        key="table5",
        title="Table 5: number of oracle summaries, and how often there are several",
        heads=(Head(name="", right=False), *heads),
        rows=tuple(rows),
        notes=tuple(results.note_stopped("what this makes a lower bound is marked (≥)")),
    )


def _median_count(cases: list[dict[str, Any]]) -> Cell:
    pairs = [(count_of(case), not case["exact"]) for case in cases]
    value = median(count for count, _ in pairs)
    return Cell(value=value, style="power", at_least=bounds_median(pairs))


def _rate_of_several(cases: list[dict[str, Any]]) -> Cell:
    unsure = any(not case["exact"] and count_of(case) == 1 for case in cases)
    rate = fmean(count_of(case) > 1 for case in cases)
    return Cell(value=rate, style="ratio", at_least=unsure)


def _largest_count(cases: list[dict[str, Any]]) -> Cell:
    stopped = not all(case["exact"] for case in cases)
    return Cell(value=max(map(count_of, cases)), style="power", at_least=stopped)


def tabulate_effort(results: Results) -> Grid:
    """Table 7: median number of feasible summaries, and of summaries checked."""
    heads, lay_out = beside_paper(
        results, ["feasible (naive)", "paper's method", "search (ours)"], ours="measured"
    )
    rows = []
    stopped = 0
    for kind in KINDS:
        for n in results.experiment.measures:
            cases = results.cases(n, kind)
            runs = [case["baselines"]["paper"] for case in cases if case["baselines"]]
            ended = [run["ended"] for run in runs]
            stopped += ended.count(False)
            checked = Cell()
            if runs:
                checked = Cell(
                    value=median(run["checked"] for run in runs),
                    style="power",
                    at_least=bounds_median((run["checked"], not run["ended"]) for run in runs),
                )
            mine = [
                Cell(value=median(int(case["feasible"]) for case in cases), style="power"),
                checked,
                Cell(
                    value=median(case["checked"] for case in cases),
                    style="power",
                    at_least=bounds_median((c["checked"], not c["exact"]) for c in cases),
                ),
            ]
            figures = results.published if kind == "single" else None
            theirs = [
                Cell(value=figures.get(name, str(n)) if figures else None, style="power")
                for name in ("feasible", "checked", "")
            ]
            rows.append((Cell(value=f"{kind} ROUGE-{n} recall"), *lay_out(mine, theirs)))
    notes = []
    if stopped:
        limit = results.experiment.baseline_time_limit
        notes.append(
            f"Stopped after {limit:g} s: {name_number(stopped, 'run', 'runs')} of the paper's "
            "method."
        )
    notes += results.note_stopped("what this makes a lower bound is marked (≥)")
    return Grid(
        key="table7",
        title="Table 7: median number of summaries that fit, and that a search checked",
        heads=(Head(name="", right=False), *heads),
        rows=tuple(rows),
        notes=tuple(notes),
        rules=frozenset({len(results.experiment.measures)}),
    )


def tabulate_times(results: Results) -> Grid:
    """Sec. 6.2.4: mean seconds to find one oracle and to enumerate all."""
    columns = [
        ("one oracle", "search"),
        ("one oracle", "ILP (HiGHS)"),
        ("one oracle", "paper"),
        ("all oracles", "search"),
        ("all oracles", "slowest"),
        ("all oracles", "paper's method"),
        ("all oracles", "paper"),
    ]
    if results.published.year is None:
        columns = [column for column in columns if column[1] != "paper"]
    rows = []
    stopped = {"ilp": 0, "paper": 0}
    unproven = 0
    for kind in KINDS:
        for n in results.experiment.measures:
            cases = results.cases(n, kind)
            first = not all(c["ended_one"] for c in cases)
            every = not all(c["exact"] for c in cases)
            unproven += sum(not c["ended_one"] for c in cases)
            slowest = max(c["seconds_all"] for c in cases)
            cells: dict[tuple[str, str], Cell] = {
                ("one oracle", "search"): _seconds(
                    [c["seconds_one"] for c in cases], at_least=first
                ),
                ("all oracles", "search"): _seconds(
                    [c["seconds_all"] for c in cases], at_least=every
                ),
                ("all oracles", "slowest"): _seconds([slowest], at_least=every),
            }
            for method, place in (
                ("ilp", columns[1]),
                ("paper", ("all oracles", "paper's method")),
            ):
                runs = [c["baselines"][method] for c in cases if c["baselines"]]
                stopped[method] += sum(not run["ended"] for run in runs)
                cells[place] = _seconds(
                    [run["seconds"] for run in runs],
                    at_least=not all(run["ended"] for run in runs),
                )
            for group, name in (("one oracle", "seconds_one"), ("all oracles", "seconds_all")):
                value = results.published.get(name, kind, str(n))
                cells[group, "paper"] = Cell(value=value, style="seconds")
            row = [cells.get(column, Cell()) for column in columns]
            rows.append((Cell(value=f"{kind} ROUGE-{n} recall"), *row))
    notes = ["The paper's times are for CPLEX 12.1 and C++ on a Xeon X5675."]
    if results.published.year is None:
        notes = []
    for method, label in (("ilp", "the ILP"), ("paper", "the paper's method")):
        if stopped[method]:
            limit = results.experiment.baseline_time_limit
            runs_of = name_number(stopped[method], "run", "runs")
            notes.append(f"Stopped after {limit:g} s: {runs_of} of {label}.")
    if unproven:
        searches = name_number(unproven, "search", "searches")
        notes.append(f"Stopped before one oracle was proven: {searches}.")
    notes += results.note_stopped("means with stopped searches are lower bounds (≥)")
    heads = [Head(name=name, group=group) for group, name in columns]
    return Grid(
        key="times",
        title="Times: mean seconds per case to find one oracle and to enumerate all",
        heads=(Head(name="", right=False), *heads),
        rows=tuple(rows),
        notes=tuple(notes),
        rules=frozenset({len(results.experiment.measures)}),
    )


def _seconds(values: list[float], *, at_least: bool = False) -> Cell:
    if not values:
        return Cell()
    return Cell(value=fmean(values), style="seconds", at_least=at_least)
