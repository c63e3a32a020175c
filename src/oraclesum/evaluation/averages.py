"""Per-system averages of evaluation records, and a warning where lengths make F misleading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import Any

from ..signature import merge_signatures
from .bootstrap import bootstrap_mean
from .draws import list_f_measures
from .share import average_shares

__all__ = [
    "LENGTH_RATIO",
    "average_systems",
    "count_partial",
    "note_lengths",
    "note_partial",
]

Record = Mapping[str, Any]

PARTIAL = ("time_limit", "memory_limit", "interrupted")  # not all oracles are known

LENGTH_RATIO = 1.25  # longest over shortest mean length from which a note is due


def average_systems(records: Iterable[Record], *, seed: int = 0) -> list[dict[str, Any]]:
    """One record per system: topics first averaged over their references, then over topics.

    Takes the records of `oraclesum evaluate`. Hits and totals are sums, the rest are means. The
    interval of F against one random oracle is that of its mean over the draws.
    """
    by_system: dict[str, dict[str, list[Record]]] = {}
    for record in records:
        if "rouge" in record:
            topics = by_system.setdefault(record["system"], {})
            topics.setdefault(record["id"], []).append(record)
    return [_average(system, list(topics.values()), seed) for system, topics in by_system.items()]


def _average_missed(topics: Sequence[Sequence[Record]]) -> float | None:
    """Mean number of missed core sentences where they are known; None where they nowhere are."""
    known = [
        [len(record["missed_core"]) for record in topic if record["missed_core"] is not None]
        for topic in topics
    ]
    means = [fmean(counts) for counts in known if counts]
    return fmean(means) if means else None


def _average(system: str, topics: Sequence[Sequence[Record]], seed: int) -> dict[str, Any]:
    every = [record for topic in topics for record in topic]

    lengths = list(map(len, topics))

    def mean(part: str, name: str) -> float:
        return _average_topics([record[part][name] for record in every], lengths)

    def total(name: str) -> int:
        return sum(record["rouge"][name] for record in every)

    return {
        "kind": "average",
        "status": "average",
        "system": system,
        "topics": len(topics),
        "cases": len(every),
        "partial": sum(record["status"] in PARTIAL for record in every),
        "rouge": {
            **{name: total(name) for name in ("hits", "reference_total", "summary_total")},
            **{name: mean("rouge", name) for name in ("recall", "precision", "f1")},
        },
        "share": average_shares([record["share"] for record in topic] for topic in topics),
        "all": {name: mean("all", name) for name in ("precision", "recall", "f_measure")},
        "random": _average_draws(topics, seed),
        "missed_core": _average_missed(topics),
        "words": _average_topics([record["words"] for record in every], lengths),
        "coverage": mean("alignment", "coverage"),
        "signature": merge_signatures(record["signature"] for record in every),
    }


def _average_topics(values: Iterable[float], lengths: Sequence[int]) -> float:
    """The mean over topics of the mean over the records of each, of which it has so many."""
    if max(lengths) > 1:
        rest = iter(values)
        values = [fmean(islice(rest, length)) for length in lengths]
    return fmean(values)


def _average_draws(topics: Sequence[Sequence[Record]], seed: int) -> dict[str, Any]:
    """Mean over the topics within each draw, then mean and interval over the draws."""
    per_topic = []
    for topic in topics:
        rows = [_f_measures(record) for record in topic]
        rows = [row for row in rows if row]
        if rows:
            per_topic.append(_average_columns(rows))
    if not per_topic:
        return {"draws": 0, "f_measure": 0.0, "low": 0.0, "high": 0.0}
    means = _average_columns(per_topic)
    low, high = bootstrap_mean(means, seed=seed)
    return {"draws": len(means), "f_measure": fmean(means), "low": low, "high": high}


def _average_columns(rows: Sequence[list[float]]) -> list[float]:
    return rows[0] if len(rows) == 1 else [fmean(values) for values in zip(*rows, strict=False)]


def _f_measures(record: Record) -> list[float]:
    drawn = record["random"]
    return list_f_measures(drawn["shared"], drawn["sizes"], len(record["selected"]))


def count_partial(records: Iterable[Record]) -> tuple[int, int]:
    """In how many cases not all oracles are known, and of how many; each has several systems."""
    cases = {(r["id"], r.get("reference")): r["status"] for r in records if "rouge" in r}
    return sum(status in PARTIAL for status in cases.values()), len(cases)


def note_partial(partial: int, cases: int) -> str | None:
    """A warning where P, R and F are not from all oracles; None where they are."""
    if not partial:
        return None
    return (
        f"time ran out in {partial} of {cases} cases: P, R and F are there against the oracles "
        "found so far, and share is against the best score found; their missed core is not known"
    )


def note_lengths(words: Mapping[str, float]) -> str | None:
    """What to keep in mind where systems differ much in mean length; None where they do not."""
    lengths = {system: length for system, length in words.items() if length}
    if len(lengths) < 2:
        return None
    shortest, longest = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
    if lengths[longest] < LENGTH_RATIO * lengths[shortest]:
        return None
    return (
        f"lengths differ much: {shortest} has {lengths[shortest]:.0f} words on average, {longest} "
        f"has {lengths[longest]:.0f}. A longer summary gains recall and loses precision, so F and "
        "a human judgement of recall can rank the systems in opposite order: read P and R beside F"
    )
