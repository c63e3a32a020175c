"""What is maximised, as people write it: terms such as r1-f1, added with +, each with a weight."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import index
from typing import Literal, cast

from .. import _kernel
from ..errors import InputError
from ..frozen import dataclass
from ..message import show_value, suggest
from ..whole import as_fraction, is_whole

__all__ = [
    "Term",
    "add_terms",
    "count_recall",
    "describe_terms",
    "name_objective",
    "name_signed",
    "parse_objective",
    "scale_of",
    "write_objective",
]

LARGEST_N = 9
_LARGEST = 10**6  # of a weight's and a squared beta's numerator and denominator
_LARGEST_SUM = _kernel.ranges()["weight"]  # of all weights as whole numbers
_TERM = re.compile(r"(?:([^*]+)\*)?(r[1-9]|rl|rlsum)-(recall|precision|f[0-9.]+)")
_KINDS = {"rl": 1, "rlsum": 2}  # of the kernel; 0 is n-grams
_NAMES = [
    *(f"r{n}-{statistic}" for n in (1, 2, 3) for statistic in ("recall", "precision", "f1")),
    *(f"{kind}-{statistic}" for kind in _KINDS for statistic in ("recall", "precision", "f1")),
]

# R1, rouge-2, ROUGE_L, rougeLsum-fmeasure, r1f1 …
_LOOSE = re.compile(
    r"(?:rouge|r)[-_]?(?P<n>[1-9]|l|lsum)[-_.]?"
    r"(?P<statistic>recall|precision|f1|f|f-?measure|f-?score|r|p)?"
)
_STATISTICS = {
    **dict.fromkeys(("f1", "f", "fmeasure", "f-measure", "fscore", "f-score"), "f1"),
    **dict.fromkeys(("recall", "r"), "recall"),
    **dict.fromkeys(("precision", "p"), "precision"),
}

Kind = Literal["ngrams", "rl", "rlsum"]


@dataclass(frozen=True, kw_only=True)
class Term:
    """One addend of an objective.

    `kind` "ngrams" has `n`; "rl" is the longest common subsequence of the whole texts, "rlsum" the
    union of those of all sentences. `beta2` is beta squared of an F-measure; None is recall, 0
    precision.
    """

    kind: Kind
    n: int
    beta2: Fraction | None
    weight: Fraction = Fraction(1)

    def __str__(self) -> str:
        name = f"r{self.n}" if self.kind == "ngrams" else self.kind
        if self.beta2 is None:
            return f"{name}-recall"
        if self.beta2 == 0:
            return f"{name}-precision"
        return f"{name}-f{_write_decimal(_root(self.beta2))}"

    def value(self, hits: int, total: int, size: int) -> Fraction:
        """The term's value: `total` n-grams in the references, `size` once per reference."""
        if self.beta2 is None:
            return Fraction(hits, total) if total else Fraction(0)
        below = self.beta2 * total + size
        return (1 + self.beta2) * hits / below if below else Fraction(0)


def parse_objective(text: str, *, presets: Collection[str] = ()) -> tuple[Term, ...]:
    """The terms of an objective such as "r1-f1+r2-f1" or "0.5*r1-f1+rlsum-recall".

    `presets` are names that the caller takes in its place: what is near one may have meant it.
    """
    if not isinstance(text, str):
        is_length = is_whole(text) and 1 <= index(text) <= LARGEST_N
        hint = f"; for recall of n-grams of that length write n={text}" if is_length else ""
        raise InputError(
            f"an objective is text such as 'r1-f1+r2-f1', not {show_value(text)}{hint}"
        )
    terms = tuple(_parse_term(part, text, presets) for part in text.strip().lower().split("+"))
    if (total := scale_of(terms)) > _LARGEST_SUM:
        raise InputError(
            f"the weights of the objective {text!r} have too many digits: as whole numbers they "
            f"add up to {total:,}, at most {_LARGEST_SUM:,} is possible; round them"
        )
    return terms


def _parse_term(part: str, text: str, presets: Collection[str]) -> Term:
    part = part.strip()
    match = _TERM.fullmatch(part)
    if match is None:
        bare = part.rpartition("*")[2]
        if bare in presets:
            hint = f"; the preset {bare!r} goes with no other term"
        else:
            near = (_suggest_near(one, presets) for one in (text.strip().lower(), bare))
            hint = next(filter(None, near), "") or suggest(bare, _NAMES)
        raise InputError(
            f"unknown term {part!r} in the objective {text!r}: a term is r1 to r9, rl or rlsum "
            f"with -recall, -precision, -f1 or another -fBETA{hint}"
        )
    weight, name, statistic = match.groups()
    beta2: Fraction | None = None
    if statistic == "precision":
        beta2 = Fraction(0)
    elif statistic != "recall":
        beta2 = _read_fraction(statistic[1:], "beta", part) ** 2
    term = Term(
        kind="ngrams" if name not in _KINDS else "rl" if name == "rl" else "rlsum",
        n=1 if name in _KINDS else int(name[1]),
        beta2=beta2,
        weight=Fraction(1) if weight is None else _read_fraction(weight, "weight", part),
    )
    for number in (term.weight, term.beta2 or Fraction(0)):
        if max(number.numerator, number.denominator) > _LARGEST:
            raise InputError(f"the numbers of the term {part!r} have too many digits")
    return term


