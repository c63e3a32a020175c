"""A system against one random oracle, many times: what the choice of a single oracle does to F."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import fmean

from ..frozen import dataclass
from ..oracles.family import OracleFamily
from .bootstrap import bootstrap_means

__all__ = ["DRAWS", "Draw", "DrawnOverlap", "draw_oracles", "evaluate_draws", "list_f_measures"]

DRAWS = 100  # Sec. 6.2.3


@dataclass(frozen=True, kw_only=True)
class Draw:
    """One drawn oracle against a selection, in counts: P and R follow by division."""

    shared: int  # |O and S|
    oracle: int  # |O|
    selected: int  # |S|

    @property
    def precision(self) -> float:
        return self.shared / self.selected if self.selected else 0.0

    @property
    def recall(self) -> float:
        return self.shared / self.oracle if self.oracle else 0.0

    @property
    def f_measure(self) -> float:
        both = self.oracle + self.selected
        return 2 * self.shared / both if both else 0.0


@dataclass(frozen=True, kw_only=True)
class DrawnOverlap:
    """F-measure against single oracles drawn at random: the draws, their mean and its interval."""

    shared: tuple[int, ...]  # |O and S| of each draw
    sizes: tuple[int, ...]  # |O| of each draw
    selected: int  # |S|
    f_measures: tuple[float, ...]  # F of each draw
    low: float
    high: float

    @property
    def draws(self) -> tuple[Draw, ...]:
        """Each drawn oracle against the selection."""
        return tuple(
            Draw(shared=shared, oracle=size, selected=self.selected)
            for shared, size in zip(self.shared, self.sizes, strict=True)
        )

    @property
    def f_measure(self) -> float:
        """Mean F over the draws; 0 where there is no oracle to draw."""
        return fmean(self.f_measures) if self.f_measures else 0.0


def list_f_measures(shared: Sequence[int], sizes: Sequence[int], selected: int) -> list[float]:
    """F of each draw from its counts."""
    if not selected or not shared:  # then nothing is shared, and an oracle may be empty, too
        return [0.0 for _ in shared]
    both, size = shared[0], sizes[0]
    if shared.count(both) == len(shared) and sizes.count(size) == len(sizes):  # of one oracle, say
        return [2 * both / (size + selected)] * len(shared)
    return [2 * both / (size + selected) for both, size in zip(shared, sizes, strict=True)]


def draw_oracles(
    family: OracleFamily, *, draws: int = DRAWS, seed: int = 0
) -> list[tuple[int, ...]]:
    """Oracles drawn uniformly with replacement; none from an empty family."""
    return family.sample(draws, seed) if family.count else []


def evaluate_draws(
    selections: Sequence[Iterable[int]],
    drawn: Sequence[tuple[int, ...]],
    *,
    intervals: bool = True,
) -> list[DrawnOverlap]:
    """Compare selections with each drawn oracle; 95% intervals of the mean F by bootstrap.

    The same drawn oracles should serve all systems of a topic, so that they can be compared. Their
    resamples are the same for all systems and topics. Without `intervals`, `low` and `high` are
    nan.
    """
    # Most families are small, and the same oracles are drawn often: each is looked at once.
    places = {oracle: place for place, oracle in enumerate(dict.fromkeys(drawn))}
    order = list(map(places.__getitem__, drawn))
    sizes = tuple(map(len, drawn))
    distinct_sizes = list(map(len, places))
    counted = []
    for selected in selections:
        chosen = set(selected)
        shared = [len(chosen.intersection(oracle)) for oracle in places]
        f_measures = list_f_measures(shared, distinct_sizes, len(chosen))
        counted.append(
            (
                len(chosen),
                tuple(map(shared.__getitem__, order)),
                tuple(map(f_measures.__getitem__, order)),
            )
        )
    rows = [row for _, _, row in counted]
    bounds = bootstrap_means(rows) if intervals else [(math.nan, math.nan)] * len(rows)
    return [
        DrawnOverlap(
            shared=shared, sizes=sizes, selected=selected, f_measures=row, low=low, high=high
        )
        for (selected, shared, row), (low, high) in zip(counted, bounds, strict=True)
    ]
