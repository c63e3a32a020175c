"""A generated corpus with the shape of CNN/DM, and the plain-Python greedy that its users run."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

__all__ = ["generate", "select_greedily"]

_SENTENCES = 30
_WORDS = 700
_REFERENCE = 55
_VOCABULARY = 30_000
_NEAR_COPIES = 0.1


def generate(count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Records of 30 sentences and about 700 words with one reference of 55 words.

    Words are drawn by Zipf's law; a tenth of the sentences nearly repeats an earlier one; the
    reference is put together from stretches of a few sentences, with every sixth word replaced.
    """
    draw = random.Random(seed)
    syllables = [a + b for a in "bcdfghklmnprstvw" for b in "aeiou"]
    words = [
        "".join(draw.choices(syllables, k=draw.choices((1, 2, 3, 4), (3, 5, 3, 1))[0]))
        + draw.choice(("", "", "s", "ed", "ing", "n"))
        for _ in range(_VOCABULARY)
    ]
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(_VOCABULARY)))
    for number in range(count):
        body: list[list[str]] = []
        for _ in range(_SENTENCES):
            if body and draw.random() < _NEAR_COPIES:
                body.append(_change(draw.choice(body), 0.2, words, weights, draw))
            else:
                length = max(5, round(draw.gauss(_WORDS / _SENTENCES, 7)))
                body.append(draw.choices(words, cum_weights=weights, k=length))
        reference = []
        for sentence in draw.sample(body[:15], 4):
            start = draw.randrange(max(1, len(sentence) - 14))
            stretch = sentence[start : start + -(-_REFERENCE // 4)]
            reference.append(_write(_change(stretch, 1 / 6, words, weights, draw)))
        yield {
            "id": f"doc-{number:07}",
            "sentences": [_write(sentence) for sentence in body],
            "references": [reference],
        }


def _change(
    sentence: Sequence[str],
    share: float,
    words: Sequence[str],
    weights: Sequence[float],
    draw: random.Random,
) -> list[str]:
    return [
        draw.choices(words, cum_weights=weights)[0] if draw.random() < share else word
        for word in sentence
    ]


def _write(words: Sequence[str]) -> str:
    return " ".join(words).capitalize() + "."


def select_greedily(sentences: Sequence[str], reference: Sequence[str], size: int = 3) -> list[int]:
    """Sentences added while ROUGE-1 plus ROUGE-2 (F, over sets) grows, as PreSumm labels data."""
    words = [_clean(sentence).split() for sentence in sentences]
    wanted = _clean(" ".join(reference)).split()
    ones = [_ngrams(1, sentence) for sentence in words]
    twos = [_ngrams(2, sentence) for sentence in words]
    wanted_ones, wanted_twos = _ngrams(1, wanted), _ngrams(2, wanted)
    chosen: list[int] = []
    best = 0.0
    for _ in range(size):
        now, added = best, None
        for i in range(len(sentences)):
            if i in chosen:
                continue
            tried = [*chosen, i]
            found_ones = set().union(*(ones[k] for k in tried))
            found_twos = set().union(*(twos[k] for k in tried))
            score = _f_score(found_ones, wanted_ones) + _f_score(found_twos, wanted_twos)
            if score > now:
                now, added = score, i
        if added is None:
            break
        chosen.append(added)
        best = now
    return sorted(chosen)


def _clean(text: str) -> str:
    return re.sub(r"[^a-zA-Z0-9 ]", "", text).lower()


def _ngrams(n: int, words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}


def _f_score(found: set[Any], wanted: set[Any]) -> float:
    overlap = len(found & wanted)
    precision = overlap / len(found) if found else 0.0
    recall = overlap / len(wanted) if wanted else 0.0
    return 2 * precision * recall / (precision + recall + 1e-8)