def _suggest_near(text: str, presets: Collection[str]) -> str:
    """What somebody who wrote this may have meant: as other programs write it, or misspelt."""
    if statistic := _STATISTICS.get(text):
        return f"; did you mean 'r1-{statistic}' or 'r2-{statistic}'?"
    parts = [_LOOSE.fullmatch(part) for part in re.split("[,+& ]+", text)]
    read = [match for match in parts if match is not None]
    if len(read) < len(parts):
        return suggest(text, presets, cutoff=0.7)
    given = [_STATISTICS.get(match["statistic"] or "") for match in read]
    usual = [one for one in given if one]  # a statistic that is said once is meant for all
    meant = [
        "+".join(f"r{match['n']}-{one or other}" for match, one in zip(read, given, strict=True))
        for other in (usual[-1:] or ("recall", "f1"))
    ]
    return f"; did you mean {' or '.join(map(repr, meant))}?"


def _read_fraction(text: str, what: str, part: str) -> Fraction:
    try:
        number = as_fraction(text)
    except ValueError:
        raise InputError(f"the {what} of {part!r} must be a number, not {text!r}") from None
    if number <= 0:
        raise InputError(f"the {what} of {part!r} must be above 0")
    return number


def write_objective(terms: tuple[Term, ...]) -> str:
    """The objective as text, in one form for all ways to write it."""
    return "+".join(
        str(term) if term.weight == 1 else f"{_write_decimal(term.weight)}*{term}" for term in terms
    )


def describe_terms(terms: Sequence[Term]) -> list[tuple[int, int, int, int, int]]:
    """The terms for the kernel: kind, n, whole weight, and r, s with beta squared = r / s."""
    scale = Fraction(
        lcm(*(term.weight.denominator for term in terms)),
        gcd(*(term.weight.numerator for term in terms)),
    )
    return [
        (
            _KINDS.get(term.kind, 0),
            term.n,
            int(term.weight * scale),
            1 if term.beta2 is None else term.beta2.numerator,
            0 if term.beta2 is None else term.beta2.denominator,
        )
        for term in terms
    ]


def name_objective(terms: Sequence[Term]) -> str:
    """The statistic by the name that tables show: "ROUGE-2 recall", "ROUGE-Lsum F1", a sum."""
    if len(terms) > 1:
        return write_objective(tuple(terms))
    kind, _, statistic = str(terms[0]).partition("-")
    number = {"rl": "L", "rlsum": "Lsum"}.get(kind, kind[1:])
    shown = f"F{statistic[1:]}" if statistic[0] == "f" else statistic
    return f"ROUGE-{number} {shown}"


def name_signed(signature: str) -> str:
    """The statistic that a signature names, as tables show it; "score" if it names none."""
    pairs = dict(part.partition(":")[::2] for part in signature.split("|"))
    text = pairs.get("objective") or f"r{pairs.get('rouge', '')}-recall"
    try:
        return name_objective(parse_objective(text))
    except InputError:
        return "score"


def scale_of(terms: Sequence[Term]) -> int:
    """The kernel's values are sums over whole weights: so many times the weighted mean."""
    return sum(weight for _, _, weight, _, _ in describe_terms(terms))


def add_terms(
    terms: Sequence[Term],
    totals: Sequence[int],
    tallies: Sequence[tuple[int, int]],
    references: int,
) -> Fraction:
    """The weighted mean of the terms, from n-grams of the references and (hits, size) of a set."""
    values = (
        term.weight * term.value(hits, total, size * references)
        for term, total, (hits, size) in zip(terms, totals, tallies, strict=True)
    )
    return sum(values, Fraction(0)) / sum(term.weight for term in terms)


def count_recall(
    terms: Sequence[Term], total: int, value: Fraction, upper: Fraction
) -> tuple[int, int, int]:
    """Hits, total and bound if there is one term, recall; else (None, None, None)."""
    if len(terms) > 1 or terms[0].beta2 is not None:
        return cast(tuple[int, int, int], (None, None, None))
    return int(value * total), total, int(upper * total)


def _root(square: Fraction) -> Fraction:
    """The exact root of a square that was made by squaring."""
    from math import isqrt

    return Fraction(isqrt(square.numerator), isqrt(square.denominator))


def _write_decimal(number: Fraction) -> str:
    """As a decimal if that is exact, else as a fraction."""
    digits = 0
    while digits <= 6 and (number * 10**digits).denominator != 1:
        digits += 1
    if digits > 6:
        return str(number)
    return f"{float(number):.{digits}f}"
