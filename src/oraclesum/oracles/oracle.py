"""One oracle summary as `find_oracle` returns it."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _kernel
from ..instances.instance import Instance
from .status import Status

__all__ = ["Oracle"]


@dataclass(frozen=True, kw_only=True)
class Oracle:
    """A set of sentences with its hits, and what the method proved about it."""

    sentences: tuple[int, ...]
    hits: int
    total: int
    upper_bound: int
    checked: int
    method: str
    status: Status
    signature: str = ""

    @classmethod
    def from_native(cls, native: _kernel.Enumeration, instance: Instance, method: str) -> Oracle:
        """The one set that a kernel method was asked for."""
        held = native.sets
        return cls(
            sentences=held[0] if held else (),
            hits=native.hits,
            total=instance.total,
            upper_bound=native.upper_bound,
            checked=native.checked,
            method=method,
            status=Status.TIME_LIMIT if native.stopped else Status.COMPLETE,
            signature=instance.signature,
        )

    @property
    def proven(self) -> bool:
        """Whether no feasible set scores more."""
        return self.hits == self.upper_bound

    @property
    def score(self) -> float:
        """ROUGE-n recall: hits / total."""
        return self.hits / self.total if self.total else 0.0

    def _repr_html_(self) -> str | None:
        from ..card import draw_safely
        from .cards import draw_oracle

        return draw_safely(lambda: draw_oracle(self))
