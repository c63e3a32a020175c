"""The measure: what is maximised, over which n-grams of which tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property, lru_cache
from operator import index
from typing import Any, Literal

from ..errors import InputError
from ..given import check_choice
from ..message import Message, show_value
from ..signature import join_signature
from ..text import WRITINGS, Analyser, Tokenizer, find_language
from ..whole import is_whole
from .objective import LARGEST_N, Term, name_objective, parse_objective, write_objective
from .presets import PRESETS

__all__ = ["Rouge", "check_rouge"]

_CHOICES = {
    "boundaries": ("within", "across"),
    "reference_boundaries": ("across", "within"),
    "counting": ("clipped", "sets"),
    "multi_reference": ("pooled", "best"),
}
# What is not given is a preset's, else this; the first of the choices above.
_DEFAULTS: dict[str, Any] = {
    "stem": True,
    "remove_stopwords": False,
    "language": "en",
    "tokenizer": None,
    **{name: known[0] for name, known in _CHOICES.items()},
}
_NOT_GIVEN: Any = type("NotGiven", (), {"__repr__": lambda self: "…"})()


@dataclass(frozen=True)
class Rouge:
    """The whole measure: what is maximised, over which n-grams of which tokens.

    Parameters
    ----------
    objective
        Terms added with "+", each with an optional weight: "r2-recall", "r1-f1+r2-f1",
        "0.5*r1-f1+0.5*rlsum-f1". A term is r1 to r9, rl (longest common subsequence of the whole
        texts) or rlsum (union of those of all sentences), with -recall, -precision, -f1 or another
        -fBETA. The score is the weighted mean of the terms. None: recall of n-grams of length `n`.
        Or a preset, which sets all that follows as a known program has it, unless you give it:
        presumm, oreo, memsum, neusum, matchsum, rouge-score, rouge-1.5.5, hirao.
    n
        Length of the n-grams if there is no objective, from 1 to 9. Default 2.
    stem, remove_stopwords, language, tokenizer
        The text analysis; the default is ROUGE-1.5.5's `-m`. `language` takes an ISO code or an
        English name. English follows ROUGE-1.5.5 to the digit; other languages have Unicode words
        and Snowball stems, and no stop lists. Chinese and Japanese count characters as words, and
        need stem=False, as does any language without a stemmer. `tokenizer` is the name of a
        program whose rules are followed ("rouge-1.5.5", "rouge-score", "presumm", "memsum",
        "whitespace"); or one of the ways to tell words apart, for languages that have several
        ("characters", "words", "icu", "kiwi": docs/languages.md); or any callable str -> list of
        tokens, which are taken as they are: neither `language` nor `stem` is applied.
    boundaries
        "within": n-grams of a summary stay inside its sentences. "across": they run across them, in
        document order, as rouge_score and ROUGE-1.5.5 count them. Default "within".
    reference_boundaries
        The same for n-grams of references, whose sentences are then needed. Default "across".
    counting
        "clipped": n-grams count as often as they occur in both texts. "sets": each distinct one
        counts once. Default "clipped".
    multi_reference
        "pooled": hits and sizes of all references are added up, as ROUGE-1.5.5's `-f A`. "best":
        the reference with the highest score; for objectives of one term. Default "pooled".

    Examples
    --------
    >>> Rouge(n=2).objective
    'r2-recall'
    >>> Rouge("R1-F1 + r2-f1.0").objective
    'r1-f1+r2-f1'
    """

    objective: str | None = None
    _: KW_ONLY
    n: int | None = None
    stem: bool = _NOT_GIVEN
    remove_stopwords: bool = _NOT_GIVEN
    language: str = _NOT_GIVEN
    tokenizer: Tokenizer | str | None = _NOT_GIVEN
    boundaries: Literal["within", "across"] = _NOT_GIVEN
    reference_boundaries: Literal["across", "within"] = _NOT_GIVEN
    counting: Literal["clipped", "sets"] = _NOT_GIVEN
    multi_reference: Literal["pooled", "best"] = _NOT_GIVEN

    def __post_init__(self) -> None:
        name = self.objective.strip().lower() if isinstance(self.objective, str) else ""
        preset = PRESETS.get(name)
        usual = _DEFAULTS if preset is None else {**_DEFAULTS, **preset.settings}
        for name, value in usual.items():
            if getattr(self, name) is _NOT_GIVEN:
                object.__setattr__(self, name, value)
        object.__setattr__(self, "limits", {} if preset is None else dict(preset.limits))
        if preset is not None:
            object.__setattr__(self, "objective", preset.objective)
        if self.n is not None and not is_whole(self.n):
            raise InputError(
                Message(
                    "{n} must be a whole number from 1 to {most}, not {x}",
                    most=LARGEST_N,
                    x=show_value(self.n),
                )
            )
        if self.objective is None:
            n = 2 if self.n is None else self.n
            if not 1 <= index(n) <= LARGEST_N:
                raise InputError(
                    Message("{n} must be from 1 to {most}, not {x}", most=LARGEST_N, x=n)
                )
            object.__setattr__(self, "objective", f"r{index(n)}-recall")
        terms = self.terms
        n = terms[0].n
        if self.n is not None and index(self.n) != n:
            raise InputError(
                Message(
                    "{n} {x} contradicts {objective} {y}: leave {n} out",
                    x=self.n,
                    y=repr(self.objective),
                )
            )
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "objective", write_objective(terms))
        for name, known in _CHOICES.items():
            check_choice(name, getattr(self, name), known)
        if self.multi_reference == "best" and len(terms) > 1:
            raise InputError(Message("{multi_reference='best'} goes with an objective of one term"))
        object.__setattr__(self, "language", self.analyser.language)

    limits: Mapping[str, int] = field(init=False, repr=False, compare=False, default_factory=dict)
    """The limits that go with a preset, if a call gives none: keywords of `Limits`."""

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The addends of the objective."""
        assert self.objective is not None
        return parse_objective(self.objective, presets=PRESETS)

    @cached_property
    def name(self) -> str:
        """The statistic as tables name it, e.g. "ROUGE-2 recall"."""
        return name_objective(self.terms)

    @property
    def size(self) -> int:
        """Length of the n-grams of the only, or first, term."""
        return self.terms[0].n

    @property
    def needs_limit(self) -> bool:
        """Whether every term is recall, which grows with every sentence."""
        return all(term.beta2 is None for term in self.terms)

    @property
    def has_hits(self) -> bool:
        """Whether a score is hits / total: one recall, pooled."""
        return len(self.terms) == 1 and self.needs_limit and self.multi_reference == "pooled"

    @cached_property
    def plain(self) -> bool:
        """Whether this is recall of n-grams within sentences, clipped and pooled: the paper's."""
        return (
            len(self.terms) == 1
            and self.terms[0].kind == "ngrams"
            and self.terms[0].beta2 is None
            and (self.boundaries == "within" or self.size == 1)
            and (self.reference_boundaries == "across" or self.size == 1)
            and self.counting == "clipped"
            and self.multi_reference == "pooled"
        )

    @property
    def reads_lines(self) -> bool:
        """Whether a reference given as one text has a sentence per line: where that matters.

        Everywhere else its tokens are those of the whole text, as `score` has them.
        """
        longer = any(term.kind == "ngrams" and term.n > 1 for term in self.terms)
        return any(term.kind == "rlsum" for term in self.terms) or (
            self.reference_boundaries == "within" and longer
        )

    @cached_property
    def analyser(self) -> Analyser:
        """The rules that make tokens."""
        return Analyser(
            language=self.language,
            stem=self.stem,
            remove_stopwords=self.remove_stopwords,
            tokenizer=self.tokenizer,
        )

    def in_language(self, language: str, *, detected: bool = False) -> Rouge:
        """The same measure for a text in another language, unless the rules are for any.

        Rules that a program or a callable has stay. A way to tell words apart is left out if the
        language does not have it. If the language was detected, nobody could know that it has no
        stemmer: then there are no stems.
        """
        if not isinstance(detected, bool):
            raise InputError(f"detected must be True or False, not {show_value(detected)}")
        if self.tokenizer is not None and self.tokenizer not in WRITINGS:
            return self
        return _translate(self, find_language(language).code, detected)

    @cached_property
    def signature(self) -> str:
        """Every setting here that moves a score."""
        if self.plain:
            return join_signature([("rouge", str(self.size)), *self.analyser.settings])
        within = self.reference_boundaries == "within"
        references = [("reference_boundaries", "within")] if within else []
        return join_signature(
            [
                ("objective", str(self.objective)),
                ("boundaries", self.boundaries),
                *references,
                ("counting", self.counting),
                ("multi_reference", self.multi_reference),
                *self.analyser.settings,
            ]
        )


@lru_cache(maxsize=256)
def _translate(rouge: Rouge, language: str, detected: bool) -> Rouge:
    known = find_language(language)
    suits = known.code == "en" or rouge.tokenizer in known.writings
    stem = rouge.stem and not (detected and known.snowball is None)
    tokenizer = rouge.tokenizer if suits else None
    return replace(rouge, language=known.code, tokenizer=tokenizer, stem=stem)


def check_rouge(rouge: object) -> Rouge:
    """A Rouge, or an InputError that says how to make one."""
    if not isinstance(rouge, Rouge):
        raise InputError(f"rouge must be a Rouge, e.g. Rouge(n=2), not {show_value(rouge)}")
    return rouge
