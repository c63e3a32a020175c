"""Pages of a family's oracles: in text order from any place, in other orders where they are few."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from math import lcm
from typing import Any, Literal

from ..errors import InputError
from ..instances import Instance
from ..oracles import OracleFamily
from .failure import ApiError
from .solving import MOST_SORTED

__all__ = ["Order", "Orders"]

Order = Literal["text", "length", "sentences", "position", "hits", "distance"]
Set = tuple[int, ...]

_MOST_KEPT = 6  # orders of one family


class Orders:
    """The oracles of one family, page by page; orders that were sorted once are kept."""

    def __init__(self, family: OracleFamily, instance: Instance, lengths: Sequence[int]) -> None:
        self._family = family
        self._instance = instance
        self._lengths = lengths  # words of each sentence
        self._sets: list[Set] | None = None
        self._sorted: OrderedDict[object, list[int]] = OrderedDict()
        self._lock = threading.Lock()

    def page(
        self,
        offset: int,
        limit: int,
        *,
        by: Order,
        descending: bool,
        near: frozenset[int] | None,
    ) -> dict[str, Any]:
        """At most `limit` oracles from `offset` on. Distances are to `near`, where it is given."""
        count = self._family.count
        held = len(self._family)
        note = None
        if not self._family.exact:
            note = "the search was stopped: these are the sets found until then"
        elif self._family.status == "streamed":
            note = f"only {held} of {count} oracles are held: the family outgrew its memory"
        if by == "text":
            rows = self._list_text(offset, limit, descending)
        else:
            rows = self._list_sorted(offset, limit, by, descending, near)
        return {
            "total": str(count),
            "offset": str(offset),
            "sorted": True,
            "note": note,
            "oracles": [
                {
                    "rank": str(rank),
                    "sentences": oracle,
                    "words": sum(self._lengths[i] for i in oracle),
                    "hits": self._instance.hits(oracle),
                    "distance": None if near is None else len(near.symmetric_difference(oracle)),
                }
                for rank, oracle in rows
            ],
        }

    def _list_text(self, offset: int, limit: int, descending: bool) -> Iterable[tuple[int, Set]]:
        count = self._family.count
        if offset >= count:
            return []
        try:
            if not descending:
                return list(enumerate(islice(self._family.iterate_at(offset), limit), offset))
            last = count - offset
            first = max(0, last - limit)
            rows = list(enumerate(islice(self._family.iterate_at(first), last - first), first))
            return rows[::-1]
        except InputError as error:
            raise ApiError(422, str(error), field="offset") from error

    def _list_sorted(
        self, offset: int, limit: int, by: Order, descending: bool, near: frozenset[int] | None
    ) -> Iterable[tuple[int, Set]]:
        count = self._family.count
        if count > MOST_SORTED or count > len(self._family):
            raise ApiError(
                422,
                f"{count} oracles are too many to be sorted by {by}: "
                f"up to {MOST_SORTED} can be; sort=text pages through any number",
                field="sort",
            )
        if by == "distance" and near is None:
            raise ApiError(
                422, "sort=distance needs a set to measure from: system or nearest_to", field="sort"
            )
        with self._lock:
            if self._sets is None:
                self._sets = list(self._family.iterate_at(0))
            place = (by, near if by == "distance" else None)
            if place not in self._sorted:
                keys = list(map(self._key(by, near), self._sets))
                self._sorted[place] = sorted(range(len(keys)), key=keys.__getitem__)
            self._sorted.move_to_end(place)
            while len(self._sorted) > _MOST_KEPT:
                self._sorted.popitem(last=False)
            sets, ranks = self._sets, self._sorted[place]
        if descending:
            last = len(ranks) - offset
            chosen = ranks[max(0, last - limit) : max(0, last)][::-1]
        else:
            chosen = ranks[offset : offset + limit]
        return [(rank, sets[rank]) for rank in chosen]

    def _key(self, by: Order, near: frozenset[int] | None) -> Callable[[Set], int]:
        if by == "length":
            lengths = self._lengths
            return lambda oracle: sum([lengths[i] for i in oracle])
        if by == "sentences":
            return len
        if by == "position":
            # The mean position, times a number that makes every mean a whole one: no rounding.
            scale = lcm(*self._family.sizes)
            return lambda oracle: (sum(oracle) + len(oracle)) * (scale // len(oracle))
        if by == "hits":  # the best first
            hits = self._instance.hits
            return lambda oracle: -hits(oracle)
        chosen = near or frozenset()
        return lambda oracle: len(chosen.symmetric_difference(oracle))
