"""Splitting: real news text, quotation marks that are never closed, and splitters of one's own."""

from __future__ import annotations

import json
import re
import textwrap
import threading

import pytest

from oraclesum import InputError, split_sentences
from oraclesum.text import splitter_setting
from shared import shared

NEWS = (
    'The coach was blunt. "We lost because we stopped running. Nobody can accept that. '
    "He then left the room. Reporters waited for an hour. The club gave no statement."
)


def _count_boundaries(found: list[str], given: list[str]) -> tuple[int, int, int]:
    """How many boundaries inside a text are found and right, given, and found."""
    ends = [
        {len(re.sub(r"\s", "", "".join(s[:i]))) for i in range(1, len(s))} for s in (found, given)
    ]
    return len(ends[0] & ends[1]), len(ends[1]), len(ends[0])


def test_an_unclosed_quotation_mark_does_not_swallow_an_article() -> None:
    assert len(split_sentences(NEWS)) == 6
    assert len(split_sentences(NEWS, split="sentencex")) == 6
    german = "\u201eNiemand hat uns gewarnt, sagte er. Das Wasser kam nachts. Niemand schlief."
    assert len(split_sentences(german, "de")) == 3


def test_news_articles_are_split_as_their_editors_did() -> None:
    right = given = found = 0
    for line in shared("data", "summeval.jsonl").read_text().splitlines():
        record = json.loads(line)
        counts = _count_boundaries(
            split_sentences(" ".join(record["sentences"])), record["sentences"]
        )
        right, given, found = right + counts[0], given + counts[1], found + counts[2]
    assert right / given > 0.97
    assert right / found > 0.97


@pytest.mark.parametrize("language", ["en", "de", "zh"])
@pytest.mark.parametrize(
    "unit", ['"', ".", "a", "\n", "!?", ".)", "\u201c'", '." ', "\f.", "\u3002\u201d"]
)
def test_splitting_loses_no_character_and_ends_whatever_the_text(language: str, unit: str) -> None:
    text = unit * (50_000 // len(unit))
    pieces = split_sentences(text, language)
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_long_texts_are_split_as_short_ones() -> None:
    one = 'Mr. Hale said: "It failed." The U.S. agency (in D.C.) agrees. It was \u2018odd\u2019. '
    assert split_sentences(one * 500) == split_sentences(one) * 500
    french = "M. Hale a dit\u00a0: \u00ab\u00a0Non.\u00a0\u00bb Il est parti (enfin). "
    assert split_sentences(french * 500, "fr") == split_sentences(french, "fr") * 500


def test_a_sentence_longer_than_a_window_stays_whole() -> None:
    endless = "word " * 5000 + "end."
    assert split_sentences(f"It began. {endless} It ended.") == ["It began.", endless, "It ended."]


def test_lines_end_sentences_unless_they_were_wrapped() -> None:
    wrapped = "The committee met on\nTuesday and heard from Dr.\nBrown. It found no\nfault."
    assert split_sentences(wrapped) == [
        "The committee met on\nTuesday and heard from Dr.\nBrown.",
        "It found no\nfault.",
    ]
    article = "The bridge over the river was closed on Monday after engineers found cracks. " * 2
    assert split_sentences(f"Bridge closed\n{article}")[0] == "Bridge closed"
    assert split_sentences("We must:\n- sell players\n- pay debts") == [
        "We must:",
        "- sell players",
        "- pay debts",
    ]
    assert len(split_sentences("Prices rose.\nMarkets\nOil fell.\nGold rose.\nIt rained.")) == 5


def test_ordinary_words_that_are_also_abbreviations_end_sentences() -> None:
    assert split_sentences("The cat sat. Dogs bark.") == ["The cat sat.", "Dogs bark."]
    assert split_sentences("It took a week. Hale left.") == ["It took a week.", "Hale left."]
    assert len(split_sentences("Smith et al. Report on Hale vs. Hale on Sat. Jan. 5.")) == 1


def test_text_in_small_letters_is_split() -> None:
    assert len(split_sentences("he left . she stayed . it rained .")) == 3
    assert len(split_sentences("il part. elle reste. il pleut. on attend.", "fr")) == 4


def test_splitters_are_chosen_by_name_or_given() -> None:
    text = "It rained. Really.\nNo more."
    assert split_sentences(text, split="none") == [text]
    assert split_sentences(text, split="newline") == ["It rained. Really.", "No more."]
    assert split_sentences(text, split=lambda text: text.split(".")) == [
        "It rained",
        "Really",
        "No more",
    ]


def test_the_signature_names_the_splitter_and_its_version() -> None:
    assert splitter_setting("en", "newline") == ("split", "newline")
    assert re.match(r"nupunkt-\d", splitter_setting("fr", "nupunkt")[1])
    assert re.match(r"rapidfuzz\..*default_process-\d", _sign_installed())
    assert splitter_setting("en", textwrap.wrap) == ("split", "textwrap.wrap")


def _sign_installed() -> str:
    from rapidfuzz.utils_py import default_process

    return splitter_setting("en", default_process)[1]  # type: ignore[arg-type]  # only named


@pytest.mark.parametrize(
    ("split", "reason"),
    [
        ("punkt", "must be one of auto, nupunkt"),
        (5, "must be one of"),
        (lambda text: text, "gave a str"),
        (lambda text: None, "list of sentences"),
        (lambda text: [1], "as str"),
    ],
)
def test_what_is_no_splitter_is_refused(split: object, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        split_sentences("A b.", split=split)  # type: ignore[arg-type]


def test_threads_split_alike() -> None:
    results: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: results.append(split_sentences(NEWS * 50)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [split_sentences(NEWS * 50)] * 4
