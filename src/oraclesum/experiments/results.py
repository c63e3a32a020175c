"""The results of a corpus with the questions that tables ask of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from statistics import fmean
from typing import Any

from ..answers import Json
from ..frozen import dataclass
from ..report.grid import Cell, Head
from .published import Published
from .settings import Experiment

__all__ = ["KINDS", "Results", "beside_paper", "bounds_median", "count_of", "median", "name_number"]

KINDS = ("single", "multi")


@dataclass(frozen=True, kw_only=True)
class Results:
    """All measured topics of one corpus."""

    corpus: str
    measured: Sequence[dict[str, Any]]
    experiment: Experiment
    published: Published
    human: str | None = None  # the human score of Table 6

    @cached_property
    def topics(self) -> list[dict[str, Any]]:
        """The topics that could be measured."""
        return [topic for topic in self.measured if "error" not in topic]

    @cached_property
    def errors(self) -> list[str]:
        """Why the other ones could not."""
        return [topic["error"] for topic in self.measured if "error" in topic]

    def cases(self, n: int, kind: str) -> list[Json]:
        """All cases under ROUGE-n: one per topic (multi), or one per reference (single)."""
        return [
            case
            for topic in self.topics
            for case in topic["cases"]
            if case["n"] == n and (case["reference"] is None) == (kind == "multi")
        ]

    def mean(self, n: int, kind: str, value: Callable[[Json], float | None]) -> float | None:
        """Mean over the cases; those whose value is None are left out."""
        found = [x for x in map(value, self.cases(n, kind)) if x is not None]
        return fmean(found) if found else None

    def stopped(self, *kinds: str) -> list[Json]:
        """The cases whose search was stopped: their oracles are not all known."""
        return [
            case
            for n in self.experiment.measures
            for kind in kinds or KINDS
            for case in self.cases(n, kind)
            if not case["exact"]
        ]

    def note_stopped(self, what: str, *kinds: str) -> list[str]:
        """A note on the searches that the time limit stopped, if there are any; `what` they do."""
        stopped = self.stopped(*kinds)
        if not stopped:
            return []
        every = sum(len(self.cases(n, k)) for n in self.experiment.measures for k in kinds or KINDS)
        unproven = sum(not case["proven"] for case in stopped)
        limit = self.experiment.time_limit
        after = "" if limit is None else f" after {limit:g} s"
        return [
            f"Stopped{after}: {name_number(len(stopped), 'search', 'searches')} for all oracles "
            f"({every} in all), {unproven or 'none'} of them before the optimum was proven; {what}."
        ]

    def note_unproven(self, what: str, *kinds: str) -> list[str]:
        """The same for what rests on best scores alone: only if an optimum is not proven."""
        if all(case["proven"] for case in self.stopped(*kinds)):
            return []
        return self.note_stopped(what, *kinds)

    @cached_property
    def systems(self) -> dict[str, bool]:
        """The systems, and whether each is ours."""
        return {
            name: summary["ours"]
            for topic in self.topics
            for name, summary in topic["summaries"].items()
        }

    def system_mean(
        self, system: str, n: int, kind: str, value: Callable[[Json, Json], float | None]
    ) -> float | None:
        """Mean of `value(row of the system, case)` over the cases that have the system.

        Cases of which the value is None are left out.
        """
        found = [
            value(case["systems"][system], case)
            for case in self.cases(n, kind)
            if system in case["systems"]
        ]
        known = [each for each in found if each is not None]
        return fmean(known) if known else None

    def rouge(self, system: str, n: int) -> float:
        """Mean ROUGE-n recall of a system over the topics, all references together."""
        recall = self.system_mean(
            system, n, "multi", lambda row, _: row["hits"] / (row["reference_total"] or 1)
        )
        return 0.0 if recall is None else recall

    def best_peer(self, n: int) -> str | None:
        """The best system of the corpus by mean ROUGE-n; ours do not compete."""
        peers = [name for name, ours in self.systems.items() if not ours]
        if not peers:
            return None
        present = {name: sum(name in topic["summaries"] for topic in self.topics) for name in peers}
        most = max(present.values())  # a mean over a few easy topics is no win
        return max(
            (name for name in peers if present[name] == most), key=lambda name: self.rouge(name, n)
        )


def median(values: Iterable[int]) -> float | int:
    """Median of integers of any size."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    both = ordered[middle - 1] + ordered[middle]
    # A float would overflow beyond 10^308, and a half means nothing there.
    return both / 2 if both % 2 and both < 2**53 else both // 2


def name_number(number: int, one: str, several: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else several}"


def count_of(case: Json) -> int:
    """Number of oracles of a case, or the bound that is certain where its search was stopped."""
    if case["exact"] or case["proven"]:
        return int(case["count"])
    return 1  # what was found so far may be no oracle, but there is one


def bounds_median(pairs: Iterable[tuple[int, bool]]) -> bool:
    """Whether a median might be larger had nothing been stopped: pairs of value and `stopped`."""
    ordered = sorted(pairs)
    return any(stopped for _, stopped in ordered[: len(ordered) // 2 + 1])


def beside_paper(
    results: Results, groups: Sequence[str], ours: str = "ours"
) -> tuple[list[Head], Callable[[Sequence[Cell], Sequence[Cell]], list[Cell]]]:
    """Columns for groups of figures, each with the paper's beside where there are any.

    Gives the heads, and how to lay out our cells and the paper's under them.
    """
    if results.published.year is None:
        if all(groups):
            return [Head(name=group) for group in groups], lambda mine, _: list(mine)
        return [Head(name=ours) for _ in groups], lambda mine, _: list(mine)
    heads = []
    for group in groups:
        heads += [Head(name=ours, group=group), Head(name="paper", group=group)]
    return heads, lambda mine, theirs: [c for pair in zip(mine, theirs, strict=True) for c in pair]
