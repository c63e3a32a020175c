"""The figures that the engine is to reach, and what the recorded measurements say to each."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from engine_growth import fit_exponent

__all__ = ["Figure", "check_documents", "check_growth", "check_listing", "check_shared"]

Row = dict[str, Any]

LARGE_FAMILY = 100_000
SLOWER_ALLOWED = 10_000  # sets: only families beyond this may take longer than HiGHS
LONG_DOCUMENT = 150


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A target, and what was measured."""

    what: str
    target: str
    measured: str
    reached: bool


def at_least(what: str, value: float, goal: float) -> Figure:
    return Figure(what=what, target=f"≥ {goal:g}", measured=_show(value), reached=value >= goal)


def at_most(what: str, value: float, goal: float) -> Figure:
    return Figure(what=what, target=f"≤ {goal:g}", measured=_show(value), reached=value <= goal)


def check_shared(rows: list[Row]) -> list[Figure]:
    """Over the instances with known answers."""
    agree = sum(row["agrees"] for row in rows)
    figures = [at_least("instances that agree with the known answers", agree, len(rows))]
    beside = [row for row in rows if row.get("highs_proven")]
    if beside:
        ratios = [row["highs_s"] / row["api_s"] for row in beside]
        figures.append(at_least("HiGHS, one oracle / ours, all: median", _median(ratios), 30))
        ratios = [row["highs_s"] / row["kernel_s"] for row in beside]
        figures.append(at_least("the same, our kernel call alone", _median(ratios), 30))
        common = [row for row in beside if (row["count"] or LARGE_FAMILY + 1) <= LARGE_FAMILY]
        for key, what in (("api_s", ""), ("kernel_s", ", kernel alone")):
            share = sum(row[key] for row in common) / sum(row["highs_s"] for row in common)
            figures.append(at_most(f"sum of ours / HiGHS's, families ≤ 100,000{what}", share, 0.1))
        slower = [row for row in beside if row["api_s"] > row["highs_s"]]
        wrong = [row for row in slower if (row["count"] or LARGE_FAMILY) <= SLOWER_ALLOWED]
        figures.append(at_most("slower than HiGHS on a family ≤ 10,000", len(wrong), 0))
    papers = [row for row in rows if "paper_nodes" in row and row["sentences"] >= LONG_DOCUMENT]
    if papers:
        # A run that was stopped counts the nodes it had: the true ratio is larger.
        ratios = [row["paper_nodes"] / max(row["nodes"], 1) for row in papers]
        what = "nodes of `paper` / ours, ≥ 150 sentences: median, from below"
        figures.append(at_least(what, _median(ratios), 200))
    large = [row["nodes"] / row["count"] for row in rows if (row["count"] or 0) >= 1000]
    if large:
        figures.append(at_most("nodes per oracle, families ≥ 1,000: largest", max(large), 6))
    return figures


def check_documents(rows: list[Row]) -> list[Figure]:
    """A document of 30 sentences."""
    median = next(row["p50_ms"] for row in rows if row["sentences"] == 30)
    return [at_most("30 sentences, ROUGE-2, 100 words: median ms in the kernel", median, 0.1)]


def check_growth(rows: list[Row]) -> list[Figure]:
    """Documents of 900 sentences, and how the CPU time of the one thread grows."""
    figures = []
    for n, most in ((2, 5), (1, 50)):
        for corpus in sorted({row["corpus"] for row in rows}):
            ours = [row for row in rows if (row["corpus"], row["n"]) == (corpus, n)]
            median = next(row["median_cpu_ms"] for row in ours if row["asked"] == 900)
            what = f"900 sentences, 250 words, {corpus}, ROUGE-{n}: median ms of CPU"
            figures.append(at_most(what, median, most))
            slope = fit_exponent([row for row in ours if row["asked"] >= 400])
            what = f"growth exponent from 400 sentences on, {corpus}, ROUGE-{n}"
            figures.append(at_most(what, slope, 1.2))
    return figures


def check_listing(rows: list[Row]) -> list[Figure]:
    """Large families into Python tuples."""
    if not rows:
        return []
    tuples = _median([row["per_cpu_second"] for row in rows]) / 1e6
    kernel = _median([row["kernel_per_cpu_second"] for row in rows]) / 1e6
    return [
        at_least("listing in the kernel, million sets a second of CPU: median", kernel, 1),
        at_least("listing into Python tuples, million a second of CPU: median", tuples, 1),
    ]


def _median(values: list[float]) -> float:
    return statistics.median(values)


def _show(value: float) -> str:
    return f"{value}" if isinstance(value, int) else f"{value:.3g}"
