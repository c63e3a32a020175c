"""Solvers that share no code with ours enumerate and count the same families: CP-SAT and SCIP."""

from __future__ import annotations

from itertools import islice

import pytest

from oraclesum.instances import Instance
from oraclesum.oracles import enumerate_instance
from oraclesum.oracles.methods import ENUMERATORS
from reference.generate import generate_instances
from reference.solvers import count_by_scip, enumerate_by_cp_sat

NAMES = sorted(ENUMERATORS)


def list_instances() -> list[Instance]:
    """Larger than brute force likes, but no huge families: CP-SAT lists few sets a second."""
    drawn = generate_instances(200, seed=21, most_sentences=14)
    larger = (instance for instance in drawn if len(instance.candidates) > 6)
    small = (i for i in larger if enumerate_instance(i, method="exhaustive").count <= 100)
    return list(islice(small, 36))


@pytest.fixture(scope="module")
def answers() -> list[tuple[int, list[tuple[int, ...]]]]:
    return enumerate_by_cp_sat(list_instances())


@pytest.mark.parametrize("method", NAMES)
def test_cp_sat_enumerates_the_very_sets(
    method: str, answers: list[tuple[int, list[tuple[int, ...]]]]
) -> None:
    for instance, (best, sets) in zip(list_instances(), answers, strict=True):
        family = enumerate_instance(instance, method=method)
        assert (family.hits, list(family)) == (best, sets)


@pytest.mark.parametrize("method", NAMES)
def test_scip_counts_as_many_sets(method: str) -> None:
    for instance in list_instances()[:24]:
        family = enumerate_instance(instance, method=method)
        assert family.count == count_by_scip(instance, family.hits)
