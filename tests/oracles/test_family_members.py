"""The member of a family that a question names is the one that brute force would choose."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from oraclesum.errors import InputError
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import OracleFamily, enumerate_instance, enumerate_oracles
from oraclesum.oracles.objective import ObjectiveProblem
from oraclesum.oracles.weights import scale_weights
from oraclesum.rouge import Rouge
from reference.brute import list_family
from reference.generate import generate_instances

Set = tuple[int, ...]


def list_cases(number: int, seed: int) -> list[tuple[Instance, list[Set]]]:
    """Instances with their families by brute force, none of them empty."""
    drawn = generate_instances(number, seed)
    listed = [(instance, list_family(instance)) for instance in drawn]
    return [(instance, sets) for instance, sets in listed if sets]


def choose(sets: list[Set], values: Sequence[Any]) -> Set:
    """Largest value first; then whoever holds the first sentence in which two sets differ."""
    best = max(values)
    tied = [selected for selected, value in zip(sets, values, strict=True) if value == best]
    winner = tied[0]
    for other in tied[1:]:
        if min(set(winner) ^ set(other)) in other:
            winner = other
    return winner


@pytest.mark.parametrize("method", ["search", "exhaustive"])
def test_every_chosen_member_is_the_one_of_brute_force(method: str) -> None:
    rng = random.Random(5)
    cases = list_cases(300, seed=31)
    assert len(cases) > 200
    for instance, sets in cases:
        family = enumerate_instance(instance, method=method)
        n = instance.n_sentences
        lengths = instance.lengths
        weights = [rng.choice([-2, -0.5, 0, 0.1, 0.2, 0.3, 1]) for _ in range(n)]
        selected = {i for i in range(n) if rng.random() < 0.5}
        words = [sum(lengths[i] for i in s) for s in sets]
        assert family.smallest() == choose(sets, [-len(s) for s in sets])
        assert family.largest() == choose(sets, [len(s) for s in sets])
        assert family.shortest(lengths) == choose(sets, [-length for length in words])
        assert family.longest(lengths) == choose(sets, words)
        assert family.best(weights) == choose(
            sets, [sum(Fraction(weights[i]) for i in s) for s in sets]
        )
        assert family.nearest(selected) == choose(sets, [-len(selected ^ set(s)) for s in sets])
        overlap = family.nearest(selected, by="overlap")
        assert overlap == choose(sets, [len(selected & set(s)) for s in sets])
        assert family.earliest() == choose(sets, [-sum(i + 1 for i in s) for s in sets])


def test_core_and_support_are_intersection_and_union() -> None:
    for instance, sets in list_cases(120, seed=32):
        family = enumerate_instance(instance)
        assert set(family.core) == set.intersection(*map(set, sets))
        assert set(family.support) == set.union(*map(set, sets))


@pytest.mark.parametrize("method", ["search", "exhaustive"])
def test_pairs_and_pair_counts_agree_with_counting_by_hand(method: str) -> None:
    for instance, sets in list_cases(300, seed=33):
        family = enumerate_instance(instance, method=method)
        n = instance.n_sentences
        both = [[sum(1 for s in sets if i in s and j in s) for j in range(n)] for i in range(n)]
        for i in range(n):
            assert family.pair_counts(i) == both[i]
        pairs = list(combinations([i for i in range(n) if both[i][i]], 2))
        together = [(i, j) for i, j in pairs if both[i][j] == both[i][i] == both[j][j]]
        assert family.pairs_together() == together
        assert family.pairs_apart() == [(i, j) for i, j in pairs if not both[i][j]]


@pytest.mark.parametrize("method", ["search", "exhaustive"])
def test_mean_jaccard_of_a_small_family_is_exact(method: str) -> None:
    for instance, sets in list_cases(60, seed=34):
        found = enumerate_instance(instance, method=method).mean_jaccard()
        pairs = [(set(a), set(b)) for a, b in combinations(sets, 2)]
        values = [Fraction(len(a & b), len(a | b)) for a, b in pairs]
        wanted = float(sum(values) / len(values)) if values else 1.0
        assert (found.value, found.low, found.high) == (wanted, wanted, wanted)
        assert (found.exact, found.draws) == (True, 0)


@pytest.fixture(scope="module")
def many() -> OracleFamily:
    """Ten of twenty equal sentences: 184,756 oracles."""
    return enumerate_instance(
        Instance(
            total=20,
            gains=[[1]] * 20,
            counts=[[(g, 1)] for g in range(20)],
            limits=[Limit(unit="sentences", budget=10, lengths=(1,) * 20)],
        )
    )


def test_mean_jaccard_of_a_large_family_says_that_it_was_drawn(many: OracleFamily) -> None:
    # Two halves of twenty share k with hypergeometric probability; two different ones: not k = 10.
    ways = {k: math.comb(10, k) * math.comb(10, 10 - k) for k in range(10)}
    truth = sum(w * k / (20 - k) for k, w in ways.items()) / sum(ways.values())
    found = many.mean_jaccard(draws=4000, seed=1)
    assert not found.exact
    assert 3990 <= found.draws <= 4000
    assert found.low < truth < found.high
    assert found.high - found.low < 0.01
    assert found == many.mean_jaccard(draws=4000, seed=1)
    assert found != many.mean_jaccard(draws=4000, seed=2)


def test_listing_starts_anywhere_and_goes_beyond_the_held_sets(many: OracleFamily) -> None:
    listed = list(many)
    assert listed == sorted(combinations(range(20), 10))
    for start in [(), (3,), (5, 7), listed[100], (9, 11, 12), (10, 19), (19,), (10, 2**60), (20,)]:
        rest = [selected for selected in listed if selected >= start]
        assert list(many.iterate(start)) == rest
    short = enumerate_instance(
        Instance(
            total=3,
            gains=[[1]] * 3,
            counts=[[(0, 1)], [(1, 1)], [(2, 1)]],
            limits=[Limit(unit="sentences", budget=1, lengths=(1, 1, 1))],
        ),
        max_list=1,
    )
    assert list(short) == [(0,)]
    assert list(short.iterate()) == [(0,), (1,), (2,)]


def test_listing_from_anywhere_agrees_with_brute_force() -> None:
    rng = random.Random(8)
    for method in ("search", "exhaustive"):
        for instance, sets in list_cases(80, seed=35):
            family = enumerate_instance(instance, method=method)
            start = sorted(
                rng.sample(
                    range(instance.n_sentences), min(instance.n_sentences, rng.randint(0, 2))
                )
            )
            rest = [selected for selected in sets if selected >= tuple(start)]
            assert list(family.iterate(start)) == rest


def test_sentences_that_occur_twice_or_not_at_all_are_in_no_oracle() -> None:
    twins = Instance(
        total=2,
        gains=[[1, 1]],
        counts=[[(0, 1)], [(0, 1)], [(0, 1)]],
        limits=[Limit(unit="sentences", budget=2, lengths=(1, 1, 1))],
    )
    family = enumerate_instance(twins)
    assert list(family) == [(0, 1), (0, 2), (1, 2)]
    for other in [(0, 0), (1, 1), (-1, 0), (0, 3), (0, 2**40), (-(2**70), 1)]:
        assert other not in family


def test_questions_without_a_sensible_answer_are_refused(many: OracleFamily) -> None:
    with pytest.raises(InputError, match="20 sentences, 3 weights"):
        many.best([1, 2, 3])
    for odd in ("1", b"1", True):  # float() takes them
        with pytest.raises(InputError, match="weight of sentence 2 must be a finite number"):
            many.best([0, 1.5, odd, *[1] * 17])
    with pytest.raises(InputError, match="weight of sentence 1 must be a finite number, not nan"):
        many.best([1, math.nan, *[0] * 18])
    with pytest.raises(InputError, match="sentence 20 is not among the 20"):
        many.nearest([20])
    with pytest.raises(InputError, match="by must be"):
        many.nearest([1], by="size")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="sentence 20 is not among"):
        many.pair_counts(20)
    with pytest.raises(InputError, match=r"index in selected must be a whole number, not 1\.5"):
        many.nearest([1.5])  # type: ignore[list-item]
    with pytest.raises(InputError, match="draws must be at least 2"):
        many.mean_jaccard(draws=1)


def test_numbers_of_other_libraries_will_do(many: OracleFamily) -> None:
    numpy = pytest.importorskip("numpy")
    chosen = tuple(range(5, 15))
    assert many.nearest(numpy.array(chosen)) == chosen
    assert many.best(numpy.array([float(i in chosen) for i in range(20)])) == chosen
    assert many.pair_counts(numpy.int64(3)) == many.pair_counts(3)


def test_an_empty_family_has_no_member_to_choose() -> None:
    nothing = Instance(
        total=1,
        gains=[[1]],
        counts=[[(0, 1)]],
        limits=[Limit(unit="words", budget=1, lengths=(2,))],
    )
    with pytest.warns(UserWarning, match="fits"):
        family = enumerate_instance(nothing)
    with pytest.raises(InputError, match="family is empty"):
        family.smallest()
    assert (family.core, family.support, family.pairs_together()) == ((), (), [])


def test_a_family_that_is_not_all_held_refuses_what_needs_all() -> None:
    instance = Instance(
        total=3,
        gains=[[1]] * 3,
        counts=[[(0, 1)], [(1, 1)], [(2, 1)]],
        limits=[Limit(unit="sentences", budget=1, lengths=(1, 1, 1))],
    )
    family = enumerate_instance(instance, method="exhaustive", max_list=1)
    assert family.count == 3
    for ask in (family.smallest, family.pairs_apart, family.mean_jaccard):
        with pytest.raises(InputError, match="only 1 of 3 sets are stored"):
            ask()


@pytest.mark.parametrize(
    "weights",
    [[0.1, 0.2, 0.30000000000000004], [1, 2, 2**95], [1e-12, 1.0, -3.5], [0, 0, 0], (5, 6, 7)],
)
def test_weights_scale_without_rounding_where_they_can(weights: Sequence[float]) -> None:
    scaled = scale_weights(weights, 3)
    for i, j in combinations(range(3), 2):
        assert Fraction(weights[i]) * scaled[j] == Fraction(weights[j]) * scaled[i]


def test_weights_too_far_apart_are_rounded_and_still_fit() -> None:
    assert scale_weights([1e-300, 1e300], 2) == [0, round(Fraction(1e300) / 2**901)]
    assert max(scale_weights([1e-300, 1e300], 2)).bit_length() <= 97


@pytest.mark.parametrize("method", ["search", "exhaustive"])
def test_sets_from_all_over_a_family_are_few_if_they_are_long(method: str) -> None:
    instance = Instance(
        total=12,
        gains=[[1]] * 12,
        counts=[[(i, 1)] for i in range(12)],
        limits=[Limit(unit="words", budget=6, lengths=(1,) * 12)],
    )
    family = enumerate_instance(instance, method=method)
    every = list(family)
    assert len(every) == math.comb(12, 6)
    assert sorted(family.spread(10_000)) == every
    assert len(set(family.spread(100))) == 100
    assert family.spread(100, max_sentences=18) == family.spread(100)[:3]
    assert len(family.spread(100, max_sentences=19)) == 4
    assert len(family.spread(100, max_sentences=1)) == 1


@pytest.mark.parametrize("objective", ["r1-recall", "r1-f1"])
def test_long_sets_are_scored_again_up_to_a_number_of_sentences(
    objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [f"word{k}" for k in range(12)]
    scored: list[int] = []
    for name in ("solve", "objective"):
        place = f"oraclesum.oracles.{name}.MAX_CHECKED_SENTENCES"
        monkeypatch.setattr(place, 60, raising=False)
    hits, score_each = Instance.hits, ObjectiveProblem.score_each

    def count_hits(self: Instance, selected: Sequence[int]) -> int:
        scored.append(len(selected))
        return hits(self, selected)

    def count_scores(self: ObjectiveProblem, sets: Sequence[Sequence[int]]) -> list[Fraction]:
        scored.extend(map(len, sets))
        return score_each(self, sets)

    monkeypatch.setattr(Instance, "hits", count_hits)
    monkeypatch.setattr(ObjectiveProblem, "score_each", count_scores)
    family = enumerate_oracles(words, [" ".join(words)], rouge=objective, max_sentences=6)
    assert family.count == math.comb(12, 6)
    assert scored == [6] * 10


def test_a_set_that_is_not_stored_of_a_family_that_is_no_diagram_is_neither_in_nor_out() -> None:
    rouge = Rouge("r1-f1", multi_reference="best")
    family = enumerate_oracles(["a"] * 6, ["a a", "a a"], rouge=rouge, max_list=2)
    assert (family.count, list(family)) == (15, [(0, 1), (0, 2)])
    assert (0, 2) in family
    assert "no set" not in family
    with pytest.raises(InputError, match="only 2 of 15 sets are stored"):
        print((4, 5) in family)


@pytest.mark.parametrize("method", ["search", "exhaustive"])
@pytest.mark.parametrize("max_list", [0, 1, 100])
def test_the_mean_jaccard_index_of_few_oracles_is_exact_however_few_are_stored(
    max_list: int, method: str
) -> None:
    for sentences, mean in ((["a", "b c"], 1.0), (["a", "a", "b c"], 0.0)):
        family = enumerate_oracles(
            sentences, ["a"], rouge=Rouge("r1-f1"), max_list=max_list, method=method
        )
        if method == "exhaustive" and max_list < family.count:
            with pytest.raises(InputError, match="stored"):
                family.mean_jaccard()
        else:
            agreement = family.mean_jaccard()
            assert (agreement.value, agreement.exact) == (mean, True)
