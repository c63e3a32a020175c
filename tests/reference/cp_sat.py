"""CP-SAT as an independent enumerator: instances as JSON lines in, best hits and all sets out.

A program of its own, because ortools and highspy cannot be loaded into one process: both bring a
library called libhighs.so.1, of different versions.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from ortools.sat.python import cp_model


class Collect(cp_model.CpSolverSolutionCallback):
    """Keeps the chosen sentences of every solution."""

    def __init__(self, chosen: list[cp_model.IntVar]) -> None:
        super().__init__()
        self.chosen = chosen
        self.sets: list[list[int]] = []

    def on_solution_callback(self) -> None:
        self.sets.append([i for i, x in enumerate(self.chosen) if self.value(x)])


def enumerate_by_cp_sat(record: dict[str, Any]) -> dict[str, Any]:
    """Best hits, then all sets that reach them; every helper variable is fixed by the sentences."""
    model = cp_model.CpModel()
    rows = [dict(row) for row in record["counts"]]
    chosen = [model.new_bool_var(f"x{i}") for i in range(len(rows))]
    for i, row in enumerate(rows):
        if not row:  # no candidate: shares nothing with a reference
            model.add(chosen[i] == 0)
    for limit in [record, *record.get("more_limits", [])]:
        used = sum(length * x for length, x in zip(limit["lengths"], chosen, strict=True))
        model.add(used <= limit["budget"])
    hits = []
    for g, gains in enumerate(record["gains"]):
        covered = sum(row.get(g, 0) * x for row, x in zip(rows, chosen, strict=True))
        for k, gain in enumerate(gains, start=1):
            reached = model.new_bool_var(f"y{g}_{k}")
            model.add(covered >= k).only_enforce_if(reached)
            model.add(covered <= k - 1).only_enforce_if(reached.negated())
            hits.append(gain * reached)
    model.maximize(sum(hits))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    if solver.solve(model) != cp_model.OPTIMAL:
        raise RuntimeError("CP-SAT found no optimum")
    best = round(solver.objective_value)
    model.clear_objective()
    model.add(sum(hits) >= best)
    solver.parameters.enumerate_all_solutions = True
    collect = Collect(chosen)
    if solver.solve(model, collect) != cp_model.OPTIMAL:
        raise RuntimeError("CP-SAT did not finish the enumeration")
    return {"hits": best, "sets": sorted(collect.sets)}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(enumerate_by_cp_sat(json.loads(line))))
