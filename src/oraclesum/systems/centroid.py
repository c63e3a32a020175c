"""System `centroid`: after MEAD (Radev et al. 2004), sentences near the middle, without repeats."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping

from .document import Document

__all__ = ["select_central"]

_SAME = 0.5  # cosine above which a sentence repeats a chosen one


def select_central(document: Document) -> list[int]:
    """Sentences by their cosine with the centroid of tf-idf vectors, skipping near repeats.

    There is no background corpus: the sentences of the topic give the idf.
    """
    count = len(document.words)
    spread = Counter(word for words in document.words for word in set(words))
    idf = {word: math.log((1 + count) / (1 + documents)) for word, documents in spread.items()}
    vectors = [
        {word: tf * idf[word] for word, tf in Counter(words).items()} for words in document.words
    ]
    centre: dict[Hashable, float] = {}
    for vector in vectors:
        for word, weight in vector.items():
            centre[word] = centre.get(word, 0.0) + weight
    nearness = [_cosine(vector, centre) for vector in vectors]
    room = document.make_room()
    chosen: list[int] = []
    for i in sorted(range(count), key=lambda i: (-nearness[i], i)):
        if not vectors[i] or not room.has(i):
            continue
        if all(_cosine(vectors[i], vectors[j]) < _SAME for j in chosen):
            chosen.append(i)
            room.take(i)
    return chosen


def _cosine(first: Mapping[Hashable, float], second: Mapping[Hashable, float]) -> float:
    shared = sum(weight * second[word] for word, weight in first.items() if word in second)
    norms = math.hypot(*first.values()) * math.hypot(*second.values())
    return shared / norms if norms else 0.0
