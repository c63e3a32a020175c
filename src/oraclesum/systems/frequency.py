"""System `frequency`: after SumBasic (Nenkova and Vanderwende 2005), frequent words matter."""

from __future__ import annotations

from collections.abc import Hashable

from .document import Document

__all__ = ["select_frequent"]


def select_frequent(document: Document) -> list[int]:
    """Sentences by the mean probability of their words, those of chosen sentences then squared.

    In each step the sentences with the most probable word compete, as in SumBasic.
    """
    total = sum(document.frequencies.values())
    probability: dict[Hashable, float] = {
        word: count / total for word, count in document.frequencies.items()
    }
    left = {i for i, words in enumerate(document.words) if words}
    chosen: list[int] = []
    while left := {i for i in left if document.fits(chosen, i)}:
        means = {
            i: sum(probability[word] for word in document.words[i]) / len(document.words[i])
            for i in left
        }
        peak = max(probability[word] for i in left for word in document.words[i])
        best = max(
            (i for i in left if any(probability[word] == peak for word in document.words[i])),
            key=lambda i: (means[i], -i),
        )
        chosen.append(best)
        left.discard(best)
        for word in set(document.words[best]):
            probability[word] **= 2
    return chosen
