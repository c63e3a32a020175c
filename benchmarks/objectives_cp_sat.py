"""CP-SAT as a peer of the benchmark of objectives: a question a line in, an answer a line out.

One ratio is solved by Dinkelbach's method, each step a linear program; then all sets of the proven
value are enumerated. For a sum of ratios, each ratio is a whole number of millionths (CP-SAT's
division); what is within one millionth for each of the best is enumerated and compared exactly. The
argument is the limit in seconds for one document, for all of this together.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from fractions import Fraction
from typing import Any

from ortools.sat.python import cp_model

MILLION = 10**6


class Level:
    """N-grams of one length: hits of the chosen sentences as a sum of variables."""

    def __init__(
        self, model: cp_model.CpModel, chosen: list[Any], question: dict[str, Any], n: int
    ) -> None:
        references = [_count_ngrams(words, n) for words in question["references"]]
        rows = [_count_ngrams(words, n) for words in question["sentences"]]
        self.references = len(references)
        self.total = sum(sum(counts.values()) for counts in references)
        self.sizes = [sum(row.values()) for row in rows]
        self.size = sum(size * x for size, x in zip(self.sizes, chosen, strict=True))
        suppliers: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for i, row in enumerate(rows):
            for ngram, count in row.items():
                suppliers.setdefault(ngram, []).append((i, count))
        self.gains: list[tuple[int, Any]] = []
        for ngram in {ngram for counts in references for ngram in counts}:
            terms = suppliers.get(ngram, [])
            covered = sum(count * chosen[i] for i, count in terms)
            supply = sum(count for _, count in terms)
            for k in range(1, supply + 1):
                gain = sum(counts[ngram] >= k for counts in references)
                if gain == 0:
                    break
                reached = model.new_bool_var("")
                model.add(covered >= k).only_enforce_if(reached)
                model.add(covered <= k - 1).only_enforce_if(reached.negated())
                self.gains.append((gain, reached))
        self.hits = sum(gain * reached for gain, reached in self.gains)
        self.candidates = {
            i for i, row in enumerate(rows) if any(g in c for c in references for g in row)
        }

    def ratio(self, solver: Any, chosen: list[Any]) -> Fraction:
        """The exact F1 of a solution."""
        hits = sum(gain * solver.value(reached) for gain, reached in self.gains)
        size = sum(n * solver.value(x) for n, x in zip(self.sizes, chosen, strict=True))
        return Fraction(2 * hits, self.total + self.references * size)


class Collector(cp_model.CpSolverSolutionCallback):
    """The exact value of every solution."""

    def __init__(self, levels: list[Level], chosen: list[Any]) -> None:
        super().__init__()
        self.levels, self.chosen = levels, chosen
        self.values: list[Fraction] = []

    def on_solution_callback(self) -> None:
        self.values.append(sum(level.ratio(self, self.chosen) for level in self.levels))


def solve(question: dict[str, Any], limit: float) -> dict[str, Any]:
    """Best value and number of sets, within the limit."""
    start = time.perf_counter()
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in question["sentences"]]
    levels = [Level(model, chosen, question, n) for n in question["sizes"]]
    candidates = set.union(*(level.candidates for level in levels))
    for i, x in enumerate(chosen):
        if i not in candidates:
            model.add(x == 0)
    if question["most"] is not None:
        model.add(sum(chosen) <= question["most"])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2

    def run(*collector: Collector) -> bool:
        left = limit - (time.perf_counter() - start)
        if left <= 0:
            return False
        solver.parameters.max_time_in_seconds = left
        return bool(solver.solve(model, *collector) == cp_model.OPTIMAL)

    proven = (
        _maximise_ratio(model, levels[0], chosen, solver, run)
        if len(levels) == 1
        else (_maximise_sum(model, levels, solver, run))
    )
    value, count = None, None
    if proven:
        solver.parameters.enumerate_all_solutions = True
        collector = Collector(levels, chosen)
        proven = run(collector)
        value = max(collector.values, default=Fraction(0))
        count = collector.values.count(value)
    return {
        "seconds": time.perf_counter() - start,
        "proven": proven,
        "value": [value.numerator, value.denominator] if proven and value is not None else None,
        "count": count,
    }


def _maximise_ratio(
    model: cp_model.CpModel, level: Level, chosen: list[Any], solver: Any, run: Any
) -> bool:
    """Dinkelbach; afterwards the model's solutions are the best sets."""
    value = Fraction(0)
    while True:
        p, q = value.numerator, value.denominator
        gain = 2 * q * level.hits - p * level.references * level.size
        model.maximize(gain)
        if not run():
            return False
        better = level.ratio(solver, chosen)
        if better <= value:
            model.clear_objective()
            model.add(gain >= p * level.total)
            return True
        value = better


def _maximise_sum(model: cp_model.CpModel, levels: list[Level], solver: Any, run: Any) -> bool:
    """Millionths of each ratio; afterwards the solutions are the best sets and a few more."""
    parts = []
    for level in levels:
        most = level.total + level.references * sum(level.sizes)
        below = model.new_int_var(level.total, most, "")
        model.add(below == level.total + level.references * level.size)
        above = model.new_int_var(0, 2 * MILLION * level.total, "")
        model.add(above == 2 * MILLION * level.hits)
        part = model.new_int_var(0, MILLION, "")
        model.add_division_equality(part, above, below)
        parts.append(part)
    model.maximize(sum(parts))
    if not run():
        return False
    best = round(solver.objective_value)
    model.clear_objective()
    model.add(sum(parts) >= best - len(parts))
    return True


def _count_ngrams(words: list[int], n: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(solve(json.loads(line), float(sys.argv[1]))), flush=True)
