"""System `centroid`: after MEAD (Radev et al. 2004), sentences near the middle, without repeats."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable

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
    norms = [math.hypot(*vector.values()) for vector in vectors]
    whole = math.hypot(*centre.values())
    nearness = [
        _divide(sum(weight * centre[word] for word, weight in vector.items()), norm * whole)
        for vector, norm in zip(vectors, norms, strict=True)
    ]
    room = document.make_room()
    chosen: list[int] = []
    holders: dict[Hashable, list[tuple[int, float]]] = {}  # word -> chosen sentences, its weights
    for i in sorted(range(count), key=lambda i: (-nearness[i], i)):
        if not vectors[i] or not room.has(i):
            continue
        shared: dict[int, float] = {}
        for word, weight in vectors[i].items():
            for j, other in holders.get(word, ()):
                shared[j] = shared.get(j, 0.0) + weight * other
        if all(_divide(common, norms[i] * norms[j]) < _SAME for j, common in shared.items()):
            chosen.append(i)
            room.take(i)
            for word, weight in vectors[i].items():
                holders.setdefault(word, []).append((i, weight))
    return chosen


def _divide(shared: float, norms: float) -> float:
    return shared / norms if norms else 0.0
