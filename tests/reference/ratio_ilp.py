"""One F1 by HiGHS: Dinkelbach's method over mixed 0/1 programs, in exact fractions between them.

It counts n-grams by itself and shares no code with the search.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from oraclesum.oracles.milp import Program

__all__ = ["maximise_ratio"]

Words = list[str]
Ngrams = Counter[tuple[str, ...]]


def maximise_ratio(
    sentences: list[Words], references: list[Words], n: int, most: int
) -> tuple[Fraction, tuple[int, ...]]:
    """The best pooled R-n F1 of at most so many sentences, and one set that has it."""
    wanted = [_count(words, n) for words in references]
    rows = [_count(words, n) for words in sentences]
    total = sum(counts.total() for counts in wanted)

    def score(chosen: tuple[int, ...]) -> Fraction:
        found = sum((rows[i] for i in chosen), Ngrams())
        hits = sum((found & counts).total() for counts in wanted)
        return Fraction(2 * hits, total + len(wanted) * found.total())

    value, best = Fraction(0), ()
    while True:
        chosen = _solve(rows, wanted, most, value)
        if not chosen or score(chosen) <= value:
            return value, best
        value, best = score(chosen), chosen


def _solve(rows: list[Ngrams], wanted: list[Ngrams], most: int, value: Fraction) -> tuple[int, ...]:
    """A set with the largest 2 q hits - p size, for value = p / q."""
    p, q = value.numerator, value.denominator
    program = Program()
    for row in rows:
        cost = -float(p * len(wanted) * row.total())
        program.add_column(cost=cost, upper=1.0, whole=True)
    program.add_row([(i, 1.0) for i in range(len(rows))], float(most))
    for counts in wanted:
        for ngram, times in counts.items():
            terms = [(i, -float(row[ngram])) for i, row in enumerate(rows) if ngram in row]
            if terms:
                hits = program.add_column(cost=2.0 * q, upper=float(times), whole=False)
                program.add_row([*terms, (hits, 1.0)], 0.0)
    solution = program.solve(300.0)
    assert solution.finished
    assert solution.values is not None
    return tuple(i for i in range(len(rows)) if solution.values[i] > 0.5)


def _count(words: Words, n: int) -> Ngrams:
    return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
