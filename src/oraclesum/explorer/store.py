"""The families that the server keeps, within bounds, and pages of the oracles of each."""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from heapq import nlargest
from itertools import islice
from math import lcm
from typing import Any, Literal

from ..errors import InputError
from ..frozen import dataclass
from ..instances import Instance
from ..oracles.bounds import check_bounds
from .cases import MAX_SORTED, ServedCase, Solved
from .once import Once
from .replies import ApiError

__all__ = ["FamilyStore", "Order", "Orders", "StoredFamily"]

Order = Literal["text", "length", "sentences", "position", "hits", "distance"]
Set = tuple[int, ...]

_MAX_KEPT = 6  # orders of one family
_PIECE = 256  # oracles that are scored at once
_PIECE_SENTENCES = 1_000_000  # that these have together
_WHAT = "a page of oracles"
# How long it takes to score an oracle by its text, against that for a sentence index in Python.
_SCORE_WEIGHT = 10
_WORDS_SCORED = 10
_PAIRS_COMPARED = 100_000  # of a word and a letter
_LISTED = 10  # indices that are listed in the time for one


class Orders:
    """The oracles of one family, page by page; orders that were sorted once are kept.

    An order is the ranks of the oracles, not the oracles: those are listed again for each page.
    """

    def __init__(self, solved: Solved, lengths: Sequence[int], compared: int = 0) -> None:
        self._solved = solved
        self._family = solved.family
        self._lengths = lengths  # words of each sentence
        self._sorted = Once(self._sort, most=_MAX_KEPT)
        self._longest = max(self._family.sizes, default=0)
        self._scoring = 0  # what scoring an oracle adds to the work for its indices
        if not isinstance(solved.problem, Instance):
            words = sum(nlargest(self._longest, lengths))
            self._scoring = _SCORE_WEIGHT + words // _WORDS_SCORED
            self._scoring += words * compared // _PAIRS_COMPARED  # `compared` is that of the case

    @property
    def max_bytes(self) -> int:
        """Memory that the orders may come to take."""
        return _MAX_KEPT * array("I").itemsize * min(self._family.count, MAX_SORTED)

    def weigh(self, limit: int, *, by: Order, near: frozenset[int] | None) -> int:
        """How much work such a page is, roughly: in sentence indices that are looked at."""
        count = self._family.count
        each = self._longest + len(near or ())
        work = min(limit, count) * (each + self._scoring)
        if by == "text" or count > MAX_SORTED:  # which is refused
            return work
        if _name_order(by, near) in self._sorted:
            return work + count * self._longest // _LISTED
        return work + count * (each + (self._scoring if by == "hits" else 0))

    def page(
        self,
        offset: int,
        limit: int,
        *,
        by: Order,
        descending: bool,
        near: frozenset[int] | None,
    ) -> dict[str, Any]:
        """At most `limit` oracles from `offset` on. Distances are to `near`, if it is given."""
        count = self._family.count
        note = None
        if not self._family.exact:
            note = "the search was stopped: these are the sets found until then"
        elif self._family.status == "streamed":
            note = (
                f"only {len(self._family)} of {count} oracles are stored: "
                "the family outgrew its memory"
            )
        if by == "text":
            rows = self._list_text(offset, limit, descending)
        else:
            rows = self._list_sorted(offset, limit, by, descending, near)
        return {
            "total": str(count),
            "offset": str(offset),
            "sorted": True,
            "note": note,
            "oracles": list(self._describe(rows, near)),
        }

    def _describe(
        self, rows: Sequence[tuple[int, Set]], near: frozenset[int] | None
    ) -> Iterator[dict[str, Any]]:
        values = self._score_each(oracle for _, oracle in rows)
        total = self._family.total
        for (rank, oracle), value in zip(rows, values, strict=True):
            # Each may have as many sentences as the document.
            check_bounds(what=_WHAT)
            yield {
                "rank": str(rank),
                "sentences": oracle,
                "words": sum(self._lengths[i] for i in oracle),
                "hits": None
                if total is None
                else int(value * total),  # whole: value = hits / total
                "score": float(value),
                "distance": None if near is None else len(near.symmetric_difference(oracle)),
            }

    def _list_text(self, offset: int, limit: int, descending: bool) -> list[tuple[int, Set]]:
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
    ) -> list[tuple[int, Set]]:
        count = self._family.count
        if count > MAX_SORTED or count > len(self._family):
            raise ApiError(
                422,
                f"{count} oracles are too many to be sorted by {by}: "
                f"up to {MAX_SORTED} can be; sort=text pages through any number",
                field="sort",
            )
        if by == "distance" and near is None:
            raise ApiError(
                422, "sort=distance needs a set to measure from: system or nearest_to", field="sort"
            )
        ranks = self._sorted(_name_order(by, near))
        if descending:
            last = len(ranks) - offset
            chosen = ranks[max(0, last - limit) : max(0, last)][::-1]
        else:
            chosen = ranks[offset : offset + limit]
        return self._find(chosen)

    def _find(self, ranks: Sequence[int]) -> list[tuple[int, Set]]:
        """The oracles of these ranks."""
        if not ranks:
            return []
        wanted = set(ranks)
        first, last = min(wanted), max(wanted)
        listed = enumerate(islice(self._family.iterate_at(first), last - first + 1), first)
        found = {rank: oracle for rank, oracle in listed if rank in wanted}
        return [(rank, found[rank]) for rank in ranks]

    def _sort(self, order: tuple[Order, frozenset[int] | None]) -> array[int]:
        """The ranks of all oracles in another order than that of the text."""
        keys = self._make_keys(*order)
        return array("I", sorted(range(len(keys)), key=keys.__getitem__))

    def _make_keys(self, by: Order, near: frozenset[int] | None) -> list[int] | list[Fraction]:
        oracles = self._family.iterate_at(0)
        if by == "hits":  # the best first
            return [-value for value in self._score_each(oracles)]
        return list(map(self._find_key(by, near), _bound(oracles)))

    def _find_key(self, by: Order, near: frozenset[int] | None) -> Callable[[Set], int]:
        if by == "length":
            lengths = self._lengths
            return lambda oracle: sum([lengths[i] for i in oracle])
        if by == "sentences":
            return len
        if by == "position":
            # The mean position, times a number that makes every mean a whole one: no rounding.
            scale = lcm(*self._family.sizes)
            return lambda oracle: (sum(oracle) + len(oracle)) * (scale // len(oracle))
        chosen = near or frozenset()
        return lambda oracle: len(chosen.symmetric_difference(oracle))

    def _score_each(self, oracles: Iterable[Set]) -> Iterator[Fraction]:
        rest = iter(oracles)
        at_once = max(1, min(_PIECE, _PIECE_SENTENCES // max(1, self._longest)))
        while piece := list(islice(rest, at_once)):
            check_bounds(what=_WHAT)
            yield from self._solved.score_each(piece)


def _name_order(by: Order, near: frozenset[int] | None) -> tuple[Order, frozenset[int] | None]:
    return by, near if by == "distance" else None


def _bound(oracles: Iterator[Set]) -> Iterator[Set]:
    """The same, as long as somebody waits for them and there is time."""
    for oracle in oracles:
        check_bounds(what=_WHAT)
        yield oracle


_MAX_FORGOTTEN = 10_000


@dataclass(frozen=True, kw_only=True)
class StoredFamily:
    """A solved case, with its view as it goes over the wire."""

    case: ServedCase
    solved: Solved
    view: bytes
    orders: Orders = field(compare=False)

    @property
    def size(self) -> int:
        """Bytes of memory, roughly."""
        text = sum(map(len, self.case.sentences)) + len(self.view)
        return 4 * text + self.solved.family.memory + self.orders.max_bytes


class FamilyStore:
    """Least recently used families are forgotten first; the newest is always kept."""

    def __init__(self, max_families: int, max_bytes: int) -> None:
        self._max_families = max_families
        self._max_bytes = max_bytes
        self._families: OrderedDict[str, StoredFamily] = OrderedDict()
        self._forgotten: OrderedDict[str, None] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._families)

    def put(self, stored: StoredFamily) -> None:
        """Store a family, and forget others if that is too much."""
        with self._lock:
            self._drop(stored.case.key)
            self._forgotten.pop(stored.case.key, None)
            self._families[stored.case.key] = stored
            self._bytes += stored.size
            while len(self._families) > self._max_families or (
                self._bytes > self._max_bytes and len(self._families) > 1
            ):
                self._forget(next(iter(self._families)))

    def find(self, key: str) -> StoredFamily | None:
        """The family of that key, or None."""
        with self._lock:
            stored = self._families.get(key)
            if stored is not None:
                self._families.move_to_end(key)
            return stored

    def get(self, key: str) -> StoredFamily:
        """The family of that key; an ApiError says whether it ever was there."""
        stored = self.find(key)
        if stored is not None:
            return stored
        if key in self._forgotten:
            raise ApiError(410, "this family is no longer stored: post its document again")
        raise ApiError(404, "there is no family of this key: post a document to /api/families")

    def remove(self, key: str) -> None:
        """Forget one family, which must be there."""
        self.get(key)
        with self._lock:
            self._forget(key)

    def _forget(self, key: str) -> None:
        self._drop(key)
        self._forgotten[key] = None
        while len(self._forgotten) > _MAX_FORGOTTEN:
            self._forgotten.popitem(last=False)

    def _drop(self, key: str) -> None:
        stored = self._families.pop(key, None)
        if stored is not None:
            self._bytes -= stored.size
