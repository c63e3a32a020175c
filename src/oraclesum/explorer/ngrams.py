"""Which n-grams of the references stand where, in the references and in the sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..corpora.topic import Reference
from ..text import find_spans, to_utf16
from .case import Case

__all__ = ["Marks", "mark_ngrams"]

Gram = tuple[Hashable, ...]


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Tokens and n-grams as the page draws them; spans count UTF-16 code units."""

    sentences: list[dict[str, Any]]  # of each: tokens, ngrams
    references: list[dict[str, Any]]  # of each: text, tokens, ngrams, used
    ngrams: list[dict[str, Any]]  # id, words, counts per used reference


def mark_ngrams(case: Case) -> Marks:
    """Find the n-grams of all references; one that no used reference has counts nowhere."""
    n = case.rouge.size
    ids: dict[Gram, int] = {}
    references: list[dict[str, Any]] = []
    for k, reference in enumerate(case.references):
        text, tokens, spans = _read_reference(reference, case)
        found = [
            (ids.setdefault(gram, len(ids)), first) for first, gram in enumerate(_cut(tokens, n))
        ]
        used = k in case.used
        references.append({"text": text, "tokens": spans, "ngrams": found, "used": used})
    counts = [
        Counter(id for id, _ in reference["ngrams"])
        for reference in references
        if reference["used"]
    ]
    return Marks(
        sentences=_mark_sentences(case, ids),
        references=references,
        ngrams=[
            {
                "id": id,
                "words": " ".join(map(str, gram)),
                "counts": [one.get(id, 0) for one in counts],
            }
            for gram, id in ids.items()
        ],
    )


def _mark_sentences(case: Case, ids: dict[Gram, int]) -> list[dict[str, Any]]:
    n = case.rouge.size
    analyser = case.rouge.analyser
    find = ids.get
    marked = []
    all_tokens = analyser.tokens_of(case.sentences)
    all_spans = find_spans(case.sentences, analyser)
    for text, tokens, spans in zip(case.sentences, all_tokens, all_spans, strict=True):
        found = [
            (id, first)
            for first, gram in enumerate(_cut(tokens, n))
            if (id := find(gram)) is not None
        ]
        marked.append({"tokens": to_utf16(text, spans), "ngrams": found})
    return marked


def _read_reference(
    reference: Reference, case: Case
) -> tuple[str, list[Hashable], list[tuple[int, int]]]:
    """A reference as one text, its sentences joined by a space; n-grams run across them."""
    sentences = [reference] if isinstance(reference, str) else list(reference)
    analyser = case.rouge.analyser
    tokens = [token for one in analyser.tokens_of(sentences) for token in one]
    spans: list[tuple[int, int]] = []
    start = 0
    for sentence, found in zip(sentences, find_spans(sentences, analyser), strict=True):
        spans += [(start + first, start + last) for first, last in found]
        start += len(sentence) + 1
    text = " ".join(sentences)
    return text, tokens, to_utf16(text, spans)


def _cut(tokens: Sequence[Hashable], n: int) -> Iterator[Gram]:
    return zip(*(tokens[k:] for k in range(n)), strict=False)
