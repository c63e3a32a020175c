"""Families by graphillion: sets of sets, cut down n-gram by n-gram; shares no code or idea with us.

Its universe is global state, which is why it serves as a test oracle only.
"""

from __future__ import annotations

from itertools import chain, combinations

from graphillion import setset

from oraclesum.instances import Instance

__all__ = ["enumerate_by_zdd"]


def enumerate_by_zdd(instance: Instance) -> tuple[int, setset]:
    """Best hits and all sets of candidates that reach them."""
    candidates = list(instance.candidates)
    setset.set_universe(candidates)
    feasible = setset({}) - setset([set()])
    for limit in instance.limits:
        feasible &= setset({}).cost_le({i: limit.lengths[i] for i in candidates}, limit.budget)
    by_hits = {0: feasible}
    for g, gains in enumerate(instance.gains):
        counts = {i: dict(instance.counts[i]).get(g, 0) for i in candidates}
        by_hits = _split(by_hits, gains, {i: c for i, c in counts.items() if c})
    best = max(by_hits)
    return best, by_hits[best]


def _split(
    by_hits: dict[int, setset], gains: list[int], counts: dict[int, int]
) -> dict[int, setset]:
    """Every family in parts, by what one n-gram adds to the hits of its sets."""
    parts: dict[int, setset] = {}
    holders = list(counts)
    subsets = chain.from_iterable(combinations(holders, k) for k in range(len(holders) + 1))
    for chosen in subsets:
        gained = sum(gains[: sum(counts[i] for i in chosen)])
        rest = set(holders) - set(chosen)
        where = setset({"include": set(chosen), "exclude": rest})
        parts[gained] = parts.get(gained, setset()) | where
    split: dict[int, setset] = {}
    for hits, sets in by_hits.items():
        for gained, where in parts.items():
            if meet := sets & where:
                split[hits + gained] = split.get(hits + gained, setset()) | meet
    return split
