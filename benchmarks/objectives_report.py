"""What was measured of objectives as a page: targets beside figures, then tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Row = dict[str, Any]

TITLES = {
    "three": "R1-F1 + R2-F1, at most 3 sentences",
    "sets": "The same with n-grams as sets, as PreSumm counts",
    "free": "R1-F1 + R2-F1 without a limit",
    "lsum": "R1-F1 + R2-F1 + RLsum-F1, at most 3 sentences",
    "stories": "R1-F1 + R2-F1, at most 10 sentences of a story of 275-801",
    "single": "Single ratios",
    "ablation": "What each part buys",
}


def write_page(record: dict[str, Any]) -> str:
    """The page, from whatever settings were measured."""
    parts = [
        "# Objectives, measured",
        "Written by `python benchmarks/objectives.py`; do not edit.",
        "Times are milliseconds from words to the answer on one core; a document that reaches its "
        "limit counts as long as that. *Optimal*: documents of which greedy's set is a best one; "
        "*share*: what its sets are worth, on average, of the best.",
    ]
    figures = _check_figures({name: section["rows"] for name, section in record.items()})
    parts.append("## Figures\n\n" + _table(("figure", "target", "measured", "reached"), figures))
    for name, title in TITLES.items():
        if name not in record:
            continue
        section = record[name]
        write = _write_ablation if name == "ablation" else _write_contenders
        settings = ", ".join(f"{key} {value}" for key, value in section["settings"].items())
        machine = "; ".join(f"{key}: {value}" for key, value in section["machine"].items())
        parts += [f"## {title}\n\n" + write(section["rows"])]
        parts += [f"Settings: {settings}.", f"Machine: {machine}."]
    return "\n\n".join(parts) + "\n"


def _write_contenders(rows: list[Row]) -> str:
    lines = [
        (
            row["corpus"],
            row["objective"],
            "" if row["most"] is None else str(row["most"]),
            row["contender"],
            str(row["documents"]),
            "" if row["contender"] == "greedy" else str(row["proven"]),
            *(_show(row[key]) for key in ("p50_ms", "p90_ms", "max_ms")),
            f"{100 * row['best']:.1f} %" if "best" in row else "",
            f"{100 * row['share']:.2f} %" if "share" in row else "",
        )
        for row in rows
    ]
    head = (
        "corpus",
        "objective",
        "at most",
        "contender",
        "documents",
        "proven",
        "median",
        "90 %",
        "slowest",
        "optimal",
        "share",
    )
    own = [row for row in rows if row["contender"] == "ours"]
    notes = [
        f"{row['corpus']}, {row['objective']}: slowest {row['slowest']}; "
        f"several best sets for {row['several']} documents"
        + (
            f"; widest open gap {100 * row['widest_gap']:.2f} % of the value"
            if "widest_gap" in row
            else ""
        )
        for row in own
    ]
    return _table(head, lines) + "\n\n" + "\n".join(f"- {note}" for note in notes)


def _write_ablation(rows: list[Row]) -> str:
    head = (
        "corpus",
        "at most",
        "switched off",
        "proven",
        "median",
        "90 %",
        "slowest",
        "sum s",
        "nodes (median)",
    )
    return _table(
        head,
        [
            (
                row["corpus"],
                "" if row["most"] is None else str(row["most"]),
                row["part"],
                f"{row['proven']} of {row['documents']}",
                *(_show(row[key]) for key in ("p50_ms", "p90_ms", "max_ms")),
                f"{row['sum_s']:.2f}",
                f"{row['nodes']:,}",
            )
            for row in rows
        ],
    )


def _check_figures(sections: dict[str, list[Row]]) -> list[tuple[str, str, str, str]]:
    """What the objectives are to reach, from the settings that were measured."""
    figures: list[tuple[str, str, str, str]] = []

    def find(setting: str, corpus: str, contender: str, objective: str = "") -> Row | None:
        for row in sections.get(setting, []):
            if (row["corpus"], row["contender"]) == (corpus, contender) and (
                objective in ("", row["objective"])
            ):
                return row
        return None

    def add(what: str, value: float, goal: float, *, least: bool = False) -> None:
        reached = value >= goal if least else value <= goal
        sign = "≥" if least else "≤"
        figures.append((what, f"{sign} {goal:g}", _show(value), "yes" if reached else "**no**"))

    own = find("three", "news", "ours")
    greedy, brute = find("three", "news", "greedy"), find("three", "news", "brute force")
    if own:
        add("news, ≤ 3: proven %", 100 * own["proven"] / own["documents"], 100, least=True)
        if greedy:
            add("news, ≤ 3: median / greedy's", own["p50_ms"] / greedy["p50_ms"], 0.2)
        if brute:
            add("news, ≤ 3: median / brute force's", own["p50_ms"] / brute["p50_ms"], 1)
            ratio = brute["p90_ms"] / own["p90_ms"]
            add("news, ≤ 3: brute force's 90 % / ours", ratio, 20, least=True)
        add("news, ≤ 3: slowest ms", own["max_ms"], 500)
    if own := find("free", "news", "ours"):
        add("news, no limit: proven %", 100 * own["proven"] / own["documents"], 100, least=True)
        add("news, no limit: slowest ms", own["max_ms"], 5000)
    if own := find("lsum", "news", "ours"):
        add("news, with RLsum: proven %", 100 * own["proven"] / own["documents"], 100, least=True)
        add("news, with RLsum: median ms", own["p50_ms"], 1)
    if own := find("stories", "squality", "ours"):
        share = 100 * own["proven"] / own["documents"]
        add("stories, ≤ 10: proven within 10 s %", share, 95, least=True)
    for objective in ("r1-f1", "r2-f1"):
        if own := find("single", "squality", "ours", objective):
            share = 100 * own["proven"] / own["documents"]
            add(f"stories, ≤ 10, {objective}: proven %", share, 100, least=True)
            add(f"stories, ≤ 10, {objective}: median ms", own["p50_ms"], 50)
    return figures


def _show(number: float) -> str:
    return f"{number:,.0f}" if number >= 1000 else f"{number:.3g}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
