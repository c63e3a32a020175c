"""The engine's recorded measurements as a page: targets beside what was measured, then tables."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from engine_figures import (
    LONG_DOCUMENT,
    check_documents,
    check_growth,
    check_listing,
    check_shared,
)
from engine_timing import quantile

Row = dict[str, Any]

CHECKS = {
    "shared": check_shared,
    "documents": check_documents,
    "growth": check_growth,
    "listing": check_listing,
}


def write_page(results: dict[str, Any]) -> str:
    """The page, from whatever sections were measured."""
    parts = ["# The engine, measured\n", "Written by `python benchmarks/engine.py`; do not edit."]
    figures = [
        figure
        for name, check in CHECKS.items()
        if name in results
        for figure in check(results[name]["rows"])
    ]
    rows = [(f.what, f.target, f.measured, "yes" if f.reached else "**no**") for f in figures]
    parts.append("## Figures\n\n" + _table(("figure", "target", "measured", "reached"), rows))
    writers = {
        "shared": _write_shared,
        "documents": _write_documents,
        "growth": _write_growth,
        "listing": _write_listing,
        "ablation": _write_ablation,
    }
    for name, write in writers.items():
        if name not in results:
            continue
        section = results[name]
        settings = ", ".join(f"{key} {value}" for key, value in section["settings"].items())
        machine = "; ".join(f"{key}: {value}" for key, value in section["machine"].items())
        parts += [write(section["rows"]), f"Settings: {settings}.", f"Machine: {machine}."]
    return "\n\n".join(parts) + "\n"


def _write_shared(rows: list[Row]) -> str:
    groups = {
        "all": rows,
        "ROUGE-1": [row for row in rows if row["id"].endswith("rouge1")],
        "ROUGE-2": [row for row in rows if row["id"].endswith("rouge2")],
        "≥ 150 sentences": [row for row in rows if row["sentences"] >= LONG_DOCUMENT],
        "families ≥ 1,000": [row for row in rows if (row["count"] or 0) >= 1000],
    }
    lines = []
    for name, group in groups.items():
        beside = [row for row in group if "highs_s" in row]
        ratios = [row["highs_s"] / row["api_s"] for row in beside]
        lines.append(
            (
                name,
                str(len(group)),
                _ms([row["api_s"] for row in group]),
                _ms([row["kernel_s"] for row in group]),
                _ms([row["one_s"] for row in group]),
                _ms([row["highs_s"] for row in beside]) if beside else "",
                f"{statistics.median(ratios):.1f}" if ratios else "",
                f"{statistics.median(row['nodes'] for row in group):.0f}",
            )
        )
    parts = [
        "## Instances with known answers\n",
        _table(
            (
                "instances",
                "number",
                "ours, all: median ms",
                "kernel alone",
                "one oracle, kernel",
                "HiGHS, one",
                "ratio (median)",
                "nodes",
            ),
            lines,
        ),
    ]
    others = []
    for key, label in (("paper", "`paper`"), ("cp_sat", "CP-SAT")):
        asked = [row for row in rows if f"{key}_s" in row]
        if not asked:
            continue
        done = [row for row in asked if row[f"{key}_finished"]]
        ratio = statistics.median(row[f"{key}_s"] / row["api_s"] for row in asked)
        others.append((label, str(len(asked)), str(len(done)), f"{ratio:.0f}"))
    if others:
        parts.append(
            "\n"
            + _table(
                (
                    "enumerator",
                    "asked",
                    "finished",
                    "its time / ours (median; stopped at its limit)",
                ),
                others,
            )
        )
    slowest = sorted(rows, key=lambda row: -row["api_s"])[:12]
    parts.append(
        "\nThe slowest:\n\n"
        + _table(
            ("instance", "sentences", "oracles", "nodes", "ours ms", "kernel ms", "HiGHS ms"),
            [
                (
                    row["id"],
                    str(row["sentences"]),
                    _count(row["count"]),
                    f"{row['nodes']:,}",
                    f"{1e3 * row['api_s']:.1f}",
                    f"{1e3 * row['kernel_s']:.1f}",
                    f"{1e3 * row['highs_s']:.0f}" if "highs_s" in row else "",
                )
                for row in slowest
            ],
        )
    )
    return "\n".join(parts)


def _write_documents(rows: list[Row]) -> str:
    return "## Documents of 10-60 sentences\n\n" + _table(
        (
            "sentences",
            "documents",
            "candidates",
            "oracles (median, most)",
            "nodes",
            "median ms",
            "90 %",
            "99 %",
            "slowest",
        ),
        [
            (
                str(row["sentences"]),
                str(row["documents"]),
                str(row["candidates"]),
                f"{row['oracles']}, {_count(row['most_oracles'])}",
                str(row["nodes"]),
                *(f"{row[key]:.3f}" for key in ("p50_ms", "p90_ms", "p99_ms", "max_ms")),
            )
            for row in rows
        ],
    )


def _write_growth(rows: list[Row]) -> str:
    return "## Growth with the document\n\n" + _table(
        (
            "corpus",
            "n",
            "sentences",
            "candidates",
            "topics",
            "finished",
            "median ms",
            "CPU ms",
            "slowest ms",
            "nodes",
            "oracles",
        ),
        [
            (
                row["corpus"],
                str(row["n"]),
                str(row["sentences"]),
                str(row["candidates"]),
                str(row["topics"]),
                str(row["finished"]),
                f"{row['median_ms']:.2f}",
                f"{row['median_cpu_ms']:.2f}",
                f"{row['max_ms']:.1f}",
                f"{row['nodes']:,}",
                _count(row["oracles"]),
            )
            for row in rows
        ],
    )


def _write_listing(rows: list[Row]) -> str:
    return "## Listing large families\n\n" + _table(
        (
            "instance",
            "oracles",
            "listed",
            "first after ms",
            "sets a second",
            "of CPU",
            "in the kernel, of CPU",
            "more memory, MB",
        ),
        [
            (
                row["id"],
                _count(row["count"]),
                f"{row['listed']:,}",
                f"{row['first_ms']:.1f}",
                f"{row['per_second']:,.0f}",
                f"{row['per_cpu_second']:,.0f}",
                f"{row['kernel_per_cpu_second']:,.0f}",
                f"{row['more_memory_mb']:.0f}",
            )
            for row in rows
        ],
    )


def _write_ablation(rows: list[Row]) -> str:
    return "## What each part buys\n\n" + _table(
        (
            "switched off",
            "finished",
            "median CPU ms",
            "sum s",
            "nodes (median)",
            "time / full (median)",
            "largest",
        ),
        [
            (
                row["name"],
                f"{row['finished']} of {row['instances']}",
                f"{row['median_ms']:.2f}",
                f"{row['sum_s']:.2f}",
                f"{row['nodes']:,}",
                f"{row['ratio']:.2f}",
                f"{row['worst']:.1f}",
            )
            for row in rows
        ],
    )


def _ms(seconds: Sequence[float]) -> str:
    return f"{1e3 * quantile(list(seconds), 0.5):.2f}" if seconds else ""


def _count(count: int | None) -> str:
    if count is None:
        return "?"
    return f"{count:,}" if count < 10**15 else f"{float(count):.3g}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    return "\n".join(lines)
