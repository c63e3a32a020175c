"""Where in a text its tokens stand, for showing them in place."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .. import _kernel
from .analyser import Analyser
from .languages import find_language
from .words import Span, locate_words

__all__ = ["Span", "find_spans", "to_utf16"]

_ENGLISH = re.compile("[a-zA-Z0-9]+")  # as the kernel cuts: kernel/text/include/oraclesum/text
_FIRST_ASTRAL = "\U00010000"


def find_spans(texts: Iterable[str], analyser: Analyser) -> list[list[Span]]:
    """The spans of the tokens of each text, as many and in the order of `analyser.tokens_of`.

    Not for a tokenizer of the user's own, which does not say where its tokens come from.
    """
    if analyser.native:
        return _find_english(list(texts), analyser)
    language = find_language(analyser.language)
    return [[span for _, span in locate_words(text, language)] for text in texts]


def to_utf16(text: str, spans: list[Span]) -> list[Span]:
    """The same spans in UTF-16 code units, as JavaScript counts."""
    if text.isascii() or max(text) < _FIRST_ASTRAL:
        return spans
    places = [0]
    for character in text:
        places.append(places[-1] + (2 if character >= _FIRST_ASTRAL else 1))
    return [(places[start], places[end]) for start, end in spans]


def _find_english(texts: list[str], analyser: Analyser) -> list[list[Span]]:
    if not analyser.remove_stopwords:
        return [[found.span() for found in _ENGLISH.finditer(text)] for text in texts]
    found = [list(_ENGLISH.finditer(text)) for text in texts]
    words = list({match[0] for matches in found for match in matches})
    tokens = _kernel.list_tokens(words, _kernel.Rules.ROUGE_155, False, True)
    kept = {word for word, left in zip(words, tokens, strict=True) if left}
    return [[match.span() for match in matches if match[0] in kept] for matches in found]
