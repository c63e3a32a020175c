"""A method that is stopped says so, and what it hands back is still true."""

from __future__ import annotations

from itertools import accumulate

import pytest

from oraclesum.instances import Instance, Limit
from oraclesum.oracles import Status, enumerate_instance, find_in_instance
from oraclesum.oracles.methods import ENUMERATORS, FINDERS

SENTENCES = 48
GAIN = 3
LENGTHS = tuple(9 + i % 3 for i in range(SENTENCES))
BUDGET = 128


@pytest.fixture(scope="module")
def hard() -> Instance:
    """Far too many ties to list in a moment: every sentence has three n-grams of its own."""
    return Instance(
        id="hard",
        total=SENTENCES * GAIN,
        gains=[[1]] * (SENTENCES * GAIN),
        counts=[[(GAIN * i + k, 1) for k in range(GAIN)] for i in range(SENTENCES)],
        limits=[Limit(unit="words", budget=BUDGET, lengths=LENGTHS)],
    )


@pytest.fixture(scope="module")
def best() -> int:
    """All sentences gain the same, so the best set takes the shortest ones."""
    return GAIN * sum(1 for length in accumulate(sorted(LENGTHS)) if length <= BUDGET)


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
    assert hard.feasible(oracle.indices)
    assert hard.hits(oracle.indices) == oracle.hits
    assert oracle.status in (Status.COMPLETE, Status.HEURISTIC, Status.TIME_LIMIT)
