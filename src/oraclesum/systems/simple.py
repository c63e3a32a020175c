"""Systems `lead` and `random`: the first sentences of the documents, and any sentences."""

from __future__ import annotations

import random

from .document import Document

__all__ = ["select_lead", "select_random"]


def select_lead(document: Document) -> list[int]:
    """First sentences of all documents, then second ones, and so on, until nothing fits."""
    seen: dict[int, int] = {}
    places = []
    for group in document.groups:
        places.append(seen.get(group, 0))
        seen[group] = places[-1] + 1
    return document.take(sorted(range(len(places)), key=places.__getitem__))


def select_random(document: Document) -> list[int]:
    """Sentences in an order drawn from the seed, each taken where it still fits."""
    order = list(range(len(document.sentences)))
    random.Random(document.seed).shuffle(order)
    return document.take(order)
