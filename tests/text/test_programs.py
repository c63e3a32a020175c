"""Tokens under the rules of other programs are those that the programs make."""

from __future__ import annotations

import gzip
import random
import re
from itertools import islice

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score.tokenize import tokenize

from oraclesum.errors import InputError
from oraclesum.text import Analyser
from shared import shared

STEMMER = PorterStemmer()
SUFFIXES = [
    "s",
    "es",
    "ies",
    "sses",
    "ss",
    "ed",
    "ied",
    "eed",
    "ing",
    "y",
    "ational",
    "tional",
    "enci",
    "anci",
    "izer",
    "bli",
    "alli",
    "ally",
    "entli",
    "eli",
    "ousli",
    "ization",
    "ation",
    "ator",
    "alism",
    "iveness",
    "fulness",
    "ousness",
    "aliti",
    "iviti",
    "biliti",
    "fulli",
    "fully",
    "logi",
    "logy",
    "icate",
    "ative",
    "alize",
    "iciti",
    "ical",
    "ful",
    "ness",
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ment",
    "ent",
    "ion",
    "sion",
    "tion",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "e",
    "ll",
]
PIECES = [
    "b",
    "c",
    "d",
    "f",
    "g",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "t",
    "v",
    "w",
    "x",
    "y",
    "z",
    "a",
    "e",
    "i",
    "o",
    "u",
    "ee",
    "oo",
    "sh",
    "th",
    "ay",
    "oy",
    "sp",
    "fl",
    "tr",
    "ly",
]
ODD_WORDS = "sky skies dying lying tying news innings outing cannings howe proceed exceed succeed"


def clean_presumm(text: str) -> list[str]:
    """PreSumm's rule: words of a lower-cased text, joined, cleaned, cut again."""
    return re.sub(r"[^a-zA-Z0-9 ]", "", " ".join(text.lower().split())).split()


def make_words(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    words = ODD_WORDS.split()
    for _ in range(count):
        stem = "".join(rng.choices(PIECES, k=rng.randint(1, 4)))
        words.append(stem + "".join(rng.choices(SUFFIXES, k=rng.randint(0, 2))))
    return words


def test_stems_of_rouge_score_are_those_of_nltk() -> None:
    words = make_words(60_000, seed=81)
    analyser = Analyser(tokenizer="rouge-score")
    wanted = [STEMMER.stem(word) if len(word) > 3 else word for word in words]
    assert [one for (one,) in analyser.tokens_of(words)] == wanted


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("aZ0 -.'\u212a\u0130\u00a0"))))
def test_tokens_of_rouge_score_are_its_own(text: str) -> None:
    for stem in (False, True):
        analyser = Analyser(tokenizer="rouge-score", stem=stem)
        assert analyser.tokens(text) == tokenize(text, STEMMER if stem else None)


@given(
    st.text(alphabet=st.one_of(st.characters(), st.sampled_from("aZ0 -.'\u212a\u0130\u00a0\x1c")))
)
def test_tokens_of_presumm_are_its_own(text: str) -> None:
    assert Analyser(tokenizer="presumm", stem=False).tokens(text) == clean_presumm(text)


def test_all_white_space_parts_words_of_presumm() -> None:
    spaces = [chr(c) for c in range(0x110000) if chr(c).isspace()]
    others = [chr(c) for c in range(0x3100) if not chr(c).isspace() and not 0xD800 <= c < 0xE000]
    analyser = Analyser(tokenizer="presumm", stem=False)
    for character in [*spaces, *others]:
        text = f"a{character}b"
        assert analyser.tokens(text) == clean_presumm(text)


def test_tokens_of_real_news_are_those_of_the_programs() -> None:
    scored = Analyser(tokenizer="rouge-score")
    cleaned = Analyser(tokenizer="presumm", stem=False)
    with gzip.open(shared("data", "cnndm_news_3000.jsonl.gz")) as file:
        records = [orjson.loads(line) for line in islice(file, 200)]
    for record in records:
        for sentence in record["sentences"]:
            assert scored.tokens(sentence) == tokenize(sentence, STEMMER)
            assert cleaned.tokens(sentence) == clean_presumm(sentence)


def test_other_rules_by_name() -> None:
    assert Analyser(tokenizer="memsum").tokens("The_cats, naïve Runners ran!") == [
        "the_cat",
        "naïv",
        "runner",
        "ran",
    ]
    assert Analyser(tokenizer="whitespace", stem=False).tokens("A cat 's Mat .") == [
        "a",
        "cat",
        "'s",
        "mat",
        ".",
    ]
    assert Analyser(tokenizer="rouge-1.5.5").tokens("Dogs bark") == Analyser().tokens("Dogs bark")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tokenizer": "rouge_score"}, "did you mean 'rouge-score'"),
        ({"tokenizer": "presumm"}, "presumm has no stems: use stem=False"),
        ({"tokenizer": "rouge-score", "language": "fr"}, "for English, not french"),
        ({"tokenizer": "memsum", "remove_stopwords": True}, "memsum has no stop list"),
    ],
)
def test_rules_that_do_not_go_together_are_refused(
    settings: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Analyser(**settings)  # type: ignore[arg-type]  # wrong on purpose
