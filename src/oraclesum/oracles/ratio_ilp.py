"""Method `ilp` for other objectives than plain recall: one ratio, or a sum of recalls, by HiGHS.

A ratio N / D is maximised by Dinkelbach's method: for the best known value p / q, an integer
program maximises q N - p D; a set above 0 has a better value, and if there is none, p / q is the
optimum. N counts hits and D n-grams, both linear in the chosen sentences as long as n-grams stay
within them. Between the programs everything is exact. As in `ilp.py`, the certificate rests on
HiGHS' dual bound, rounded on the safe side: a doubtful one shows as "not proven".

N-grams are counted here from the words, by other code than the search has.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ..frozen import dataclass
from ..rouge import Rouge
from .milp import Program, Solution
from .options import Clock, Ended, Options
from .status import Status

if TYPE_CHECKING:
    from ..instances.limits import Limit

__all__ = ["RatioAnswer", "RatioProgram", "explain_no_program"]

Set = tuple[int, ...]
Ngrams = Counter[tuple[int, ...]]

# As in `ilp.py`: far above the solver's own error, far below one unit of the objective.
_TOLERANCE = 1e-3
_RELATIVE_TOLERANCE = 1e-6


def explain_no_program(rouge: Rouge) -> str | None:
    """Why an objective has no integer program of this kind; None if it has one."""
    if any(term.kind != "ngrams" for term in rouge.terms):
        return "a longest common subsequence is not linear in the sentences"
    if rouge.boundaries == "across":
        return "n-grams across sentences are not linear in the sentences"
    if len(rouge.terms) > 1 and any(term.beta2 is not None for term in rouge.terms):
        return "a sum of ratios is not linear"
    return None


@dataclass(frozen=True, kw_only=True)
class RatioAnswer:
    """The best set found, its value, and what no set can exceed."""

    indices: Set
    value: Fraction
    upper: Fraction
    status: Status
    nodes: int


@dataclass(frozen=True, kw_only=True)
class Scales:
    """The whole numbers of one program: what hits gain and n-grams cost."""

    value: Fraction  # that is to be exceeded
    gains: list[int]  # of a hit, by term
    cost: int  # of an n-gram in the summary
    constant: int  # what the objective must exceed to have a larger value
    unit: Fraction  # a larger objective by this is a value larger by at most 1

    def bound(self, solution: Solution) -> Fraction:
        """No set has a larger value: what the program's bound says, rounded up."""
        if solution.bound is None:
            return Fraction(1)
        tolerance = max(_TOLERANCE, abs(solution.bound) * _RELATIVE_TOLERANCE)
        above = math.floor(solution.bound + tolerance) - self.constant
        return min(Fraction(1), self.value + max(0, above) / self.unit)


