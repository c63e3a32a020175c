"""Whether one measure agrees with people more than another: Williams, permutation, Holm."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from ..frozen import dataclass
from ..whole import require_whole
from .bootstrap import RESAMPLES
from .coefficients import Coefficient, correlate_rows, scale_matrices
from .correlation import (
    MOST_RESAMPLES,
    Level,
    check_question,
    correlate_level,
    do_nothing,
    fit_sums,
    mean_known,
)
from .judged import Judged
from .signs import ExchangedSigns

__all__ = [
    "Difference",
    "compare_measures",
    "correct_holm",
    "list_pairs",
    "permute_test",
    "student_tails",
    "williams_test",
]

_DUST = 1e-9  # a difference of correlations that rounding may make
_BATCH = 100  # permutations at once: enough to be fast, small enough for memory


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Two measures of one kind compared; p values are two-sided, `*_holm` for all pairs at once.

    The Williams test is one of Pearson correlations across systems, and None elsewhere. If no
    permutation came near the observed difference, `permutation_bound` is true: p is then at most
    `permutation`, one over the permutations and one, and more of them could show it smaller.
    """

    first: str
    second: str
    level: Level
    coefficient: Coefficient
    difference: float  # correlation of the first less that of the second
    williams: float | None
    williams_holm: float | None
    permutation: float
    permutation_holm: float
    permutation_bound: bool = False

    def _repr_html_(self) -> str | None:
        from ..card import draw_safely
        from .cards import draw_difference

        return draw_safely(lambda: draw_difference(self))


def compare_measures(
    judged: Judged,
    *,
    level: Level,
    coefficient: Coefficient,
    permutations: int = RESAMPLES,
    seed: int = 0,
    advance: Callable[[], None] | None = None,
) -> list[Difference]:
    """Every pair of measures; drawn measures carry their own interval and take no part.

    Nor does a measure that repeats another (`Judged.repeated`): Holm corrects for the pairs that
    are hypotheses of their own. `advance` is called after each pair.
    """
    check_question(judged, level, coefficient, seed)
    permutations = require_whole("permutations", permutations, least=1, most=MOST_RESAMPLES)
    advance = advance or do_nothing
    pairs = list_pairs(judged)
    exchanges = Exchanges(judged.human.shape, permutations, seed)
    tested = level == "system" and coefficient == "pearson"
    observed: list[float] = []
    williams: list[float] = []
    permuted: list[float] = []
    human = fit_sums(judged.human, level)
    for first, second in pairs:
        x, y = (fit_sums(judged.measures[name], level) for name in (first, second))
        with_x = float(correlate_level(x, human, level, coefficient))
        with_y = float(correlate_level(y, human, level, coefficient))
        observed.append(with_x - with_y)
        if tested:
            williams.append(_test_williams(x, y, human))
        permuted.append(_permute(x, y, human, level, coefficient, exchanges))
        advance()
    williams_holm = correct_holm(williams) if tested else []
    return [
        Difference(
            first=first,
            second=second,
            level=level,
            coefficient=coefficient,
            difference=observed[k],
            williams=williams[k] if tested else None,
            williams_holm=williams_holm[k] if tested else None,
            permutation=permuted[k],
            permutation_holm=corrected,
            permutation_bound=permuted[k] == exchanges.floor,
        )
        for k, ((first, second), corrected) in enumerate(
            zip(pairs, correct_holm(permuted), strict=True)
        )
    ]


def list_pairs(judged: Judged) -> list[tuple[str, str]]:
    """The pairs of measures that are compared."""
    return list(combinations((name for name in judged.measures if name not in judged.repeated), 2))


def _test_williams(x: Any, y: Any, human: Any) -> float:
    """Williams' test of two measures at system level, over the systems that have all scores."""
    import numpy

    known = ~(numpy.isnan(x).all(0) | numpy.isnan(y).all(0) | numpy.isnan(human).all(0))
    x, y, human = x[:, known], y[:, known], human[:, known]
    with_x, with_y, between = (
        float(correlate_level(first, second, "system", "pearson"))
        for first, second in ((x, human), (y, human), (x, y))
    )
    return williams_test(with_x, with_y, between, int(known.sum()))


def williams_test(with_first: float, with_second: float, between: float, systems: int) -> float:
    """Two-sided p of Williams' test (1959) that two dependent correlations are equal.

    `with_first`, `with_second`: correlations of the two measures with the human scores; `between`:
    of the measures with each other; over `systems` systems. nan for fewer than 4, and for a measure
    and its mirror image (between = -1), where the test is not defined.
    """
    if systems < 4 or any(map(math.isnan, (with_first, with_second, between))):
        return math.nan
    # What is left of these by rounding would decide.
    if abs(with_first - with_second) < _DUST or between > 1 - _DUST:
        return 1.0
    if between < _DUST - 1:
        return math.nan
    freedom = systems - 3
    rest = 1 - with_first**2 - with_second**2 - between**2 + 2 * with_first * with_second * between
    spread = 2 * max(rest, 0.0) * (systems - 1) / freedom
    spread += (with_first + with_second) ** 2 / 4 * (1 - between) ** 3
    if spread <= 0:
        return 0.0
    statistic = (with_first - with_second) * math.sqrt((systems - 1) * (1 + between) / spread)
    return student_tails(statistic, freedom)


