"""CP-SAT enumerating all oracles: paths of instances in, one JSON line each out.

A program of its own, because ortools and highspy cannot be loaded into one process: both bring a
library called libhighs.so.1, of different versions. Its argument is the limit in seconds for one
instance, proof of the optimum and enumeration together.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from ortools.sat.python import cp_model


class Counter(cp_model.CpSolverSolutionCallback):
    """Counts the solutions."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def on_solution_callback(self) -> None:
        self.count += 1


def enumerate_by_cp_sat(record: dict[str, Any], limit: float) -> dict[str, Any]:
    """Best hits, then all sets that reach them; every helper variable is fixed by the sentences."""
    start = time.perf_counter()
    model = cp_model.CpModel()
    fits = [length <= record["budget"] for length in record["lengths"]]
    rows = [dict(row) if fit else {} for row, fit in zip(record["counts"], fits, strict=True)]
    chosen = {i: model.new_bool_var(f"x{i}") for i, row in enumerate(rows) if row}
    model.add(sum(record["lengths"][i] * x for i, x in chosen.items()) <= record["budget"])
    suppliers: dict[int, list[tuple[int, int]]] = {}
    for i in chosen:
        for g, count in rows[i].items():
            suppliers.setdefault(g, []).append((i, count))
    hits = []
    for g, terms in suppliers.items():
        covered = sum(count * chosen[i] for i, count in terms)
        supply = sum(count for _, count in terms)
        for k, gain in enumerate(record["gains"][g], start=1):
            if k > supply or gain == 0:
                break
            reached = model.new_bool_var(f"y{g}_{k}")
            model.add(covered >= k).only_enforce_if(reached)
            model.add(covered <= k - 1).only_enforce_if(reached.negated())
            hits.append(gain * reached)
    model.maximize(sum(hits))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.max_time_in_seconds = limit
    proven = solver.solve(model) == cp_model.OPTIMAL
    best = round(solver.objective_value)
    counter = Counter()
    finished = False
    left = limit - (time.perf_counter() - start)
    if proven and left > 0:
        model.clear_objective()
        model.add(sum(hits) >= best)
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.max_time_in_seconds = left
        finished = solver.solve(model, counter) == cp_model.OPTIMAL
    return {
        "s": time.perf_counter() - start,
        "hits": best,
        "count": counter.count,
        "proven": proven,
        "finished": finished,
    }


if __name__ == "__main__":
    for line in sys.stdin:
        answer = enumerate_by_cp_sat(json.loads(Path(line.strip()).read_text()), float(sys.argv[1]))
        print(json.dumps(answer), flush=True)
