"""A family kept as a decision diagram in the kernel: exact answers however many sets there are."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from .. import _kernel
from .store import Set

__all__ = ["DiagramStore"]


class DiagramStore:
    """Counts, inclusion, membership and draws cover all sets; iteration shows `max_list` of them."""

    def __init__(self, native: _kernel.Family, max_list: int) -> None:
        self._native = native
        self.held = min(self.count, max_list)

    @cached_property
    def count(self) -> int:
        return self._native.count

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

    def __contains__(self, selected: Set) -> bool:
        return self._native.contains(list(selected))

    def sample(self, k: int, seed: int) -> list[Set]:
        draw = random.Random(seed)
        return [self._native.at(draw.randrange(self.count)) for _ in range(k)] if self.count else []

    def spread(self, k: int) -> list[Set]:
        """At most k sets spread over the family."""
        k = min(k, self.count)
        return [self._native.at(place * self.count // k) for place in range(k)]

    def heaviest(self, weights: Sequence[float]) -> Set | None:
        """A set with the largest sum of weights, one weight per sentence."""
        return self._native.heaviest(list(weights))
