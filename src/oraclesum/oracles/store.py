"""What an OracleFamily keeps its sets in: a protocol, the plain listed store, rows of numbers."""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, combinations
from operator import add
from typing import Protocol, TypeVar, overload

from ..digits import show_whole
from ..errors import InputError, LimitError
from ..message import show_value
from .bounds import check_bounds

__all__ = [
    "ClassRow",
    "ListedStore",
    "Pair",
    "Set",
    "Store",
    "classify",
    "gather",
    "hold",
    "scatter",
    "share_each",
    "watch",
]

_TUPLE_BYTES = 48  # with its place in a list
_PAIR_BYTES = 200  # of two sentences, with their places in a table and in a list
_NUMBER_BYTES = 8  # of a number in a list
_UNLOOKED_BYTES = 1 << 12  # of sets that are held between two looks
_AT_ONCE = 1 << 16  # sets, sentences or pairs between two looks at the clock

Set = tuple[int, ...]
Pair = tuple[int, int]
T = TypeVar("T")
Members = TypeVar("Members", bound=Sequence[int])


class Store(Protocol):
    """Exact answers about a family of sets of sentence indices."""

    @property
    def count(self) -> int: ...  # all sets of the family, stored or not

    @property
    def stored(self) -> int: ...  # how many of them iteration yields

    @property
    def memory(self) -> int: ...  # bytes, roughly

    @property
    def effort(self) -> int: ...  # steps to `inclusion_counts`, roughly; 0 if they are known

    @property
    def inclusion_counts(self) -> Sequence[int]: ...  # sets with sentence i

    @property
    def inclusion_by_size(self) -> Mapping[int, Sequence[int]]: ...  # size -> sets with sentence i

    @property
    def sizes(self) -> Mapping[int, int]: ...  # size -> number of sets

    def __iter__(self) -> Iterator[Set]: ...  # ascending tuples in lexicographic order

    def __contains__(self, selected: Set) -> bool: ...  # among the stored ones

    def iterate_from(self, start: Sequence[int], most: int) -> Iterator[Set]: ...  # not before it

    def iterate_at(self, place: int) -> Iterator[Set]: ...  # from that place of the order

    def draw(self, k: int, seed: int) -> Iterator[Set]: ...  # uniform, with replacement

    # At most k sets for checks, of which the first ones are already from all over.
    def spread(self, k: int) -> Iterator[Set]: ...

    # The set of largest weight; of several the one with the first sentence in which they differ.
    def heaviest(self, weights: Sequence[int]) -> Set | None: ...

    def inclusion_with(self, sentence: int) -> list[int]: ...  # sets that contain it and sentence i

    def pairs(self) -> tuple[list[Pair], list[Pair]]: ...  # always together, never together


