"""Numbers at the edges of the kernel's ranges: every exact method agrees with Python's integers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from oraclesum import _kernel
from oraclesum.errors import InputError, OraclesumError
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import enumerate_instance, find_in_instance
from reference.brute import count_hits, find_best, list_family

TOTAL, COUNT, LENGTH, BUDGET = (
    _kernel.ranges()[name] for name in ("total", "count", "length", "budget")
)


def draw_number(rng: random.Random, most: int) -> int:
    """The edges of a range are as likely as its middle."""
    return rng.choice([most, rng.randint(0, most), rng.randint(0, most) >> rng.randint(0, 62)])


def draw_instance(rng: random.Random) -> Instance:
    room = rng.choice([TOTAL, draw_number(rng, TOTAL)])
    gains: list[list[int]] = []
    for _ in range(rng.randint(1, 6)):
        row: list[int] = []
        gain = draw_number(rng, room)
        for _ in range(rng.choice([1, 2, 40])):
            if not 0 < gain <= room:
                break
            row.append(gain)
            room -= gain
            gain = min(gain, draw_number(rng, gain))
        gains.append(row)
    rows: list[list[tuple[int, int]]] = []
    for _ in range(rng.randint(1, 7)):
        if rows and rng.random() < 0.25:
            rows.append(rng.choice(rows))
            continue
        most = rng.choice([1, 3, 40, COUNT])
        rows.append([(g, draw_number(rng, most)) for g in range(len(gains)) if rng.random() < 0.6])
    limits = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        longest = rng.choice([1, 30, 10**6, LENGTH])
        lengths = tuple(draw_number(rng, longest) for _ in rows)
        budget = rng.choice([BUDGET, *(sum(lengths) * k // 8 for k in range(1, 8))])
        limits.append(Limit(unit="words", budget=budget, lengths=lengths))
    return Instance(total=TOTAL, gains=gains, counts=rows, limits=limits)


@pytest.mark.parametrize("seed", range(4))
def test_every_family_at_the_edges_is_that_of_python_integers(seed: int) -> None:
    rng = random.Random(seed)
    tried = 0
    while tried < 150:
        instance = draw_instance(rng)
        if not instance.candidates:
            continue
        tried += 1
        best = find_best(instance)
        family = enumerate_instance(instance)
        assert (family.hits, family.upper_bound) == (best, best)
        assert list(family) == list_family(instance)
        for method in ("search", "paper"):
            oracle = find_in_instance(instance, method=method)
            assert (oracle.hits, oracle.upper_bound) == (best, best)
            assert count_hits(instance, oracle.indices) == best


def test_needs_beyond_32_bits_lead_to_the_true_optimum() -> None:
    private = [1560799634, 3435973824, 3937053340, 4047598317, 3221225460, 4223384492]
    gains: list[list[int]] = []
    counts: list[list[tuple[int, int]]] = []
    for hits in private:
        parts = [2**24] * (hits // 2**24) + [hits % 2**24]
        counts.append([(len(gains) + k, 1) for k in range(len(parts))])
        gains += [[part] for part in parts]
    limit = Limit(unit="words", budget=141, lengths=(21, 48, 55, 55, 45, 59))
    instance = Instance(total=sum(private), gains=gains, counts=counts, limits=[limit])
    oracle = find_in_instance(instance)
    assert (oracle.hits, oracle.upper_bound) == (9831782443, 9831782443)


def test_a_large_gain_times_a_large_count_leads_to_the_true_optimum() -> None:
    instance = Instance(
        total=2**24,
        gains=[[2**23] + [1] * 2**21],
        counts=[[(0, 1)], [(0, 2**21)]],
        limits=[Limit(unit="words", budget=2, lengths=(1, 2))],
    )
    family = enumerate_instance(instance)
    assert (family.hits, family.upper_bound, list(family)) == (10485759, 10485759, [(1,)])


def test_supply_beyond_32_bits_is_counted_whole() -> None:
    copies = 2100
    instance = Instance(
        total=2**22,
        gains=[[1] * 2**21],
        counts=[[(0, 2**21)] for _ in range(copies)],
        limits=[Limit(unit="words", budget=copies - 1, lengths=(1,) * copies)],
    )
    family = enumerate_instance(instance)
    assert (family.hits, family.count) == (2**21, 2**copies - 2)


def test_weights_of_40_bits_over_a_whole_document_are_in_range() -> None:
    rng = random.Random(7)
    gains = [[rng.randint(1, 2**40)] * 2 for _ in range(3000)]
    counts = [[(g, 1) for g in rng.sample(range(3000), 12)] for _ in range(300)]
    lengths = tuple(rng.randint(5, 40) for _ in counts)
    limit = Limit(unit="words", budget=100, lengths=lengths)
    instance = Instance(total=TOTAL, gains=gains, counts=counts, limits=[limit])
    oracle = find_in_instance(instance)
    assert oracle.proven
    assert count_hits(instance, oracle.indices) == oracle.hits


FIELDS: dict[str, Any] = {
    "total": 9,
    "gains": [[2, 1], [1]],
    "counts": [[(0, 1)], [(0, 1), (1, 1)]],
    "limits": [Limit(unit="words", budget=5, lengths=(3, 4))],
}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("gains", [[2, 1], [TOTAL]], "gains must add up to at most"),
        ("gains", [[2, 1], [TOTAL + 1]], r"gains\[1\]\[0\] must be at most"),
        ("counts", [[], [(0, COUNT + 1)]], r"counts\[1\]\[0\]\[1\] must be at most"),
        ("counts", [[], [(0, COUNT), (0, 1)]], r"counts\[1\]\[1\]\[1\], with those before it"),
        (
            "limits",
            [Limit(unit="words", budget=5, lengths=(3, LENGTH + 1))],
            r"lengths\[1\] must be at most",
        ),
        ("limits", [Limit(unit="words", budget=BUDGET + 1, lengths=(3, 4))], "budget must be"),
    ],
)
def test_a_number_just_out_of_range_is_refused_by_name(
    field: str, value: object, message: str
) -> None:
    Instance(**FIELDS)
    with pytest.raises(InputError, match=message):
        Instance(**{**FIELDS, field: value})


def test_ilp_claims_no_proof_that_floating_point_cannot_give() -> None:
    pytest.importorskip("highspy")
    rng = random.Random(11)
    for _ in range(60):
        hits = [rng.randint(2**33, 2**34) for _ in range(8)]
        limit = Limit(unit="words", budget=100, lengths=tuple(rng.randint(10, 50) for _ in hits))
        instance = Instance(
            total=TOTAL,
            gains=[[number] for number in hits],
            counts=[[(i, 1)] for i in range(8)],
            limits=[limit],
        )
        oracle = find_in_instance(instance, method="ilp")
        assert oracle.hits <= find_best(instance) <= oracle.upper_bound


def test_ilp_gives_no_bound_of_floats_for_gains_beyond_them() -> None:
    """HiGHS' bound of this one is a fifth below the best set: floats of 2^54 skip whole numbers."""
    gain = 18_910_433_469_743_293
    gains: list[list[int]] = [[] for _ in range(10)]
    gains[1], gains[2], gains[9] = [gain - 1, gain - 2], [gain], [gain, gain - 1, gain - 2]
    instance = Instance(
        total=TOTAL,
        gains=gains,
        counts=[[(1, 3), (5, 1)], [(9, 3), (0, 1)], [(0, 2), (1, 1), (9, 2)], [(2, 3)]],
        limits=[Limit(unit="words", budget=10, lengths=(3, 5, 3, 6))],
    )
    best = instance.hits([0, 1])
    assert best == find_in_instance(instance).hits
    oracle = find_in_instance(instance, method="ilp")
    assert oracle.hits <= best <= oracle.upper_bound
    assert not oracle.proven


def test_a_program_whose_thread_the_system_refuses_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError("can't start new thread")

    limit = Limit(unit="words", budget=1, lengths=(1, 1))
    instance = Instance(total=2, gains=[[1], [1]], counts=[[(0, 1)], [(1, 1)]], limits=[limit])
    monkeypatch.setattr("threading.Thread.start", refuse)
    with pytest.raises(OraclesumError, match="the system allows no more; raise that limit"):
        find_in_instance(instance, method="ilp")


def test_a_program_that_highs_gives_up_on_is_no_error() -> None:
    instance = Instance(
        total=3,
        gains=[[1, 1], [1]],
        counts=[[(0, 1), (1, 1)], [(0, 1), (1, 1)]],
        limits=[Limit(unit="words", budget=2**40 + 2**39 - 1, lengths=(2**40, 2**39))],
    )
    for method in ("ilp", "pairwise"):
        oracle = find_in_instance(instance, method=method)
        assert (oracle.hits, instance.hits(oracle.indices)) == (2, 2)
        assert oracle.upper_bound >= 2
