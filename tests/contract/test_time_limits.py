"""A method that is stopped says so, and what it hands back is still true."""

from __future__ import annotations

import random

import pytest
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import Status, enumerate_instance, find_in_instance
from oraclesum.oracles.methods import ENUMERATORS, FINDERS
from reference.generate import fold


def make_hard_instance() -> Instance:
    """Too many ties to enumerate in a moment: dozens of equal sentences over many n-grams."""
    rng = random.Random(11)
    gains = [fold([rng.randint(0, 2) for _ in range(3)]) for _ in range(120)]
    rows = [[(g, 1) for g in range(120) if rng.random() < 0.08] for _ in range(400)]
    lengths = tuple(rng.randint(8, 12) for _ in rows)
    limit = Limit(unit="words", budget=200, lengths=lengths)
    return Instance(id="hard", total=1000, gains=gains, counts=rows, limits=[limit])


@pytest.fixture(scope="module")
def hard() -> Instance:
    return make_hard_instance()


@pytest.fixture(scope="module")
def best(hard: Instance) -> int:
    """The optimum, from another solver than those that are stopped here."""
    oracle = find_in_instance(hard, method="ilp")
    assert oracle.proven
    return oracle.hits


@pytest.mark.parametrize("method", sorted(set(ENUMERATORS) & {"paper", "exhaustive"}))
@pytest.mark.parametrize("time_limit", [0, 0.05])
@pytest.mark.parametrize("family", ["all", "minimal"])
def test_a_stopped_enumeration_is_honest(
    hard: Instance, best: int, method: str, time_limit: float, family: str
) -> None:
    found = enumerate_instance(hard, method=method, time_limit=time_limit, family=family)
    assert found.status == Status.TIME_LIMIT
    assert not found.complete
    assert found.hits <= best <= found.upper_bound
    assert all(hard.hits(s) == found.hits for s in found)
    assert len(found) >= (method == "paper")


@pytest.mark.parametrize("method", sorted(ENUMERATORS))
def test_whatever_the_clock_says_the_bounds_enclose_the_best(
    hard: Instance, best: int, method: str
) -> None:
    found = enumerate_instance(hard, method=method, time_limit=0.2, max_list=1000)
    assert found.hits <= best <= found.upper_bound
    assert all(hard.hits(s) == found.hits for s in found)


@pytest.mark.parametrize("method", sorted(FINDERS))
@pytest.mark.parametrize("time_limit", [0, 0.1])
def test_a_stopped_finder_is_honest(
    hard: Instance, best: int, method: str, time_limit: float
) -> None:
    oracle = find_in_instance(hard, method=method, time_limit=time_limit)
    assert oracle.hits <= best <= oracle.upper_bound
    assert hard.feasible(oracle.sentences)
    assert hard.hits(oracle.sentences) == oracle.hits
    assert oracle.status in (Status.COMPLETE, Status.TIME_LIMIT)
