"""What holds for recall only, "more is never worse", is not taken for granted where length costs.

One small document for each place in docs/engine.md that asks. The search is tested by itself: so
small a document would be scanned.
"""

from __future__ import annotations

import pytest

import oraclesum
from oraclesum.oracles import objective as solving

Sets = list[tuple[int, ...]]


@pytest.fixture(autouse=True)
def _without_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "WITHOUT", ("scan", "losers"))


def enumerate_by_both(sentences: list[str], reference: str, **settings: object) -> Sets:
    """The sets of the search, which are those of brute force."""
    arguments = {"rouge": "r1-f1", **settings}
    found = oraclesum.enumerate_oracles(sentences, [reference], **arguments)  # type: ignore[arg-type]
    plain = oraclesum.enumerate_oracles(
        sentences,
        [reference],
        method="exhaustive",
        **arguments,  # type: ignore[arg-type]
    )
    assert (found.value, list(found)) == (plain.value, list(plain))
    return list(found)


def test_a_set_that_meets_the_target_does_not_bring_its_supersets() -> None:
    """The walk: only for recall is every set of free sentences a completion."""
    sentences = ["cat cat yak yak yak", "xyl bee cat bee zoo", "dog xyl", "dog yak zoo"]
    assert enumerate_by_both(sentences, "cat ant dog dog dog") == [
        (0, 2, 3),
        (1, 2, 3),
        (2, 3),
    ]


def test_sentences_of_equal_hits_and_unequal_size_are_not_one_class() -> None:
    """Presolve: equal rows are one class only if their costs are equal."""
    assert enumerate_by_both(["ant bee xyl", "ant bee", "bee ant"], "ant bee") == [(1,), (2,)]


def test_the_first_set_is_not_filled_up_beyond_its_best() -> None:
    """The incumbent: what gains nothing is left out, though it fits."""
    sentences = ["ant bee", "ant xyl yak", "bee xyl yak"]
    oracle = oraclesum.find_oracle(sentences, ["ant bee"], rouge="r1-f1", max_sentences=3)
    assert (oracle.indices, oracle.value) == ((0,), 1)


def test_a_sentence_that_costs_what_it_gains_is_not_in_a_minimal_set() -> None:
    """Minimal families: what is lost with a sentence is its hits less its cost."""
    sentences = ["yak zoo yak", "ant dog zoo xyl zoo", "cat", "cat ant"]
    assert enumerate_by_both(sentences, "ant ant bee") == [(1, 3), (3,)]
    assert enumerate_by_both(sentences, "ant ant bee", family="minimal") == [(3,)]


def test_a_set_short_of_a_floor_is_not_in_the_family() -> None:
    """The target is met, but not the floor: the walk goes on to what gains nothing."""
    sentences = ["ant bee cat", "ant xyl", "bee xyl yak", "dog xyl"]
    found = enumerate_by_both(sentences, "ant bee cat", min_sentences=2)
    assert found == [(0, 1)]
    assert enumerate_by_both(
        sentences, "ant bee cat", rouge="r1-recall", min_sentences=2, max_sentences=2
    ) == [(0, 1), (0, 2)]


def test_minimal_sets_of_distinct_n_grams_are_told_one_by_one() -> None:
    """A fee that two sentences share is lost by neither alone: a branch must not end there."""
    sentences = ["yak zoo", "dog bee ant", "yak zoo bee cat yak", "zoo ant ant dog ant"]
    rouge = oraclesum.Rouge("r1-f1", counting="sets")
    found = enumerate_by_both(sentences, "bee ant cat ant ant", rouge=rouge, family="minimal")
    assert found == [(1,), (2, 3)]
