"""Why a text has no tokens under given rules, and which setting would give it some."""

from __future__ import annotations

import unicodedata
from collections import Counter

from .analyser import Analyser

__all__ = ["explain_no_tokens"]

# First word of a letter's Unicode name, and what to set for a text of such letters.
_ADVICE = {
    "ARABIC": "language='ar' (or 'fa')",
    "ARMENIAN": "language='hy'",
    "CJK": "language='zh' (or 'ja') with stem=False",
    "CYRILLIC": "language='ru' (or 'sr', …)",
    "DEVANAGARI": "language='hi' (or 'ne')",
    "GREEK": "language='el'",
    "HANGUL": "language='ko' with stem=False",
    "HEBREW": "language='he' with stem=False (or 'yi')",
    "HIRAGANA": "language='ja' with stem=False",
    "KATAKANA": "language='ja' with stem=False",
    "TAMIL": "language='ta'",
    "KHMER": "tokenizer= (a callable str -> list of tokens)",
    "LAO": "tokenizer= (a callable str -> list of tokens)",
    "MYANMAR": "tokenizer= (a callable str -> list of tokens)",
    "THAI": "tokenizer= (a callable str -> list of tokens)",
}
_FALLBACK = (
    "language= to the language of the text, or tokenizer= (a callable str -> list of tokens)"
)


def explain_no_tokens(text: str, analyser: Analyser) -> str:
    """The end of a sentence that begins with the text's name: "has no token because …: set …"."""
    if not text.strip():
        return "is empty"
    if analyser.tokenizer is not None:
        return "gives no token with the tokenizer: check what it returns for this text"
    if analyser.remove_stopwords and any(
        Analyser(language=analyser.language, stem=False).count_tokens([text])
    ):
        return "holds stop words only: set remove_stopwords=False"
    letters = Counter(
        unicodedata.name(character, "UNKNOWN").split()[0]
        for character in text[:10_000]
        if unicodedata.category(character)[0] in "LMN"
    )
    if not letters:
        return "holds no letter and no digit"
    script = letters.most_common(1)[0][0]
    return (
        f"loses every token under language={analyser.language!r}, whose words are runs of a-z "
        f"and 0-9 (most letters here are {script.title()}): set {_ADVICE.get(script, _FALLBACK)}"
    )
