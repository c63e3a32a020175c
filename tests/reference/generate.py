"""Small random instances with awkward cases: ties, twins, repeats, no length, several limits."""

from __future__ import annotations

import random
from collections.abc import Iterator

from oraclesum.instances import Instance, Limit


def generate_instance(rng: random.Random, *, most_sentences: int = 9) -> Instance:
    """One instance; its shape is drawn as well, so a run of them meets loose and tight limits."""
    ngrams = rng.randint(1, 8)
    references = rng.randint(1, 3)
    repeats = rng.choice([1, 1, 2, 3])
    gains = [fold([rng.randint(0, repeats) for _ in range(references)]) for _ in range(ngrams)]
    rows: list[list[tuple[int, int]]] = []
    lengths: list[int] = []
    shortest = rng.choice([0, 1, 1, 1])
    longest = rng.choice([1, 3, 10, 30])
    density = rng.choice([0.15, 0.3, 0.6])
    for _ in range(rng.randint(1, most_sentences)):
        if rows and rng.random() < 0.2:  # a twin of an earlier sentence, perhaps of another length
            twin = rng.randrange(len(rows))
            rows.append(rows[twin])
            lengths.append(lengths[twin] if rng.random() < 0.7 else rng.randint(1, longest))
            continue
        row = [(g, rng.randint(1, repeats)) for g in range(ngrams) if rng.random() < density]
        rows.append(row)
        lengths.append(rng.randint(shortest, max(longest, shortest)))
    looseness = rng.choice([0.1, 0.3, 0.5, 0.8, 1.0])
    limits = [Limit(unit="words", budget=round(sum(lengths) * looseness), lengths=tuple(lengths))]
    if rng.random() < 0.3:
        limits.append(
            Limit(unit="sentences", budget=rng.randint(1, len(rows)), lengths=(1,) * len(rows))
        )
    if rng.random() < 0.15:
        more = tuple(rng.randint(0, 20) for _ in rows)
        limits.append(Limit(unit="bytes", budget=rng.randint(0, sum(more)), lengths=more))
    total = sum(sum(row) for row in gains)
    return Instance(id="random", total=max(total, 1), gains=gains, counts=rows, limits=limits)


def fold(occurrences: list[int]) -> list[int]:
    """Gains of an n-gram that occurs so often in each reference: k -> references with k or more."""
    return [
        sum(1 for count in occurrences if count >= k)
        for k in range(1, max(occurrences, default=0) + 1)
    ]


def generate_instances(number: int, seed: int, **shape: int) -> Iterator[Instance]:
    """So many instances; equal seeds give equal ones."""
    rng = random.Random(seed)
    for _ in range(number):
        yield generate_instance(rng, **shape)


def make_ties(seed: int) -> Instance:
    """Few kinds of sentences, each several times, and a loose limit: many oracles of each size."""
    rng = random.Random(seed)
    kinds = [sorted(rng.sample(range(5), rng.randint(1, 3))) for _ in range(4)]
    rows = [[(g, 1) for g in rng.choice(kinds)] for _ in range(15)]
    lengths = tuple(rng.choice([2, 3]) for _ in rows)
    return Instance(
        total=10,
        gains=[[2, 1], [2, 1], [1, 1, 1], [1], [3]],
        counts=rows,
        limits=[Limit(unit="words", budget=rng.randint(12, 25), lengths=lengths)],
    )
