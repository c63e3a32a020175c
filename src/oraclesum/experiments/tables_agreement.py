"""Table 6: how well ROUGE and the F-measures agree with human scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..evaluation.agreement import choose_human, judge_topics, note_repeated
from ..evaluation.coefficients import COEFFICIENTS
from ..evaluation.correlation import Correlation, Level, correlate_measures
from ..evaluation.measures import CaseScore, collect_measures, order_measures
from ..report.grid import Cell, Grid, Head
from .results import Results

__all__ = ["tabulate_agreement"]

_SYMBOLS = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau"}


def tabulate_agreement(results: Results, *, level: Level = "system") -> Grid | None:
    """Correlations across systems, or across the summaries of a topic; None without judgements."""
    topics = [record for topic in results.topics if (record := _collect(topic, results))]
    if not topics:
        return None
    human = choose_human(topics, results.human)
    judged = judge_topics(topics, human)
    found: dict[str, dict[str, Correlation]] = {}
    for coefficient in COEFFICIENTS:
        for row in correlate_measures(
            judged, level=level, coefficient=coefficient, seed=results.experiment.seed
        ):
            found.setdefault(row.measure, {})[coefficient] = row
    with_paper = results.published.get("correlations") is not None and level == "system"
    heads = [Head(name="measure", right=False)]
    for coefficient in COEFFICIENTS:
        group = _SYMBOLS[coefficient]
        if with_paper and coefficient != "kendall":
            heads += [Head(name="ours", group=group), Head(name="paper", group=group)]
        else:
            heads.append(Head(name=group))
    best = {
        coefficient: max(
            round(row[coefficient].value, 3)
            for row in found.values()
            if row[coefficient].interval != "draws"
        )
        for coefficient in COEFFICIENTS
    }
    rows = []
    for measure in order_measures(found):
        cells = [Cell(value=measure)]
        for coefficient in COEFFICIENTS:
            row = found[measure][coefficient]
            is_best = row.interval != "draws" and round(row.value, 3) == best[coefficient]
            cells.append(
                Cell(value=row.value, style="ratio", low=row.low, high=row.high, best=is_best)
            )
            if with_paper and coefficient != "kendall":
                cells.append(_show_published(results, measure, coefficient))
        rows.append(tuple(cells))
    rouges = sum(measure.startswith("ROUGE") for measure in found)
    across = "systems" if level == "system" else "the summaries of a topic"
    return Grid(
        key="table6" if level == "system" else "table6-summaries",
        title=f"Table 6: correlation with human scores ({human}) across {across}",
        heads=tuple(heads),
        rows=tuple(rows),
        notes=(
            f"{len(judged.systems)} systems, {len(judged.topics)} topics. M: F-measure from all "
            f"oracles; S: from one random oracle, mean over {results.experiment.draws} draws with "
            "its 95% bootstrap interval. Other intervals: bootstrap over topics and systems.",
            *results.note_stopped("F is there from the oracles found by then"),
            *((f"{note}.",) if (note := note_repeated(judged.repeated)) else ()),
        ),
        rules=frozenset({rouges}),
    )


def _collect(topic: Mapping[str, Any], results: Results) -> dict[str, Any] | None:
    """The scores of the judged systems of one topic."""
    human = {name: each for name, each in topic["human"].items() if name in topic["summaries"]}
    if not human:
        return None
    measures: dict[str, Any] = {}
    drawn: dict[str, Any] = {}
    for n in results.experiment.measures:
        multi: dict[str, CaseScore] = {}
        single: list[dict[str, CaseScore]] = []
        for case in topic["cases"]:
            if case["n"] != n:
                continue
            scores = {name: _score(case["systems"][name]) for name in human}
            if case["reference"] is None:
                multi = scores
            else:
                single.append(scores)
        collected = collect_measures(n, multi, single)
        measures |= collected.measures
        drawn |= collected.drawn
    return {"id": topic["id"], "human": human, "measures": measures, "drawn": drawn}


def _score(row: Mapping[str, Any]) -> CaseScore:
    pairs = zip(row["drawn_shared"], row["drawn_sizes"], strict=True)
    return CaseScore(
        rouge={"recall": row["hits"] / row["reference_total"] if row["reference_total"] else 0.0},
        overlaps={"F-measure": row["f_measure"]},
        drawn=[2 * shared / (row["selected"] + size) for shared, size in pairs],
    )


def _show_published(results: Results, measure: str, coefficient: str) -> Cell:
    values = results.published.get("correlations", measure, coefficient)
    if not values:
        return Cell()
    if len(values) == 1:
        return Cell(value=values[0], style="ratio")
    return Cell(value="-".join(f"{value:.3f}".lstrip("0") for value in values))
