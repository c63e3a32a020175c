"""Text becomes the right integers: gains, rows, totals, limits and signature."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oraclesum import enumerate_instance, enumerate_oracles
from oraclesum.errors import InputError, NoTokensWarning
from oraclesum.instances import Instance, Limits
from oraclesum.instances.build import build_instance
from oraclesum.rouge import Rouge, score
from reference import rouge155
from reference.texts import texts

LIMITS = Limits(max_words=100)
GREEK = "\u0393\u03b5\u03b9\u03b1 \u03c3\u03bf\u03c5 \u03ba\u03cc\u03c3\u03bc\u03b5"


def build(sentences: list[str], references: list[list[str]], rouge: Rouge) -> Instance:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoTokensWarning)
        return build_instance(sentences, references, rouge, LIMITS)


@given(
    st.lists(texts(), max_size=5),
    st.lists(st.lists(texts(), max_size=3), min_size=1, max_size=4),
    st.integers(1, 9),
    st.booleans(),
    st.booleans(),
)
def test_gains_and_rows_equal_the_restatement(
    sentences: list[str], references: list[list[str]], n: int, stem: bool, remove_stopwords: bool
) -> None:
    rules = {"stem": stem, "remove_stopwords": remove_stopwords}
    folded = rouge155.fold(references, n, **rules)
    assume(folded)
    instance = build(sentences, references, Rouge(n=n, **rules))  # type: ignore[arg-type]
    assert sorted(instance.gains) == sorted(folded.values())
    assert instance.total == sum(sum(gains) for gains in folded.values())
    for sentence, row in zip(sentences, instance.counts, strict=True):
        held = rouge155.count_ngrams([rouge155.analyse(sentence, **rules)], n)
        expected = Counter(
            (tuple(folded[gram]), count) for gram, count in held.items() if gram in folded
        )
        assert Counter((tuple(instance.gains[g]), count) for g, count in row) == expected


@given(
    st.lists(texts(), min_size=1, max_size=5),
    st.lists(st.lists(texts(), max_size=3), min_size=1, max_size=4),
    st.integers(1, 4),
    st.sampled_from([None, "fr", "split"]),
    st.data(),
)
def test_hits_of_any_set_equal_the_score_of_its_sentences(
    sentences: list[str],
    references: list[list[str]],
    n: int,
    rules: str | None,
    data: st.DataObject,
) -> None:
    if rules == "split":
        rouge = Rouge(n=n, tokenizer=str.split)
    else:
        rouge = Rouge(n=n, language=rules or "en")
    chosen = data.draw(st.sets(st.sampled_from(range(len(sentences)))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoTokensWarning)
        found = score(
            [sentences[i] for i in sorted(chosen)], references, rouge, across_sentences=False
        )
    assume(found.reference_total)
    instance = build(sentences, references, rouge)
    assert instance.hits(chosen) == found.hits
    assert instance.total == found.reference_total


def test_a_reference_may_be_one_text_or_its_sentences() -> None:
    joined = build_instance(["a b c"], ["a b. c d"], Rouge(), LIMITS)
    split = build_instance(["a b c"], [["a b.", "c d"]], Rouge(), LIMITS)
    assert (joined.gains, joined.counts) == (split.gains, split.counts)
    assert joined.total == 3


def test_every_sentence_keeps_its_index() -> None:
    instance = build_instance(["x", "a b", "", "a b"], ["a b"], Rouge(), LIMITS)
    assert instance.n_sentences == 4
    assert instance.candidates == (1, 3)
    assert instance.lengths == (1, 2, 0, 2)


def test_limits_and_signature_are_carried() -> None:
    limits = Limits(max_words=100, max_sentences=3, max_bytes=5)
    instance = build_instance(["a b", "c"], ["a b"], Rouge(n=1), limits, id="t")
    assert instance.id == "t"
    assert [(row.unit, row.lengths) for row in instance.limits] == [
        ("words", (2, 1)),
        ("sentences", (1, 1)),
        ("bytes", (3, 1)),
    ]
    assert instance.signature == (
        Rouge(n=1).signature
        + "|ngrams:reference-across,summary-within|limit:words<=100,sentences<=3,bytes<=5"
    )


def test_a_document_without_sentences_gives_an_instance_without_candidates() -> None:
    instance = build_instance([], ["a b"], Rouge(), LIMITS)
    assert instance.n_sentences == 0
    assert instance.total == 1


@pytest.mark.parametrize(
    ("references", "rouge", "message"),
    [
        ([GREEK], Rouge(), "the reference loses every token.*use language='el'"),
        ([GREEK, ""], Rouge(), "each of the 2 references loses.*use language='el'"),
        ([""], Rouge(), "the reference is empty"),
        ([[]], Rouge(), "the reference is empty"),
        (["one two"], Rouge(n=3), "no 3-gram: the longest has 2 words; set n to 2 or less"),
        (["the of"], Rouge(remove_stopwords=True), "stop words only: use remove_stopwords=False"),
        ([], Rouge(), "at least one reference"),
        ("text", Rouge(), "references must be a list"),
    ],
)
def test_references_without_an_ngram_are_refused_with_what_to_set(
    references: list[str], rouge: Rouge, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        build_instance(["a b"], references, rouge, LIMITS)


def test_a_document_without_a_token_is_reported() -> None:
    with pytest.warns(NoTokensWarning, match="the document loses every token.*language='el'"):
        build_instance([GREEK], ["a b"], Rouge(), LIMITS)


@pytest.mark.parametrize(
    ("sentences", "message"),
    [("a b", "sentences must be a list of str"), (["a", None], "entry 1 must be a str")],
)
def test_sentences_must_be_a_list_of_str(sentences: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        build_instance(sentences, ["a b"], Rouge(), LIMITS)


def test_very_long_sentences_are_no_trouble() -> None:
    text = "word " * 200_000 + "y" * 1_000_000
    instance = build_instance([text], [text], Rouge(n=2), Limits(max_sentences=1))
    assert instance.hits([0]) == instance.total == 200_000


def test_sentence_objects_may_be_shared_and_repeated() -> None:
    sentence = "a b"
    instance = build_instance([sentence] * 3, [[sentence, sentence]], Rouge(n=1), LIMITS)
    assert instance.gains == [[1, 1], [1, 1]]
    assert instance.hits([0, 1, 2]) == instance.total == 4


@pytest.mark.parametrize(
    ("settings", "limits", "name"),
    [
        ({"objective": "r1-f1+r2-f1"}, {}, "objective 'r1-f1\\+r2-f1'"),
        ({"objective": "rl-recall"}, {}, "objective 'rl-recall'"),
        ({"n": 1, "counting": "sets"}, {}, "counting 'sets'"),
        ({"n": 2, "boundaries": "across"}, {}, "boundaries 'across'"),
        ({"n": 2, "reference_boundaries": "within"}, {}, "reference_boundaries 'within'"),
        ({"n": 1, "multi_reference": "best"}, {}, "multi_reference 'best'"),
        ({"n": 1}, {"min_words": 2}, "min_words"),
        ({"n": 1}, {"min_sentences": 2}, "min_sentences"),
        ({"n": 1}, {"required": [0]}, "required"),
        ({"n": 1}, {"forbidden": [0]}, "forbidden"),
    ],
)
def test_settings_that_an_instance_does_not_have_are_refused(
    settings: dict[str, Any], limits: dict[str, Any], name: str
) -> None:
    with pytest.raises(InputError, match=f"no {name}.*: use enumerate_oracles"):
        build_instance(["a b", "c"], ["a b"], Rouge(**settings), Limits(max_words=9, **limits))


def test_an_instance_has_an_upper_limit_which_may_be_of_costs() -> None:
    with pytest.raises(InputError, match="needs an upper limit"):
        build_instance(["a b"], ["a b"], Rouge(n=1), Limits(needed=False))
    texts, references = ["a cat", "sat", "a dog"], ["a cat sat on a dog"]
    costs = Limits(max_cost=5, costs=[3, 1, 2])
    found = enumerate_instance(build_instance(texts, references, Rouge(n=1), costs))
    expected = enumerate_oracles(texts, references, rouge=Rouge(n=1), max_cost=5, costs=costs.costs)
    assert (found.value, list(found)) == (expected.value, list(expected))
    assert list(found) == [(0, 2)]
