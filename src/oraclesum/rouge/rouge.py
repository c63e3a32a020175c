"""The measure: which n-grams, over which tokens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import index

from ..errors import InputError
from ..signature import join_signature
from ..text import Analyser, Tokenizer
from ..whole import is_whole

__all__ = ["Rouge", "check_rouge"]

_LARGEST_N = 9


@dataclass(frozen=True, kw_only=True)
class Rouge:
    """ROUGE-n and its text analysis; the default is ROUGE-1.5.5's `-n 2 -m`.

    `language` takes an ISO code or an English name. English follows ROUGE-1.5.5 to the digit;
    other languages have Unicode words and Snowball stems, and no stop lists. With a `tokenizer`
    (any callable str -> list of tokens) its tokens are taken as they are: neither `language` nor
    `stem` is applied. Chinese and Japanese count characters as words, and need stem=False, as does
    any language without a stemmer.
    """

    n: int = 2
    stem: bool = True
    remove_stopwords: bool = False
    language: str = "en"
    tokenizer: Tokenizer | None = None

    def __post_init__(self) -> None:
        if not is_whole(self.n):
            raise InputError(f"n must be a whole number from 1 to {_LARGEST_N}, not {self.n!r}")
        if not 1 <= self.n <= _LARGEST_N:
            raise InputError(f"n must be from 1 to {_LARGEST_N}, not {self.n}")
        object.__setattr__(self, "n", index(self.n))
        object.__setattr__(self, "language", self.analyser.language)

    @cached_property
    def analyser(self) -> Analyser:
        """The rules that make tokens."""
        return Analyser(
            language=self.language,
            stem=self.stem,
            remove_stopwords=self.remove_stopwords,
            tokenizer=self.tokenizer,
        )

    @cached_property
    def signature(self) -> str:
        """Every setting here that moves a score."""
        return join_signature([("rouge", str(self.n)), *self.analyser.settings])


def check_rouge(rouge: object) -> Rouge:
    """A Rouge, or an InputError that says how to make one."""
    if not isinstance(rouge, Rouge):
        raise InputError(f"rouge must be a Rouge, e.g. Rouge(n=2), not {rouge!r}")
    return rouge
