"""All oracles of one problem, behaving like a collection of index tuples."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from ..errors import InputError
from .status import Status
from .store import Set, Store

__all__ = ["OracleFamily"]


class OracleFamily(Collection[Set]):
    """The family of oracles: iterate, test membership, count, sample; exact even if not listed."""

    def __init__(
        self,
        *,
        store: Store,
        sentences: int,
        hits: int,
        total: int,
        status: Status,
        upper_bound: int,
        checked: int,
        method: str,
        signature: str = "",
    ) -> None:
        self._store = store
        self.sentences = sentences
        self.hits = hits
        self.total = total
        self.status = status
        self.upper_bound = upper_bound
        self.checked = checked
        self.method = method
        self.signature = signature

    @property
    def score(self) -> float:
        """ROUGE-n recall of every oracle: hits / total."""
        return self.hits / self.total if self.total else 0.0

    @property
    def complete(self) -> bool:
        """Whether the optimum is proven and every oracle is held."""
        return self.status == Status.COMPLETE

    @property
    def proven(self) -> bool:
        """Whether no feasible set scores more than `hits`."""
        return self.hits == self.upper_bound

    @property
    def count(self) -> int:
        """Number of oracles, exact; a lower bound where `status` says that time ran out."""
        return self._store.count

    @property
    def inclusion_counts(self) -> list[int]:
        """For each sentence, how many oracles hold it."""
        counts = [0] * self.sentences
        for row in self._store.inclusion_by_size.values():
            for i, held in enumerate(row):
                counts[i] += held
        return counts

    @cached_property
    def inclusion(self) -> list[float]:
        """For each sentence, the share of the oracles that hold it."""
        count = self.count
        return [held / count if count else 0.0 for held in self.inclusion_counts]

    @property
    def inclusion_by_size(self) -> dict[int, list[int]]:
        """For each size of an oracle and each sentence, how many oracles of that size hold it."""
        return {size: list(row) for size, row in sorted(self._store.inclusion_by_size.items())}

    @property
    def sizes(self) -> dict[int, int]:
        """Number of oracles by number of sentences."""
        return dict(sorted(self._store.sizes.items()))

    def sample(self, k: int, seed: int = 0) -> list[Set]:
        """k oracles drawn uniformly with replacement."""
        for name, value in (("k", k), ("seed", seed)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise InputError(f"{name} must be a whole number from 0 on, not {value!r}")
        return self._store.sample(k, seed)

    def __iter__(self) -> Iterator[Set]:
        return iter(self._store)

    def __len__(self) -> int:
        """How many sets iteration yields; `count` is the size of the whole family."""
        return self._store.held

    def __contains__(self, selected: object) -> bool:
        if not isinstance(selected, Iterable):
            return False
        members = list(selected)
        if not all(isinstance(i, int) for i in members):
            return False
        return tuple(sorted(members)) in self._store

    def __repr__(self) -> str:
        return (
            f"OracleFamily(score={self.score:.5f}, hits={self.hits}, total={self.total}, "
            f"count={self.count}, status={self.status.value!r})"
        )
