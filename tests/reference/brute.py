"""Obviously right: every subset of the candidates, scored straight from Eq. 1's definition."""

from __future__ import annotations

from itertools import chain, combinations

from oraclesum.instances import Instance

Set = tuple[int, ...]


def count_hits(instance: Instance, selected: Set) -> int:
    """Eq. 1's numerator: for each n-gram the first c gains, c = its count in the sentences."""
    covered = [0] * len(instance.gains)
    for i in selected:
        for ngram, count in instance.counts[i]:
            covered[ngram] += count
    return sum(sum(gains[:c]) for gains, c in zip(instance.gains, covered, strict=True))


def keeps_limits(instance: Instance, selected: Set) -> bool:
    """Every limit holds."""
    return all(sum(row.lengths[i] for i in selected) <= row.budget for row in instance.limits)


def list_candidates(instance: Instance) -> list[int]:
    """Sentences that score on their own and fit on their own."""
    return [
        i
        for i in range(instance.n_sentences)
        if count_hits(instance, (i,)) and keeps_limits(instance, (i,))
    ]


def list_feasible(instance: Instance) -> list[Set]:
    """Every non-empty set of candidates that keeps the limits."""
    candidates = list_candidates(instance)
    sizes = range(1, len(candidates) + 1)
    subsets = chain.from_iterable(combinations(candidates, size) for size in sizes)
    return [selected for selected in subsets if keeps_limits(instance, selected)]


def is_minimal(instance: Instance, selected: Set) -> bool:
    """No sentence can be dropped without loss of hits."""
    hits = count_hits(instance, selected)
    return all(count_hits(instance, tuple(j for j in selected if j != i)) < hits for i in selected)


def find_best(instance: Instance) -> int:
    """Most hits of any feasible set."""
    return max((count_hits(instance, selected) for selected in list_feasible(instance)), default=0)


def list_family(instance: Instance, *, family: str = "all", within_hits: int = 0) -> list[Set]:
    """The sets within so many hits of the best, in lexicographic order."""
    scored = [(count_hits(instance, selected), selected) for selected in list_feasible(instance)]
    best = max((hits for hits, _ in scored), default=0)
    return sorted(
        selected
        for hits, selected in scored
        if hits >= best - within_hits and (family == "all" or is_minimal(instance, selected))
    )
