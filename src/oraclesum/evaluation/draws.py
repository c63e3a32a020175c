"""A system against one random oracle, many times: what the choice of a single oracle does to F."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from ..oracles.family import OracleFamily
from .bootstrap import bootstrap_mean

__all__ = ["DRAWS", "Draw", "DrawnOverlap", "draw_oracles", "evaluate_draws"]

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

    draws: tuple[Draw, ...]
    low: float
    high: float

    @property
    def f_measure(self) -> float:
        """Mean F over the draws; 0 where there is no oracle to draw."""
        return fmean(draw.f_measure for draw in self.draws) if self.draws else 0.0


def draw_oracles(
    family: OracleFamily, *, draws: int = DRAWS, seed: int = 0
) -> list[tuple[int, ...]]:
    """Oracles drawn uniformly with replacement; none from an empty family."""
    return family.sample(draws, seed) if family.count else []


def evaluate_draws(
    selected: Iterable[int], drawn: Sequence[tuple[int, ...]], *, seed: int = 0
) -> DrawnOverlap:
    """Compare a selection with each drawn oracle; 95% interval of the mean F by bootstrap.

    The same drawn oracles should serve all systems of a topic, so that they can be compared.
    """
    chosen = set(selected)
    results = tuple(
        Draw(shared=len(chosen.intersection(oracle)), oracle=len(oracle), selected=len(chosen))
        for oracle in drawn
    )
    low, high = bootstrap_mean([draw.f_measure for draw in results], seed=seed)
    return DrawnOverlap(draws=results, low=low, high=high)
