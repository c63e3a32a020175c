"""The engine on made-up documents of 10-60 sentences by the thousand: ROUGE-2, 100 words.

Words follow Zipf's law, some sentences are near-copies of others, and the one reference is pieced
together from phrases of the document with other words between them, as a summary is.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

from engine_timing import quantile, search_kernel, time_call
from oraclesum import Limits, Rouge, build_instance
from oraclesum.instances import Instance

SIZES = (10, 20, 30, 40, 50, 60)
WORDS = 8_000
CALLS = 5  # of one document; the median counts


def run_documents(*, each: int, seed: int) -> list[dict[str, Any]]:
    """One row a size."""
    rng = random.Random(seed)
    weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(WORDS)))
    rows = []
    for sentences in SIZES:
        seconds, counts, nodes, candidates = [], [], [], []
        for _ in range(each):
            instance = draw_instance(rng, sentences, weights)
            timed = time_call(lambda instance=instance: search_kernel(instance), CALLS)
            seconds.append(timed.seconds)
            nodes.append(timed.answer.nodes)
            counts.append(timed.answer.family.count)
            candidates.append(len(instance.candidates))
        rows.append(
            {
                "sentences": sentences,
                "documents": each,
                "candidates": quantile(candidates, 0.5),
                "oracles": quantile(counts, 0.5),
                "most_oracles": max(counts),
                "nodes": quantile(nodes, 0.5),
                **{f"p{round(100 * s)}_ms": 1e3 * quantile(seconds, s) for s in (0.5, 0.9, 0.99)},
                "max_ms": 1e3 * max(seconds),
            }
        )
    return rows


def draw_instance(rng: random.Random, sentences: int, weights: list[float]) -> Instance:
    """A document and its reference as an instance; drawn again where they share nothing."""
    while True:
        document: list[list[str]] = []
        for _ in range(sentences):
            if document and rng.random() < 0.1:
                document.append(_nearly_copy(rng, rng.choice(document), weights))
            else:
                document.append(_draw_words(rng, rng.randint(8, 35), weights))
        texts = [" ".join(words) for words in document]
        reference = _draw_reference(rng, document, weights)
        limits = Limits(max_words=100)
        instance = build_instance(texts, [reference], Rouge(n=2), limits)
        if instance.candidates:
            return instance


def _draw_words(rng: random.Random, number: int, weights: list[float]) -> list[str]:
    return [f"w{k}" for k in rng.choices(range(WORDS), cum_weights=weights, k=number)]


def _nearly_copy(rng: random.Random, words: list[str], weights: list[float]) -> list[str]:
    copy = list(words)
    for place in rng.sample(range(len(copy)), k=rng.randint(0, min(3, len(copy)))):
        copy[place] = _draw_words(rng, 1, weights)[0]
    return copy


def _draw_reference(rng: random.Random, document: list[list[str]], weights: list[float]) -> str:
    """About 100 words: phrases of some of the sentences, with other words between them."""
    words: list[str] = []
    while len(words) < 100:
        sentence = rng.choice(document[: max(5, 2 * len(document) // 3)])
        start = rng.randrange(len(sentence) - 2)
        words += sentence[start : start + rng.randint(2, 9)]
        words += _draw_words(rng, rng.randint(1, 5), weights)
    return " ".join(words)
