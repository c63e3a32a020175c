"""Length limits of a summary: words, sentences and bytes, alone or together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import InputError
from ..whole import as_whole

__all__ = ["Limit", "Limits", "count_bytes", "count_words", "split_words"]

_SPACES = re.compile(r"[ \t\n\r\f\v]+")


def split_words(sentence: str) -> list[str]:
    """Words as ROUGE-1.5.5's -l takes them: Perl's split(/\\s+/), nothing cleaned.

    White space is ASCII's. Like Perl, a sentence that begins with white space has an empty first
    word, which ROUGE counts; empty words at the end vanish.
    """
    words = _SPACES.split(sentence)
    while words and not words[-1]:
        words.pop()
    return words


def count_words(sentence: str) -> int:
    """Number of words as ROUGE-1.5.5's -l counts them, an empty first one included."""
    return len(split_words(sentence))


def count_bytes(sentence: str) -> int:
    """UTF-8 bytes, as ROUGE-1.5.5's -b counts them."""
    return len(sentence.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, kw_only=True)
class Limit:
    """One budget row: `unit` names it, `lengths` has one entry per sentence."""

    unit: str
    budget: int
    lengths: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits a user asked for; at least one must be set."""

    max_words: int | None = None
    max_sentences: int | None = None
    max_bytes: int | None = None

    def __post_init__(self) -> None:
        given = {name: value for name, value in vars(self).items() if value is not None}
        if not given:
            raise InputError("set a length limit: max_words, max_sentences or max_bytes")
        for name, value in given.items():
            number = as_whole(name, value)
            if number < 1:
                raise InputError(f"{name} must be at least 1, not {number}")
            object.__setattr__(self, name, number)

    def measure(self, sentences: Sequence[str]) -> tuple[Limit, ...]:
        """The budget rows for a list of sentences."""
        rows = []
        if self.max_words is not None:
            rows.append(_row("words", self.max_words, [count_words(s) for s in sentences]))
        if self.max_sentences is not None:
            rows.append(_row("sentences", self.max_sentences, [1] * len(sentences)))
        if self.max_bytes is not None:
            rows.append(_row("bytes", self.max_bytes, [count_bytes(s) for s in sentences]))
        return tuple(rows)


def _row(unit: str, budget: int, lengths: list[int]) -> Limit:
    # A budget beyond the whole text says no more than the whole text does, and the kernel's range
    # is kept.
    return Limit(unit=unit, budget=min(budget, sum(lengths)), lengths=tuple(lengths))
