"""How well a system's selected sentences agree with the oracles (F-measure of Sec. 6.2.3)."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm

from ..errors import InputError
from ..frozen import dataclass
from ..given import check_indices
from ..message import show_value
from ..oracles.family import OracleFamily

__all__ = ["Overlap", "evaluate"]


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """Precision and recall, each averaged over all oracles, and their harmonic mean `f_measure`."""

    precision: float
    recall: float
    f_measure: float

    def _repr_html_(self) -> str | None:
        from ..card import draw_safely
        from .cards import draw_overlap

        return draw_safely(lambda: draw_overlap(self))


def evaluate(selected: Iterable[int], family: OracleFamily) -> Overlap:
    """Compare a set of sentence indices with every oracle.

    Parameters
    ----------
    selected
        Indices of the sentences that a system chose.
    family
        The oracles of the same document, from `enumerate_oracles`.

    Returns
    -------
    Overlap
        Precision and recall averaged over the family, and F = 2PR/(P+R). Exact also if the family
        was counted but not listed: the averages need only how many oracles of each size have each
        sentence. An empty selection has precision, recall and F 0, and so has any selection against
        an empty family. If a time limit stopped the search, the average is over the oracles found
        until then.

    Raises
    ------
    InputError
        If an index is not one of the document.

    Examples
    --------
    >>> from oraclesum import enumerate_oracles
    >>> family = enumerate_oracles(["A cat.", "Rain.", "A cat."], ["A cat."], rouge="r1-f1")
    >>> evaluate([0, 1], family)
    Overlap(precision=0.25, recall=0.5, f_measure=0.3333333333333333)
    """
    if not isinstance(family, OracleFamily):
        raise InputError(
            f"family must be an OracleFamily, from enumerate_oracles, not {show_value(family)}"
        )
    chosen = set(check_indices("selected", selected, family.n_sentences))
    count = family.count
    if not chosen or not count:
        return Overlap(precision=0.0, recall=0.0, f_measure=0.0)
    # Integers throughout: recall over the common denominator `parts` times `count`. The division of
    # two integers is rounded once, correctly.
    by_size = family.count_shared(chosen)
    parts = lcm(*(size for size in by_size if size))
    shared = 0  # sum over the oracles of |O and S|
    recalled = 0  # sum over the oracles of |O and S| / |O|, times `parts`
    for size, of_size in by_size.items():
        shared += of_size
        if of_size:
            recalled += of_size * (parts // size)
    if not shared:
        return Overlap(precision=0.0, recall=0.0, f_measure=0.0)
    return Overlap(
        precision=shared / (len(chosen) * count),
        recall=recalled / (parts * count),
        # 2PR / (P + R), with both fractions written out
        f_measure=2 * shared * recalled / (count * (shared * parts + recalled * len(chosen))),
    )
