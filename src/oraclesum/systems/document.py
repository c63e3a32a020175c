"""What a reference system sees: sentences, which document each is from, limits; no references."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from operator import ge, sub

from ..frozen import dataclass
from ..instances.limits import Limit, Limits
from ..text import Analyser

__all__ = ["Document", "Room", "Words"]

Words = tuple[Hashable, ...]


class Room:
    """What is left of each budget while a summary grows."""

    def __init__(self, budgets: Sequence[int], lengths: Sequence[Sequence[int]]) -> None:
        self._left = budgets
        self._lengths = lengths  # per sentence, what it takes of each budget

    def has(self, sentence: int) -> bool:
        """Whether the sentence would still keep every limit."""
        return all(map(ge, self._left, self._lengths[sentence]))

    def take(self, sentence: int) -> None:
        """Give the sentence its room."""
        self._left = list(map(sub, self._left, self._lengths[sentence]))


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
    def lengths(self) -> tuple[tuple[int, ...], ...]:
        """For each sentence, what it takes of each budget."""
        rows = self.rows
        return (
            tuple(zip(*(row.lengths for row in rows), strict=True))
            if rows
            else ((),) * len(self.sentences)
        )

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """For each sentence, the document it is from; all from one where that is not known."""
        return tuple(self.doc_ids) if self.doc_ids is not None else (0,) * len(self.sentences)

    @cached_property
    def parts(self) -> int:
        """How many documents there are."""
        return len(set(self.groups))

    def make_room(self) -> Room:
        """All the room that the limits leave to a summary."""
        return Room([row.budget for row in self.rows], self.lengths)

    def take(self, order: Iterable[int]) -> list[int]:
        """Sentences in the given order, each taken if it still fits.

        A sentence that takes no room under any limit says nothing, and is left out.
        """
        left = [row.budget for row in self.rows]
        lengths = self.lengths
        chosen = []
        for i in order:
            needs = lengths[i]
            if any(needs) and all(map(ge, left, needs)):  # what does not fit now will not later
                left = list(map(sub, left, needs))
                chosen.append(i)
        return chosen
