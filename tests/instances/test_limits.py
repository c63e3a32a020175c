"""Lengths of sentences, and the limits on them."""

from __future__ import annotations

import shutil

import pytest

from children import run_child
from oraclesum.errors import InputError
from oraclesum.evaluation.summary import cut_summary
from oraclesum.instances import Limits, count_words, split_words

SENTENCES = {
    "": 0,
    " \t\n": 0,
    "one": 1,
    "one two": 2,
    " one two": 3,
    "\tone": 2,
    "one two \n": 2,
    "\none \r two\f": 3,
    "one\vtwo": 2,
    "one\u00a0two": 1,
    "well-known -- ,": 3,
}


@pytest.mark.parametrize(("sentence", "count"), SENTENCES.items())
def test_words_are_what_perl_splits_at_white_space(sentence: str, count: int) -> None:
    assert count_words(sentence) == count
    assert len(split_words(sentence)) == count


@pytest.mark.skipif(shutil.which("perl") is None, reason="there is no perl")
@pytest.mark.parametrize("sentence", SENTENCES)
def test_perl_itself_counts_the_same_words(sentence: str) -> None:
    program = "local $/; $_ = <STDIN> // ''; my @w = split(/\\s+/, $_); print @w+0"
    done = run_child(["perl", "-e", program], data=sentence.encode())
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == count_words(sentence)


def test_a_summary_is_cut_after_the_words_that_the_limit_counts() -> None:
    assert cut_summary([" one two", "three"], Limits(max_words=2)) == [" one"]
    assert cut_summary(["one\u00a0two three four"], Limits(max_words=2)) == ["one\u00a0two three"]


@pytest.mark.parametrize("value", [True, 1.0, "3", 2.5])
def test_a_limit_is_a_whole_number(value: object) -> None:
    with pytest.raises(InputError, match="max_words must be a whole number"):
        Limits(max_words=value)  # type: ignore[arg-type]


def test_limits_in_words_know_one_from_many() -> None:
    assert Limits(max_sentences=1).put_into_words() == ["at most 1 sentence"]
    both = Limits(max_words=1_000, max_sentences=3, min_words=1)
    assert both.put_into_words() == ["at most 1,000 words and 3 sentences", "at least 1 word"]
