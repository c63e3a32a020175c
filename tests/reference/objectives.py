"""Every objective again, slow and plain: exact scores of a set of sentences, and brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

__all__ = ["Limits", "Term", "candidates_of", "score_set", "solve_by_brute_force", "subsequence"]

Tokens = Sequence[str]
Text = Sequence[Tokens]  # sentences of tokens


@dataclass(frozen=True, kw_only=True)
class Term:
    """One addend: `kind` is n, "l" or "lsum"; `beta2` is None for recall, 0 for precision."""

    kind: int | str
    beta2: Fraction | None
    weight: Fraction = Fraction(1)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Rows of (lengths, least, most), and sentences that must or must not be taken."""

    rows: Sequence[tuple[Sequence[int], int, int]] = ()
    required: frozenset[int] = frozenset()
    forbidden: frozenset[int] = frozenset()

    def allow(self, chosen: Sequence[int]) -> bool:
        if not self.required <= set(chosen) or self.forbidden & set(chosen):
            return False
        return all(
            least <= sum(lengths[i] for i in chosen) <= most for lengths, least, most in self.rows
        )


def ngrams(runs: Iterable[Tokens], n: int) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(run[at : at + n]) for run in map(list, runs) for at in range(len(run) - n + 1)
    )


def subsequence(reference: Tokens, sentence: Tokens) -> list[list[int]]:
    """The table of longest common subsequences."""
    table = [[0] * (len(sentence) + 1) for _ in range(len(reference) + 1)]
    for i, left in enumerate(reference, 1):
        for j, right in enumerate(sentence, 1):
            table[i][j] = (
                table[i - 1][j - 1] + 1 if left == right else max(table[i - 1][j], table[i][j - 1])
            )
    return table


def marked(reference: Tokens, sentence: Tokens) -> set[int]:
    """Places of the reference on one longest common subsequence, chosen as ROUGE chooses it."""
    table = subsequence(reference, sentence)
    i, j = len(reference), len(sentence)
    places = set()
    while i and j:
        if reference[i - 1] == sentence[j - 1]:
            i, j = i - 1, j - 1
            places.add(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places


def count_hits(
    kind: int | str,
    chosen: Text,
    reference: Text,
    *,
    boundaries: str,
    reference_boundaries: str,
    counting: str,
) -> tuple[int, int, int]:
    """Hits, size of the reference and size of the summary, against one reference."""
    joined = [token for sentence in chosen for token in sentence]
    whole = [token for sentence in reference for token in sentence]
    if kind == "l":
        return subsequence(whole, joined)[-1][-1], len(whole), len(joined)
    if kind == "lsum":
        left, hits = Counter(joined), 0
        for sentence in reference:
            union = set().union(*(marked(sentence, one) for one in chosen))
            for place in sorted(union):
                if left[sentence[place]] > 0:
                    left[sentence[place]] -= 1
                    hits += 1
        return hits, len(whole), len(joined)
    assert isinstance(kind, int)
    summary = ngrams([joined] if boundaries == "across" else chosen, kind)
    model = ngrams(reference if reference_boundaries == "within" else [whole], kind)
    if counting == "sets":
        return len(summary.keys() & model.keys()), len(model), len(summary)
    return (summary & model).total(), model.total(), summary.total()


def score_term(term: Term, chosen: Text, references: Sequence[Text], **settings: str) -> Fraction:
    """The term's value against all references pooled."""
    parts = [count_hits(term.kind, chosen, reference, **settings) for reference in references]
    hits, total, size = (sum(column) for column in zip(*parts, strict=True))
    if term.beta2 is None:
        return Fraction(hits, total) if total else Fraction(0)
    below = term.beta2 * total + size
    return (1 + term.beta2) * hits / below if below else Fraction(0)


def score_set(
    terms: Sequence[Term],
    chosen: Text,
    references: Sequence[Text],
    *,
    boundaries: str = "within",
    reference_boundaries: str = "across",
    counting: str = "clipped",
) -> Fraction:
    """The weighted mean of the terms."""
    weights = sum(term.weight for term in terms)
    values = (
        term.weight
        * score_term(
            term,
            chosen,
            references,
            boundaries=boundaries,
            reference_boundaries=reference_boundaries,
            counting=counting,
        )
        for term in terms
    )
    return sum(values) / weights


def candidates_of(
    terms: Sequence[Term],
    sentences: Text,
    references: Sequence[Text],
    *,
    boundaries: str,
    reference_boundaries: str = "across",
) -> list[int]:
    """Sentences that can add a hit to some term."""
    sizes = {
        term.kind if isinstance(term.kind, int) and boundaries == "within" else 1 for term in terms
    }
    found = []
    for i, sentence in enumerate(sentences):
        for n in sizes:
            known = set().union(
                *(
                    ngrams(
                        reference
                        if reference_boundaries == "within"
                        else [[t for s in reference for t in s]],
                        n,
                    )
                    for reference in references
                )
            )
            if known & ngrams([sentence], n).keys():
                found.append(i)
                break
    return found


def list_sets(candidates: Sequence[int], limits: Limits, most: int) -> Iterator[tuple[int, ...]]:
    pool = sorted({*candidates, *limits.required} - limits.forbidden)
    for size in range(1, min(most, len(pool)) + 1):
        for chosen in combinations(pool, size):
            if limits.allow(chosen):
                yield chosen


def solve_by_brute_force(
    terms: Sequence[Term],
    sentences: Text,
    references: Sequence[Text],
    limits: Limits,
    *,
    boundaries: str = "within",
    reference_boundaries: str = "across",
    counting: str = "clipped",
    multi_reference: str = "pooled",
    most: int = 30,
) -> dict[tuple[int, ...], Fraction]:
    """The value of every allowed set of candidates; under "best" of its best reference."""
    candidates = candidates_of(
        terms,
        sentences,
        references,
        boundaries=boundaries,
        reference_boundaries=reference_boundaries,
    )
    groups = [[one] for one in references] if multi_reference == "best" else [references]
    return {
        chosen: max(
            score_set(
                terms,
                [sentences[i] for i in chosen],
                group,
                boundaries=boundaries,
                reference_boundaries=reference_boundaries,
                counting=counting,
            )
            for group in groups
        )
        for chosen in list_sets(candidates, limits, most)
    }
