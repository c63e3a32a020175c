"""System `concept-coverage`: after ICSISumm (Gillick and Favre 2009), on our own exact kernel."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from itertools import pairwise

from ..instances.instance import Instance
from ..oracles.api import find_in_instance
from .document import Document, Words

__all__ = ["select_concepts", "weigh_concepts"]

Concept = tuple[Hashable, Hashable]

_FEWEST_DOCUMENTS = 3  # as in ICSISumm, whose topics have ten documents
_MANY_DOCUMENTS = 8
_SHORTEST_SENTENCE = 5  # words; shorter ones are mostly headlines and bylines


def select_concepts(document: Document) -> tuple[int, ...]:
    """The sentences that cover the greatest weight of concepts; each counts once.

    A concept is a pair of neighbouring words, not both of them stop words; its weight is the number
    of documents that have it. The model has the form of an oracle problem with these weights
    instead of references, so the search for oracles solves it to the proven optimum.
    """
    weights = weigh_concepts(document)
    ids = {concept: k for k, concept in enumerate(weights)}
    counts = []
    for words in document.all_words:
        found = {ids[pair] for pair in _pairs(words, document) if pair in ids}
        counts.append([(k, 1) for k in sorted(found)] if len(words) >= _SHORTEST_SENTENCE else [])
    if not any(counts):
        return ()
    instance = Instance(
        id="concept-coverage",
        total=sum(weights.values()),
        gains=[[weight] for weight in weights.values()],
        counts=counts,
        limits=[replace(row, floor=0) for row in document.rows],  # as all systems, upper ones only
    )
    return find_in_instance(instance, time_limit=document.time_limit).sentences


def weigh_concepts(document: Document) -> dict[Concept, int]:
    """How many documents have each pair of words; where there is one document, how many sentences.

    Pairs of few documents are noise and are left out; one document alone has too few to lose any.
    """
    single = document.parts < 2
    places: dict[Concept, set[int]] = {}
    for i, (words, group) in enumerate(zip(document.all_words, document.groups, strict=True)):
        for pair in _pairs(words, document):
            places.setdefault(pair, set()).add(i if single else group)
    several = _FEWEST_DOCUMENTS if document.parts >= _MANY_DOCUMENTS else 2
    fewest = 1 if single else several
    return {pair: len(found) for pair, found in places.items() if len(found) >= fewest}


def _pairs(words: Words, document: Document) -> list[Concept]:
    return [pair for pair in pairwise(words) if not document.function_words.issuperset(pair)]
