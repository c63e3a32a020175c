"""Pearson, Spearman and Kendall correlations of many rows at once; a missing score is nan."""

from __future__ import annotations

from typing import Any, Literal, get_args

from ..errors import InputError

__all__ = ["COEFFICIENTS", "Coefficient", "correlate_rows"]

Coefficient = Literal["pearson", "spearman", "kendall"]
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)


def correlate_rows(x: Any, y: Any, coefficient: Coefficient) -> Any:
    """Correlation along the last axis of two arrays that broadcast; nan where it is undefined.

    A pair with a nan is left out. The values are those of scipy.stats.pearsonr, spearmanr and
    kendalltau (tau-b), which take one row at a time.
    """
    import numpy

    x, y = numpy.broadcast_arrays(numpy.asarray(x, float), numpy.asarray(y, float))
    held = ~(numpy.isnan(x) | numpy.isnan(y))
    x, y = numpy.where(held, x, numpy.nan), numpy.where(held, y, numpy.nan)
    if coefficient == "pearson":
        return _pearson(x, y, held)
    if coefficient == "spearman":
        return _pearson(_rank(x), _rank(y), held)
    if coefficient == "kendall":
        return _kendall(x, y, held)
    raise InputError(f"unknown coefficient {coefficient!r}; known: {', '.join(COEFFICIENTS)}")


def _rank(x: Any) -> Any:
    import numpy
    from scipy.stats import rankdata

    policy = "omit" if numpy.isnan(x).any() else "propagate"
    return rankdata(x, axis=-1, nan_policy=policy)


def _pearson(x: Any, y: Any, held: Any) -> Any:
    import numpy

    count = held.sum(axis=-1, keepdims=True)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        x = numpy.where(held, x - numpy.where(held, x, 0).sum(-1, keepdims=True) / count, 0.0)
        y = numpy.where(held, y - numpy.where(held, y, 0).sum(-1, keepdims=True) / count, 0.0)
        square_x, square_y = (x * x).sum(-1), (y * y).sum(-1)
        r = (x * y).sum(-1) / numpy.sqrt(square_x * square_y)
    # Rounding can leave a tiny spread in a constant row; what is left of it is no correlation.
    flat = (square_x <= _dust(x)) | (square_y <= _dust(y))
    return numpy.where(flat, numpy.nan, numpy.clip(r, -1.0, 1.0))


def _dust(centred: Any) -> Any:
    return 1e-26 * centred.shape[-1]


def _kendall(x: Any, y: Any, held: Any) -> Any:
    import numpy

    both = held[..., :, None] & held[..., None, :]
    sign_x = numpy.where(both, numpy.sign(x[..., :, None] - x[..., None, :]), 0.0)
    sign_y = numpy.where(both, numpy.sign(y[..., :, None] - y[..., None, :]), 0.0)
    agreement = (sign_x * sign_y).sum((-1, -2))
    untied = (sign_x**2).sum((-1, -2)) * (sign_y**2).sum((-1, -2))
    with numpy.errstate(invalid="ignore", divide="ignore"):
        return numpy.where(untied > 0, agreement / numpy.sqrt(untied), numpy.nan)
