"""A family kept as a decision diagram in the kernel: exact answers however many sets there are."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from .. import _kernel
from .bounds import ask
from .store import ClassRow, Pair, Set, gather, scatter

__all__ = ["DiagramStore"]

_NODE_BYTES = 32  # a node, and its count of 128 bits
_LOW_HALF = (1 << 64) - 1
_COUNTED_BITS = 100  # up to here the kernel has every node's count, and places cost nothing


class DiagramStore:
    """Counts, inclusion, membership and draws cover all sets; iteration shows `max_list`."""

    def __init__(self, native: _kernel.Family, max_list: int) -> None:
        self._native = native
        self.stored = min(self.count, max_list)

    @classmethod
    def unpack(cls, data: bytes, sentences: int, max_list: int) -> DiagramStore:
        """From the bytes of `pack`; a ValueError says what is wrong with them."""
        return cls(ask(lambda limits: _kernel.Family.unpack(data, sentences, limits)), max_list)

    def pack(self) -> bytes:
        """The diagram as bytes, whatever is stored of it."""
        return self._native.pack()

    def __reduce__(self) -> tuple[object, ...]:
        return DiagramStore.unpack, (self.pack(), self._native.sentences, self.stored)

    @cached_property
    def count(self) -> int:
        return self._native.count

    @property
    def memory(self) -> int:
        return self._native.nodes * _NODE_BYTES

    @property
    def effort(self) -> int:
        if "inclusion_counts" in vars(self):
            return 0
        # A few multiplications per node, for every word of the count.
        return 3 * self._native.nodes * (1 + self.count.bit_length() // 61)

    @cached_property
    def inclusion_counts(self) -> Sequence[int]:
        return ask(self._native.inclusion)

    @cached_property
    def inclusion_by_size(self) -> Mapping[int, Sequence[int]]:
        classes = self._native.classes
        by_class = ask(self._native.inclusion_by_size)
        return {size: ClassRow(row, classes) for size, row in by_class.items()}

    @cached_property
    def sizes(self) -> Mapping[int, int]:
        return ask(self._native.sizes)

    def __iter__(self) -> Iterator[Set]:
        return self.iterate_from((), self.stored)

    def iterate_from(self, start: Sequence[int], most: int) -> Iterator[Set]:
        """At most `most` sets in lexicographic order, from the first one not before `start`."""
        lister = self._native.list_from(list(start))
        while most > 0 and (part := ask(lister.next_part)):
            yield from part[:most]
            most -= len(part)

    def iterate_at(self, place: int) -> Iterator[Set]:
        """All sets in lexicographic order from that place on; those before it are not visited."""
        lister = self._native.list_at(place)
        while part := ask(lister.next_part):
            yield from part

    def __contains__(self, selected: Set) -> bool:
        if any(i >= j for i, j in pairwise(selected)):
            return False
        if selected and not 0 <= selected[0] <= selected[-1] < self._native.sentences:
            return False
        return self._native.contains(list(selected))

    def draw(self, k: int, seed: int) -> Iterator[Set]:
        """k sets, uniformly with replacement; equal ones are one object if most are drawn."""
        count = self.count
        if count <= 1:
            yield from [self._at(0)] * k if count else ()
        elif count <= k:  # most are drawn: all of them at once
            found = gather(self.iterate_from((), count))
            yield from map(found.__getitem__, _draw_places(count, k, seed))
        else:
            yield from map(self._at, _draw_places(count, k, seed))

    def _at(self, place: int) -> Set:
        return ask(lambda limits: self._native.at(place, limits))

    def spread(self, k: int) -> Iterator[Set]:
        """At most k sets spread over the family."""
        if self.count.bit_length() > _COUNTED_BITS:
            return map(self._native.wander, range(min(k, self.count)))
        return map(self._at, scatter(self.count, k))

    def heaviest(self, weights: Sequence[int]) -> Set | None:
        """The set with the largest sum of weights, one weight below 2^97 per sentence."""
        halves = [(weight >> 64, weight & _LOW_HALF) for weight in weights]
        return ask(lambda limits: self._native.heaviest(halves, limits))

    def inclusion_with(self, sentence: int) -> list[int]:
        """For each sentence, how many sets contain it and the given one."""
        counts = ask(lambda limits: self._native.inclusion_with(sentence, limits))
        # The kernel counts pairs of different sentences.
        counts[sentence] = self.inclusion_counts[sentence]
        return counts

    def pairs(self) -> tuple[list[Pair], list[Pair]]:
        """Pairs that always occur together, and pairs that never do."""
        return ask(self._native.pairs)


def _draw_places(count: int, k: int, seed: int) -> Iterator[int]:
    """Numbers below `count`, uniformly: those of `random.randrange`, with less ado for each."""
    draw, bits = random.Random(seed).getrandbits, count.bit_length()
    while k > 0:
        place = draw(bits)
        if place < count:
            k -= 1
            yield place
