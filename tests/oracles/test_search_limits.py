"""Method `search` from text: limits on words, sentences, bytes, alone and together."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

import oraclesum
from oraclesum.oracles import Status

TEXT = "the a storm flood river town north south rain water rose fell people left home"
WORDS = TEXT.split()
LIMITS = [
    {"max_words": 20},
    {"max_sentences": 3},
    {"max_bytes": 90},
    {"max_words": 25, "max_sentences": 2},
    {"max_words": 25, "max_bytes": 110},
    {"max_sentences": 3, "max_bytes": 120},
    {"max_words": 30, "max_sentences": 4, "max_bytes": 130},
]


def draw_topic(seed: int) -> tuple[list[str], list[str]]:
    """Sentences with twins, and references of the same words."""
    rng = random.Random(seed)

    def draw(words: int) -> str:
        return " ".join(rng.choices(WORDS, weights=range(len(WORDS), 0, -1), k=words))

    sentences = [draw(rng.randint(3, 12)) for _ in range(8)]
    sentences += rng.choices(sentences, k=2)
    return sentences, [draw(25) for _ in range(rng.randint(1, 3))]


def keeps(sentences: list[str], chosen: tuple[int, ...], limits: dict[str, int]) -> bool:
    used = {
        "max_words": sum(len(sentences[i].split()) for i in chosen),
        "max_sentences": len(chosen),
        "max_bytes": sum(len(sentences[i].encode()) for i in chosen),
    }
    return all(used[name] <= most for name, most in limits.items())


@pytest.mark.parametrize("limits", LIMITS, ids=" ".join)
@pytest.mark.parametrize("within_hits", [0, 2])
@pytest.mark.parametrize("n", [1, 2])
def test_limits_alone_and_together_agree_with_trying_every_subset(
    limits: dict[str, int], within_hits: int, n: int
) -> None:
    rouge = oraclesum.Rouge(n=n)
    for seed in range(6):
        sentences, references = draw_topic(seed)
        instance = oraclesum.build_instance(
            sentences, references, rouge, oraclesum.Limits(**limits)
        )
        family = oraclesum.enumerate_oracles(
            sentences, references, rouge=rouge, within_hits=within_hits, **limits
        )
        hits = {
            chosen: instance.hits(chosen)
            for size in range(1, len(sentences) + 1)
            for chosen in combinations(instance.candidates, size)
            if keeps(sentences, chosen, limits)
        }
        best = max(hits.values())
        assert family.hits == family.upper_bound == best
        assert family.status == Status.COMPLETE
        least = max(best - within_hits, 1)
        assert list(family) == sorted(chosen for chosen, n in hits.items() if n >= least)


def test_a_limit_that_nothing_fits_has_no_overlap() -> None:
    sentences, references = draw_topic(0)
    with pytest.warns(oraclesum.NoOverlapWarning):
        family = oraclesum.enumerate_oracles(sentences, references, max_bytes=3)
    assert (family.status, family.count) == (Status.NO_OVERLAP, 0)


def test_a_limit_that_everything_keeps_takes_everything() -> None:
    sentences, references = draw_topic(1)
    rouge = oraclesum.Rouge(n=1)
    family = oraclesum.enumerate_oracles(sentences, references, rouge=rouge, max_words=10_000)
    limits = oraclesum.Limits(max_words=10_000)
    instance = oraclesum.build_instance(sentences, references, rouge, limits)
    assert family.hits == instance.hits(instance.candidates)
    assert instance.candidates in family
    assert family.count > 1


@pytest.mark.parametrize("family", ["all", "minimal"])
def test_families_of_tied_references_too_large_for_memory_are_not_called_complete(
    monkeypatch: pytest.MonkeyPatch, family: str
) -> None:
    """One that streams has a count and no sets: it cannot be put together with another."""
    draw = random.Random(1)
    costs = [draw.randrange(2**39, 2**40) for _ in range(14)]
    rouge = oraclesum.Rouge("r1-recall", multi_reference="best")
    how: dict[str, Any] = {"rouge": rouge, "costs": costs, "max_cost": sum(costs) // 2}
    whole = oraclesum.enumerate_oracles(["a"] * 14, ["a", "a"], **how)
    assert (whole.status, whole.count) == ("complete", 2**13 - 1)
    monkeypatch.setattr("oraclesum.oracles.objective.MAX_MEMORY", 1000)
    alone = oraclesum.enumerate_oracles(["a"] * 14, ["a"], **how)
    assert (alone.status, alone.count) == ("streamed", 2**13 - 1)
    tied = oraclesum.enumerate_oracles(["a"] * 14, ["a", "a"], family=family, **how)
    assert (tied.status, tied.complete, tied.exact) == ("memory_limit", False, False)
    assert tied.value == tied.upper_value == 1
    assert len(list(tied)) == tied.count == 1


def test_families_of_tied_references_are_counted_beyond_what_is_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sentences = ["a", "b", "c"] * 6
    rouge = oraclesum.Rouge("r1-f1", multi_reference="best")
    how: dict[str, Any] = {"rouge": rouge, "max_sentences": 3}
    references = ["a b c x", "a b c y", "a b x y"]
    whole = oraclesum.enumerate_oracles(sentences, references, method="exhaustive", **how)
    monkeypatch.setattr("oraclesum.oracles.objective.MAX_MEMORY", 10_000)  # for a few of them
    family = oraclesum.enumerate_oracles(sentences, references, max_list=5, **how)
    assert (family.status, family.count) == ("list_limit", whole.count)
    assert family.count == 6**3
    assert list(family) == list(whole)[:5]
    assert family.sizes == whole.sizes
    assert family.inclusion_counts == whole.inclusion_counts
    assert family.inclusion_by_size == whole.inclusion_by_size


def test_no_set_is_too_long_to_be_a_family() -> None:
    sentences = [f"a{i} b{i}" for i in range(100_000)]
    family = oraclesum.enumerate_oracles(
        sentences, [" ".join(sentences[:50])], rouge="r1-f1+r2-f1", required=range(len(sentences))
    )
    assert list(family) == [tuple(range(len(sentences)))]


def test_exhaustive_says_so_if_its_sets_are_too_large_for_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    how: dict[str, Any] = {"rouge": "r1-f1", "max_sentences": 2, "method": "exhaustive"}
    whole = oraclesum.enumerate_oracles(["a", "b"] * 5, ["a b"], **how)
    assert (whole.status, whole.count) == ("complete", 25)
    monkeypatch.setattr("oraclesum.oracles.objective.MAX_MEMORY", 1000)
    family = oraclesum.enumerate_oracles(["a", "b"] * 5, ["a b"], **how)
    assert (family.status, family.complete, family.value) == ("memory_limit", False, 1)
    [known] = family
    assert known in whole


def break_lines(text: str) -> list[str]:
    return text.replace("\n", " <break> ").split()


def mark_ends(text: str) -> list[str]:
    return ["[CLS]", *text.split(), "[SEP]"]


@pytest.mark.parametrize("tokenizer", [break_lines, mark_ends])
@pytest.mark.parametrize("objective", ["r1-recall", "r2-recall", "r1-f1"])
def test_a_reference_as_one_text_is_one_text_on_every_way(tokenizer: Any, objective: str) -> None:
    rouge = oraclesum.Rouge(objective, tokenizer=tokenizer, stem=False)
    sentences = ["a b q", "c\nd\ne x", "x y w w"]
    references = ["a b\nq\nw", ["x", "y w"]]
    total = oraclesum.score(sentences, references, rouge, across_sentences=False).reference_total
    ways: list[dict[str, Any]] = [{}, {"top": 1}, {"within": 1e-9}, {"min_words": 1}]
    families = [
        oraclesum.enumerate_oracles(sentences, references, rouge=rouge, max_sentences=2, **way)
        for way in ways
    ]
    assert len({(family.value, tuple(family)) for family in families}) == 1
    if objective.endswith("recall"):
        assert {family.total for family in families} == {total}
    rows = oraclesum.compare(
        sentences, references, rouge=rouge, max_sentences=2, methods=["search", "beam"]
    )
    assert {row.value for row in rows} == {families[0].value}
