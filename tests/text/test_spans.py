"""Tokens are found where they stand, in every built-in language."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oraclesum.text import Analyser, find_spans, to_utf16

LANGUAGES = ["en", "fr", "el", "tr", "ar", "hi", "ru", "ko", "zh", "ja"]
SAMPLES = [
    "Port Ellery's harbour re-opened; 62 boulders.",
    "L\u2019été dernier, à Évry : 3,5 millions d\u2019euros",
    "\u039f\u0394\u039f\u03a3.\u0391\u0392 \u039f\u0394\u039f\u03a3",
    "İstanbul'da ISPARTA",
    "हिन्दी में लिखा",
    "中文和カタカナ、が\u3099か\u3099 abc漢字",
    "co\u00adoperate zero\u200bwidth\u200djoin \u00ad \U0001f600 \U00020000a",
    "e\u0301te\u0301 \u1100\u1161\u11a8",
]

JOINING = (
    "aI\u03a3\u03c3\u03c2.'\u6f22\u30ab\u30ac\u304b\u3099\u309a\u0301\u00ad\u200b "
    "\U00020000\u1100\u1161\u0345"
)


def analyser_for(language: str, *, remove_stopwords: bool = False) -> Analyser:
    return Analyser(language=language, stem=False, remove_stopwords=remove_stopwords)


def check(text: str, analyser: Analyser) -> None:
    """As many spans as tokens, in order, apart; each gives its token if it can be cut out."""
    tokens = [str(token) for token in analyser.tokens(text)]
    spans = find_spans([text], analyser)[0]
    assert len(spans) == len(tokens)
    ends = [0]
    ordered = marks_are_in_order(text)
    for (start, end), token in zip(spans, tokens, strict=True):
        assert ends[-1] <= start < end <= len(text)
        ends.append(end)
        if ordered and can_be_cut(text, start) and can_be_cut(text, end):
            # Case mapping may look at neighbours (the final sigma), so it is compared folded.
            piece = analyser.tokens(text[start:end])
            assert [fold(str(found)) for found in piece] == [fold(token)]


def marks_are_in_order(text: str) -> bool:
    """Whether Unicode leaves the marks of the text where they are."""
    alone = (unicodedata.normalize("NFD", character) for character in text)
    return "".join(alone) == unicodedata.normalize("NFD", text)


def can_be_cut(text: str, place: int) -> bool:
    """Whether Unicode joins nothing across a place of the text."""
    parts = (unicodedata.normalize("NFC", part) for part in (text[:place], text[place:]))
    return "".join(parts) == unicodedata.normalize("NFC", text)


def fold(token: str) -> str:
    return unicodedata.normalize("NFC", token.casefold())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", SAMPLES)
def test_every_token_has_the_span_it_was_made_from(text: str, language: str) -> None:
    check(text, analyser_for(language))


@given(st.text(), st.sampled_from(LANGUAGES))
def test_spans_fit_the_tokens_of_any_text(text: str, language: str) -> None:
    check(text, analyser_for(language))


@given(
    st.text(alphabet=JOINING),
    st.sampled_from(LANGUAGES),
)
def test_spans_fit_where_characters_join(text: str, language: str) -> None:
    check(text, analyser_for(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_spans_fit_the_tokens_of_every_script_with_marks_of_any_kind(language: str) -> None:
    draw = random.Random(f"spans of {language}")
    analyser = analyser_for(language)
    marks = [chr(c) for c in range(0x110000) if unicodedata.combining(chr(c))]
    letters = [chr(c) for c in range(0x20, 0x30000) if unicodedata.category(chr(c))[0] in "LN"]
    composed = [c for c in letters if unicodedata.normalize("NFD", c) != c]
    pools = [marks, marks, letters, composed, list(JOINING), list(JOINING)]
    for _ in range(1500):
        text = "".join(draw.choice(draw.choice(pools)) for _ in range(draw.randrange(1, 12)))
        for form in (text, *(unicodedata.normalize(name, text) for name in ("NFC", "NFD"))):
            check(form, analyser)


@pytest.mark.parametrize("language", ["zh", "ja"])
@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("\u304c\u0301", ["\u304c", "\u0301"]),
        ("\u304b\u3099\u0301", ["\u304b\u3099", "\u0301"]),
        ("\u304b\u0301\u3099", ["\u304b", "\u0301\u3099"]),  # joined over the accent
        ("\u304b\u3099\u3099\u0301x", ["\u304b\u3099", "\u3099\u0301x"]),
        ("\u6f22\u0301\u5b57", ["\u6f22", "\u0301", "\u5b57"]),
        ("\uf900\u0301", ["\uf900", "\u0301"]),
    ],
)
def test_a_character_and_its_marks_are_found_apart(
    text: str, pieces: list[str], language: str
) -> None:
    analyser = analyser_for(language)
    spans = find_spans([text], analyser)[0]
    assert [text[start:end] for start, end in spans] == pieces
    assert len(analyser.tokens(text)) == len(pieces)


def test_no_letter_is_lost_if_marks_change_places() -> None:
    """The tone mark, a word of its own, comes before the other one in normal form."""
    text = "\u5b57\u0349\u302a\uac01\u0308"
    analyser = analyser_for("zh")
    assert len(analyser.tokens(text)) == 3
    spans = find_spans([text], analyser)[0]
    assert [text[start:end] for start, end in spans] == ["\u5b57", "\u0349", "\u302a\uac01\u0308"]


def test_stop_words_have_no_span() -> None:
    text = "The harbour and THE ferry"
    spans = find_spans([text], analyser_for("en", remove_stopwords=True))[0]
    assert [text[start:end] for start, end in spans] == ["harbour", "ferry"]


@given(st.text())
def test_utf_16_spans_cut_the_same_pieces(text: str) -> None:
    spans = find_spans([text], analyser_for("fr"))[0]
    units = text.encode("utf-16-le", "surrogatepass")
    for (start, end), (first, last) in zip(spans, to_utf16(text, spans), strict=True):
        piece = units[2 * first : 2 * last].decode("utf-16-le", "surrogatepass")
        assert piece == text[start:end]
