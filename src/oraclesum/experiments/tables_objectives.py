"""Tables of objectives: what heuristics reach, how many optima, what one is worth under another."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from statistics import fmean
from typing import Any

from ..evaluation.share import measure_share
from ..report.grid import Cell, Grid, Head
from .objectives import BEAM, NEAR, PLACES
from .results import Results, bounds_median, median, name_number

__all__ = [
    "tabulate_lengths",
    "tabulate_near",
    "tabulate_objectives",
    "tabulate_positions",
    "tabulate_transfer",
]

Row = dict[str, Any]

_SETTINGS = (
    "All references together; stems, stop words kept, n-grams within sentences, the limit of the "
    "other tables."
)
_PARTS = ((0, 1), (1, 2), (2, 5), (5, PLACES))  # of a document, in tenths


def _rows(results: Results, objective: str) -> list[Row]:
    """What each topic says about an objective; topics that share nothing with it are left out."""
    rows = [topic["objectives"]["rows"][objective] for topic in results.topics]
    return [row for row in rows if Fraction(row["best"])]


def _mean(rows: list[Row], value: Callable[[Row], float | None]) -> float | None:
    found = [each for each in map(value, rows) if each is not None]
    return fmean(found) if found else None


def _note_stopped(results: Results, what: str) -> list[str]:
    """Which searches ended before the optimum was proven, and what became of them."""
    stopped = {
        name: sum(not row["proven"] for row in _rows(results, name))
        for name in results.experiment.objectives
    }
    some = [f"{name} {count}" for name, count in stopped.items() if count]
    if not some:
        return []
    limit = results.experiment.objective_time_limit
    return [
        f"Stopped after {limit:g} s before the optimum was proven, of "
        f"{name_number(len(results.topics), 'topic', 'topics')}: {', '.join(some)}. {what}"
    ]


def tabulate_objectives(results: Results) -> Grid | None:
    """The mean optimum of each objective, and how near greedy and a beam come to it."""
    rows = []
    for name in results.experiment.objectives:
        found = _rows(results, name)
        unsure = any(not row["proven"] for row in found)
        cells = [
            Cell(value=name),
            Cell(value=fmean(row["proven"] for row in found) if found else None, style="ratio"),
            Cell(
                value=_mean(found, lambda row: float(Fraction(row["best"]))),
                style="ratio",
                at_least=unsure,
            ),
        ]
        for heuristic in ("greedy", "beam"):
            share = _mean(
                found,
                lambda row, key=heuristic: measure_share(  # type: ignore[misc]  # the default binds the loop's name
                    Fraction(row[key]), Fraction(row["best"])
                ),
            )
            cells.append(Cell(value=share, style="ratio", at_most=unsure))
            cells.append(_rate_of_optimal(found, heuristic))
        cells.append(
            Cell(
                value=_mean(found, lambda row: row["jaccard"] and row["jaccard"]["value"]),
                style="ratio",
            )
        )
        rows.append(tuple(cells))
    if not rows:
        return None
    groups = [("", "proven"), ("", "optimum")]
    groups += [(g, h) for g in ("greedy", f"beam {BEAM}") for h in ("share", "optimal")]
    groups.append(("greedy with optima", "Jaccard"))
    return Grid(
        key="objectives",
        title="Objectives: mean optimum, and the share of it that greedy and a beam reach",
        heads=(
            Head(name="objective", right=False),
            *(Head(name=name, group=group) for group, name in groups),
        ),
        rows=tuple(rows),
        notes=(
            _SETTINGS,
            "Greedy adds the sentence that raises the score most while one does, as training code "
            f"does; the beam keeps {BEAM} sets of each size. Optimal: the share of topics on which "
            "a heuristic is proven to reach the optimum.",
            *_note_stopped(results, "The best set known stands in: bounds are marked (≥, <)."),
        ),
    )


def _rate_of_optimal(rows: list[Row], heuristic: str) -> Cell:
    if not rows:
        return Cell()
    reached = [Fraction(row[heuristic]) == Fraction(row["best"]) for row in rows]
    pairs = list(zip(rows, reached, strict=True))
    return Cell(
        value=fmean(row["proven"] and hit for row, hit in pairs),
        style="ratio",
        at_least=any(hit and not row["proven"] for row, hit in pairs),
    )


def tabulate_near(results: Results) -> Grid | None:
    """How many optima there are, and how many sets that score almost as much."""
    rows = []
    for name in results.experiment.objectives:
        found = _rows(results, name)
        cells = [Cell(value=name)]
        for level in ("", *NEAR):
            counts = [_count(row, level) for row in found]
            value = median(count for count, _ in counts) if counts else None
            cells.append(
                Cell(value=value, style="power", at_least=bool(counts) and bounds_median(counts))
            )
            cells.append(
                Cell(
                    value=fmean(count > 1 for count, _ in counts) if counts else None,
                    style="ratio",
                    at_least=any(stopped and count <= 1 for count, stopped in counts),
                )
            )
        rows.append(tuple(cells))
    if not rows:
        return None
    groups = ["optima", *(f"within {float(distance) * 100:g} points" for distance in NEAR)]
    groups = [group.replace("within 1 points", "within 1 point") for group in groups]
    stopped = sum(
        not row["near"][level]["exact"]
        for name in results.experiment.objectives
        for row in _rows(results, name)
        for level in NEAR
    )
    notes = [_SETTINGS, "Several: the share of topics with more than one such set."]
    if stopped:
        limit = results.experiment.objective_time_limit
        notes.append(
            f"Stopped after {limit:g} s: {name_number(stopped, 'count', 'counts')} of near-optimal "
            "sets; there the optima counted before stand in, and bounds are marked (≥)."
        )
    return Grid(
        key="objectives-near",
        title="Objectives: median number of optima and of near-optimal sets",
        heads=(
            Head(name="objective", right=False),
            *(Head(name=name, group=group) for group in groups for name in ("median", "several")),
        ),
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _count(row: Row, level: str) -> tuple[int, bool]:
    """A number of sets that is certain, and whether there may be more."""
    if level:
        return int(row["near"][level]["count"]) or 1, not row["near"][level]["exact"]
    return (int(row["count"]) if row["exact"] else 1), not row["exact"]


def tabulate_transfer(results: Results) -> Grid | None:
    """What an optimum of one objective is worth under the others."""
    names = results.experiment.objectives
    if len(names) < 2:
        return None
    topics = [topic["objectives"]["rows"] for topic in results.topics]
    unsure = {
        name: any(not rows[name]["proven"] for rows in topics if Fraction(rows[name]["best"]))
        for name in names
    }
    rows = []
    for name in names:
        cells = [Cell(value=name)]
        for other in names:
            found = [
                rows[name]["under"][other] / float(best)
                for rows in topics
                if (best := Fraction(rows[other]["best"]))
                and rows[name]["under"][other] is not None
            ]
            cells.append(
                Cell(
                    value=fmean(found) if found else None,
                    style="ratio",
                    at_most=unsure[other] and name != other,
                    best=name == other,
                )
            )
        rows.append(tuple(cells))
    return Grid(
        key="objectives-transfer",
        title="Objectives: the score of one's optimum under another, as a share of the best there",
        heads=(
            Head(name="optimum of", right=False),
            *(Head(name=name, group="scored by") for name in names),
        ),
        rows=tuple(rows),
        notes=(
            _SETTINGS,
            "Mean over topics and over the optima of each, of more than 100 optima over a seeded "
            "sample of 100.",
            *_note_stopped(results, "There the best set known stands in for the optima."),
        ),
    )


def tabulate_positions(results: Results) -> Grid | None:
    """Where in their documents the sentences of optima stand."""
    if not results.experiment.objectives:
        return None

    def show(label: str, found: list[Row]) -> tuple[Cell, ...]:
        having = [row for row in found if row["places"]]
        if not having:
            return (Cell(value=label), *(Cell() for _ in range(len(_PARTS) + 1)))
        parts = [fmean(sum(row["places"][a:b]) for row in having) for a, b in _PARTS]
        mean = fmean(row["position"] for row in having)
        return (Cell(value=label), *(Cell(value=part, style="ratio") for part in (*parts, mean)))

    rows = [show(name, _rows(results, name)) for name in results.experiment.objectives]
    rows.append(show("all sentences", [t["objectives"]["document"] for t in results.topics]))
    names = [
        f"{a * 100 // PLACES} to {b * 100 // PLACES} %" if a else f"first {b * 100 // PLACES} %"
        for a, b in _PARTS
    ]
    return Grid(
        key="objectives-positions",
        title="Objectives: where in their documents the sentences of optima are",
        heads=(Head(name="objective", right=False), *map(_head, [*names, "mean position"])),
        rows=tuple(rows),
        notes=(
            "Share of the sentences of optima in each part of their own document, mean over "
            "topics; the mean position counts from 0 (beginning) to 1 (end).",
            *_note_stopped(results, "There it is the best set known."),
        ),
        rules=frozenset({len(rows) - 1}),
    )


def _head(name: str) -> Head:
    return Head(name=name)


def tabulate_lengths(results: Results) -> Grid | None:
    """Sentences and words of the optima against those of the references."""
    if not results.experiment.objectives:
        return None
    references = [topic["objectives"]["reference"] for topic in results.topics]
    rows = []
    for name in results.experiment.objectives:
        cells = [Cell(value=name)]
        for unit in ("sentences", "words"):
            pairs = [
                (topic["objectives"]["rows"][name][unit], topic["objectives"]["reference"][unit])
                for topic in results.topics
                if Fraction(topic["objectives"]["rows"][name]["best"])
            ]
            mean = fmean(own for own, _ in pairs) if pairs else None
            ratios = [own / reference for own, reference in pairs if reference]
            cells.append(_show_length(mean))
            cells.append(Cell(value=fmean(ratios) if ratios else None, style="ratio", digits=2))
        rows.append(tuple(cells))
    whole = [_show_length(fmean(each[unit] for each in references)) for unit in _UNITS]
    one = Cell(value=1.0, style="ratio", digits=2)
    rows.append((Cell(value="reference"), whole[0], one, whole[1], one))
    return Grid(
        key="objectives-lengths",
        title="Objectives: length of the optima against the references",
        heads=(
            Head(name="objective", right=False),
            *(Head(name=n, group=unit) for unit in _UNITS for n in ("mean", "to the reference's")),
        ),
        rows=tuple(rows),
        notes=(
            "Mean over topics and over the optima of each; of several references the mean. Ratios "
            "are taken topic by topic.",
            *_note_stopped(results, "There it is the best set known."),
        ),
        rules=frozenset({len(rows) - 1}),
    )


_UNITS = ("sentences", "words")


def _show_length(value: float | None) -> Cell:
    return Cell(value=None if value is None else round(value, 1), style="count")
