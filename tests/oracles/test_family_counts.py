"""Counts, inclusion and draws are exact for families that nobody can list."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

import pytest

from oraclesum.evaluation import evaluate
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import OracleFamily, Status, enumerate_instance
from reference.brute import list_family
from reference.generate import generate_instances
from shared import shared


def make_twins(rng: random.Random) -> Instance:
    """At most ten sentences of three kinds, in any order, and limits that leave ties."""
    kinds = [[(g, rng.randint(1, 2)) for g in rng.sample(range(4), 2)] for _ in range(3)]
    rows = [rng.choice(kinds) for _ in range(rng.randint(5, 10))]
    lengths = tuple(rng.choice([1, 1, 2]) for _ in rows)
    return Instance(
        total=9,
        gains=[[2, 1], [1, 1, 1], [2], [1, 1]],
        counts=rows,
        limits=[Limit(unit="words", budget=rng.randint(2, 8), lengths=lengths)],
    )


@pytest.mark.parametrize("kind", ["all", "minimal"])
@pytest.mark.parametrize("within_hits", [0, 1, 2, 5])
def test_families_full_of_twins_are_those_of_brute_force(kind: str, within_hits: int) -> None:
    rng = random.Random(61)
    instances = [make_twins(rng) for _ in range(40)]
    instances += [i for i in generate_instances(60, seed=62, most_sentences=8) if i.candidates]
    for instance in instances:
        sets = list_family(instance, family=kind, within_hits=within_hits)
        family = enumerate_instance(instance, family=kind, within_hits=within_hits)
        assert list(family) == sets
        held = Counter(i for selected in sets for i in selected)
        assert family.inclusion_counts == [held[i] for i in range(instance.n_sentences)]
        assert family.sizes == dict(sorted(Counter(map(len, sets)).items()))


def test_near_optimal_families_hold_each_other() -> None:
    rng = random.Random(63)
    for instance in (make_twins(rng) for _ in range(20)):
        families = [set(enumerate_instance(instance, within_hits=k)) for k in range(5)]
        best = enumerate_instance(instance).hits
        for k in range(1, 5):
            level = families[k] - families[k - 1]
            assert families[k - 1] <= families[k]
            assert {instance.hits(selected) for selected in level} <= {best - k}


def test_draws_pass_a_chi_square_test_against_the_listed_family() -> None:
    from scipy.stats import chisquare

    rng = random.Random(64)
    for seed, instance in enumerate(make_twins(rng) for _ in range(10)):
        family = enumerate_instance(instance, within_hits=1)
        drawn = Counter(family.sample(50 * family.count, seed=seed))
        assert set(drawn) == set(family)
        assert chisquare([drawn[selected] for selected in family]).pvalue > 0.001


def make_loose(ngrams: int) -> Instance:
    """Sixty sentences, all of which fit; an oracle is whatever has all of the n-grams."""
    rng = random.Random(65)
    sizes = [rng.randint(1, 4) for _ in range(60)]
    return Instance(
        total=ngrams,
        gains=[[1]] * ngrams,
        counts=[[(g, 1) for g in sorted(rng.sample(range(ngrams), size))] for size in sizes],
        limits=[Limit(unit="words", budget=600, lengths=(10,) * 60)],
    )


def count_covering(instance: Instance, wanted: set[int]) -> int:
    """Number of sets with every n-gram and all wanted sentences, by inclusion and exclusion."""
    count = 0
    masks = [sum(1 << g for g, _ in row) for row in instance.counts]
    for missing in range(1 << len(instance.gains)):
        if not any(masks[i] & missing for i in wanted):
            free = sum(1 for mask in masks if not mask & missing) - len(wanted)
            count += (-1) ** missing.bit_count() * 2**free
    return count


def test_a_document_that_fits_as_a_whole_has_an_exact_count() -> None:
    instance = make_loose(12)
    family = enumerate_instance(instance)
    assert family.count == count_covering(instance, set()) > 10**12
    for i in range(0, 60, 7):
        assert family.inclusion_counts[i] == count_covering(instance, {i})


def test_a_document_that_fits_as_a_whole_can_be_drawn_from() -> None:
    instance = make_loose(40)
    family = enumerate_instance(instance)
    assert family.count > 10**12
    assert family.status == Status.LIST_LIMIT
    check_sums(family)
    drawn = family.sample(1000, seed=1)
    assert len(set(drawn)) == 1000
    assert all(selected in family for selected in drawn)
    assert all(instance.hits(selected) == family.hits for selected in drawn[:50])
    # A thousand draws see each sentence about as often as its share says: within five deviations.
    seen = Counter(i for selected in drawn for i in selected)
    for i, share in enumerate(family.inclusion):
        assert abs(seen[i] - 1000 * share) <= 5 * math.sqrt(1000 * share * (1 - share))


def make_copies(sentences: int, copies: int, *, budget: int) -> Instance:
    """Sentences with an n-gram of their own, each so many times over."""
    return Instance(
        total=sentences,
        gains=[[1]] * sentences,
        counts=[[(g, 1)] for _ in range(copies) for g in range(sentences)],
        limits=[Limit(unit="sentences", budget=budget, lengths=(1,) * sentences * copies)],
    )


def test_forty_copies_of_each_sentence_are_counted_in_closed_form() -> None:
    tight = enumerate_instance(make_copies(20, 40, budget=20))
    assert tight.count == 40**20 > 2**64
    assert tight.inclusion_counts == [40**19] * 800
    assert tight.inclusion == [1 / 40] * 800
    loose = enumerate_instance(make_copies(20, 40, budget=800))
    assert loose.count == (2**40 - 1) ** 20
    assert loose.inclusion_counts == [2**39 * (2**40 - 1) ** 19] * 800
    some = enumerate_instance(make_copies(3, 40, budget=5))
    # Sizes 3 to 5: one, two or three copies of each, at most five in all.
    ways = {k: math.comb(40, k) for k in (1, 2, 3)}
    sizes = [(a, b, c) for a in ways for b in ways for c in ways if a + b + c <= 5]
    assert some.count == sum(ways[a] * ways[b] * ways[c] for a, b, c in sizes)


def test_questions_to_a_family_of_copies_have_their_closed_forms() -> None:
    family = enumerate_instance(make_copies(20, 40, budget=20))
    assert family.smallest() == family.largest() == family.earliest() == tuple(range(20))
    assert family.nearest([45, 799]) == tuple(sorted({*range(20), 45, 799} - {5, 19}))
    assert family.core == ()
    assert len(family.support) == 800
    assert family.pairs_together() == []
    assert len(family.pairs_apart()) == 20 * math.comb(40, 2)
    assert family.pair_counts(3)[3] == 40**19
    assert family.pair_counts(3)[4] == 40**18
    assert family.pair_counts(3)[23] == 0
    assert next(family.iterate([0, 1, 2, 3, 44])) == (0, 1, 2, 3, *range(44, 60))


def read_family(name: str) -> tuple[OracleFamily, Instance]:
    instance = Instance.read(shared("instances", f"{name}.json"))
    return enumerate_instance(instance), instance


def check_sums(family: OracleFamily) -> None:
    """Inclusion by size adds up to the sizes, and the sizes to the count."""
    assert sum(family.sizes.values()) == family.count
    for size, row in family.inclusion_by_size.items():
        assert sum(row) == size * family.sizes[size]


def test_a_story_with_358518_oracles() -> None:
    family, instance = read_family("squality-train-47841-q1-single-100-rouge1")
    assert family.count == 358_518
    check_sums(family)
    held = Counter[int]()
    for selected in family:
        held.update(selected)
    assert family.inclusion_counts == [held[i] for i in range(instance.n_sentences)]
    selected = set(instance.candidates[::7])
    shared_by_size = Counter[int]()
    for oracle in family:
        shared_by_size[len(oracle)] += len(selected.intersection(oracle))
    precision = Fraction(shared_by_size.total(), len(selected) * family.count)
    recall = sum((Fraction(n, size) for size, n in shared_by_size.items()), Fraction(0))
    overlap = evaluate(selected, family)
    assert overlap.precision == float(precision)
    assert overlap.recall == float(recall / family.count)


def test_a_cluster_with_31235613_oracles() -> None:
    family, instance = read_family("C08-1098-multi-250-900-rouge1")
    assert (family.count, family.status) == (31_235_613, Status.LIST_LIMIT)
    check_sums(family)
    drawn = family.sample(300, seed=2)
    assert all(instance.hits(selected) == family.hits for selected in drawn)
    nearest = family.nearest(drawn[0])
    assert nearest == drawn[0]
    assert evaluate(nearest, family).precision > 0
    together, apart = set(family.pairs_together()), set(family.pairs_apart())
    for i in family.support[::20]:
        counts = family.pair_counts(i)
        for j in family.support:
            pair = (min(i, j), max(i, j))
            assert (counts[j] == 0) == (pair in apart)
            if i != j:
                both = family.inclusion_counts[i], family.inclusion_counts[j]
                assert ((counts[j], counts[j]) == both) == (pair in together)
    first = next(family.iterate())
    assert first == min(drawn[0], first)
