"""All oracles of one problem, behaving like a collection of index tuples."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Literal

from ..digits import show_whole
from ..errors import InputError
from ..given import MOST, check_choice, check_indices
from ..message import show_value
from ..whole import LARGEST, as_whole, require_whole
from .agreement import Agreement, measure_agreement
from .bounds import MAX_MEMORY, check_bounds
from .oracle import share
from .status import Status
from .store import Pair, Set, Store, gather, share_each, watch
from .weights import scale_weights

__all__ = ["OracleFamily"]

_NUMBER_BYTES = 8  # of a number in a list


class OracleFamily(Collection[Set]):
    """All oracles of a problem: iterate, test membership, count, sample; exact even if not listed.

    An oracle is an ascending tuple of sentence indices. If several answer a question for one
    (`smallest`, `best`, …), it is the one that has the first sentence in which they differ.

    Attributes
    ----------
    value, upper_value
        The exact score of every oracle, and the bound that no summary exceeds, as Fractions.
    score
        `value` as a float.
    hits, total, upper_bound
        For recall: value = hits / total; None for other objectives.
    count
        How many oracles there are, exact.
    status
        How the search ended, e.g. "complete".
    n_sentences
        How many sentences the document has.
    signature
        Every setting that moves a number.

    Examples
    --------
    >>> from oraclesum import enumerate_oracles
    >>> family = enumerate_oracles(["A cat.", "Rain.", "A cat."], ["A cat."], rouge="r1-f1")
    >>> family.count, list(family), family.inclusion
    (2, [(0,), (2,)], [0.5, 0.0, 0.5])
    >>> (2,) in family, family.earliest(), family.sample(2, seed=1)
    (True, (0,), [(0,), (0,)])
    """

    def __init__(
        self,
        *,
        store: Store,
        n_sentences: int,
        hits: int,
        total: int,
        status: Status,
        upper_bound: int,
        checked: int,
        method: str,
        signature: str = "",
        value: Fraction | None = None,
        upper_value: Fraction | None = None,
    ) -> None:
        self._store = store
        self.n_sentences = n_sentences
        # `hits`, `total` and `upper_bound` are None for other objectives than recall. They are
        # typed as numbers: whoever asks for them knows the objective.
        self.hits = hits
        self.total = total
        self.value = share(hits, total) if value is None else value
        self.upper_value = share(upper_bound, total) if upper_value is None else upper_value
        self.status = status
        self.upper_bound = upper_bound
        self.checked = checked
        self.method = method
        self.signature = signature

    @property
    def score(self) -> float:
        """The value of every oracle as a float: the weighted mean of the objective's terms."""
        return float(self.value)

    @property
    def complete(self) -> bool:
        """Whether the optimum is proven and every oracle is stored."""
        return self.status == Status.COMPLETE

    @property
    def exact(self) -> bool:
        """Whether `count` and `inclusion` are those of all oracles, stored or not."""
        return not self.status.partial

    @property
    def proven(self) -> bool:
        """Whether no feasible set scores more than `value`."""
        return self.hits == self.upper_bound and self.value == self.upper_value

    @property
    def count(self) -> int:
        """Number of oracles, exact; a lower bound if `status` says that time ran out."""
        return self._store.count

    @property
    def memory(self) -> int:
        """Bytes that the sets take in memory, roughly."""
        return self._store.memory

    def spread(self, k: int, max_sentences: int = LARGEST) -> list[Set]:
        """At most k of the sets in memory, from all over the family.

        There are fewer if their sentences add up to `max_sentences` before.
        """
        left = require_whole("max_sentences", max_sentences, least=1)
        found: list[Set] = []
        for members in self._store.spread(require_whole("k", k, least=0)):
            found.append(members)
            left -= len(members)
            if left <= 0:
                break
        return found

    # How often: inclusion and sizes.

    @property
    def inclusion_counts(self) -> list[int]:
        """For each sentence, how many oracles contain it."""
        return list(self._inclusion_counts)

    @property
    def _inclusion_counts(self) -> Sequence[int]:
        return self._store.inclusion_counts

    @cached_property
    def inclusion(self) -> list[float]:
        """For each sentence, the share of the oracles that contain it."""
        return share_each(self._inclusion_counts, self.count)

    @property
    def inclusion_by_size(self) -> dict[int, list[int]]:
        """For each size and each sentence, how many oracles of that size contain it.

        A number per size and sentence: of a huge family `evaluate` needs far less memory.
        """
        table = self._store.inclusion_by_size
        check_bounds(_NUMBER_BYTES * self.n_sentences * len(table))
        found = {}
        for size in sorted(table):
            check_bounds()
            found[size] = list(table[size])
        return found

    def count_shared(self, selected: Iterable[int]) -> dict[int, int]:
        """For each size, in how many (oracle of that size, selected sentence of it) they agree."""
        chosen = set(check_indices("selected", selected, self.n_sentences))
        table = self._store.inclusion_by_size
        shared = {}
        for size in sorted(table):
            check_bounds()
            row = table[size]
            shared[size] = sum(row[i] for i in chosen)
        return shared

    @property
    def sizes(self) -> dict[int, int]:
        """Number of oracles by number of sentences."""
        return dict(sorted(self._store.sizes.items()))

    @property
    def core(self) -> Set:
        """The sentences that every oracle contains."""
        count = self.count
        return tuple(
            i for i, containing in enumerate(self._inclusion_counts) if containing == count > 0
        )

    @property
    def support(self) -> Set:
        """The sentences that some oracle contains."""
        return tuple(i for i, containing in enumerate(self._inclusion_counts) if containing)

    # Which go together.

    def pair_counts(self, sentence: int) -> list[int]:
        """For each sentence, how many oracles contain both it and the given one."""
        (number,) = check_indices("sentence", [sentence], self.n_sentences)
        return self._store.inclusion_with(number)

    def pairs_together(self) -> list[Pair]:
        """Pairs of the support that are in the same oracles: none has one without the other."""
        return list(self._pairs[0])

    def pairs_apart(self) -> list[Pair]:
        """Pairs of the support of which no oracle contains both."""
        return list(self._pairs[1])

    @cached_property
    def _pairs(self) -> tuple[list[Pair], list[Pair]]:
        return self._store.pairs()

    def mean_jaccard(self, *, draws: int = 10_000, seed: int = 0) -> Agreement:
        """Mean Jaccard index over all pairs of oracles: exact for small families, else by draws.

        What was done is in the answer: `exact`, or the number of `draws` and a 95 % interval.
        """
        draws = require_whole("draws", draws, least=2)
        seed = require_whole("seed", seed, least=0)
        return measure_agreement(self._store, draws=draws, seed=seed)

    # One oracle out of many.

    def smallest(self) -> Set:
        """The oracle with the fewest sentences."""
        return self._heaviest([-1] * self.n_sentences)

    def largest(self) -> Set:
        """The oracle with the most sentences."""
        return self._heaviest([1] * self.n_sentences)

    def shortest(self, lengths: Sequence[float]) -> Set:
        """The oracle with the smallest sum of lengths, one length per sentence."""
        scaled = scale_weights(lengths, self.n_sentences, "lengths")
        return self._heaviest([-length for length in scaled])

    def longest(self, lengths: Sequence[float]) -> Set:
        """The oracle with the largest sum of lengths, one length per sentence."""
        return self._heaviest(scale_weights(lengths, self.n_sentences, "lengths"))

    def best(self, weights: Sequence[float]) -> Set:
        """The oracle with the largest sum of weights, one weight per sentence."""
        return self._heaviest(scale_weights(weights, self.n_sentences))

    def nearest(
        self, selected: Iterable[int], *, by: Literal["difference", "overlap"] = "difference"
    ) -> Set:
        """The oracle nearest to a set of sentences, e.g. a system summary.

        By "difference": as few sentences as possible are in one of the two sets only. By "overlap":
        as many as possible are in both.
        """
        chosen = set(check_indices("selected", selected, self.n_sentences))
        check_choice("by", by, ("difference", "overlap"))
        outside = -1 if by == "difference" else 0
        return self._heaviest([1 if i in chosen else outside for i in range(self.n_sentences)])

    def earliest(self) -> Set:
        """The oracle with the smallest sum of positions in the document, the first being 1."""
        return self._heaviest([-position for position in range(1, self.n_sentences + 1)])

    def _heaviest(self, weights: Sequence[int]) -> Set:
        found = self._store.heaviest(weights)
        if found is None:
            raise InputError("the family is empty: there is no oracle to choose")
        return found

    def sample(self, k: int, seed: int = 0) -> list[Set]:
        """k oracles drawn uniformly with replacement; k is at most 10,000,000."""
        k = require_whole("k", k, least=0, most=MOST)
        seed = require_whole("seed", seed, least=0)
        drawn = self._store.draw(k, seed)
        if self.count <= k:  # few sets are shared by all
            return list(watch(drawn, "drawing oracles"))
        return gather(drawn)

    # As a collection.

    def __iter__(self) -> Iterator[Set]:
        return iter(self._store)

    def iterate(self, start: Iterable[int] = ()) -> Iterator[Set]:
        """Oracles in lexicographic order from the first one that is not before `start`.

        All of them, whatever `max_list` was, if the family is a diagram (method "search"); else
        those that are stored.
        """
        # No oracle goes on beyond the last sentence, so any index there means the same.
        given = sorted(set(check_indices("start", start)))
        first = [min(i, self.n_sentences) for i in given]
        return self._store.iterate_from(first, self.count)

    def iterate_at(self, place: int) -> Iterator[Set]:
        """Oracles in lexicographic order from the one at that place, the first being 0.

        Those before it are not visited: any place of a diagram (method "search") is reached at
        once. Beyond the last oracle there is nothing. If the family is no diagram, the oracles that
        are stored; an InputError if the place is behind them.
        """
        number = as_whole("place", place)
        if number < 0:
            raise InputError(f"place must be at least 0, not {show_value(number)}")
        return self._store.iterate_at(number)

    def __len__(self) -> int:
        """How many sets iteration yields; `count` is the size of the whole family."""
        return self._store.stored

    def __contains__(self, selected: object) -> bool:
        """Whether a set of sentences is an oracle; an InputError if nobody knows.

        That is if the family is no diagram, and the set is not among those that are stored of it.
        """
        try:
            members = check_indices("selected", selected, self.n_sentences)
        except InputError:  # what is no set of sentences is no oracle
            return False
        return tuple(sorted(members)) in self._store

    def __repr__(self) -> str:
        return (
            f"OracleFamily(score={self.score:.5f}, hits={self.hits}, total={self.total}, "
            f"count={show_whole(self.count)}, status={self.status.value!r})"
        )

    def _repr_html_(self) -> str | None:
        from ..card import draw_safely
        from .cards import draw_family

        return draw_safely(lambda: draw_family(self, self._store))

    # Files.

    def write(self, path: str | Path) -> None:
        """Write the whole family to one small file; see docs/families.md for the format."""
        from .saving import save_family

        save_family(self, self._store, path)

    @classmethod
    def read(cls, path: str | Path, *, max_bytes: int = MAX_MEMORY) -> OracleFamily:
        """Read a family that `write` wrote; an InputError says what is wrong with a bad file.

        max_bytes: memory that the family may take, roughly (default 1 GiB). A file that needs more
        is refused before it is unpacked: raise it for a large file that you trust.
        """
        from .saving import load_family

        return load_family(cls, path, require_whole("max_bytes", max_bytes, least=1))

    def save(self, path: str | Path) -> None:
        """The earlier name of `write`."""
        warnings.warn("save is now write", DeprecationWarning, stacklevel=2)
        self.write(path)

    @classmethod
    def load(cls, path: str | Path) -> OracleFamily:
        """The earlier name of `read`."""
        warnings.warn("load is now read", DeprecationWarning, stacklevel=2)
        return cls.read(path)

    def to_jsonl(self, path: str | Path, *, max_list: int | None = None) -> int:
        """Write oracles as JSON lines, `{"oracle": [...]}`, at most `max_list`; says how many.

        A file of that name is replaced, here and in the other methods that write.
        """
        from .saving import write_jsonl

        return write_jsonl(self, path, max_list)

    def to_parquet(self, path: str | Path, *, max_list: int | None = None) -> int:
        """Write the oracles as Parquet, column `oracle`, at most `max_list`; says how many."""
        from .saving import write_parquet

        return write_parquet(self, path, max_list)
