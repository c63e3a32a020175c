"""Room left, beside Tables 2 and 3: the oracle against greedy and the best system by topic."""

from __future__ import annotations

from statistics import fmean

from ..answers import Json
from ..evaluation.paired import PairedTest, compare_paired
from ..evaluation.significance import correct_holm
from ..frozen import dataclass
from ..report.grid import Cell, Grid, Head
from .results import Results, name_number

__all__ = ["Room", "measure_room", "tabulate_room"]


@dataclass(frozen=True, kw_only=True)
class Room:
    """One comparison: means over the topics that have the summary, and the paired test."""

    n: int
    against: str
    oracle: float
    other: float
    proven: bool  # the optimum of every topic; else the best found stands in, which is no more
    test: PairedTest
    p_holm: float


def measure_room(results: Results) -> list[Room]:
    """The oracle against greedy and the best system under each measure, all references together.

    The best system is one of the corpus; one of ours only if the corpus has none.
    """
    pairs = []
    for n in results.experiment.measures:
        cases = results.cases(n, "multi")
        greedy = [(_recall(case), case["greedy_hits"] / case["total"]) for case in cases]
        pairs.append((n, "greedy", greedy, _are_proven(cases)))
        best = results.best_peer(n) or _find_best_of_ours(results, n)
        if best is not None:
            having = [case for case in cases if best in case["systems"]]
            rows = [case["systems"][best] for case in having]
            scores = [row["hits"] / (row["reference_total"] or 1) for row in rows]
            both = list(zip(map(_recall, having), scores, strict=True))
            pairs.append((n, best, both, _are_proven(having)))
    tests = [
        compare_paired([a for a, _ in scores], [b for _, b in scores], seed=results.experiment.seed)
        for _, _, scores, _ in pairs
    ]
    corrected = correct_holm([test.p for test in tests])
    return [
        Room(
            n=n,
            against=against,
            oracle=fmean(a for a, _ in scores),
            other=fmean(b for _, b in scores),
            proven=proven,
            test=test,
            p_holm=p,
        )
        for (n, against, scores, proven), test, p in zip(pairs, tests, corrected, strict=True)
    ]


def tabulate_room(results: Results) -> Grid:
    """The oracle less another summary: mean, interval, topics, and p of a paired test."""
    rows = []
    rooms = measure_room(results)
    for room in rooms:
        test = room.test
        ratio = room.other / room.oracle if room.oracle else None
        rows.append(
            (
                Cell(value=f"ROUGE-{room.n} recall"),
                Cell(value=room.against),
                Cell(value=test.topics, style="count"),
                Cell(value=room.oracle, style="ratio", at_least=not room.proven),
                Cell(value=room.other, style="ratio"),
                Cell(
                    value=test.difference,
                    style="ratio",
                    low=test.low,
                    high=test.high,
                    at_least=not room.proven,
                ),
                Cell(
                    value=ratio,
                    style="ratio",
                    at_most=not room.proven and ratio is not None,
                ),
                Cell(value=test.larger, style="count"),
                Cell(value=test.smaller, style="count"),
                Cell(value=room.p_holm, style="ratio", digits=4, at_most=test.bound),
            )
        )
    names = ("oracle", "other", "difference", "ratio", "oracle above", "below", "p (Holm)")
    heads = [Head(name="measure", right=False), Head(name="against", right=False)]
    heads += [Head(name=name) for name in ("topics", *names)]
    drawn = [room for room in rooms if not room.test.exact]
    notes = [
        "Recall with all references together, as in Tables 2 and 3; 95% bootstrap interval over "
        "topics; p: signs of the differences left to chance, two-sided, corrected by Holm for "
        f"{name_number(len(rooms), 'comparison', 'comparisons')}"
        + (", from 10,000 seeded draws if more than 14 topics differ." if drawn else "."),
        "Ratio: of the two means. The share of other tables is a mean over topics.",
        "An oracle can never be below greedy: there p says how sure it is that greedy misses "
        "anything, the difference how much.",
        *results.note_unproven(
            "there the best found stands in for the oracle: what this makes a bound is marked "
            "(≥, <); intervals, p, and the topics with the oracle above or below rest on it too",
            "multi",
        ),
    ]
    if all(results.systems.values()) and results.systems:
        notes.append("The corpus brings no system: the best of ours takes its place.")
    return Grid(
        key="room",
        title="Room left: the oracle against greedy and the best system, paired over topics",
        heads=tuple(heads),
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _are_proven(cases: list[Json]) -> bool:
    return all(case["proven"] for case in cases)


def _recall(case: Json) -> float:
    return float(case["hits"] / case["total"])


def _find_best_of_ours(results: Results, n: int) -> str | None:
    return max(results.systems, key=lambda name: results.rouge(name, n), default=None)
