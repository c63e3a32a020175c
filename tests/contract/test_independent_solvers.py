"""Solvers that share no code with ours enumerate and count the same families: CP-SAT and SCIP."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from pyscipopt import Model, quicksum

from oraclesum.instances import Instance
from oraclesum.oracles import enumerate_instance
from oraclesum.oracles.methods import ENUMERATORS
from reference.generate import generate_instances

NAMES = sorted(ENUMERATORS)


def list_instances() -> list[Instance]:
    """Larger than brute force likes, but no huge families: CP-SAT lists few sets a second."""
    drawn = generate_instances(200, seed=21, most_sentences=14)
    larger = (instance for instance in drawn if len(instance.candidates) > 6)
    small = (i for i in larger if enumerate_instance(i, method="exhaustive").count <= 100)
    return list(islice(small, 36))


def count_by_scip(instance: Instance, hits: int) -> int:
    """Number of sets with at least so many hits."""
    model = Model()
    model.hideOutput()
    model.setParamsCountsols()
    # With presolving SCIP 10 counts some single solutions twice; brute force and CP-SAT do not.
    model.setIntParam("presolving/maxrounds", 0)
    chosen = {i: model.addVar(vtype="B") for i in instance.candidates}
    for limit in instance.limits:
        model.addCons(quicksum(limit.lengths[i] * x for i, x in chosen.items()) <= limit.budget)
    gained = []
    for g, gains in enumerate(instance.gains):
        counts = {i: dict(instance.counts[i]).get(g, 0) for i in chosen}
        covered = quicksum(counts[i] * x for i, x in chosen.items())
        for k, gain in enumerate(gains, start=1):
            reached = model.addVar(vtype="B")
            model.addCons(covered >= k * reached)
            model.addCons(covered <= k - 1 + sum(counts.values()) * reached)
            gained.append(gain * reached)
    model.addCons(quicksum(gained) >= hits)
    model.count()
    return int(model.getNCountedSols())


def enumerate_by_cp_sat(instances: list[Instance]) -> list[tuple[int, list[tuple[int, ...]]]]:
    """Best hits and all sets of each instance, from a program of its own."""
    program = Path(__file__).parent.parent / "reference" / "cp_sat.py"
    lines = "\n".join(json.dumps(instance.to_dict()) for instance in instances)
    done = subprocess.run(
        [sys.executable, str(program)], input=lines, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return [(answer["hits"], [tuple(s) for s in answer["sets"]]) for answer in answers]


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
