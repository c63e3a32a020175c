"""What a reproduction is asked to do, and the line that tells its results from others."""

from __future__ import annotations

from typing import Any

from ..errors import InputError
from ..evaluation.alignment import DEFAULT_THRESHOLD
from ..evaluation.draws import DRAWS
from ..frozen import dataclass
from ..instances.limits import LENGTHS, Limits
from ..message import Message
from ..signature import join_signature
from ..text import find_language

__all__ = ["Experiment"]


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """The settings of a reproduction; fields are named as the long options."""

    max_words: int | None = None
    max_sentences: int | None = None
    max_bytes: int | None = None
    language: str | None = None  # None: each topic's own, else English
    systems: tuple[str, ...] = ()
    threshold: float = DEFAULT_THRESHOLD
    draws: int = DRAWS
    seed: int = 0
    time_limit: float | None = None  # seconds per problem
    baseline_time_limit: float = 10.0  # seconds for each run of the paper's method and of the ILP
    objectives: tuple[str, ...] = ()
    objective_time_limit: float = 10.0  # seconds for each search under an objective
    measures: tuple[int, ...] = (1, 2)

    def __post_init__(self) -> None:
        if len(self._given_lengths) != 1:
            raise InputError(
                Message("set one length limit: {max_words}, {max_sentences} or {max_bytes}")
            )
        self.make_limits()
        if self.language is not None:
            find_language(self.language)

    @property
    def _given_lengths(self) -> dict[str, Any]:
        return {name: limit for name in LENGTHS if (limit := getattr(self, name)) is not None}

    def make_limits(self) -> Limits:
        """The length limit."""
        return Limits(**self._given_lengths)

    @property
    def length(self) -> str:
        """The limit in words."""
        [(name, limit)] = self._given_lengths.items()
        return f"{limit} {name.removeprefix('max_')}"

    @property
    def signature(self) -> str:
        """Every setting that moves a number of a table; times depend on the machine anyway."""
        return join_signature(
            [
                ("tables", "3"),
                ("limit", self.length.replace(" ", "-")),
                ("lang", self.language or "topic"),
                ("systems", ",".join(self.systems) or "none"),
                ("threshold", f"{self.threshold:g}"),
                ("draws", str(self.draws)),
                ("seed", str(self.seed)),
                ("time", "none" if self.time_limit is None else f"{self.time_limit:g}"),
                ("baselines", f"{self.baseline_time_limit:g}"),
                ("objectives", ",".join(self.objectives) or "none"),
                ("objectives-time", f"{self.objective_time_limit:g}"),
            ]
        )
