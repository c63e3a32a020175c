"""Rank correlations inside topics, for many resamples at once, as products of matrices of signs.

Spearman and Kendall need nothing of two scores but which of them is larger, and they are equal if
they differ by rounding alone: the ranks of `rank_rows` say both. These signs are found
once for a topic; a resample of its systems is then a vector of weights, and the exchange of two
measures a vector of zeros and ones. All sums are whole numbers that the floating-point type can
hold, so that the results are those of `correlate_rows` to the last bit.
"""

from __future__ import annotations

from typing import Any, Literal

from .coefficients import rank_rows

__all__ = ["ExchangedSigns", "RankCoefficient", "ResampledSigns"]

RankCoefficient = Literal["spearman", "kendall"]


class ResampledSigns:
    """One measure and the human scores of all topics, whose systems are drawn anew."""

    def __init__(self, scores: Any, human: Any, coefficient: RankCoefficient) -> None:
        import numpy

        known = ~(numpy.isnan(scores) | numpy.isnan(human))
        x, h = _compare_within(scores, known), _compare_within(human, known)
        self._kind = x.dtype
        self._ranked = coefficient == "spearman"
        # Ranks are sums over a row of signs; of pairs, agreement and the number without a tie.
        self._tables = [x, h] if self._ranked else [x * h, abs(x), abs(h)]

    def correlate(self, weights: Any) -> Any:
        """How often each system was drawn, a row per resample, to correlations by (row, topic)."""
        weights = weights.astype(self._kind)
        sums = [weights @ table.swapaxes(-1, -2) for table in self._tables]
        if self._ranked:
            x, h = sums
            x_weighted, h_weighted = x * weights, h * weights
            return _divide(_dot(x_weighted, h), _dot(x_weighted, x), _dot(h_weighted, h)).T
        return _divide(*(_dot(one, weights[None]) for one in sums)).T


class ExchangedSigns:
    """Two measures and the human scores of all topics; some scores of the two are exchanged.

    The measures lack scores in the same places.
    """

    def __init__(
        self,
        first: Any,
        second: Any,
        human: Any,
        coefficient: RankCoefficient,
        size: float = 0.0,
    ) -> None:
        import numpy

        known = ~(numpy.isnan(first) | numpy.isnan(second) | numpy.isnan(human))
        h = _compare_within(human, known)
        both = [numpy.where(known, one, numpy.nan) for one in (first, second)]
        # Ranked together: after an exchange scores of both stand side by side.
        ranks = numpy.split(rank_rows(numpy.concatenate(both, -1), size), 2, -1)
        signs = [[_compare(a, b, known) for b in ranks] for a in ranks]
        self._kind = h.dtype
        self._ranked = coefficient == "spearman"
        if self._ranked:
            self._human = h.sum(-1)[:, None, :]
            self._human_square = _dot(self._human, self._human)
            self._mixtures = [_Mixture(signs)]
        else:
            self._human_square = abs(h).sum((-1, -2))[:, None]
            self._mixtures = [
                _Mixture([[one * h for one in row] for row in signs]),
                _Mixture([[abs(one) for one in row] for row in signs]),
            ]

    def correlate(self, swap: Any) -> tuple[Any, Any]:
        """Both measures with the human scores, by (exchange, topic), where `swap` exchanges them.

        `swap` has the axes exchange, topic, system.
        """
        import numpy

        swap = numpy.ascontiguousarray(swap.swapaxes(0, 1))
        mixed = [mixture.mix(swap) for mixture in self._mixtures]
        if self._ranked:
            results = [
                _divide(_dot(ranks, self._human), _dot(ranks, ranks), self._human_square)
                for ranks in mixed[0]
            ]
        else:
            results = [
                _divide(agreement.sum(-1), untied.sum(-1), self._human_square)
                for agreement, untied in zip(*mixed, strict=True)
            ]
        return results[0].T, results[1].T


class _Mixture:
    """Sums over j of a table by i and j that depends on which measure i and j take."""

    def __init__(self, tables: Any) -> None:
        # The first index says whether i takes the second measure, the second whether j does.
        self._base = [[table.sum(-1)[:, None, :] for table in row] for row in tables]
        # What changes where j takes the second measure instead of the first.
        self._change = [(row[1] - row[0]).swapaxes(-1, -2) for row in tables]

    def mix(self, swap: Any) -> tuple[Any, Any]:
        """The sums of the first measure after the exchange, and of the second."""
        import numpy

        weights = swap.astype(self._change[0].dtype)
        change = [weights @ one for one in self._change]
        base = self._base
        return (
            numpy.where(swap, base[1][0] + change[1], base[0][0] + change[0]),
            numpy.where(swap, base[0][1] - change[0], base[1][1] - change[1]),
        )


def _compare_within(scores: Any, known: Any) -> Any:
    import numpy

    ranks = rank_rows(numpy.where(known, scores, numpy.nan))
    return _compare(ranks, ranks, known)


def _compare(first: Any, second: Any, known: Any) -> Any:
    """By topic, i and j: the sign of rank i less rank j; 0 if one of them is missing."""
    import numpy

    # No sum exceeds the cube of the number of systems.
    kind = numpy.float32 if first.shape[-1] ** 3 < 1 << 24 else numpy.float64
    both = known[:, :, None] & known[:, None, :]
    return numpy.where(both, numpy.sign(first[:, :, None] - second[:, None, :]), 0).astype(kind)


def _dot(first: Any, second: Any) -> Any:
    import numpy

    return numpy.einsum("...i,...i->...", first, second)


def _divide(together: Any, square_x: Any, square_y: Any) -> Any:
    """The correlation from its sums; nan if one side has no two different scores."""
    import numpy

    product = square_x.astype(float) * square_y.astype(float)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        r = together.astype(float) / numpy.sqrt(product)
    return numpy.where(product > 0, numpy.clip(r, -1.0, 1.0), numpy.nan)
