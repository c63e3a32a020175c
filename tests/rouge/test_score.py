"""score(): counts, aggregation, sentence boundaries, warnings and refusals."""

from __future__ import annotations

import pickle
import re
import warnings
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oraclesum import enumerate_oracles
from oraclesum.errors import InputError, NoTokensWarning
from oraclesum.rouge import Rouge, RougeScore, score
from reference import rouge155
from reference.texts import texts

TEXT_LISTS = st.lists(texts(), max_size=3)


def quiet_score(*args: object, **keywords: object) -> RougeScore:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoTokensWarning)
        return score(*args, **keywords)  # type: ignore[arg-type]


def counts(found: RougeScore) -> tuple[int, int, int]:
    return found.hits, found.reference_total, found.summary_total


@given(
    TEXT_LISTS,
    st.lists(TEXT_LISTS, min_size=1, max_size=4),
    st.integers(1, 9),
    st.tuples(*[st.booleans()] * 5),
)
def test_counts_equal_the_restatement(
    summary: list[str], references: list[list[str]], n: int, flags: tuple[bool, ...]
) -> None:
    stem, remove_stopwords, best, summary_across, references_across = flags
    found = quiet_score(
        summary,
        references,
        Rouge(n=n, stem=stem, remove_stopwords=remove_stopwords),
        aggregate="best" if best else "average",
        across_sentences=summary_across,
        references_across_sentences=references_across,
    )
    assert counts(found) == rouge155.score(
        summary,
        references,
        n,
        best=best,
        summary_across=summary_across,
        references_across=references_across,
        stem=stem,
        remove_stopwords=remove_stopwords,
    )


@given(TEXT_LISTS, st.lists(TEXT_LISTS, min_size=1, max_size=3), st.integers(1, 9), st.booleans())
def test_a_tokenizer_with_the_same_tokens_gives_the_same_counts(
    summary: list[str], references: list[list[str]], n: int, across: bool
) -> None:
    def tokenise(text: str) -> list[str]:
        return rouge155.analyse(text, stem=True, remove_stopwords=False)

    boundaries = {"across_sentences": across, "references_across_sentences": across}
    native = quiet_score(summary, references, Rouge(n=n), **boundaries)
    called = quiet_score(summary, references, Rouge(n=n, tokenizer=tokenise), **boundaries)
    assert counts(native) == counts(called)


def test_averaging_adds_the_references_up() -> None:
    found = score(["a b c"], ["a b", "a b c d e"], Rouge(n=1))
    assert counts(found) == (5, 7, 6)
    assert (found.recall, found.precision) == (5 / 7, 5 / 6)
    assert found.f1 == pytest.approx(2 * 5 / 13)


def test_best_takes_the_first_reference_of_highest_recall() -> None:
    found = score(
        ["a b c"], ["a b x y", "b c p q r s t u", "a z", "b c d q"], Rouge(n=1), aggregate="best"
    )
    assert counts(found) == (2, 4, 3)


def test_best_compares_recall_as_printed() -> None:
    # 1/300001 and 1/300000 print alike, so that the first one wins
    first, second = ["a " + "x " * 300_000], ["a " + "x " * 299_999]
    assert score(["a"], [first, second], Rouge(n=1), aggregate="best").reference_total == 300_001


def test_f_as_printed_comes_from_rounded_recall_and_precision() -> None:
    found = RougeScore(hits=1, reference_total=3, summary_total=7)
    assert found.as_printed() == ("0.33333", "0.14286", "0.20000")
    differing = [
        (h, r, p)
        for h in range(1, 12)
        for r in range(h, 60)
        for p in range(h, 60)
        if (one := RougeScore(hits=h, reference_total=r, summary_total=p)).as_printed().f1
        != f"{one.f1:.5f}"
    ]
    assert differing


def test_a_summary_may_be_one_str() -> None:
    assert counts(score("a b. c", ["a b c"])) == counts(score(["a b. c"], ["a b c"]))


def test_ngrams_run_across_sentences_unless_told_otherwise() -> None:
    summary, references = ["a b", "c d"], [["b", "c d"]]
    assert counts(score(summary, references)) == (2, 2, 3)
    assert counts(score(summary, references, across_sentences=False)) == (1, 2, 2)
    assert counts(score(summary, references, references_across_sentences=False)) == (1, 1, 3)


@pytest.mark.parametrize(
    ("summary", "references", "messages"),
    [
        (["\u0393\u03b5\u03b9\u03b1"], ["a cat"], ["the summary loses every token.*language='el'"]),
        (["a cat"], ["\u041c\u0438\u0440", "a cat"], ["reference 0 loses.*language='ru'"]),
        ([], ["a cat"], ["the summary is empty"]),
        (["..."], [""], ["the summary holds no letter", "reference 0 is empty"]),
    ],
)
def test_text_without_a_token_scores_0_with_a_warning(
    summary: list[str], references: list[str], messages: list[str]
) -> None:
    with pytest.warns(NoTokensWarning) as caught:
        found = score(summary, references, Rouge(n=1))
    assert found.hits == 0 or len(references) > 1
    assert len(caught) == len(messages)
    for warning, message in zip(caught, messages, strict=True):
        assert re.search(message, str(warning.message))
        assert warning.filename == __file__


