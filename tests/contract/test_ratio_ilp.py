"""Method `ilp` for objectives: it counts by itself, and agrees with brute force and the search."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from conftest import WIDE
from contract.test_objectives import draw
from oraclesum import InputError, Rouge, Status, compare, enumerate_oracles, find_oracle
from oraclesum.oracles.ratio_ilp import explain_no_program
from shared import shared

MOST = 10


@pytest.mark.filterwarnings("ignore::oraclesum.errors.NoOverlapWarning")
@pytest.mark.filterwarnings("ignore::oraclesum.errors.NoTokensWarning")
def test_programs_find_and_prove_the_best_value_of_brute_force() -> None:
    solved: dict[str, int] = {}
    for seed in range(6000 if WIDE else 600):
        case = draw(seed)
        if seed % 4 == 0:  # of which few are drawn
            recalls = "r1-recall+2*r2-recall"
            case = replace(case, objective=recalls, boundaries="within", multi_reference="pooled")
        rouge = case.rouge()
        if explain_no_program(rouge) is not None:
            continue
        limits: dict[str, Any] = dict(case.limits)
        sentences, references = case.sentences, case.references
        if rouge.plain and "costs" not in limits:
            limits.setdefault("min_sentences", 1)  # else it is the paper's problem
        try:
            oracle = find_oracle(sentences, references, rouge=rouge, method="ilp", **limits)
        except InputError:  # references without an n-gram
            assert not case.has_ngrams(), seed
            continue
        value, sets = replace(case, near={}, limits=limits).solve_plainly()
        assert (oracle.value, oracle.upper_value) == (value, value), seed
        assert oracle.indices in sets or not sets, seed
        for kind in (case.counting, case.multi_reference, *limits, str(len(rouge.terms))):
            solved[kind] = solved.get(kind, 0) + bool(sets)
    names = ("sets", "best", "min_words", "costs", "required", "forbidden", "2")
    assert all(solved[name] >= 5 for name in names), solved


def test_a_clock_that_runs_out_leaves_the_greedy_set_and_a_valid_bound() -> None:
    sentences, references = draw_document(3)
    rows = compare(
        sentences,
        references,
        rouge="r1-f1",
        max_sentences=MOST,
        methods=["greedy", "ilp", "search"],
        time_limit=1e-9,
    )
    greedy, program, _ = rows
    assert program.status is Status.TIME_LIMIT
    assert not program.proven
    assert program.value >= greedy.value
    oracle = find_oracle(
        sentences, references, rouge="r1-f1", max_sentences=MOST, method="ilp", time_limit=1e-9
    )
    best = find_oracle(sentences, references, rouge="r1-f1", max_sentences=MOST).value
    assert oracle.value <= best <= oracle.upper_value <= 1


@pytest.mark.parametrize(
    ("rouge", "reason"),
    [
        (Rouge("r1-f1+r2-f1"), "a sum of ratios is not linear"),
        (Rouge("rlsum-recall"), "a longest common subsequence is not linear in the sentences"),
        (Rouge("r2-f1", boundaries="across"), "n-grams across sentences are not linear"),
    ],
)
def test_an_objective_without_a_program_says_so(rouge: Rouge, reason: str) -> None:
    sentences, references = ["A cat sat.", "A dog ran."], ["The cat sat."]
    with pytest.raises(InputError, match=f"'ilp' is not available: {reason}"):
        find_oracle(sentences, references, rouge=rouge, max_sentences=1, method="ilp")
    rows = {row.method: row for row in compare(sentences, references, rouge=rouge, max_sentences=1)}
    assert list(rows) == ["search", "ilp", "exhaustive", "greedy", "presumm-greedy", "beam"]
    assert rows["ilp"].status is Status.NOT_AVAILABLE
    assert reason in rows["ilp"].reason
    assert rows["ilp"].value is None
    assert rows["search"].proven


def test_recall_is_compared_with_the_beam_and_presumm_too() -> None:
    sentences, references = ["A cat sat.", "A dog ran."], ["The cat sat."]
    rows = {row.method: row for row in compare(sentences, references, max_sentences=1)}
    assert {"search", "ilp", "exhaustive", "greedy", "presumm-greedy", "beam"} <= rows.keys()
    assert {row.value for row in rows.values()} == {Fraction(1, 2)}


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
    oracle = find_oracle(sentences, references, rouge=rouge, max_sentences=MOST, method="ilp")
    family = enumerate_oracles(sentences, references, rouge=rouge, max_sentences=MOST)
    assert family.complete
    # Large numbers leave HiGHS' bound a little too wide for a proof.
    assert oracle.status is (Status.COMPLETE if oracle.proven else Status.HEURISTIC)
    assert family.value == oracle.value <= oracle.upper_value
    assert oracle.indices in family


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


@pytest.mark.parametrize(
    ("sentences", "reference", "costs", "best"),
    [
        (
            ["c d a", "d b c", "c a d"],
            "c e e d e e a b d b a d b d a d e e c",
            [2**21, 2**21 + 1, 2**22],
            "3/11",
        ),
        (
            ["b e a", "a e e e b", "a a", "a b", "e e e c c e"],
            "e a b d c a c d e e c b c c b",
            [488263398709, 549755813889, 988238832016, 2, 2**40],
            None,
        ),
    ],
)
def test_highs_proves_nothing_with_lengths_beyond_its_floats(
    sentences: list[str], reference: str, costs: list[int], best: str | None
) -> None:
    rouge = Rouge("r1-f1", tokenizer="whitespace", stem=False)
    how: dict[str, Any] = {"rouge": rouge, "costs": costs, "max_cost": costs[-1]}
    oracle = find_oracle(sentences, [reference], method="ilp", **how)
    known = find_oracle(sentences, [reference], method="exhaustive", **how)
    # It said that no set fits, and that another was proven best.
    assert oracle.value <= known.value <= oracle.upper_value
    assert oracle.status is Status.HEURISTIC
    if best:
        assert str(oracle.value) == best


def test_lengths_with_a_common_divisor_are_small_numbers_for_highs() -> None:
    rouge = Rouge("r1-f1", tokenizer="whitespace", stem=False)
    costs = [3 * 2**30, 2 * 2**30, 2**40, 2 * 2**30]
    oracle = find_oracle(
        ["a b", "a c", "a b c d", "b d"],
        ["a b c d"],
        rouge=rouge,
        costs=costs,
        max_cost=5 * 2**30 - 1,
        method="ilp",
    )
    assert (oracle.indices, oracle.status) == ((1, 3), Status.COMPLETE)


def test_recalls_with_too_large_a_common_denominator_are_not_an_internal_error() -> None:
    draw = random.Random(3)
    words = [f"w{draw.randrange(40)}" for _ in range(1009)]
    sentences = [" ".join(words[at : at + 12]) for at in range(0, 120, 10)]
    objective = "+".join(f"r{n}-recall" for n in range(1, 10))
    rouge = Rouge(objective, tokenizer="whitespace", stem=False)
    oracle = find_oracle(sentences, [" ".join(words)], rouge=rouge, method="ilp", max_sentences=3)
    assert (oracle.status, oracle.proven) == (Status.HEURISTIC, False)
    assert 0 < oracle.value <= oracle.upper_value
