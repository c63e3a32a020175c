"""Scores of systems on topics beside human scores, as matrices that resampling only re-sums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import InputError

__all__ = ["Judged", "gather_scores"]

Cell = tuple[str, str]  # topic, system


@dataclass(frozen=True, kw_only=True)
class Judged:
    """Matrices with a row per topic and a column per system; nan where a score is missing.

    A drawn measure has one such matrix per draw (its first axis): its scores come from one random
    oracle per topic.
    """

    topics: tuple[str, ...]
    systems: tuple[str, ...]
    human: Any
    measures: Mapping[str, Any]
    drawn: Mapping[str, Any] = field(default_factory=dict)


def gather_scores(
    human: Mapping[Cell, float],
    measures: Mapping[str, Mapping[Cell, float]],
    drawn: Mapping[str, Mapping[Cell, list[float]]] | None = None,
) -> Judged:
    """Bring scores by topic and system into matrices. Only what people judged takes part.

    Where a measure lacks a judged summary, that summary is left out for every measure, so that all
    of them are compared on the same summaries.
    """
    import numpy

    drawn = drawn or {}
    every = [*measures.values(), *drawn.values()]
    cells = [cell for cell in human if all(cell in scores for scores in every)]
    if not cells:
        raise InputError("no summary has both a human score and every measure")
    topics = tuple(dict.fromkeys(topic for topic, _ in cells))
    systems = tuple(dict.fromkeys(system for _, system in cells))
    row = {topic: i for i, topic in enumerate(topics)}
    column = {system: j for j, system in enumerate(systems)}
    places = [(row[topic], column[system]) for topic, system in cells]

    def fill(scores: Mapping[Cell, float]) -> Any:
        matrix = numpy.full((len(topics), len(systems)), numpy.nan)
        for place, cell in zip(places, cells, strict=True):
            matrix[place] = scores[cell]
        return matrix

    def fill_drawn(scores: Mapping[Cell, list[float]]) -> Any:
        draws = min(len(scores[cell]) for cell in cells)
        matrix = numpy.full((draws, len(topics), len(systems)), numpy.nan)
        for place, cell in zip(places, cells, strict=True):
            matrix[(slice(None), *place)] = scores[cell][:draws]
        return matrix

    return Judged(
        topics=topics,
        systems=systems,
        human=fill(human),
        measures={name: fill(scores) for name, scores in measures.items()},
        drawn={name: fill_drawn(scores) for name, scores in drawn.items()},
    )
