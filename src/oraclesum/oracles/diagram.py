"""A family kept as a decision diagram in the kernel: exact answers however many sets there are."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from .. import _kernel
from .store import Pair, Set

__all__ = ["DiagramStore"]

_NODE_BYTES = 48  # a node, and its two counts of 128 bits
_LOW_HALF = (1 << 64) - 1


class DiagramStore:
    """Counts, inclusion, membership and draws cover all sets; iteration shows `max_list`."""

    def __init__(self, native: _kernel.Family, max_list: int) -> None:
        self._native = native
        self.held = min(self.count, max_list)

    @classmethod
    def unpack(cls, data: bytes, sentences: int, max_list: int) -> DiagramStore:
        """From the bytes of `pack`; a ValueError says what is wrong with them."""
        return cls(_kernel.Family.unpack(data, sentences), max_list)

    def pack(self) -> bytes:
        """The diagram as bytes, whatever is held of it."""
        return self._native.pack()

    def __reduce__(self) -> tuple[object, ...]:
        return DiagramStore.unpack, (self.pack(), self._native.sentences, self.held)

    @cached_property
    def count(self) -> int:
        return self._native.count

    @property
    def memory(self) -> int:
        return self._native.nodes * _NODE_BYTES

    @property
    def effort(self) -> int:
        if "inclusion_by_size" in vars(self):
            return 0
        # Each node passes on a count per size, in words of 64 bits.
        return self._native.nodes * self._native.sentences * (1 + self.count.bit_length() // 64)

    @cached_property
    def inclusion_by_size(self) -> Mapping[int, Sequence[int]]:
        return self._native.inclusion_by_size()

    @cached_property
    def sizes(self) -> Mapping[int, int]:
        return self._native.sizes()

    def __iter__(self) -> Iterator[Set]:
        return self.iterate_from((), self.held)

    def iterate_from(self, start: Sequence[int], most: int) -> Iterator[Set]:
        """At most `most` sets in lexicographic order, from the first one not before `start`."""
        lister = self._native.list_from(list(start))
        while most > 0 and (part := lister.next_part()):
            yield from part[:most]
            most -= len(part)

    def iterate_at(self, place: int) -> Iterator[Set]:
        """All sets in lexicographic order from that place on; those before it are not visited."""
        lister = self._native.list_at(place)
        while part := lister.next_part():
            yield from part

    def __contains__(self, selected: Set) -> bool:
        if any(i >= j for i, j in pairwise(selected)):
            return False
        if selected and not 0 <= selected[0] <= selected[-1] < self._native.sentences:
            return False
        return self._native.contains(list(selected))

    def sample(self, k: int, seed: int) -> list[Set]:
        draw = random.Random(seed)
        return [self._native.at(draw.randrange(self.count)) for _ in range(k)] if self.count else []

    def spread(self, k: int) -> list[Set]:
        """At most k sets spread over the family."""
        k = min(k, self.count)
        return [self._native.at(place * self.count // k) for place in range(k)]

    def heaviest(self, weights: Sequence[int]) -> Set | None:
        """The set with the largest sum of weights, one weight below 2^97 per sentence."""
        return self._native.heaviest([(weight >> 64, weight & _LOW_HALF) for weight in weights])

    def inclusion_with(self, sentence: int) -> list[int]:
        """For each sentence, how many sets hold it and the given one."""
        counts = self._native.inclusion_with(sentence)
        # The kernel counts pairs of different sentences.
        counts[sentence] = sum(row[sentence] for row in self.inclusion_by_size.values())
        return counts

    def pairs(self) -> tuple[list[Pair], list[Pair]]:
        """Pairs that always occur together, and pairs that never do."""
        return self._native.pairs()
