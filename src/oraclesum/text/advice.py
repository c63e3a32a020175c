"""Why a text has no tokens under given rules, and which setting would give it some."""

from __future__ import annotations

import unicodedata
from collections import Counter

from ..message import Message
from .analyser import Analyser

__all__ = ["explain_no_tokens"]

# First word of a letter's Unicode name, and what to set for a text of such letters.
_ADVICE = {
    "ARABIC": "{language='ar'} (or 'fa')",
    "ARMENIAN": "{language='hy'}",
    "CJK": "{language='zh'} (or 'ja') with {stem=False}",
    "CYRILLIC": "{language='ru'} (or 'sr', …)",
    "DEVANAGARI": "{language='hi'} (or 'ne')",
    "GREEK": "{language='el'}",
    "HANGUL": "{language='ko'} with {stem=False}",
    "HEBREW": "{language='he'} with {stem=False} (or 'yi')",
    "HIRAGANA": "{language='ja'} with {stem=False}",
    "KATAKANA": "{language='ja'} with {stem=False}",
    "TAMIL": "{language='ta'}",
    "KHMER": "{tokenizer=…}",
    "LAO": "{tokenizer=…}",
    "MYANMAR": "{tokenizer=…}",
    "THAI": "{tokenizer=…}",
}
_FALLBACK = "{language} for the language of the text, or {tokenizer=…}"


def explain_no_tokens(text: str, analyser: Analyser) -> Message:
    """The end of a sentence that begins with the text's name: "has no token because …: use …"."""
    if not text.strip():
        return Message("is empty")
    if analyser.tokenizer is not None:
        return Message("gives no token with the tokenizer: check what it returns for this text")
    if analyser.remove_stopwords and any(
        Analyser(language=analyser.language, stem=False).count_tokens([text])
    ):
        return Message("holds stop words only: use {remove_stopwords=False}")
    letters = Counter(
        unicodedata.name(character, "UNKNOWN").split()[0]
        for character in text[:10_000]
        if unicodedata.category(character)[0] in "LMN"
    )
    if not letters:
        return Message("holds no letter and no digit")
    script = letters.most_common(1)[0][0]
    return Message(
        "loses every token under {language} {code}, whose words are runs of a-z and 0-9 (most "
        "letters here are {script}): use {advice}",
        code=repr(analyser.language),
        script=script.title(),
        advice=Message(_ADVICE.get(script, _FALLBACK)),
    )