def student_tails(statistic: float, freedom: int) -> float:
    """The probability that Student's t with `freedom` degrees is at least this far from 0.

    It is the regularised incomplete beta function I_x(freedom / 2, 1 / 2), computed as a series of
    positive terms, so that small probabilities keep their digits. scipy has it too, in 140 MB.
    """
    square = statistic * statistic
    x, rest = freedom / (freedom + square), 1 / (1 + freedom / square) if square else 0.0
    if x == 0 or rest == 0:
        return 1.0 if rest == 0 else 0.0
    a, b = freedom / 2, 0.5
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    logarithm += a * math.log(x) + b * math.log(rest)
    far = x < (a + 1) / (a + b + 2)  # otherwise the other tail is the smaller one
    if not far:
        a, b, x = b, a, rest
    term = total = 1.0
    step = 0
    while term > total * 1e-17:
        term *= x * (a + b + step) / (a + 1 + step)
        total += term
        step += 1
    tail = math.exp(logarithm) / a * total
    return tail if far else 1 - tail


def permute_test(
    first: Any,
    second: Any,
    human: Any,
    level: Level,
    coefficient: Coefficient,
    permutations: int = RESAMPLES,
    seed: int = 0,
) -> float:
    """Two-sided p that both measures agree with people equally well: their scores are exchangeable.

    The scores are standardised, then exchanged for each summary with a probability of one half.
    """
    exchanges = Exchanges(human.shape, permutations, seed)
    x, y, people = (fit_sums(scores, level) for scores in (first, second, human))
    return _permute(x, y, people, level, coefficient, exchanges)


class Exchanges:
    """Which summaries exchange their scores, drawn once for all pairs of measures."""

    def __init__(self, shape: tuple[int, ...], permutations: int, seed: int) -> None:
        import numpy

        self.permutations = permutations
        self.floor = 1 / (permutations + 1)  # the smallest p there can be
        self._shape = shape
        self._sizes = [min(_BATCH, permutations - done) for done in range(0, permutations, _BATCH)]
        generator = numpy.random.default_rng(seed)
        # As bits: tens of thousands of exchanges of a large corpus fit into memory.
        self._packed = [
            numpy.packbits(generator.random((size, *shape)) < 0.5) for size in self._sizes
        ]

    def __iter__(self) -> Iterator[Any]:
        import numpy

        for size, packed in zip(self._sizes, self._packed, strict=True):
            count = size * math.prod(self._shape)
            yield numpy.unpackbits(packed, count=count).view(bool).reshape(size, *self._shape)


def _permute(
    first: Any,
    second: Any,
    human: Any,
    level: Level,
    coefficient: Coefficient,
    exchanges: Exchanges,
) -> float:
    import numpy

    (x, size_x), (y, size_y) = _standardise(first), _standardise(second)
    # In an exchange scores of both stand side by side.
    size = max(size_x, size_y)
    with_x = correlate_level(x, human, level, coefficient, size)
    observed = abs(with_x - correlate_level(y, human, level, coefficient, size))
    if numpy.isnan(observed):
        return math.nan
    correlate = _prepare_exchange(x, y, human, level, coefficient, size)
    as_large = 0
    for swap in exchanges:
        with_x, with_y = correlate(swap)
        # A difference that rounding moved off the observed one still counts as large.
        as_large += int((numpy.abs(with_x - with_y) >= observed - 1e-12).sum())
    return (as_large + 1) / (exchanges.permutations + 1)


def _prepare_exchange(
    x: Any, y: Any, human: Any, level: Level, coefficient: Coefficient, size: float
) -> Callable[[Any], tuple[Any, Any]]:
    """From exchanges to the correlations of both measures; what all share is done once."""
    import numpy

    same_missing = numpy.array_equal(numpy.isnan(x), numpy.isnan(y))
    if same_missing and level == "summary" and coefficient != "pearson":
        signs = ExchangedSigns(x, y, human, coefficient, size)

        def correlate_ranks(swap: Any) -> tuple[Any, Any]:
            first, second = (numpy.ascontiguousarray(one) for one in signs.correlate(swap))
            return mean_known(first, -1), mean_known(second, -1)

        return correlate_ranks
    if same_missing and level == "system":
        known = ~(numpy.isnan(x) | numpy.isnan(human))
        known_x, known_y = numpy.where(known, x, 0.0), numpy.where(known, y, 0.0)
        counts = known.sum(0)
        averages = mean_known(numpy.where(known, human, numpy.nan), 0)

        def correlate_averages(swap: Any) -> tuple[Any, Any]:
            with numpy.errstate(invalid="ignore", divide="ignore"):
                first = numpy.where(swap, known_y, known_x).sum(-2) / counts
                second = numpy.where(swap, known_x, known_y).sum(-2) / counts
            return (
                correlate_rows(first, averages, coefficient, size),
                correlate_rows(second, averages, coefficient, size),
            )

        return correlate_averages

    def correlate_all(swap: Any) -> tuple[Any, Any]:
        return (
            correlate_level(numpy.where(swap, y, x), human, level, coefficient, size),
            correlate_level(numpy.where(swap, x, y), human, level, coefficient, size),
        )

    return correlate_all


def _standardise(scores: Any) -> tuple[Any, float]:
    """The scores with mean 0 and spread 1; and how large they were, beside that spread.

    Scores that differ by rounding alone get a spread of 1 too: the size tells them from others.
    """
    import numpy

    scores = scale_matrices(scores)  # squares of large or small scores would not fit a float
    if numpy.isnan(scores).all():
        return scores, 0.0
    mean, spread = numpy.nanmean(scores), numpy.nanstd(scores)
    unit = spread if spread > 0 else 1.0
    return (scores - mean) / unit, float(abs(mean) / unit)


def correct_holm(values: Sequence[float]) -> list[float]:
    """Holm's step-down correction of p values; nan stays nan and does not count."""
    order = sorted((p, k) for k, p in enumerate(values) if not math.isnan(p))
    corrected = list(values)
    largest = 0.0
    for rank, (p, k) in enumerate(order):
        largest = max(largest, min(1.0, p * (len(order) - rank)))
        corrected[k] = largest
    return corrected
