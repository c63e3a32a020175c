"""Scores equal the original ROUGE-1.5.5 Perl program in every count and every printed digit."""

from __future__ import annotations

import itertools
import random
import warnings

import orjson
import pytest

from oraclesum.errors import NoTokensWarning
from oraclesum.rouge import Rouge, score
from reference.perl_rouge import Case, Row, run_rouge
from reference.texts import HARD_TEXTS, draw_text
from shared import shared

LARGEST_N = 9
SETTINGS = list(itertools.product([True, False], [True, False], ["average", "best"]))


def our_rows(case: Case, *, stem: bool, remove_stopwords: bool, aggregate: str) -> dict[int, Row]:
    rows = {}
    for n in range(1, LARGEST_N + 1):
        rouge = Rouge(n=n, stem=stem, remove_stopwords=remove_stopwords)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NoTokensWarning)
            found = score(case.summary, case.references, rouge, aggregate=aggregate)  # type: ignore[arg-type]
        printed = found.as_printed()
        rows[n] = Row(
            hits=found.hits,
            reference_total=found.reference_total,
            summary_total=found.summary_total,
            recall=printed.recall,
            precision=printed.precision,
            f1=printed.f1,
        )
    return rows


def compare(cases: list[Case], *, stem: bool, remove_stopwords: bool, aggregate: str) -> None:
    theirs = run_rouge(
        cases, n=LARGEST_N, stem=stem, remove_stopwords=remove_stopwords, best=aggregate == "best"
    )
    for case, expected in zip(cases, theirs, strict=True):
        assert len(expected) == LARGEST_N
        found = our_rows(case, stem=stem, remove_stopwords=remove_stopwords, aggregate=aggregate)
        assert found == expected, case


def made_by_hand() -> list[Case]:
    """Every hard text against itself, its neighbour, and several others at once."""
    count = len(HARD_TEXTS)
    cases = [Case(summary=[text], references=[[text]]) for text in HARD_TEXTS]
    for i, text in enumerate(HARD_TEXTS):
        others = [[HARD_TEXTS[(i + k) % count]] for k in range(4)]
        cases.append(Case(summary=[text], references=others[1:2]))
        cases.append(Case(summary=[text, HARD_TEXTS[i - 1]], references=others))
    cases.append(Case(summary=[], references=[["a cat"], []]))
    cases.append(Case(summary=["a cat", "", "sat down"], references=[["a", "cat sat", "down"]]))
    return cases


def made_by_chance(seed: int, count: int) -> list[Case]:
    rng = random.Random(seed)

    def draw() -> list[str]:
        return [draw_text(rng, rng.randint(0, 15)) for _ in range(rng.randint(0, 4))]

    return [
        Case(summary=draw(), references=[draw() for _ in range(rng.randint(1, 4))])
        for _ in range(count)
    ]


@pytest.mark.parametrize(("stem", "remove_stopwords", "aggregate"), SETTINGS)
def test_texts_made_by_hand_score_as_in_the_original(
    stem: bool, remove_stopwords: bool, aggregate: str
) -> None:
    compare(made_by_hand(), stem=stem, remove_stopwords=remove_stopwords, aggregate=aggregate)


@pytest.mark.parametrize(("stem", "remove_stopwords", "aggregate"), SETTINGS)
def test_texts_made_by_chance_score_as_in_the_original(
    stem: bool, remove_stopwords: bool, aggregate: str
) -> None:
    cases = made_by_chance(seed=SETTINGS.index((stem, remove_stopwords, aggregate)), count=150)
    compare(cases, stem=stem, remove_stopwords=remove_stopwords, aggregate=aggregate)


@pytest.mark.parametrize(("stem", "remove_stopwords", "aggregate"), SETTINGS)
def test_real_summaries_score_as_in_the_original(
    stem: bool, remove_stopwords: bool, aggregate: str
) -> None:
    cases = []
    for line in shared("data", "multiling2011_english.jsonl").read_bytes().splitlines()[:5]:
        topic = orjson.loads(line)
        models = [[one] if isinstance(one, str) else one for one in topic["references"]]
        cases.append(Case(summary=topic["sentences"][:12], references=models))
        cases.append(Case(summary=models[0], references=models[1:]))
    cases = [
        Case(
            summary=[" ".join(s.split("\n")) for s in case.summary],
            references=[[" ".join(s.split("\n")) for s in model] for model in case.references],
        )
        for case in cases
    ]
    compare(cases, stem=stem, remove_stopwords=remove_stopwords, aggregate=aggregate)
