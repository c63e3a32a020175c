"""What a reference system sees: sentences, which document each is from, limits; no references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from ..instances.limits import Limit, Limits
from ..text import Analyser

__all__ = ["Document", "Room", "Words"]

Words = tuple[Hashable, ...]


class Room:
    """What is left of each budget while a summary grows."""

    def __init__(self, rows: Sequence[Limit]) -> None:
        self._lengths = [row.lengths for row in rows]
        self._left = [row.budget for row in rows]

    def keep(self, sentences: Iterable[int]) -> list[int]:
        """Those of the sentences that would, alone, still keep every limit."""
        kept = list(sentences)
        for lengths, left in zip(self._lengths, self._left, strict=True):
            kept = [i for i in kept if lengths[i] <= left]
        return kept

    def take(self, sentence: int) -> None:
        """Give the sentence its room."""
        self._left = [
            left - lengths[sentence]
            for lengths, left in zip(self._lengths, self._left, strict=True)
        ]


@dataclass(frozen=True, kw_only=True)
class Document:
    """A topic without its references. `content` makes the words, as a rule without stop words."""

    sentences: Sequence[str]
    doc_ids: Sequence[int] | None = None
    limits: Limits
    content: Analyser
    seed: int = 0
    time_limit: float | None = None

    @cached_property
    def words(self) -> tuple[Words, ...]:
        """The words of each sentence."""
        return tuple(map(tuple, self.content.tokens_of(self.sentences)))

    @cached_property
    def all_words(self) -> tuple[Words, ...]:
        """The words of each sentence, stop words among them."""
        every = replace(self.content, remove_stopwords=False)
        return tuple(map(tuple, every.tokens_of(self.sentences)))

    @cached_property
    def function_words(self) -> frozenset[Hashable]:
        """The stop words that occur; none where the language has no list."""
        every = frozenset(word for words in self.all_words for word in words)
        return every.difference(*self.words) if self.content.remove_stopwords else frozenset()

    @cached_property
    def rows(self) -> tuple[Limit, ...]:
        """The budgets."""
        return self.limits.measure(self.sentences)

    @cached_property
    def occupying(self) -> frozenset[int]:
        """The sentences that take room under some limit."""
        return frozenset(i for row in self.rows for i, length in enumerate(row.lengths) if length)

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """For each sentence, the document it is from; all from one where that is not known."""
        return tuple(self.doc_ids) if self.doc_ids is not None else (0,) * len(self.sentences)

    @cached_property
    def parts(self) -> int:
        """How many documents there are."""
        return len(set(self.groups))

    @cached_property
    def frequencies(self) -> Counter[Hashable]:
        """How often each word occurs in the whole document."""
        return Counter(chain.from_iterable(self.words))

    def make_room(self) -> Room:
        """All the room that the limits leave to a summary."""
        return Room(self.rows)

    def take(self, order: Iterable[int]) -> list[int]:
        """Sentences in the given order, each taken where it still fits."""
        room = self.make_room()
        chosen = []
        waiting = [i for i in order if i in self.occupying]
        while waiting := room.keep(waiting):
            room.take(waiting[0])
            chosen.append(waiting.pop(0))
        return chosen
