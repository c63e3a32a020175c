"""Text to tokens: the rules of known programs, Unicode words with Snowball stems, any callable."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property

from .. import _kernel
from ..errors import InputError
from ..frozen import dataclass
from ..message import Message, Setting, show_value, suggest
from ..signature import package_version
from .languages import Language, Writing, describe_languages, find_language
from .words import check_writing, name_words, split_words

__all__ = ["TOKENIZERS", "WRITINGS", "Analyser", "Numbering", "Tokenizer"]

Tokenizer = Callable[[str], Sequence[Hashable]]

# Rules of known programs for English: which the kernel has, and which Python does.
NATIVE = {
    "rouge-1.5.5": _kernel.Rules.ROUGE_155,
    "rouge-score": _kernel.Rules.ROUGE_SCORE,
    "presumm": _kernel.Rules.PRESUMM,
}
_PATTERNS = {"memsum": re.compile(r"\w+"), "whitespace": re.compile(r"\S+")}
WRITINGS = tuple(Writing)
"""The ways to tell words apart in languages that have several."""

TOKENIZERS = (*NATIVE, *_PATTERNS, *(writing.value for writing in WRITINGS))
"""The tokenizers by name."""

_STEMS = {"rouge-1.5.5": "porter-1.5.5", "rouge-score": "porter-nltk", "memsum": "snowball-english"}


class Numbering:
    """Numbers tokens in order of first sight, so that the kernel sees integers only."""

    def __init__(self) -> None:
        self._ids: dict[Hashable, int] = {}

    def number(self, tokens: Iterable[Hashable]) -> list[int]:
        """The numbers of a list of tokens."""
        ids = self._ids
        return [ids.setdefault(token, len(ids)) for token in tokens]


@dataclass(frozen=True, kw_only=True)
class Analyser:
    """Rules that turn a text into tokens.

    - English: ROUGE-1.5.5 to the digit, in the kernel.
    - Another language: Unicode words, lower-cased; with `stem`, its Snowball stemmer.
    - `tokenizer`: a callable, whose tokens are taken as they are (`language` and `stem` are not
      applied), or the name of a program whose rules are followed. "words", "characters", "icu"
      and "kiwi" are ways to tell words apart in languages that have several; they leave English as
      it is.
    """

    language: str = "en"
    stem: bool = True
    remove_stopwords: bool = False
    tokenizer: Tokenizer | str | None = None

    def __post_init__(self) -> None:
        for name in ("stem", "remove_stopwords"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(
                    Message(
                        "{name} must be True or False, not {x}",
                        name=Setting(name),
                        x=show_value(getattr(self, name)),
                    )
                )
        known = find_language(self.language)
        object.__setattr__(self, "language", known.code)
        if isinstance(self.tokenizer, str):
            if self.tokenizer in WRITINGS:
                self._check_writing(Writing(self.tokenizer), known)
            else:
                self._check_name(self.tokenizer, known)
        elif self.tokenizer is not None:
            self._check_tokenizer()
        elif known.code != "en":
            self._check_language(known)

    def _check_name(self, name: str, known: Language) -> None:
        if name not in TOKENIZERS:
            hint = suggest(name, TOKENIZERS)
            raise InputError(
                Message(
                    "{tokenizer} must be a callable or one of {known}, not {x}{hint}",
                    known=", ".join(TOKENIZERS),
                    x=repr(name),
                    hint=hint,
                )
            )
        if known.code != "en":
            raise InputError(
                Message(
                    "the rules of {x} are for English, not {other}: leave {tokenizer} out",
                    x=name,
                    other=known.name,
                )
            )
        if self.stem and name not in _STEMS:
            raise InputError(Message("{x} has no stems: use {stem=False}", x=name))
        if self.remove_stopwords and name not in NATIVE:
            raise InputError(Message("{x} has no stop list: use {remove_stopwords=False}", x=name))

    def _check_writing(self, writing: Writing, known: Language) -> None:
        check_writing(writing)
        if known.code == "en":
            return  # most likely not given: the records say which language they are in
        if writing not in known.writings:
            others = [one.name for one in describe_languages() if writing in one.writings[1:]]
            raise InputError(
                Message(
                    "{x} is for {others}, not {other}: leave {tokenizer} out",
                    x=writing.value,
                    others=", ".join(others),
                    other=known.name,
                )
            )
        self._check_language(known)

    def _check_tokenizer(self) -> None:
        if not callable(self.tokenizer):
            raise InputError(
                Message(
                    "{tokenizer} must be a callable str -> list of tokens, not {x}",
                    x=show_value(self.tokenizer),
                )
            )
        if self.remove_stopwords:
            raise InputError(
                Message(
                    "{remove_stopwords} does not go with a tokenizer: let the tokenizer "
                    "leave them out"
                )
            )

    def _check_language(self, known: Language) -> None:
        if self.remove_stopwords:
            raise InputError(
                Message(
                    "there is no stop list for {language}: use {remove_stopwords=False} "
                    "or {tokenizer=…}",
                    language=known.name,
                )
            )
        if not self.stem:
            return
        if known.snowball is None:
            raise InputError(
                Message(
                    "there is no stemmer for {language}: use {stem=False} or {tokenizer=…}",
                    language=known.name,
                )
            )
        import Stemmer

        if known.snowball not in Stemmer.algorithms():
            raise InputError(
                Message(
                    "the installed PyStemmer {version} has no stemmer for {language}: "
                    "upgrade PyStemmer, or use {stem=False} or {tokenizer=…}",
                    version=Stemmer.version(),
                    language=known.name,
                )
            )

    @cached_property
    def rules(self) -> _kernel.Rules | None:
        """The kernel's rules, if it does all of the work."""
        if self.tokenizer is None or self.tokenizer in WRITINGS:
            return _kernel.Rules.ROUGE_155 if self.language == "en" else None
        return NATIVE.get(self.tokenizer) if isinstance(self.tokenizer, str) else None

    @property
    def native(self) -> bool:
        """Whether the kernel does all of the work."""
        return self.rules is not None

    @cached_property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """What the signature says about these rules."""
        if self.tokenizer is not None and not isinstance(self.tokenizer, str):
            name = _name(self.tokenizer)
            return ("stem", "no"), ("stop", "no"), ("lang", "any"), ("tok", name)
        writing = self.writing
        if writing is None:
            given = self.tokenizer if self.tokenizer not in WRITINGS else None
            words = given or "rouge-1.5.5"
            stem = _STEMS.get(words, "no")
            if words == "memsum":
                stem += f"-{package_version('PyStemmer')}"
        else:
            known = find_language(self.language)
            stem = f"snowball-{known.snowball}-{package_version('PyStemmer')}"
            words = name_words(writing)
        return (
            ("stem", stem if self.stem else "no"),
            ("stop", "smart-1.5.5" if self.remove_stopwords else "no"),
            ("lang", self.language),
            ("tok", words),
        )

    @cached_property
    def writing(self) -> Writing | None:
        """How words are told apart; None if that is up to the rules of a program, or a callable."""
        if self.native:
            return None
        if self.tokenizer is None:
            return find_language(self.language).writing
        return Writing(self.tokenizer) if self.tokenizer in WRITINGS else None

    def tokens(self, text: str) -> Sequence[Hashable]:
        """The tokens of one text, stop words removed and stemmed as set."""
        return self.tokens_of([text])[0]

    def tokens_of(self, texts: Iterable[str]) -> Sequence[Sequence[Hashable]]:
        """The tokens of each text."""
        if self.rules is not None:
            return _kernel.list_tokens(list(texts), self.rules, self.stem, self.remove_stopwords)
        if isinstance(self.tokenizer, str) and self.tokenizer in _PATTERNS:
            find = _PATTERNS[self.tokenizer].findall
            words = [find(text.lower()) for text in texts]
            return _stem(words, "english") if self.stem else words
        if callable(self.tokenizer):
            return [_call(self.tokenizer, text) for text in texts]
        known = find_language(self.language)
        found = [split_words(text, known, self.writing) for text in texts]
        if not self.stem:
            return found
        assert known.snowball is not None
        return _stem(found, known.snowball)

    def count_tokens(self, texts: Iterable[str]) -> list[int]:
        """How many tokens each text has."""
        if self.rules is not None:
            return _kernel.count_tokens(list(texts), self.rules, self.stem, self.remove_stopwords)
        return [len(tokens) for tokens in self.tokens_of(texts)]


def _stem(texts: Sequence[Sequence[str]], language: str) -> list[list[str]]:
    import Stemmer

    # A stemmer is not safe to share between threads; one a call keeps its cache for the call.
    stem_words = Stemmer.Stemmer(language).stemWords
    return [stem_words(words) for words in texts]


def _name(tokenizer: Tokenizer) -> str:
    named = tokenizer if hasattr(tokenizer, "__qualname__") else type(tokenizer)
    module = getattr(named, "__module__", None)  # built-in methods have none
    return f"{module}.{named.__qualname__}" if module else str(named.__qualname__)


def _call(tokenizer: Tokenizer, text: str) -> list[Hashable]:
    tokens = tokenizer(text)
    if isinstance(tokens, str):
        raise InputError("the tokenizer gave a str: it must give a list of tokens")
    try:
        tokens = list(tokens)
        hash(tuple(tokens))
    except TypeError as error:
        raise InputError(f"the tokenizer must give a list of hashable tokens: {error}") from error
    return tokens