class ListedStore:
    """Sets stored one by one in lexicographic order; aggregates may cover more than is stored."""

    def __init__(
        self,
        sets: Iterable[Sequence[int]],
        sentences: int,
        *,
        count: int | None = None,
        inclusion_counts: Sequence[int] | None = None,
        inclusion_by_size: Mapping[int, Sequence[int]] | None = None,
        sizes: Mapping[int, int] | None = None,
    ) -> None:
        self._sets: list[Set] = sorted(tuple(sorted(s)) for s in sets)
        self._sentences = sentences
        self.count = len(self._sets) if count is None else count
        if inclusion_counts is not None:
            self.inclusion_counts = inclusion_counts
        if inclusion_by_size is not None:
            self.inclusion_by_size = dict(inclusion_by_size)
        if sizes is not None:
            self.sizes = dict(sizes)

    @classmethod
    def from_sorted(
        cls,
        sets: list[Set],
        sentences: int,
        *,
        count: int,
        inclusion_counts: Sequence[int] | None = None,
        inclusion_by_size: Mapping[int, Sequence[int]] | None,
        sizes: Mapping[int, int] | None,
    ) -> ListedStore:
        """Take over ascending tuples that are already in lexicographic order, without a copy."""
        self = cls(
            (),
            sentences,
            count=count,
            inclusion_counts=inclusion_counts,
            inclusion_by_size=inclusion_by_size,
            sizes=sizes,
        )
        self._sets = sets
        return self

    @property
    def stored(self) -> int:
        return len(self._sets)

    @property
    def memory(self) -> int:
        return sum(_TUPLE_BYTES + 8 * len(members) for members in self._sets)

    @property
    def effort(self) -> int:
        known = {"inclusion_counts", "inclusion_by_size"} & vars(self).keys()
        return 0 if known else 100 * len(self._sets)

    @cached_property
    def inclusion_counts(self) -> Sequence[int]:
        counts = [0] * self._sentences
        if "inclusion_by_size" in vars(self):  # also of sets that are not stored
            for row in self.inclusion_by_size.values():
                check_bounds()
                counts = list(map(add, counts, row))
            return counts
        self._require_sizes()
        for i in chain.from_iterable(self._look("counting")):
            counts[i] += 1
        return counts

    @cached_property
    def inclusion_by_size(self) -> Mapping[int, Sequence[int]]:
        self._require_sizes()
        table: dict[int, list[int]] = {}
        for members in self._look("counting"):
            row = table.get(len(members))
            if row is None:  # setdefault would make a row for every set
                check_bounds(_NUMBER_BYTES * self._sentences * (len(table) + 1), least=True)
                row = table[len(members)] = [0] * self._sentences
            for i in members:
                row[i] += 1
        return table

    @cached_property
    def sizes(self) -> Mapping[int, int]:
        self._require_sizes()
        table: dict[int, int] = {}
        for members in self._look("counting"):
            table[len(members)] = table.get(len(members), 0) + 1
        return table

    def __iter__(self) -> Iterator[Set]:
        return iter(self._sets)

    def iterate_from(self, start: Sequence[int], most: int) -> Iterator[Set]:
        first = bisect_left(self._sets, tuple(start))
        return iter(self._sets[first : first + most])

    def iterate_at(self, place: int) -> Iterator[Set]:
        if place >= self.stored:
            self._require_all(f"place {show_value(place)} is not among them")
        return iter(self._sets[place:])

    def __contains__(self, selected: Set) -> bool:
        place = bisect_left(self._sets, selected)
        if place < len(self._sets) and self._sets[place] == selected:
            return True
        self._require_all("this set may be one of the others")
        return False

    def draw(self, k: int, seed: int) -> Iterator[Set]:
        self._require_all("drawing from them would not be uniform")
        choose = random.Random(seed).choices
        parts = (min(_AT_ONCE, k - done) for done in range(0, k if self._sets else 0, _AT_ONCE))
        return chain.from_iterable(choose(self._sets, k=part) for part in parts)

    def spread(self, k: int) -> Iterator[Set]:
        return (self._sets[place] for place in scatter(self.stored, k))

    def heaviest(self, weights: Sequence[int]) -> Set | None:
        self._require_all("a better one may be among the others")
        return min(
            self._look("weighing"),
            # Infinity at the end: of two sets, one a prefix of the other, the longer goes first.
            key=lambda members: (-sum(weights[i] for i in members), (*members, math.inf)),
            default=None,
        )

    def inclusion_with(self, sentence: int) -> list[int]:
        self._require_all("the others count as well")
        counts = [0] * self._sentences
        for members in self._look("counting"):
            if sentence in members:
                for i in members:
                    counts[i] += 1
        return counts

    def pairs(self) -> tuple[list[Pair], list[Pair]]:
        self._require_all("the others may part a pair or join it")
        alone: dict[int, int] = {}
        for i in chain.from_iterable(self._look(what := "comparing sentences")):
            alone[i] = alone.get(i, 0) + 1
        check_bounds(_PAIR_BYTES * math.comb(len(alone), 2), what=what)
        both: dict[Pair, int] = {}
        for pair in watch(chain.from_iterable(combinations(s, 2) for s in self._sets), what):
            both[pair] = both.get(pair, 0) + 1
        together = [
            pair for pair, n in watch(both.items(), what) if n == alone[pair[0]] == alone[pair[1]]
        ]
        apart = [pair for pair in watch(combinations(sorted(alone), 2), what) if pair not in both]
        return sorted(together), apart

    def _look(self, what: str) -> Iterator[Set]:
        """All sets, one after another, as long as `answer_within` allows."""
        return watch(self._sets, what, weigh=len)

    def _require_sizes(self) -> None:
        if self.stored < self.count:
            raise LimitError(
                f"the {show_whole(self.count)} sets were not counted by size: with the memory that "
                "a search may take only their number and inclusion are known; set a tighter limit"
            )

    def _require_all(self, reason: str) -> None:
        if self.stored < self.count:
            raise InputError(
                f"only {self.stored} of {show_whole(self.count)} sets are stored, and {reason}: "
                "raise max_list, or use method 'search' (where that streams: with a tighter limit)"
            )