class RatioProgram:
    """One document and its pooled references: the objective as (hits, size) of each term."""

    def __init__(
        self,
        words: Sequence[Sequence[int]],
        references: Sequence[Sequence[Sequence[int]]],
        rouge: Rouge,
        candidates: Sequence[int],
        required: Sequence[int],
        rows: Sequence[Limit],
    ) -> None:
        self._rouge = rouge
        self._candidates = candidates
        self._required = required
        self._rows = rows
        self._sets = rouge.counting == "sets"
        self._linear = rouge.terms[0].beta2 is None  # recalls: one program says it all
        self._words = words
        self._references = [
            reference
            if rouge.reference_boundaries == "within"
            else [[word for part in reference for word in part]]
            for reference in references
        ]
        self._wanted: list[list[Ngrams]] = []  # of each term, by reference
        self._found: list[dict[int, Ngrams]] = []  # of each term, by candidate
        self._totals: list[int] = []  # of each term

    def solve(self, start: Set, options: Options) -> RatioAnswer:
        """Dinkelbach's method from a known set, perhaps an empty one.

        If there is no time to count n-grams or to write a program, what is known by then.
        """
        clock = options.start_clock()
        best, value = start, Fraction(0)
        nodes = 0
        try:
            self.count(clock)
            value = self.score(start)
            while self._candidates:
                scales = self._weigh(value)
                solution = self._write(scales, clock).solve(clock.left, options.stop)
                nodes += solution.nodes
                if solution.infeasible and not best:
                    break
                chosen = self._round(solution)
                better = self._allows(chosen) and self.score(chosen) > value
                if better:
                    best, value = chosen, self.score(chosen)
                ended = solution.status in (Status.COMPLETE, Status.HEURISTIC)
                if better and ended and not self._linear:
                    continue
                upper = max(value, scales.bound(solution))
                proven = solution.status is Status.COMPLETE and upper == value
                return RatioAnswer(
                    indices=best,
                    value=value,
                    upper=upper,
                    # A bound that is too wide proves nothing.
                    status=Status.HEURISTIC if ended and not proven else solution.status,
                    nodes=nodes,
                )
        except Ended as ended:
            return RatioAnswer(
                indices=best, value=value, upper=Fraction(1), status=ended.status, nodes=nodes
            )
        return RatioAnswer(
            indices=(), value=Fraction(0), upper=Fraction(0), status=Status.COMPLETE, nodes=nodes
        )

    def count(self, clock: Clock) -> None:
        """Count the n-grams of all texts; Ended if time is up."""
        for term in self._rouge.terms:
            self._wanted.append([self._count(parts, term.n) for parts in self._references])
            found = {}
            for i in self._candidates:
                clock.check()
                found[i] = self._count([self._words[i]], term.n)
            self._found.append(found)
        self._totals = [sum(map(Counter.total, wanted)) for wanted in self._wanted]

    def _round(self, solution: Solution) -> Set:
        values = solution.values or []
        return tuple(i for i, taken in zip(self._candidates, values, strict=False) if taken > 0.5)

    def score(self, chosen: Set) -> Fraction:
        """The value of a set of candidates."""
        value = Fraction(0)
        for term, wanted, found, total in zip(
            self._rouge.terms, self._wanted, self._found, self._totals, strict=True
        ):
            counts = Ngrams()
            for i in chosen:
                counts.update(found[i])
            if self._sets:
                counts = Ngrams(dict.fromkeys(counts, 1))
            hits = sum((counts & each).total() for each in wanted)
            value += term.weight * term.value(hits, total, len(wanted) * counts.total())
        return value / sum(term.weight for term in self._rouge.terms)

    def _count(self, runs: Sequence[Sequence[int]], n: int) -> Ngrams:
        counts = Ngrams(tuple(run[at : at + n]) for run in runs for at in range(len(run) - n + 1))
        return Ngrams(dict.fromkeys(counts, 1)) if self._sets else counts

    def _allows(self, chosen: Set) -> bool:
        return set(self._required) <= set(chosen) and all(
            row.floor <= sum(row.lengths[i] for i in chosen) <= row.budget for row in self._rows
        )

    def _weigh(self, value: Fraction) -> Scales:
        """The objective of the program that looks for more than a value."""
        terms = self._rouge.terms
        if terms[0].beta2 is None:
            # Hits times weight over total, on a common denominator.
            shares = [
                term.weight / total if total else Fraction(0)
                for term, total in zip(terms, self._totals, strict=True)
            ]
            scale = math.lcm(*(share.denominator for share in shares))
            return Scales(
                value=Fraction(0),
                gains=[int(share * scale) for share in shares],
                cost=0,
                constant=0,
                unit=Fraction(scale * sum(term.weight for term in terms)),
            )
        # One ratio: q (r + s) hits - p (s references size + r total) with beta squared = r / s.
        p, q = value.numerator, value.denominator
        r, s = terms[0].beta2.numerator, terms[0].beta2.denominator
        return Scales(
            value=value,
            gains=[q * (r + s)],
            cost=p * s * len(self._wanted[0]),
            constant=p * r * self._totals[0],
            # D is at least what the references alone make, and a summary has an n-gram.
            unit=Fraction(q * max(1, r * self._totals[0])),
        )

    def _write(self, scales: Scales, clock: Clock) -> Program:
        program = Program()
        columns = {}
        for i in self._candidates:
            clock.check()
            size = 0 if self._sets else self._found[0][i].total()
            columns[i] = program.add_column(cost=-float(scales.cost * size), upper=1.0, whole=True)
        for i in self._required:
            program.add_row([(columns[i], -1.0)], -1.0)
        for row in self._rows:
            lengths = [(column, row.lengths[i]) for i, column in columns.items()]
            program.add_limit(lengths, row.budget, row.floor)
        for gain, wanted, found in zip(scales.gains, self._wanted, self._found, strict=True):
            self._add_hits(program, columns, gain, wanted, found, clock)
        if self._sets and scales.cost:
            self._add_sizes(program, columns, scales.cost, clock)
        return program

    @staticmethod
    def _add_hits(
        program: Program,
        columns: dict[int, int],
        gain: int,
        wanted: Sequence[Ngrams],
        found: dict[int, Ngrams],
        clock: Clock,
    ) -> None:
        """No more hits of an n-gram than it has in each reference, nor than were chosen.

        The first counts in all references that have it, the second in those that have it twice,
        and so on: fewer and fewer, so that the program takes them in this order.
        """
        supply: dict[tuple[int, ...], list[tuple[int, float]]] = {}
        for i, counts in found.items():
            clock.check()
            for ngram, times in counts.items():
                supply.setdefault(ngram, []).append((columns[i], -float(times)))
        repeats: dict[tuple[int, ...], Counter[int]] = {}  # of each n-gram, and in how many
        for each in wanted:
            clock.check()
            for ngram, count in each.items():
                if ngram in supply:
                    repeats.setdefault(ngram, Counter())[count] += 1
        for ngram, repeated in repeats.items():
            clock.check()
            row = supply[ngram]
            having, before = repeated.total(), 0
            for count in sorted(repeated):
                cost, upper = float(gain * having), float(count - before)
                row.append((program.add_column(cost=cost, upper=upper, whole=False), 1.0))
                having, before = having - repeated[count], count
            program.add_row(row, 0.0)

    def _add_sizes(
        self, program: Program, columns: dict[int, int], cost: int, clock: Clock
    ) -> None:
        """Distinct n-grams are paid for once, whoever brings them."""
        paid: dict[tuple[int, ...], int] = {}
        for i, counts in self._found[0].items():
            clock.check()
            for ngram in counts:
                if ngram not in paid:
                    paid[ngram] = program.add_column(cost=-float(cost), upper=1.0, whole=False)
                program.add_row([(columns[i], 1.0), (paid[ngram], -1.0)], 0.0)
