"""One oracle summary as `find_oracle` returns it."""

from __future__ import annotations

from dataclasses import dataclass

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
    status: str
    signature: str = ""

    @property
    def proven(self) -> bool:
        """Whether no feasible set scores more."""
        return self.hits == self.upper_bound

    @property
    def score(self) -> float:
        """ROUGE-n recall: hits / total."""
        return self.hits / self.total if self.total else 0.0
