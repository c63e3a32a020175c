"""One system summary against one family of oracles: ROUGE, F-measures, share, what it missed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .. import _kernel
from ..frozen import dataclass
from ..instances.limits import Limits, count_bytes, split_words
from ..rouge import RougeScore
from .alignment import Alignment
from .draws import DrawnOverlap
from .overlap import Overlap
from .share import measure_share

__all__ = ["SummaryScore", "count_summary_words", "cut_summary", "summary_texts"]


@dataclass(frozen=True, kw_only=True)
class SummaryScore:
    """Everything measured about one summary; ratios follow from the counts that are kept."""

    rouge: RougeScore  # as ROUGE-1.5.5 counts
    # Counted as the oracles are: hits of recall, or else the exact value under the objective.
    objective_hits: int | None
    oracle_hits: int | None
    objective_value: Fraction | None = None
    oracle_value: Fraction | None = None
    overlap: Overlap  # against all oracles
    drawn: DrawnOverlap  # against one random oracle
    alignment: Alignment
    # Sentences that every oracle has and the summary lacks; None where not all oracles are known.
    missed_core: tuple[int, ...] | None
    words: int  # of the whole summary, cut or not

    @property
    def share(self) -> float | None:
        """The summary's score over the oracle's, counted alike; None if the oracle has none."""
        if self.objective_value is not None and self.oracle_value is not None:
            return measure_share(self.objective_value, self.oracle_value)
        assert self.objective_hits is not None
        assert self.oracle_hits is not None
        return measure_share(self.objective_hits, self.oracle_hits)

    def _repr_html_(self) -> str | None:
        from ..card import draw_safely
        from .cards import draw_summary

        return draw_safely(lambda: draw_summary(self))


def summary_texts(
    summary: str | Sequence[str] | Sequence[int], sentences: Sequence[str]
) -> list[str]:
    """The text of a summary, sentence by sentence as it was handed in."""
    if isinstance(summary, str):
        return [summary]
    return [part if isinstance(part, str) else sentences[part] for part in summary]


def count_summary_words(texts: Sequence[str]) -> int:
    """Length of a summary as ROUGE's -l counts it."""
    return sum(_kernel.count_words(list(texts)))


def cut_summary(texts: Sequence[str], limits: Limits) -> list[str]:
    """The summary up to its limits, cut inside a sentence as ROUGE-1.5.5's -l and -b do."""
    kept = list(texts[: limits.max_sentences])
    if limits.max_words is not None:
        left = limits.max_words
        for k, text in enumerate(kept):
            words = split_words(text)
            if len(words) > left:
                kept[k] = " ".join(words[:left])
            left = max(0, left - len(words))
    if limits.max_bytes is not None:
        left = limits.max_bytes
        for k, text in enumerate(kept):
            size = count_bytes(text)
            if size > left:
                kept[k] = text.encode("utf-8", "surrogatepass")[:left].decode("utf-8", "ignore")
            left = max(0, left - size)
    return [text for text in kept if text]
