"""A system summary as the page shows it: its text by ROUGE, its sentences by the oracles."""

from __future__ import annotations

from typing import Any

from ..corpora.topic import System
from ..evaluation import evaluate
from ..evaluation.alignment import Alignment
from ..evaluation.summary import count_summary_words, summary_texts
from ..instances.limits import count_bytes, count_words
from ..notices import collect_warnings
from ..rouge import score
from .case import Case
from .solving import Solved, ask_family

__all__ = ["view_system"]


def view_system(
    case: Case, solved: Solved, name: str, system: System, alignment: Alignment
) -> dict[str, Any]:
    """What `oraclesum evaluate` says of it, as `SystemView` describes it.

    The score is that of the whole text. Precision, recall and the nearest oracle are about the
    sentences that were found in the document, and not known unless all oracles are.
    """
    family, instance = solved.family, solved.instance
    chosen = alignment.indices
    texts = summary_texts(system, case.sentences)
    with collect_warnings():  # a system without a token scores 0, which is told by its words
        whole = score(texts, case.used_references, case.rouge)
        inside = score(texts, case.used_references, case.rouge, across_sentences=False)
    overlap = evaluate(chosen, family) if family.exact else None
    pieces = len(chosen) + len(alignment.unaligned) if isinstance(system, str) else len(texts)
    return {
        "name": name,
        "hits": whole.hits,
        "total": whole.reference_total,
        "score": whole.recall,
        "words": count_summary_words(texts),
        "feasible": _fits(case, texts, pieces),
        "objective_hits": inside.hits,
        "sentences": chosen,
        "unmatched": alignment.unaligned,
        "aligned_words": sum(count_words(case.sentences[i]) for i in chosen),
        "aligned_hits": instance.hits(chosen),
        "precision": None if overlap is None else overlap.precision,
        "recall": None if overlap is None else overlap.recall,
        "f_measure": None if overlap is None else overlap.f_measure,
        "nearest": ask_family(family, lambda: family.nearest(chosen)),
    }


def _fits(case: Case, texts: list[str], pieces: int) -> bool:
    """Whether the whole text keeps the limits, found in the document or not."""
    limits = case.limits
    lengths = (
        (limits.max_words, count_summary_words(texts)),
        (limits.max_bytes, sum(map(count_bytes, texts))),
        (limits.max_sentences, pieces),
    )
    return all(most is None or length <= most for most, length in lengths)
