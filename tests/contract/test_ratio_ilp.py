"""Single ratios of long documents: a solver that shares no code with the search agrees with it."""

from __future__ import annotations

import json
import random
from itertools import chain

import pytest

import oraclesum
from conftest import WIDE
from oraclesum import Rouge
from reference.ratio_ilp import maximise_ratio
from shared import shared

MOST = 10


def draw_document(seed: int) -> tuple[list[str], list[list[str]]]:
    """Frequent and rare words, and references pieced together from phrases of the document."""
    rng = random.Random(seed)
    weights = [1 / (rank + 3) for rank in range(600)]
    words = [f"w{rank}" for rank in range(600)]
    document = [rng.choices(words, weights, k=rng.randint(4, 30)) for _ in range(100)]
    references = []
    for _ in range(rng.randint(1, 3)):
        text: list[str] = []
        while len(text) < 80:
            sentence = rng.choice(document[:60])
            start = rng.randrange(len(sentence) - 2)
            text += sentence[start : start + rng.randint(2, 8)]
            text += rng.choices(words, weights, k=rng.randint(0, 3))
        references.append([" ".join(text)])
    return [" ".join(sentence) for sentence in document], references


def check(sentences: list[str], references: list[list[str]], n: int) -> None:
    rouge = Rouge(f"r{n}-f1")
    tokens = rouge.analyser.tokens_of
    value, chosen = maximise_ratio(
        tokens(sentences), [list(chain(*tokens(parts))) for parts in references], n, MOST
    )
    family = oraclesum.enumerate_oracles(sentences, references, rouge=rouge, max_sentences=MOST)
    assert family.complete
    assert family.value == value
    assert chosen in family


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("seed", range(20 if WIDE else 1))
def test_highs_finds_the_same_best_ratio_of_a_made_up_document(seed: int, n: int) -> None:
    check(*draw_document(seed), n)


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize(
    "file",
    ["squality_plot_train.jsonl", "clscisumm2018_train.jsonl", "multiling2011_english.jsonl"],
)
def test_highs_finds_the_same_best_ratio_of_a_real_document(file: str, n: int) -> None:
    lines = shared("data", file).read_text().splitlines()
    for line in lines if WIDE else lines[:2]:
        record = json.loads(line)
        check(record["sentences"], record["references"], n)
