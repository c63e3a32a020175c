"""Which document sentences a summary consists of, and what is told about the rest."""

from __future__ import annotations

import random
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oraclesum.errors import InputError, LimitError
from oraclesum.evaluation import align_summary, alignment
from oraclesum.evaluation.alignment import _find_first_words, _fold, _normalise
from oraclesum.oracles.bounds import answer_within

SENTENCES = [
    "The ferry left the harbour at dawn with forty people on board.",
    "Nobody was hurt.",
    "A second boat was sent out to look for the missing crew.",
    "Officials said the search would go on until nightfall.",
    "Nobody was hurt.",
]


def test_indices_are_taken_as_they_are() -> None:
    found = align_summary([3, 0, 0], SENTENCES)
    assert found.indices == (0, 3)
    assert found.coverage == 1.0


@pytest.mark.parametrize("bad", [[5], [-1], [True]])
def test_an_index_outside_the_document_is_refused(bad: list[int]) -> None:
    reason = "must be a whole number" if bad == [True] else "not among the 5 sentences"
    with pytest.raises(InputError, match=reason):
        align_summary(bad, SENTENCES)


def test_case_punctuation_and_white_space_do_not_matter() -> None:
    text = ["officials SAID: the  search would go on until nightfall"]
    found = align_summary(text, SENTENCES)
    assert found.indices == (3,)
    assert not found.fuzzy
    assert not found.unaligned


def test_sentence_boundaries_need_not_agree() -> None:
    text = f"{SENTENCES[2]} {SENTENCES[0]}".replace("dawn with", "dawn. With")
    assert align_summary(text, SENTENCES).indices == (0, 2)
    cut = ["The ferry left the harbour at dawn with", "forty people on board."]
    assert align_summary(cut, SENTENCES).indices == (0,)


def test_a_nearly_equal_sentence_is_taken_from_the_threshold_on() -> None:
    text = ["Officials said the search will go on until nightfall."]
    found = align_summary(text, SENTENCES)
    assert found.indices == (3,)
    (match,) = found.fuzzy
    assert match.index == 3
    assert 0.8 <= match.similarity < 1
    strict = align_summary(text, SENTENCES, threshold=0.99)
    assert strict.indices == ()
    assert strict.unaligned == ("Officials said the search will go on until nightfall",)


def test_what_is_no_document_sentence_is_reported_and_not_guessed() -> None:
    found = align_summary([SENTENCES[0], "Prices rose sharply in spring."], SENTENCES)
    assert found.indices == (0,)
    assert found.unaligned == ("Prices rose sharply in spring",)
    assert found.coverage == pytest.approx(12 / 17)


def test_equal_document_sentences_are_told_and_taken_in_turn() -> None:
    once = align_summary(["Nobody was hurt."], SENTENCES)
    assert once.indices == (1,)
    assert once.repeated == ((1, 4),)
    twice = align_summary(["Nobody was hurt.", "Nobody was hurt."], SENTENCES)
    assert twice.indices == (1, 4)


def test_a_short_sentence_inside_another_is_not_found_there() -> None:
    text = ["Police said nobody was hurt in spite of the storm that night."]
    assert align_summary(text, SENTENCES).indices == ()


def test_a_mixture_of_indices_and_text_is_refused() -> None:
    with pytest.raises(InputError, match="mixture"):
        align_summary([0, "text"], SENTENCES)  # type: ignore[list-item]  # wrong on purpose


def test_a_threshold_beyond_one_is_refused() -> None:
    with pytest.raises(InputError, match="from 0 to 1"):
        align_summary("text", SENTENCES, threshold=80)