def test_short_text_scores_0_without_a_warning() -> None:
    assert counts(score(["one two"], ["one two"], Rouge(n=3))) == (0, 0, 0)


@pytest.mark.parametrize(
    ("summary", "references", "message"),
    [
        (["a"], "a cat", "references must be a list"),
        (["a"], [], "at least one reference"),
        (["a"], [5], "reference 0 must be a list of str"),
        (["a"], ["b", ["c", None]], "reference 1: entry 1 must be a str"),
        (5, ["a"], "summary must be a list of str"),
        (b"a", ["a"], "summary must be a list of str"),
        (["a", 5], ["a"], "summary: entry 1 must be a str"),
        ({"a"}, ["a"], "summary must be a list of str"),
    ],
)
def test_what_is_no_text_is_refused(summary: object, references: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        score(summary, references)  # type: ignore[arg-type]


def test_an_unknown_aggregate_is_refused() -> None:
    with pytest.raises(InputError, match="aggregate must be"):
        score(["a"], ["a"], aggregate="median")  # type: ignore[arg-type]


def test_settings_of_the_wrong_type_are_refused() -> None:
    with pytest.raises(InputError, match="rouge must be a Rouge"):
        score(["a"], ["a"], 2)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="must be True or False"):
        score(["a"], ["a"], across_sentences="no")  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [0, 10, -1, True, 1.5, "2", [2]])
def test_n_is_a_whole_number_from_1_to_9(n: int) -> None:
    with pytest.raises(InputError, match="n must be"):
        Rouge(n=n)
    with pytest.raises(InputError, match=r"n must be|contradicts"):
        Rouge("r2-recall", n=n)


def test_a_score_is_signed_as_what_is_counted_whatever_the_objective() -> None:
    texts = (["c b a x y"], [["a b c x y"]])
    plain = score(*texts, Rouge(n=1))
    for objective in ("rl-f1", "rlsum-f1", "r1-f1", "r1-f1+rl-f1"):
        assert score(*texts, Rouge(objective)) == plain


def test_signatures_tell_what_moves_a_number() -> None:
    rouge = Rouge()
    assert rouge.signature.endswith("|rouge:2|stem:porter-1.5.5|stop:no|lang:en|tok:rouge-1.5.5")
    assert score(["a b"], ["a b"]).signature == (
        rouge.signature + "|ngrams:reference-across,summary-across|references:average"
    )
    signatures = {
        Rouge(**settings).signature  # type: ignore[arg-type]
        for settings in (
            {},
            {"n": 1},
            {"stem": False},
            {"remove_stopwords": True},
            {"language": "fr"},
            {"language": "fr", "stem": False},
            {"language": "ru"},
            {"tokenizer": str.split},
        )
    }
    assert len(signatures) == 8


@pytest.mark.parametrize("language", [["en"], {}, None, 3])
def test_a_measure_is_put_into_no_language_but_a_str(language: Any) -> None:
    with pytest.raises(InputError, match="language must be a str such as"):
        Rouge(n=1).in_language(language)
    assert Rouge(n=1).in_language("French").language == "fr"


def test_settings_can_be_pickled_and_compared() -> None:
    rouge = Rouge(n=3, language="French")
    assert rouge.language == "fr"
    assert pickle.loads(pickle.dumps(rouge)) == rouge
    assert hash(rouge) == hash(Rouge(n=3, language="fr"))


def test_other_languages_score_by_their_own_words() -> None:
    found = score(
        ["\u0393\u03b5\u03b9\u03b1 \u03c3\u03bf\u03c5"],
        ["\u03b3\u03b5\u03b9\u03b1"],
        Rouge(n=1, language="el"),
    )
    assert counts(found) == (1, 1, 2)


class Long(Sequence[Any]):
    """Numbers in place of texts, more than anybody could look at."""

    def __len__(self) -> int:
        return 10**12

    def __getitem__(self, place: Any) -> Any:
        assert place < 3, "the first was no text already"
        return place


def test_of_texts_without_end_the_first_that_is_none_is_refused() -> None:
    for refused in (
        lambda: score(Long(), ["a"]),
        lambda: score(["a"], Long()),
        lambda: score(["a"], [Long()]),
        lambda: enumerate_oracles(Long(), ["a"], max_words=3),
        lambda: enumerate_oracles(["a"], [Long()], max_words=3),
    ):
        with pytest.raises(InputError, match="0 must be a"):
            refused()