class ClassRow(Sequence[int]):
    """Reads like a list with one number per sentence, stored once per class of equal sentences.

    A sentence in no class has the number 0.
    """

    def __init__(self, by_class: Sequence[int], classes: Sequence[int | None]) -> None:
        self._by_class = by_class
        self._classes = classes  # per sentence

    def __len__(self) -> int:
        return len(self._classes)

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> list[int]: ...
    def __getitem__(self, place: int | slice) -> int | list[int]:
        if isinstance(place, slice):
            return [self._look_up(cls) for cls in self._classes[place]]
        return self._look_up(self._classes[place])

    def _look_up(self, cls: int | None) -> int:
        return 0 if cls is None else self._by_class[cls]


def share_each(counts: Sequence[int], whole: int) -> list[float]:
    """Each number over the whole, which is 0 only if they are; LimitError once time is up.

    Sentences that are alike share their number, which may have thousands of digits: it is divided
    once.
    """
    shares: dict[int, float] = {}  # by the number's place in memory
    found = []
    for count in list(counts):  # which keeps each where it is
        share = shares.get(id(count))
        if share is None:
            check_bounds()
            share = shares[id(count)] = count / whole if count else 0.0
        found.append(share)
    return found


def watch(items: Iterable[T], what: str, weigh: Callable[[T], int] | None = None) -> Iterator[T]:
    """The same, one after another; LimitError once the time of `answer_within` is over.

    It is looked at after so many items, or so much of what `weigh` says of each.
    """
    done = 0
    for item in items:
        if done > _AT_ONCE:
            done = 0
            check_bounds(what=what)
        yield item
        done += 1 if weigh is None else 1 + weigh(item)


def gather(sets: Iterable[Set]) -> list[Set]:
    """All of them in a list, within the bounds of `answer_within`."""
    return list(hold(sets))


def hold(sets: Iterable[Members]) -> Iterator[Members]:
    """The same, to be kept; LimitError if all together outgrow the bounds of `answer_within`."""
    size = looked = 0
    for members in sets:
        size += _TUPLE_BYTES + 8 * len(members)
        if size > looked:
            check_bounds(size, what="listing oracles")
            looked = size + _UNLOOKED_BYTES
        yield members


def scatter(count: int, k: int) -> Iterator[int]:
    """At most k places below `count`: the first, half way, at a quarter, at three, and so on."""
    k = min(k, count)
    width = k.bit_length()
    order = sorted(range(k), key=lambda number: f"{number:0{width}b}"[::-1])
    return (number * count // k for number in order)


def classify(members: Sequence[Sequence[int]], sentences: int) -> list[int | None]:
    """The class of each sentence, from the sentences of each class."""
    classes: list[int | None] = [None] * sentences
    for cls, row in enumerate(members):
        for i in row:
            classes[i] = cls
    return classes
