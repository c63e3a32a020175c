"""What a report knows: the cases, what systems did on them, correlations, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .objective import Objective

__all__ = ["Case", "CaseKey", "Facts", "SystemRow"]

CaseKey = tuple[str, int | None]  # topic, and the reference where it is alone


@dataclass(frozen=True, kw_only=True)
class SystemRow:
    """One system on one case."""

    recall: float  # as ROUGE-1.5.5 counts the text
    objective_hits: int  # counted as the oracles are
    precision: float
    overlap_recall: float
    f_measure: float
    words: int | None = None
    missed_core: int | None = None
    human: Mapping[str, float] = field(default_factory=dict)

    def exceeds(self, max_words: int | None) -> bool:
        """Whether it is known to be longer than the limit in words."""
        return max_words is not None and self.words is not None and self.words > max_words


@dataclass(kw_only=True)
class Case:
    """One problem. Facts come from several files; None is what no file says."""

    id: str
    reference: int | None
    status: str
    hits: int
    total: int
    language: str = ""
    count: int | None = None
    exact: bool = True  # the count is that of all oracles
    proven: bool = True
    upper_bound: int | None = None
    oracles: list[list[int]] | None = None
    inclusion: list[float] | None = None
    checked: int | None = None
    sentences: int | None = None
    candidates: int | None = None
    seconds: dict[str, float] = field(default_factory=dict)  # by method, to all its answers
    ended: dict[str, bool] = field(default_factory=dict)  # by method, whether it came to its end
    greedy_hits: int | None = None
    jaccard: float | None = None  # of the greedy set with the oracles, on average
    jaccard_exact: bool = True
    greedy: list[int] | None = None
    texts: tuple[str, ...] | None = None
    in_corpus: bool = False  # the corpus has it, and says where its documents begin
    doc_ids: tuple[int, ...] | None = None
    systems: dict[str, SystemRow] = field(default_factory=dict)
    files: dict[str, None] = field(default_factory=dict)  # that speak of it, in order

    @property
    def key(self) -> CaseKey:
        return self.id, self.reference

    @property
    def score(self) -> float:
        """Recall of the oracle, or the best found."""
        return self.hits / self.total if self.total else 0.0

    @property
    def name(self) -> str:
        """The topic, with the reference where that is alone."""
        return self.id if self.reference is None else f"{self.id}, reference {self.reference}"


@dataclass(kw_only=True)
class Facts:
    """Everything that was read."""

    cases: dict[Objective, dict[CaseKey, Case]] = field(default_factory=dict)
    correlations: list[dict[str, Any]] = field(default_factory=list)
    signatures: dict[str, None] = field(default_factory=dict)  # in order, once each
    errors: dict[tuple[str, str], None] = field(default_factory=dict)  # topic and reason, once
    notes: list[str] = field(default_factory=list)
    sources: list[tuple[str, str]] = field(default_factory=list)  # file, and what it holds
    slowest: list[tuple[str, float]] = field(default_factory=list)
    work_seconds: float | None = None
    has_texts: bool = False
    labels: dict[Objective, str] = field(default_factory=dict)  # what tells problems apart
    reading: str = ""  # the file whose records are being taken

    def every_case(self) -> list[tuple[Objective, Case]]:
        """All cases of all objectives in order."""
        return [(o, case) for o, cases in self.cases.items() for case in cases.values()]
