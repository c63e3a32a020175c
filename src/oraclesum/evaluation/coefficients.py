"""Pearson, Spearman and Kendall correlations of many rows at once; a missing score is nan."""

from __future__ import annotations

from typing import Any, Literal, get_args

from ..errors import InputError

__all__ = ["COEFFICIENTS", "Coefficient", "correlate_rows"]

Coefficient = Literal["pearson", "spearman", "kendall"]
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)

_LARGEST_EXPONENT = 200  # of two; the product of two sums of squares fits a float


def correlate_rows(x: Any, y: Any, coefficient: Coefficient) -> Any:
    """Correlation along the last axis of two arrays that broadcast; nan where it is undefined.

    A pair with a nan is left out. The values are those of scipy.stats.pearsonr, spearmanr and
    kendalltau (tau-b), which take one row at a time; but scores that differ by rounding alone are
    equal: the averages 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 are one rank, not two.
    """
    import numpy

    x, y = numpy.asarray(x, float), numpy.asarray(y, float)
    known = ~(numpy.isnan(x) | numpy.isnan(y))
    if not known.all():
        x, y = numpy.where(known, x, numpy.nan), numpy.where(known, y, numpy.nan)
    if coefficient == "pearson":
        return _pearson(x, y, known)
    if coefficient == "spearman":
        return _pearson(_rank(x), _rank(y), known)
    if coefficient == "kendall":
        return _kendall(x, y)
    raise InputError(f"unknown coefficient {coefficient!r}; known: {', '.join(COEFFICIENTS)}")


def _rank(x: Any) -> Any:
    """Ranks from 1, equal scores at the mean of theirs; nan has none.

    scipy.stats.rankdata does the same, but its import takes longer than all correlations.
    """
    import numpy

    order = numpy.argsort(x, axis=-1)
    ordered = numpy.take_along_axis(x, order, -1)  # nan comes last
    places = numpy.broadcast_to(numpy.arange(x.shape[-1]), x.shape)
    differs = ~(ordered[..., 1:] - ordered[..., :-1] <= _slack(x))  # from nan too
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

    x, y = _centre(_tame(x, known), known), _centre(_tame(y, known), known)
    square_x, square_y = (x * x).sum(-1), (y * y).sum(-1)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        r = (x * y).sum(-1) / numpy.sqrt(square_x * square_y)
    # Rounding can leave a tiny spread in a constant row; what is left of it is no correlation.
    flat = (square_x <= _dust(x)) | (square_y <= _dust(y))
    return numpy.where(flat, numpy.nan, numpy.clip(r, -1.0, 1.0))


def _tame(x: Any, known: Any) -> Any:
    """Rows of huge or tiny scores times a power of two, so that their squares fit a float."""
    import numpy

    largest = numpy.where(known, abs(x), 0.0).max(-1, keepdims=True, initial=0.0)
    exponent = numpy.frexp(largest)[1]
    extreme = abs(exponent) > _LARGEST_EXPONENT
    return numpy.ldexp(x, numpy.where(extreme, -exponent, 0)) if extreme.any() else x


def _centre(x: Any, known: Any) -> Any:
    import numpy

    if known.all():
        x = numpy.ascontiguousarray(x)
        return x - x.sum(-1, keepdims=True) / x.shape[-1]
    count = known.sum(axis=-1, keepdims=True)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        return numpy.where(known, x - numpy.where(known, x, 0).sum(-1, keepdims=True) / count, 0.0)


def _dust(centred: Any) -> Any:
    return 1e-26 * centred.shape[-1]


def _kendall(x: Any, y: Any) -> Any:
    import numpy

    sign_x, sign_y = _compare_pairs(x), _compare_pairs(y)
    agreement = (sign_x * sign_y).sum(-1)
    untied = abs(sign_x).sum(-1) * abs(sign_y).sum(-1)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        return numpy.where(untied > 0, agreement / numpy.sqrt(untied), numpy.nan)


def _compare_pairs(x: Any) -> Any:
    """The sign of the difference of each pair; 0 if a score is missing, on both sides."""
    import numpy

    first, second = numpy.triu_indices(x.shape[-1], 1)
    differences = x[..., first] - x[..., second]
    return numpy.where(abs(differences) > _slack(x), numpy.sign(differences), 0.0)


def _slack(x: Any) -> Any:
    """How far rounding can move equal averages apart: far more than it does, far less than scores
    differ."""
    import numpy

    return 1e-13 * numpy.where(numpy.isnan(x), 0.0, abs(x)).max(axis=-1, initial=0.0, keepdims=True)
