"""Scores of extracts are, to the last digit, those that rouge_score and ROUGE-1.5.5 print."""

from __future__ import annotations

import gzip
import random
from itertools import islice

import orjson
import pytest
from rouge_score.rouge_scorer import RougeScorer

from oraclesum import _kernel
from oraclesum.errors import InputError
from oraclesum.rouge.printed import STATISTICS, PrintedScorer
from shared import shared

NAMES = {"r1": "rouge1", "r2": "rouge2", "rl": "rougeL", "rlsum": "rougeLsum"}
WORDS = ["The", "cats", "ran.", "running", "U.S.", "it's", "a", "mat,", "dogs", "-", "news", "…"]


def check(sentences: list[str], references: list[str], chosen: list[int], *, stem: bool) -> None:
    scorer = RougeScorer(list(NAMES.values()), use_stemmer=stem)
    summary = "\n".join(sentences[i] for i in sorted(chosen))
    wanted = scorer.score_multi(references, summary)
    found = PrintedScorer(sentences, references, stem=stem).score(chosen)
    for name in STATISTICS:
        theirs = wanted[NAMES[name]]
        assert found[name].f1 == pytest.approx(theirs.fmeasure, abs=1e-12)
        assert found[name].recall == pytest.approx(theirs.recall, abs=1e-12)
        assert found[name].precision == pytest.approx(theirs.precision, abs=1e-12)


@pytest.mark.parametrize("stem", [True, False])
def test_random_extracts_score_what_rouge_score_says(stem: bool) -> None:
    rng = random.Random(101)

    def draw() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(0, 8)))

    for _ in range(150):
        sentences = [draw() for _ in range(5)]
        references = ["\n".join(draw() for _ in range(3)) for _ in range(rng.randint(1, 3))]
        check(sentences, references, rng.sample(range(5), rng.randint(0, 5)), stem=stem)


def test_extracts_of_real_news_score_what_rouge_score_says() -> None:
    with gzip.open(shared("data", "cnndm_news_3000.jsonl.gz")) as file:
        records = [orjson.loads(line) for line in islice(file, 60)]
    rng = random.Random(102)
    for record in records:
        references = [
            one if isinstance(one, str) else "\n".join(one) for one in record["references"]
        ]
        count = len(record["sentences"])
        check(record["sentences"], references, rng.sample(range(count), min(3, count)), stem=True)


def test_of_equally_good_references_the_one_that_rouge_score_takes_is_taken() -> None:
    texts = [" ".join(["ka"] * m + ["lo"] * (n - m)) for n in range(1, 12) for m in range(1, n + 1)]
    for one in texts:
        for other in texts:
            check(["ka ka"], [one, other], [0], stem=False)


def test_a_style_that_is_not_known_is_refused() -> None:
    with pytest.raises(InputError, match="style must be rouge-score or"):
        PrintedScorer(["A."], ["A."], "pyrouge")


def test_a_score_is_stopped_half_way() -> None:
    text = " ".join(f"w{k * k % 101}" for k in range(20_000))
    scorer = PrintedScorer([text], [text[::-1]])
    with pytest.raises(_kernel.Stopped, match="time limit"):
        scorer.score([0], _kernel.QuestionLimits(0.0, None, 0))
