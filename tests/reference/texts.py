"""Texts to test with: hand-made hard ones, a seeded generator, and hypothesis strategies."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from .rouge155 import EXCEPTIONS, STOP_WORDS

__all__ = ["HARD_TEXTS", "draw_text", "draw_words", "texts"]

HARD_TEXTS = [
    "",
    " ",
    "--",
    "-",
    "state-of-the-art - well -- known; half-\u00adhearted",
    "doesn't can't O'Neill's rock'n'roll 'tis \u2018quoted\u2019 don\u2019t",
    "U.S. e.g. i.e. Mr. Smith, etc. a.m.",
    "1,000 3.14 1990s 747s 50% $5 5th 2nd 1/2 10-20 007",
    "caf\u00e9 na\u00efve r\u00e9sum\u00e9 co\u00f6perate \u00c9COLE",
    "\u212aelvin \u0130stanbul \u017ftrange \uff11\uff12\uff13 \u00bd \u00b2 \ufb01sh",
    "\u0393\u03b5\u03b9\u03b1 \u03c3\u03bf\u03c5 \u4f60\u597d \u043c\u0438\u0440",
    "a\u00a0b\u200bc\u2014d\u2013e\u2026f",
    "the the the cat cat cat sat sat",
    "a a a a a a a a",
    "the of and to in",
    "went ran men ate is better best carried carries carrying customer customers offer offers",
    "sediment statement argument element parliament experimental governmental professional",
    "wells well doing first last name news reuters",
    '<a name="1">[1]</a> &amp; &lt;b&gt; <p>text</p>',
    "under_score snake_case __init__ C++ C# x=y",
    "UPPER lower MiXeD",
    "tab\tseparated\rreturn\x0bvertical\x0cform\x00nul",
    "_cn_ _CN_ cn",
    "y yy yyy yyyy yes syzygy toy toys yellow",
    "x" * 300,
]
_SUFFIXES = (
    "s", "sses", "ies", "ed", "eed", "ing", "at", "bl", "iz", "y", "ational", "tional", "enci",
    "anci", "izer", "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism",
    "iveness", "fulness", "ousness", "aliti", "iviti", "biliti", "logi", "icate", "ative", "alize",
    "iciti", "ical", "ful", "ness", "al", "ance", "ence", "er", "ic", "able", "ible", "ant",
    "ement", "ment", "ent", "ou", "ism", "ate", "iti", "ous", "ive", "ize", "ion", "sion", "tion",
    "e", "ll",
)  # fmt: skip
_COMMON = (
    "cat", "dog", "sat", "mat", "house", "houses", "run", "running", "runs", "happy", "happier",
    "city", "cities", "state", "report",
)  # fmt: skip
_GLUE = [" ", " ", " ", " ", "-", "'", ". ", ", ", " -- ", "\u2014", "\u00e9", "/", "_"]
_EXCEPTIONS = sorted(EXCEPTIONS)
_STOP_WORDS = sorted(STOP_WORDS)


def draw_words(count: int, seed: int) -> list[str]:
    """Words that reach every step of the stemmer: random letters and digits, many suffixes."""
    rng = random.Random(seed)
    words = []
    while len(words) < count:
        letters = "".join(rng.choices("aeiouybcdlstzwx1", k=rng.randint(1, 6)))
        word = letters + "".join(rng.choices(_SUFFIXES, k=rng.randint(0, 3)))
        if len(word) > 3:
            words.append(word)
    return words


def draw_text(rng: random.Random, words: int) -> str:
    """A text of repeated, irregular, stop and made-up words with all kinds of marks between."""
    pieces = []
    for _ in range(words):
        kind = rng.random()
        if kind < 0.5:
            word = rng.choice(_COMMON)
        elif kind < 0.7:
            word = rng.choice(_STOP_WORDS)
        elif kind < 0.8:
            word = rng.choice(_EXCEPTIONS)
        elif kind < 0.9:
            word = str(rng.randint(0, 2020))
        else:
            word = rng.choice(_COMMON) + rng.choice(_SUFFIXES)
        pieces.append(rng.choice([word, word, word.upper(), word.title()]))
        pieces.append(rng.choice(_GLUE))
    return "".join(pieces)


def texts() -> st.SearchStrategy[str]:
    """Any text, and text of words with few letters, so that n-grams repeat."""
    word = st.one_of(
        st.sampled_from(_COMMON),
        st.sampled_from(_STOP_WORDS),
        st.sampled_from(_EXCEPTIONS),
        st.text("aeyst1", min_size=1, max_size=8),
    )
    glued = st.lists(st.tuples(word, st.sampled_from(_GLUE)), max_size=12)
    return st.one_of(
        st.text(max_size=30), glued.map(lambda pairs: "".join(w + g for w, g in pairs))
    )
