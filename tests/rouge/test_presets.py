"""Every preset proves the best of what its program would count, by the program's own rules."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from nltk.stem.snowball import SnowballStemmer
from rouge_score.rouge_scorer import RougeScorer

import oraclesum
from oraclesum import InputError, Rouge
from oraclesum.rouge.presets import PRESETS
from reference import rouge155
from reference.objectives import Term, score_set

Score = Callable[[Sequence[str], Sequence[str]], float]
"""Of the chosen sentences, in document order, against the reference's sentences."""

WORDS = [
    "The",
    "cat's",
    "cats",
    "sat",
    "running",
    "ran",
    "U.S.",
    "it's",
    "mats,",
    "mat.",
    "3,000",
    "dog-like",
    "dogs",
    "flies",
    "news",
]


def grams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def f1(common: float, ours: float, theirs: float) -> float:
    if not ours or not theirs:
        return 0.0
    precision, recall = common / ours, common / theirs
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def score_presumm(summary: Sequence[str], reference: Sequence[str]) -> float:
    """Sets of n-grams of cleaned words, within sentences; the reference is one run of words."""

    def clean(text: str) -> list[str]:
        return re.sub(r"[^a-zA-Z0-9 ]", "", text.lower()).split()

    model = clean(" ".join(reference))
    total = 0.0
    for n in (1, 2):
        ours = {gram for sentence in summary for gram in grams(clean(sentence), n)}
        theirs = set(grams(model, n))
        total += f1(len(ours & theirs), len(ours), len(theirs))
    return total / 2


def score_memsum(summary: Sequence[str], reference: Sequence[str]) -> float:
    """Counts of n-grams of stemmed words within sentences; the reference is one run of words."""
    stem = SnowballStemmer("english").stem

    def cut(text: str) -> list[str]:
        return [stem(word) for word in re.findall(r"\w+", text.lower())]

    model = [word for sentence in reference for word in cut(sentence)]
    total = 0.0
    for n in (1, 2):
        ours = Counter(gram for sentence in summary for gram in grams(cut(sentence), n))
        theirs = Counter(grams(model, n))
        total += f1((ours & theirs).total(), ours.total(), theirs.total())
    return total / 2


def score_neusum(summary: Sequence[str], reference: Sequence[str]) -> float:
    """Counts of pairs of words, within sentences on both sides."""
    ours = Counter(gram for text in summary for gram in grams(text.lower().split(), 2))
    theirs = Counter(gram for text in reference for gram in grams(text.lower().split(), 2))
    return f1((ours & theirs).total(), ours.total(), theirs.total())


def score_rouge_155(summary: Sequence[str], reference: Sequence[str]) -> float:
    """The mean F1 of ROUGE-1, -2 and -L of ROUGE-1.5.5 with stems, restated."""
    terms = [Term(kind=kind, beta2=Fraction(1)) for kind in (1, 2, "lsum")]
    cut = [rouge155.analyse(text, stem=True, remove_stopwords=False) for text in summary]
    model = [rouge155.analyse(text, stem=True, remove_stopwords=False) for text in reference]
    return float(score_set(terms, cut, [model], boundaries="across"))


def score_rouge_score(summary: Sequence[str], reference: Sequence[str]) -> float:
    scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=True)
    found = scorer.score("\n".join(reference), "\n".join(summary))
    return sum(each.fmeasure for each in found.values()) / 3


def score_hirao(summary: Sequence[str], reference: Sequence[str]) -> float:
    return oraclesum.score(summary, [list(reference)], across_sentences=False).recall


PEERS: dict[str, Score] = {
    "presumm": score_presumm,
    "oreo": score_presumm,
    "memsum": score_memsum,
    "neusum": score_neusum,
    "matchsum": score_rouge_155,
    "rouge-score": score_rouge_score,
    "rouge-1.5.5": score_rouge_155,
    "hirao": score_hirao,
}


def test_every_preset_has_its_peer() -> None:
    assert PEERS.keys() == PRESETS.keys()


@pytest.mark.parametrize("name", PEERS)
def test_a_preset_finds_the_best_by_the_rules_of_its_program(name: str) -> None:
    rng = random.Random(91)
    limits = PRESETS[name].limits
    sizes = range(limits.get("min_sentences", 1), limits.get("max_sentences", 6) + 1)
    for _ in range(12):
        texts = [" ".join(rng.choices(WORDS, k=rng.randint(1, 7))) for _ in range(6)]
        pair = " ".join(rng.choices(WORDS, k=2))  # some pair of words is always shared
        texts[rng.randrange(6)] += f" {pair}"
        model = [f"{pair} " + " ".join(rng.choices(WORDS, k=rng.randint(1, 4))) for _ in range(2)]
        family = oraclesum.enumerate_oracles(texts, [model], rouge=name)
        values = {
            chosen: PEERS[name]([texts[i] for i in chosen], model)
            for size in sizes
            for chosen in combinations(range(6), size)
        }
        best = max(values.values())
        assert family.score == pytest.approx(best, abs=1e-12)
        assert family.proven
        for chosen in family:
            assert values[chosen] == pytest.approx(best, abs=1e-12)


def test_what_is_given_wins_over_the_preset() -> None:
    rouge = Rouge("presumm", counting="clipped")
    assert (rouge.objective, rouge.counting, rouge.tokenizer) == (
        "r1-f1+r2-f1",
        "clipped",
        "presumm",
    )
    assert rouge.limits == {"max_sentences": 3}
    with pytest.raises(InputError, match="presumm has no stems"):
        Rouge("presumm", stem=True)
    family = oraclesum.enumerate_oracles(
        ["A cat.", "A dog."], ["A cat. A dog."], rouge="presumm", max_sentences=1
    )
    assert "limit:sentences<=1" in family.signature
    assert Rouge("r1-f1").limits == {}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("r1f1", "'r1-f1'"),
        ("rouge-2", "'r2-recall' or 'r2-f1'"),
        ("ROUGE-L", "'rl-recall' or 'rl-f1'"),
        ("rougeLsum_fmeasure", "'rlsum-f1'"),
        ("r1-f1,r2-f1", "'r1-f1+r2-f1'"),
        ("rouge1 rouge2-f1", "'r1-f1+r2-f1'"),
        ("r1-f1+r2-fl", "'r2-f1'"),
        ("f1", "'r1-f1' or 'r2-f1'"),
        ("presum", "'presumm'"),
        ("rouge_score", "'rouge-score'"),
    ],
)
def test_a_wrong_objective_says_what_is_near_it(written: str, meant: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"did you mean {meant}?")):
        Rouge(written)


def test_a_preset_among_terms_is_told_to_stand_alone() -> None:
    with pytest.raises(InputError, match="the preset 'presumm' goes with no other term"):
        Rouge("presumm+rl-f1")