@pytest.mark.parametrize(
    ("summary", "sentences", "keywords", "said"),
    [
        ("A.", [None], {}, "sentences: entry 0 must be a str, not NoneType"),
        (None, SENTENCES, {}, "summary must be a str, or a list of str or of indices, not None"),
        ("A.", SENTENCES, {"threshold": "1"}, "from 0 to 1, not '1'"),
    ],
)
def test_what_is_no_summary_or_document_is_refused(
    summary: Any, sentences: Any, keywords: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        align_summary(summary, sentences, **keywords)


@given(st.sets(st.integers(0, 3), min_size=1))
def test_the_text_of_any_extract_is_found_again(chosen: set[int]) -> None:
    texts = [SENTENCES[i] for i in sorted(chosen)]
    assert set(align_summary(texts, SENTENCES).indices) == chosen
    assert set(align_summary(" ".join(texts), SENTENCES).indices) == chosen


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_words_of_plain_text_are_those_of_any_text(text: str) -> None:
    folded = tuple(unicodedata.normalize("NFKC", w).casefold() for w in re.findall(r"\w+", text))
    assert _normalise(text) == folded


def test_the_quick_way_for_whole_sentences_finds_what_the_long_way_finds() -> None:
    rng = random.Random(121)
    words = ["a", "b", "A", "c.", "d", "-", "é"]
    tried = 0
    for _ in range(3000):
        sentences = tuple(" ".join(rng.choices(words, k=rng.randint(0, 4))) for _ in range(6))
        units = rng.sample(sentences, rng.randint(0, 4))
        known = alignment._prepare(sentences)
        quick = alignment._align_whole(units, known)
        if quick is not None:
            tried += 1
            assert quick == alignment._align(units, known, 0.8)
    assert tried > 500


@given(
    st.lists(st.text(alphabet="aZ_9 .-\t\n\r\x1f\x85\u00df\u2019\ufb01", max_size=12), max_size=4)
)
def test_words_are_normalised_alike_with_and_without_the_quick_way(texts: list[str]) -> None:
    firsts = []
    for text in texts:
        plain = re.sub(r"[^\w\x00-\x7f]+", " ", text)
        words = [_fold(word) for word in re.findall(r"\w+", plain)]
        assert list(_normalise(text)) == words
        firsts.append(next(iter(words), ""))
    assert list(_find_first_words(texts)) == firsts


@pytest.mark.parametrize(("words", "is_compared"), [(1600, True), (1700, False)])
def test_texts_of_over_10000_characters_are_found_word_by_word_or_not_at_all(
    words: int, is_compared: bool
) -> None:
    long = [f"w{k:04d}" for k in range(words)]
    sentences = [SENTENCES[0], " ".join(long)]
    assert align_summary([" ".join(long).upper()], sentences).indices == (1,)
    changed = " ".join([*long[:-1], "other"])
    found = align_summary([changed], sentences)
    assert found.indices == ((1,) if is_compared else ())
    assert found.unaligned == (() if is_compared else (changed,))


def test_sentences_that_are_compared_some_at_a_time_are_found_as_all_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw = random.Random(1)
    sentences = [" ".join(draw.choices("abcdefgh", k=8)) for _ in range(200)]
    summary = [" ".join(draw.choices("abcdefgh", k=8)) for _ in range(50)]
    at_once = align_summary(summary, sentences, threshold=0.5)
    assert len(at_once.fuzzy) > 10
    monkeypatch.setattr(alignment, "_CHARACTERS_AT_ONCE", 100)
    alignment._prepare.cache_clear()
    assert align_summary(summary, sentences, threshold=0.5) == at_once
    assert len(alignment._prepare(tuple(sentences)).compared) > 10


def test_a_summary_that_is_looked_for_keeps_to_time_and_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    summary = ["The ferry left a harbour at dawn with forty people on board."]
    with answer_within(seconds=0.0):  # it takes milliseconds, and no record can do without
        assert align_summary(summary, SENTENCES).indices == (0,)
    with (
        answer_within(stop=lambda: True),
        pytest.raises(LimitError, match="document has no answer: it was stopped"),
    ):
        align_summary(summary, SENTENCES)
    monkeypatch.setattr(alignment, "TEXT_SECONDS", -1.0)
    with answer_within(seconds=0.0), pytest.raises(LimitError, match="the time limit was reached"):
        align_summary(summary, SENTENCES)


def test_time_ends_also_if_every_sentence_is_one_of_the_document() -> None:
    sentences = [f"The w{i} sat here." for i in range(50)]
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 20

    with answer_within(stop=stop), pytest.raises(LimitError, match="stopped"):
        align_summary(sentences, sentences)


def test_equal_sentences_are_taken_in_turn_and_told_of_once() -> None:
    document = ["A cat sat.", "It rained.", "A cat sat.", "A cat sat."]
    for summary in (["A cat sat."] * 2, ["a CAT sat."] * 2):
        found = align_summary(summary, document)
        assert (found.indices, found.repeated) == ((0, 2), ((0, 2, 3),))
    assert align_summary(["A cat sat."] * 5, document).indices == (0, 2, 3)


@pytest.mark.parametrize("broken", ["The dog\nbarks.", "The dog \u2019barks.", "\n", "", "..."])
def test_sentences_with_lines_of_their_own_are_told_apart(broken: str) -> None:
    sentences = ["The cat sat.", broken, "the CAT, sat", "It rained."]
    assert align_summary(["The cat sat.", "It rained."], sentences).repeated == ((0, 2),)
    found = align_summary([broken, "It rained."], sentences)
    assert found.indices == ((1, 3) if any(map(str.isalpha, broken)) else (3,))
