"""One oracle summary as `find_oracle` returns it."""

from __future__ import annotations

from fractions import Fraction

from .. import _kernel
from ..frozen import dataclass
from ..instances.instance import Instance
from .status import Status

__all__ = ["Oracle", "share"]


def share(hits: int, total: int) -> Fraction:
    """Recall: hits of all n-grams of the references; 0 if there are none."""
    return Fraction(hits, total) if total else Fraction(0)


@dataclass(frozen=True, kw_only=True)
class Oracle:
    """A set of sentences with its score, and what the method proved about it.

    `hits`, `total` and `upper_bound` are None for other objectives than recall. They are typed as
    numbers: whoever asks for them knows the objective.

    Examples
    --------
    >>> from oraclesum import find_oracle
    >>> oracle = find_oracle(["A cat sat.", "A dog ran."], ["The cat sat."], rouge="r1-f1")
    >>> oracle.indices, oracle.value, oracle.proven
    ((0,), Fraction(2, 3), True)
    """

    indices: tuple[int, ...]
    hits: int
    total: int
    upper_bound: int
    checked: int
    method: str
    status: Status
    signature: str = ""
    own_value: Fraction | None = None  # of objectives that hits do not tell
    own_upper_value: Fraction | None = None

    @classmethod
    def from_native(cls, native: _kernel.Enumeration, instance: Instance, method: str) -> Oracle:
        """The one set that a kernel method was asked for."""
        found = native.sets
        cut = Status.INTERRUPTED if native.interrupted else Status.TIME_LIMIT
        return cls(
            indices=found[0] if found else (),
            hits=native.hits,
            total=instance.total,
            upper_bound=native.upper_bound,
            checked=native.checked,
            method=method,
            status=cut if native.stopped else Status.COMPLETE,
            signature=instance.signature,
        )

    @property
    def sentences(self) -> tuple[int, ...]:
        """The same as `indices`, by its earlier name."""
        return self.indices

    @property
    def value(self) -> Fraction:
        """The exact score: the weighted mean of the objective's terms."""
        return share(self.hits, self.total) if self.own_value is None else self.own_value

    @property
    def upper_value(self) -> Fraction:
        """No feasible set has a larger value."""
        if self.own_upper_value is None:
            return share(self.upper_bound, self.total)
        return self.own_upper_value

    @property
    def proven(self) -> bool:
        """Whether no feasible set scores more."""
        return self.hits == self.upper_bound and self.value == self.upper_value

    @property
    def score(self) -> float:
        """The value as a float."""
        return float(self.value)

    def _repr_html_(self) -> str | None:
        from ..card import draw_safely
        from .cards import draw_oracle

        return draw_safely(lambda: draw_oracle(self))
