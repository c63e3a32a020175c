"""Markup is found and removed by name; what looks wrong about text is noticed."""

from __future__ import annotations

import pytest

from oraclesum import InputError, enumerate_corpus
from oraclesum.text import Analyser, Preparation, clean_text, find_markup, notice_text

GERMAN = "Die B\u00fcrger \u00e4rgern sich \u00fcber die M\u00fcllgeb\u00fchren in K\u00f6ln. " * 3


def _notice(
    *texts: str, analyser: Analyser | None = None, was_split: bool = False
) -> dict[str, str]:
    rules = analyser or Analyser()
    found = notice_text(texts, [], rules, was_split=was_split, was_cleaned=False)
    return {kind: str(message) for kind, message in found}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (GERMAN, "'de'"),
        ("Cet \u00e9t\u00e9, les \u00e9l\u00e8ves ont \u00e9t\u00e9 re\u00e7us.", "'fr'"),
        ("El ni\u00f1o so\u00f1\u00f3 con su a\u00f1o en Espa\u00f1a.", "'es'"),
        ("\u0130\u015f\u00e7i ya\u011fmurda \u015fark\u0131 s\u00f6yledi.", "'tr'"),
        ("2015 \u5e74 5 \u6708\uff0c\u4f1a\u8bae\u5728\u4e0a\u6d77 2015 2016", "'zh'"),
        ("\u0e01\u0e23\u0e38\u0e07\u0e40\u0e17\u0e1e\u0e2f 2015", "'th'"),
    ],
)
def test_text_that_english_rules_mangle_is_noticed(text: str, code: str) -> None:
    said = _notice(text)["language"]
    assert f"language={code}" in said or f"perhaps {code}" in said


def test_english_with_a_few_foreign_names_is_not_suspected() -> None:
    plain = "The harbour opened again after the storm had passed on Monday. " * 10
    assert _notice(plain + "Beyonc\u00e9 and Zo\u00eb sang in S\u00e3o Paulo.") == {}
    assert _notice(GERMAN, analyser=Analyser(language="de")) == {}


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("<t> the club won . </t>", "the club won ."),
        ("he said -LRB- twice -RRB- it </s>", "he said ( twice ) it"),
        ("AT&amp;T paid &#163;5<br />now", "AT&T paid \u00a35 now"),
    ],
)
def test_markup_is_found_and_removed(text: str, cleaned: str) -> None:
    assert find_markup([text]) is not None
    assert "clean='markup'" in _notice(text)["markup"]
    assert clean_text(text) == cleaned
    assert find_markup([cleaned]) is None


@pytest.mark.parametrize("text", ["a < b and c > d", "x<y>z R&D; Q&A", "[the] -- verb-", "AT&T  x"])
def test_what_is_no_markup_stays(text: str) -> None:
    assert find_markup([text]) is None
    assert clean_text(text) == text


def test_sentences_that_are_too_long_to_be_any_are_noticed() -> None:
    long = "word " * 151
    assert "sentence 1 has 151 words" in _notice("A b.", long, was_split=True)["sentences"]
    assert "taken for one sentence" in _notice("word " * 61, was_split=True)["sentences"]
    assert _notice("A b.", long) == {}  # given as it is
    assert _notice("word " * 60, was_split=True) == {}


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(InputError, match="clean must be one of 'markup'"):
        Preparation(clean="everything")
    with pytest.raises(InputError, match="split must be one of"):
        Preparation(split="punkt")


def test_a_corpus_is_cleaned_and_split_as_asked() -> None:
    row = {"id": "a", "text": "<t> A cat sat. It rained\nNo dog </t>", "references": ["a cat </s>"]}
    rows = enumerate_corpus([row], max_words=9, rouge="r1-recall", split="newline", clean="markup")
    (record,) = rows
    assert record["sentences"] == ["A cat sat. It rained", "No dog"]
    assert record["total"] == 2
    assert "|clean:markup-1|split:newline" in record["signature"]
    given = {"id": "b", "sentences": ["<t> a cat", "</t>"], "references": ["a cat"]}
    (record,) = enumerate_corpus([given], max_words=9, rouge="r1-recall", clean="markup")
    assert record["signature"].endswith("|clean:markup-1")
    assert len(record["inclusion"]) == 2


def test_a_corpus_says_what_looks_wrong_once() -> None:
    row = {"sentences": ["<t> a cat sat </t>", "it rained"], "references": ["a cat"]}
    rows = [row | {"id": str(k)} for k in range(5)]
    with pytest.warns(UserWarning, match="clean='markup'") as caught:
        records = list(enumerate_corpus(rows, max_words=9))
    assert len(records) == 5
    assert len(caught) == 1
