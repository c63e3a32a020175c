"""Scores of systems on topics beside human scores, as matrices that resampling only re-sums."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from ..errors import InputError
from ..frozen import dataclass
from ..stopping import importing

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

    def __post_init__(self) -> None:
        """Nested sequences of any kind become arrays; an InputError names one that does not fit."""
        topics, systems = _as_names("topics", self.topics), _as_names("systems", self.systems)
        shape = (len(topics), len(systems))
        parts: dict[str, Any] = {"human": _as_matrix("human", self.human, shape)}
        for part, draws in (("measures", False), ("drawn", True)):
            scores = getattr(self, part)
            if not isinstance(scores, Mapping):
                raise InputError(
                    f"{part} must map names to matrices of scores, not {type(scores).__name__}"
                )
            parts[part] = {
                name: _as_matrix(f"{part}[{name!r}]", matrix, shape, draws=draws)
                for name, matrix in scores.items()
            }
        for name, value in {"topics": topics, "systems": systems, **parts}.items():
            object.__setattr__(self, name, value)

    @cached_property
    def repeated(self) -> dict[str, str]:
        """Measures whose scores are those of an earlier one, to the last bit; and which one.

        With one reference a topic, an F-measure of each reference alone is that of all together. It
        is no further hypothesis, and must not count as one.
        """
        with importing():
            import numpy

        found: dict[str, str] = {}
        for name, scores in self.measures.items():
            for earlier, others in self.measures.items():
                if earlier == name:
                    break
                if earlier not in found and numpy.array_equal(scores, others, equal_nan=True):
                    found[name] = earlier
                    break
        return found


def _as_names(what: str, names: Any) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InputError(f"{what} must be a list of names, not {type(names).__name__}")
    return tuple(names)


def _as_matrix(what: str, scores: Any, shape: tuple[int, int], *, draws: bool = False) -> Any:
    with importing():
        import numpy

    try:
        matrix = numpy.asarray(scores)
        if matrix.dtype.kind not in "biuf":
            if any(isinstance(score, str | bytes) for score in matrix.flat):
                raise TypeError("text is no score")
            matrix = matrix.astype(float)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{what} must be a matrix of numbers: {error}") from error
    wanted = f"{shape[0]} topics by {shape[1]} systems" + (", for each draw" if draws else "")
    if matrix.ndim != 2 + draws or matrix.shape[-2:] != shape:
        by = " by ".join(map(str, matrix.shape)) or "a single number"
        raise InputError(f"{what} must have a score for {wanted}, but is {by}")
    return matrix.astype(float, copy=False)


def gather_scores(
    human: Mapping[Cell, float],
    measures: Mapping[str, Mapping[Cell, float]],
    drawn: Mapping[str, Mapping[Cell, list[float]]] | None = None,
) -> Judged:
    """Bring scores by topic and system into matrices. Only what people judged takes part.

    Where a measure lacks a judged summary, that summary is left out for every measure, so that all
    of them are compared on the same summaries.
    """
    with importing():
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
