"""What a reference system sees: sentences, which document each is from, limits; no references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..instances.limits import Limit, Limits
from ..text import Analyser

__all__ = ["Document", "Words"]

Words = tuple[Hashable, ...]


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
        return tuple(tuple(words) for words in self.content.tokens_of(self.sentences))

    @cached_property
    def all_words(self) -> tuple[Words, ...]:
        """The words of each sentence, stop words among them."""
        every = replace(self.content, remove_stopwords=False)
        return tuple(tuple(words) for words in every.tokens_of(self.sentences))

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
        return Counter(word for words in self.words for word in words)

    def take(self, order: Iterable[int]) -> list[int]:
        """Sentences in the given order, each taken where it still fits."""
        left = [row.budget for row in self.rows]
        chosen = []
        for i in order:
            lengths = [row.lengths[i] for row in self.rows]
            if any(lengths) and all(n <= room for n, room in zip(lengths, left, strict=True)):
                left = [room - n for n, room in zip(lengths, left, strict=True)]
                chosen.append(i)
        return chosen

    def fits(self, chosen: Iterable[int], further: int) -> bool:
        """Whether one more sentence keeps every limit."""
        together = [*chosen, further]
        return all(sum(row.lengths[i] for i in together) <= row.budget for row in self.rows)
