"""Pearson, Spearman and Kendall correlations of many rows at once; a missing score is nan."""

from __future__ import annotations

from typing import Any, Literal, get_args

from ..errors import InputError

__all__ = ["COEFFICIENTS", "Coefficient", "correlate_rows", "rank_rows", "scale_matrices"]

Coefficient = Literal["pearson", "spearman", "kendall"]
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)

# How far rounding can move equal averages apart, if the largest score is about 1: far more than it
# does, far less than scores differ.
_SLACK = 1e-13
_DUST = 1e-26  # the same of a square


def correlate_rows(x: Any, y: Any, coefficient: Coefficient, size: float = 0.0) -> Any:
    """Correlation along the last axis of two arrays that broadcast; nan where it is undefined.

    A pair with a nan is left out. The values are those of scipy.stats.pearsonr, spearmanr and
    kendalltau (tau-b), which take one row at a time; but scores that differ by rounding alone are
    equal: the averages 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 are one rank, not two. `size` says how
    large x was before something was subtracted: rounding has left as much as it leaves of that.
    """
    import numpy

    x, y = numpy.asarray(x, float), numpy.asarray(y, float)
    known = ~(numpy.isnan(x) | numpy.isnan(y))
    if not known.all():
        x, y = numpy.where(known, x, numpy.nan), numpy.where(known, y, numpy.nan)
    if coefficient == "pearson":
        return _pearson(_scale(x, size)[0], _scale(y)[0], known)
    if coefficient == "spearman":
        return _pearson(rank_rows(x, size), rank_rows(y), known)
    if coefficient == "kendall":
        return _kendall(rank_rows(x, size), rank_rows(y))
    raise InputError(f"unknown coefficient {coefficient!r}; known: {', '.join(COEFFICIENTS)}")


def scale_matrices(x: Any) -> Any:
    """Scores by topic and system times a power of two, so that no sum of them exceeds a float."""
    return _scale(x, axes=(-2, -1))[0]


def rank_rows(x: Any, size: float = 0.0) -> Any:
    """Ranks from 1 along the last axis, equal scores at the mean of theirs; nan has none.

    Scores that differ by rounding alone are equal; `size` is that of `correlate_rows`.
    scipy.stats.rankdata does the same, but its import takes longer than all correlations.
    """
    import numpy

    x, largest = _scale(x, size)
    order = numpy.argsort(x, axis=-1)
    ordered = numpy.take_along_axis(x, order, -1)  # nan comes last
    places = numpy.broadcast_to(numpy.arange(x.shape[-1]), x.shape)
    differs = ~(ordered[..., 1:] - ordered[..., :-1] <= _SLACK * largest)  # from nan too
    ends = numpy.ones((*x.shape[:-1], 1), bool)
    starts = numpy.where(numpy.concatenate([ends, differs], -1), places, 0)
    first = numpy.maximum.accumulate(starts, axis=-1)
    stops = numpy.where(numpy.concatenate([differs, ends], -1), places, x.shape[-1])
    last = numpy.minimum.accumulate(stops[..., ::-1], axis=-1)[..., ::-1]
    ranks = numpy.empty(x.shape)
    numpy.put_along_axis(ranks, order, (first + last) / 2 + 1, -1)
    return numpy.where(numpy.isnan(x), numpy.nan, ranks)


def _pearson(x: Any, y: Any, known: Any) -> Any:
    import numpy

    x, y = _centre(x, known), _centre(y, known)
    square_x, square_y = (x * x).sum(-1), (y * y).sum(-1)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        r = (x * y).sum(-1) / numpy.sqrt(square_x * square_y)
    # Rounding can leave a tiny spread in a constant row; what is left of it is no correlation.
    dust = _DUST * known.shape[-1]
    flat = (square_x <= dust) | (square_y <= dust)
    return numpy.where(flat, numpy.nan, numpy.clip(r, -1.0, 1.0))


def _scale(x: Any, size: float = 0.0, axes: int | tuple[int, ...] = -1) -> tuple[Any, Any]:
    """Each row times the power of two that makes its largest score about 1; and that score.

    Squares and sums then fit a float, and rounding leaves as much, whatever the scores are; no
    digit moves.
    """
    import numpy

    known = numpy.where(numpy.isnan(x), 0.0, abs(x))
    largest, exponent = numpy.frexp(known.max(axes, keepdims=True, initial=size))
    return numpy.ldexp(x, -exponent), largest


def _centre(x: Any, known: Any) -> Any:
    import numpy

    if known.all():
        x = numpy.ascontiguousarray(x)
        return x - x.sum(-1, keepdims=True) / x.shape[-1]
    count = known.sum(axis=-1, keepdims=True)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        return numpy.where(known, x - numpy.where(known, x, 0).sum(-1, keepdims=True) / count, 0.0)


def _kendall(x: Any, y: Any) -> Any:
    import numpy

    sign_x, sign_y = _compare_pairs(x), _compare_pairs(y)
    agreement = (sign_x * sign_y).sum(-1)
    untied = abs(sign_x).sum(-1) * abs(sign_y).sum(-1)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        return numpy.where(untied > 0, agreement / numpy.sqrt(untied), numpy.nan)


def _compare_pairs(ranks: Any) -> Any:
    """The sign of the difference of each pair; 0 if a score is missing, on both sides."""
    import numpy

    first, second = numpy.triu_indices(ranks.shape[-1], 1)
    return numpy.nan_to_num(numpy.sign(ranks[..., first] - ranks[..., second]))
