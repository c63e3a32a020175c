"""SCIP counts and CP-SAT enumerates: solvers that share no code with ours."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyscipopt import Model, quicksum

from children import run_child
from oraclesum.instances import Instance

__all__ = ["count_by_scip", "enumerate_by_cp_sat"]


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
    program = Path(__file__).with_name("cp_sat.py")
    lines = "\n".join(json.dumps(instance.to_dict()) for instance in instances)
    done = run_child([sys.executable, program], data=lines, seconds=600, text=True)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return [(answer["hits"], [tuple(s) for s in answer["sets"]]) for answer in answers]
