"""Scores of many topics to records of correlations and of differences between measures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ..errors import InputError
from ..message import Message
from .bootstrap import RESAMPLES
from .coefficients import COEFFICIENTS
from .correlation import LEVELS, correlate_measures
from .judged import Judged, gather_scores
from .measures import order_measures
from .significance import compare_measures, list_pairs

__all__ = [
    "choose_human",
    "correlate_topics",
    "judge_topics",
    "note_floor",
    "note_incomplete",
    "note_repeated",
]

Topic = Mapping[str, Any]


def correlate_topics(
    topics: Sequence[Topic],
    *,
    human: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> list[dict[str, Any]]:
    """Every correlation and every difference, as records.

    A topic has `id`, `measures` {measure: {system: score}}, `drawn` {measure: {system: scores}} and
    `human` {system: {name: score}}. `human` names the score to use where there are several.
    `progress` is told how many steps of how many are done.
    """
    name = choose_human(topics, human)
    judged = judge_topics(topics, name)
    order = order_measures([*judged.measures, *judged.drawn])
    steps = len(judged.measures) + len(judged.drawn) + len(list_pairs(judged))
    steps *= len(LEVELS) * len(COEFFICIENTS)
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, steps)

    records: list[dict[str, Any]] = []
    for level in LEVELS:
        for coefficient in COEFFICIENTS:
            rows = correlate_measures(
                judged,
                level=level,
                coefficient=coefficient,
                resamples=resamples,
                seed=seed,
                advance=advance,
            )
            records += [
                {"kind": "correlation", "status": "complete", "human": name, **asdict(row)}
                for row in sorted(rows, key=lambda row: order.index(row.measure))
            ]
    for level in LEVELS:
        for coefficient in COEFFICIENTS:
            pairs = compare_measures(
                judged,
                level=level,
                coefficient=coefficient,
                permutations=resamples,
                seed=seed,
                advance=advance,
            )
            records += [
                {"kind": "difference", "status": "complete", "human": name, **asdict(pair)}
                for pair in pairs
            ]
    return records


def note_repeated(repeated: Mapping[str, str]) -> str | None:
    """What to say of measures that repeat others (`Judged.repeated`); None without any."""
    if not repeated:
        return None
    pairs = ", ".join(f"{name} equals {earlier}" for name, earlier in repeated.items())
    return (
        f"{pairs}, in every score (with one reference a topic, single equals multi): each such "
        "pair counts as one measure in the tests and in Holm's correction"
    )


def note_floor(pairs: int, permutations: int, level: float) -> str | None:
    """What to say if no pair can differ by the permutation test: its p is never below a floor."""
    smallest = pairs / (permutations + 1)
    if smallest <= level:
        return None
    return (
        f"no permutation test can show a difference at {level:g}: with {permutations:,} "
        f"permutations and {pairs:,} pairs the corrected p is never below "
        f"{min(smallest, 1):.3f}; take at least --resamples {math.ceil(pairs / level)}"
    )


def note_incomplete(topics: Sequence[Topic], human: str) -> str | None:
    """What to say of judged summaries that lack a measure; None if all have every one."""
    every = dict.fromkeys(name for topic in topics for name in topic["measures"])
    lacking = dict.fromkeys(every, 0)
    judged = incomplete = 0
    for topic in topics:
        for system, scores in topic["human"].items():
            if human not in scores:
                continue
            judged += 1
            missing = [name for name in every if system not in topic["measures"].get(name, {})]
            incomplete += bool(missing)
            for name in missing:
                lacking[name] += 1
    if not incomplete:
        return None
    which = ", ".join(f"{name} {count}" for name, count in lacking.items() if count)
    return (
        f"{incomplete} of {judged} judged summaries take no part, as they lack a measure ({which})"
    )


def choose_human(topics: Sequence[Topic], wanted: str | None) -> str:
    """The human score to correlate with; an error that lists them where the choice is open."""
    names: list[str] = list(
        dict.fromkeys(name for t in topics for scores in t["human"].values() for name in scores)
    )
    if wanted is not None:
        if wanted not in names:
            raise InputError(f"no human score is called {wanted!r}; there are: {', '.join(names)}")
        return wanted
    if len(names) != 1:
        raise InputError(
            Message("several human scores: choose one by {human}: {names}", names=", ".join(names))
        )
    return names[0]


def judge_topics(topics: Sequence[Topic], human: str) -> Judged:
    """The scores of all topics as matrices."""
    judgements = {
        (topic["id"], system): float(scores[human])
        for topic in topics
        for system, scores in topic["human"].items()
        if human in scores
    }
    measures: dict[str, dict[tuple[str, str], float]] = {}
    drawn: dict[str, dict[tuple[str, str], list[float]]] = {}
    for topic in topics:
        for measure, by_system in topic["measures"].items():
            row = measures.setdefault(measure, {})
            row.update({(topic["id"], system): score for system, score in by_system.items()})
        for measure, by_system in topic["drawn"].items():
            rows = drawn.setdefault(measure, {})
            rows.update({(topic["id"], system): list(s) for system, s in by_system.items() if s})
    return gather_scores(judgements, measures, drawn)
