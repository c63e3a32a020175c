"""Every objective against brute force in plain Python, known answers, and rouge_score."""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import oraclesum
from children import run_child
from conftest import WIDE
from oraclesum import Rouge
from oraclesum.errors import InputError, NoOverlapWarning
from oraclesum.oracles import objective as solving
from oraclesum.rouge.objective import describe_terms, parse_objective, scale_of
from reference import objectives as plain
from shared import shared

NUMBER = 20_000 if WIDE else 1_500


def parse(objective: str) -> list[plain.Term]:
    """The terms by a second, plainer reader."""
    terms = []
    for part in objective.split("+"):
        weight, _, name = part.rpartition("*")
        kind, statistic = name.split("-")
        betas = {"recall": None, "precision": Fraction(0)}
        terms.append(
            plain.Term(
                kind=int(kind[1:]) if kind[1:].isdigit() else kind[1:],
                beta2=betas[statistic] if statistic in betas else Fraction(statistic[1:]) ** 2,
                weight=Fraction(weight or 1),
            )
        )
    return terms


@dataclass(frozen=True, kw_only=True)
class Case:
    """A small document over a few words, with settings and limits of every kind."""

    sentences: list[str]
    references: list[list[str]]
    objective: str
    boundaries: str
    reference_boundaries: str
    counting: str
    multi_reference: str
    limits: dict[str, object]
    near: dict[str, object] = field(default_factory=dict)

    def rouge(self) -> Rouge:
        return Rouge(
            self.objective,
            tokenizer=str.split,
            boundaries=self.boundaries,  # type: ignore[arg-type]  # drawn from the known ones
            reference_boundaries=self.reference_boundaries,  # type: ignore[arg-type]
            counting=self.counting,  # type: ignore[arg-type]
            multi_reference=self.multi_reference,  # type: ignore[arg-type]
        )

    def has_ngrams(self) -> bool:
        """Whether every term has an n-gram in the references it needs."""
        lengths = [[len(part.split()) for part in one] for one in self.references]
        joined = max if self.reference_boundaries == "within" else sum
        longest = max(joined(one) for one in lengths)  # type: ignore[operator]  # both take a list
        return all(
            not isinstance(term.kind, int) or term.kind <= longest for term in parse(self.objective)
        )

    def solve_plainly(self) -> tuple[Fraction, list[tuple[int, ...]]]:
        """The best value and the family, by trying every set."""
        terms = parse(self.objective)
        sentences = [text.split() for text in self.sentences]
        references = [[part.split() for part in reference] for reference in self.references]
        required = frozenset(self.limits.get("required", ()))  # type: ignore[call-overload]
        values = plain.solve_by_brute_force(
            terms,
            sentences,
            references,
            plain.Limits(
                rows=list(self._rows()),
                required=required,
                forbidden=frozenset(self.limits.get("forbidden", ())),  # type: ignore[call-overload]
            ),
            boundaries=self.boundaries,
            reference_boundaries=self.reference_boundaries,
            counting=self.counting,
            multi_reference=self.multi_reference,
        )
        values = {chosen: value for chosen, value in values.items() if value > 0}
        if not values:
            return Fraction(0), []
        best = max(values.values())
        bar = best - Fraction(str(self.near.get("within", 0)))
        if top := self.near.get("top"):
            assert isinstance(top, int)
            bar = sorted(values.values(), reverse=True)[min(top, len(values)) - 1]
        kept = sorted(chosen for chosen, value in values.items() if value >= bar)
        if self.near.get("family") == "minimal":

            def loses(chosen: tuple[int, ...], out: int) -> bool:
                if any(
                    sum(lengths[i] for i in chosen if i != out) < least
                    for lengths, least, _ in self._rows()
                ):
                    return True  # nothing can be dropped below a floor
                rest = [sentences[i] for i in chosen if i != out]
                groups = [[one] for one in references]
                if self.multi_reference == "pooled":
                    groups = [references]
                return not rest or values[chosen] > max(
                    plain.score_set(
                        terms,
                        rest,
                        group,
                        boundaries=self.boundaries,
                        reference_boundaries=self.reference_boundaries,
                        counting=self.counting,
                    )
                    for group in groups
                )

            kept = [
                chosen
                for chosen in kept
                if all(out in required or loses(chosen, out) for out in chosen)
            ]
        return best, kept

    def _rows(self) -> Iterator[tuple[list[int], int, int]]:
        words = [len(text.split()) for text in self.sentences]
        ones = [1] * len(words)
        for name, lengths in (("words", words), ("sentences", ones)):
            least, most = self.limits.get(f"min_{name}", 0), self.limits.get(f"max_{name}", 10**9)
            assert isinstance(least, int)
            assert isinstance(most, int)
            yield lengths, least, most
        if "costs" in self.limits:
            costs, most = self.limits["costs"], self.limits["max_cost"]
            assert isinstance(costs, list)
            assert isinstance(most, int)
            yield costs, 0, most


def draw(seed: int) -> Case:
    """Ties, duplicates, empty and one-word sentences, several references, limits of every kind."""
    rng = random.Random(seed)
    words = "abcdefghi"[: rng.choice([2, 3, 5, 9])]

    def sentence() -> str:
        return " ".join(rng.choices(words, k=rng.choice([0, 1, 1, 2, 3, 4, 6])))

    number = rng.randint(1, 7)
    sentences = [sentence() for _ in range(number)]
    for i in range(1, number):
        if rng.random() < 0.25:
            sentences[i] = sentences[rng.randrange(i)]
    references = [
        [f"{sentence()} {rng.choice(words)}" for _ in range(rng.randint(1, 3))]
        for _ in range(rng.choice([1, 1, 1, 2, 3]))
    ]
    kinds = ["r1", "r1", "r2", "r2", "r3", "rl", "rlsum"]
    statistics = ["recall", "f1", "f1", "f2", "f0.5"]
    terms = [
        f"{rng.choice(['', '', '2*', '1/3*'])}{rng.choice(kinds)}-{rng.choice(statistics)}"
        for _ in range(rng.choice([1, 1, 1, 2, 2, 3]))
    ]
    limits: dict[str, object] = {}
    least = rng.choice([0, 0, 0, 0, 1, 2])
    if least:
        limits["min_sentences"] = least
    limits["max_sentences"] = max(least, rng.randint(1, number))
    if rng.random() < 0.4:
        limits["max_words"] = rng.randint(1, 12)
        if rng.random() < 0.4:
            limits["min_words"] = rng.randint(1, limits["max_words"])
    if rng.random() < 0.15:
        limits["costs"] = [rng.randint(0, 5) for _ in sentences]
        limits["max_cost"] = rng.randint(1, 12)
    chosen = rng.sample(range(number), min(2, number))
    if rng.random() < 0.15:
        limits["required"] = chosen[:1]
    if rng.random() < 0.15:
        limits["forbidden"] = chosen[1:]
    if least and rng.random() < 0.3:
        terms = ["r1-precision"]
    best = len(terms) == 1 and rng.random() < 0.2
    near: dict[str, object] = rng.choice(
        [{}, {}, {"within": rng.randint(1, 30) / 100}, {"family": "minimal"}]
        + ([] if best else [{"top": rng.randint(1, 6)}])
    )
    return Case(
        sentences=sentences,
        references=references,
        objective="+".join(terms),
        boundaries=rng.choice(["within", "within", "across"]),
        counting=rng.choice(["clipped", "clipped", "sets"]),
        multi_reference="best" if best else "pooled",
        limits=limits,
        near=near,
        reference_boundaries=rng.choice(["across", "across", "within"]),
    )


@pytest.mark.parametrize("start", range(0, NUMBER, NUMBER // 10))
@pytest.mark.filterwarnings("ignore::oraclesum.errors.NoOverlapWarning")
@pytest.mark.filterwarnings("ignore::oraclesum.errors.NoTokensWarning")
@pytest.mark.parametrize("without", [(), ("scan",)], ids=["all parts", "no scan"])
def test_best_value_and_all_sets_are_those_of_brute_force(
    start: int, without: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small documents hardly need the search: it is tested by itself as well."""
    monkeypatch.setattr(solving, "WITHOUT", without)
    solved = sum(
        agrees_with_brute_force(draw(seed), seed) for seed in range(start, start + NUMBER // 10)
    )
    assert solved > NUMBER // 20


def agrees_with_brute_force(case: Case, seed: int) -> bool:
    """Whether the case could be solved; fails if it was solved in another way."""
    try:
        family = oraclesum.enumerate_oracles(
            case.sentences,
            case.references,
            rouge=case.rouge(),
            **case.limits,  # type: ignore[arg-type]
            **case.near,  # type: ignore[arg-type]
        )
    except InputError:  # references without an n-gram
        assert not case.has_ngrams(), seed
        return False
    value, sets = case.solve_plainly()
    assert (family.value, family.upper_value) == (value, value), seed
    assert list(family) == sets, seed
    assert family.count == len(sets), seed
    assert family.inclusion_counts == [
        sum(i in chosen for chosen in sets) for i in range(len(case.sentences))
    ], seed
    if sets and case.near.keys() <= {"family"}:
        oracle = oraclesum.find_oracle(
            case.sentences,
            case.references,
            rouge=case.rouge(),
            **case.limits,  # type: ignore[arg-type]
            **case.near,  # type: ignore[arg-type]
        )
        assert (oracle.value, oracle.proven) == (value, True), seed
        assert oracle.indices in sets, seed
    return True


# As whole numbers they add up to 2^21, the largest sum.
LARGEST_WEIGHTS = (
    "999999*r1-f1+999983*r2-f1+97170*rl-f1",
    "999999*r2-f0.5+999999*r1-f1+97153*r1-recall+r2-recall",
    "97151/1000000*rlsum-f2+r1-f1+r2-recall+1/1000000*r3-f1",
)


@pytest.mark.parametrize("objective", LARGEST_WEIGHTS)
@pytest.mark.filterwarnings("ignore::oraclesum.errors.NoOverlapWarning")
@pytest.mark.filterwarnings("ignore::oraclesum.errors.NoTokensWarning")
def test_the_largest_weights_are_added_up_exactly(objective: str) -> None:
    assert scale_of(parse_objective(objective)) == 2**21
    cases = [replace(draw(seed), objective=objective) for seed in range(NUMBER // 10)]
    solved = sum(
        agrees_with_brute_force(case, seed)
        for seed, case in enumerate(cases)
        if case.multi_reference == "pooled"
    )
    assert solved > NUMBER // 40


@pytest.mark.parametrize(
    "objective",
    [
        "999999*r1-f1+999983*r2-f1+97171*rl-f1",
        "9*r1-f1+0.000001*r2-f1",
        "1/9*r1-f1+0.999999*r2-f1",
        "+".join(f"1/{prime}*r1-f1" for prime in (999983, 999979, 999961, 999959, 999953)),
    ],
)
def test_weights_beyond_the_largest_sum_are_refused(objective: str) -> None:
    with pytest.raises(InputError, match=r"have too many digits: .*round them"):
        Rouge(objective)


def test_weights_with_a_common_divisor_are_divided_by_it() -> None:
    for objective in ("900000*r1-f1+900000*r2-f1+900000*r3-f1", "1/900000*r1-f1+1/900000*r2-f1"):
        terms = parse_objective(objective)
        assert {weight for _, _, weight, _, _ in describe_terms(terms)} == {1}


OBJECTIVES = (
    "r1-f1",
    "r2-f1",
    "r1-f1+r2-f1",
    "rlsum-f1",
    "r1-f1+r2-f1+rlsum-f1",
    "rlsum-recall",
    "rl-f1",
    "across:r2-f1",
    "across:r1-f1+r2-f1",
    "across:r1-f1+r2-f1+rlsum-f1",
    "across:r2-recall",
    "sets:r1-f1+r2-f1",
    "r2-f2",
    "r1-recall+r2-recall",
)


@pytest.mark.parametrize("name", OBJECTIVES)
@pytest.mark.parametrize("file", ["news.jsonl", "several_references.jsonl"])
@pytest.mark.parametrize("without", [(), ("scan",)], ids=["all parts", "no scan"])
def test_known_answers_of_real_articles(
    file: str, name: str, without: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "WITHOUT", without)
    lines = shared("objectives", file).read_text().splitlines()
    prefix, _, objective = name.rpartition(":")
    rouge = Rouge(
        objective,
        boundaries="across" if prefix == "across" else "within",
        counting="sets" if prefix == "sets" else "clipped",
    )
    for line in lines:
        record = json.loads(line)
        known = record["objectives"][name]
        family = oraclesum.enumerate_oracles(
            record["sentences"],
            record["references"],
            rouge=rouge,
            max_sentences=record["max_sentences"],
        )
        assert family.value * len(rouge.terms) == Fraction(*known["value"]), record["id"]
        assert family.count == known["count"], record["id"]
        assert [list(chosen) for chosen in family][:200] == known["sets"], record["id"]


@pytest.mark.parametrize("seed", range(20))
def test_scores_are_those_that_rouge_score_prints(seed: int) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    from oraclesum.oracles.objective import ObjectiveProblem

    rng = random.Random(seed)
    words = ["port", "ship", "storm", "the", "a", "reopened", "lane", "cost", "euro"]

    def sentence() -> str:
        return " ".join(rng.choices(words, k=rng.randint(1, 12)))

    sentences = [sentence() for _ in range(8)]
    reference = [sentence() for _ in range(3)]
    names = {"rouge1": "r1-f1", "rouge2": "r2-f1", "rougeL": "rl-f1", "rougeLsum": "rlsum-f1"}
    scorer = RougeScorer([*names], use_stemmer=False)
    for _ in range(20):
        chosen = sorted(rng.sample(range(8), rng.randint(1, 5)))
        printed = scorer.score("\n".join(reference), "\n".join(sentences[i] for i in chosen))
        for theirs, ours in names.items():
            problem = ObjectiveProblem(
                sentences,
                ["\n".join(reference)],
                Rouge(ours, stem=False, boundaries="across"),
                oraclesum.Limits(needed=False),
            )
            assert abs(float(problem.score(chosen)) - printed[theirs].fmeasure) < 1e-12


def test_a_search_that_is_stopped_says_so_with_bounds_that_hold() -> None:
    rng = random.Random(5)
    words = [f"w{k}" for k in range(60)]
    sentences = [" ".join(rng.choices(words, k=12)) for _ in range(120)]
    reference = " ".join(rng.choices(words, k=150))
    family = oraclesum.enumerate_oracles(
        sentences, [reference], rouge="r1-f1+r2-f1", max_sentences=12, stop=lambda: True
    )
    assert family.status == "interrupted"
    assert not family.complete
    assert 0 < family.value <= family.upper_value <= 1
    assert not family.proven


def draw_long_document() -> tuple[list[str], list[list[str]]]:
    rng = random.Random(0)
    words = [f"w{k}" for k in range(200)]
    sentences = [" ".join(rng.choices(words, k=rng.randint(3, 25))) for _ in range(200)]
    return sentences, [[" ".join(rng.choices(words, k=10)) for _ in range(15)]]


def test_a_low_greedy_does_not_keep_a_long_document_from_being_proven() -> None:
    """Sets of the greedy's value or more are too many to be told one by one."""
    sentences, references = draw_long_document()
    rouge = Rouge("rlsum-recall", stem=False)
    oracle = oraclesum.find_oracle(sentences, references, rouge=rouge, max_words=60, time_limit=60)
    assert oracle.proven
    greedy = oraclesum.find_oracle(
        sentences, references, rouge=rouge, max_words=60, method="greedy"
    )
    assert greedy.value < oracle.value


def test_a_stopped_search_across_sentences_is_no_worse_than_the_best_within_and_has_a_bound() -> (
    None
):
    sentences, references = draw_long_document()
    within = oraclesum.find_oracle(
        sentences, references, rouge=Rouge("r2-recall", stem=False), max_words=60
    )
    asked = itertools.count()
    across = oraclesum.find_oracle(
        sentences,
        references,
        rouge=Rouge("r2-recall", stem=False, boundaries="across"),
        max_words=60,
        stop=lambda: next(asked) >= 100,
    )
    assert across.status == "interrupted"
    assert within.value <= across.value <= across.upper_value < Fraction(1, 2)


def test_what_an_objective_cannot_do_is_said() -> None:
    sentences, references = ["a b c", "b c"], ["a b"]
    solve = oraclesum.enumerate_oracles
    for objective, words in {
        "r1-precision": "min_words",
        "r1-f1+": "unknown term",
        "r0-f1": "unknown term",
        "rouge-l": "unknown term",
        "0*r1-f1": "above 0",
        "r9-f1": "9-gram",
    }.items():
        with pytest.raises(InputError, match=words):
            solve(sentences, references, rouge=objective, max_sentences=1)
    within = Rouge("r3-f1", reference_boundaries="within")
    with pytest.raises(InputError, match="longest sentence has 2 words; set objective to 'r2-f1'"):
        solve(sentences, [["a b", "b c"]], rouge=within)
    with pytest.raises(InputError, match="length limit"):
        solve(sentences, references, rouge="r1-recall+r2-recall")
    with pytest.raises(InputError, match="only one of"):
        solve(sentences, references, rouge="r1-f1", within=0.1, top=2)
    with pytest.raises(InputError, match="knows recall"):
        solve(sentences, references, rouge="r1-f1", method="paper")
    with pytest.raises(TypeError, match="did you mean 'max_words'"):
        solve(sentences, references, max_word=3)  # type: ignore[call-arg]
    with pytest.raises(InputError, match="one term"):
        Rouge("r1-f1+r2-f1", multi_reference="best")


@pytest.mark.parametrize("method", ["paper", "genetic", "pairwise"])
@pytest.mark.parametrize(
    "condition",
    [{"required": [0]}, {"forbidden": [1]}, {"min_words": 2}, {"costs": [1, 1], "max_cost": 2}],
)
def test_a_method_that_knows_upper_limits_only_names_the_others(
    method: str, condition: dict[str, Any]
) -> None:
    texts, references = ["A cat sat.", "Dogs bark."], ["The cat sat."]
    name = list(condition)[-1]
    reason = f"knows upper limits of words, sentences and bytes only, not {name}"
    with pytest.raises(InputError, match=f"method '{method}' is not available: it {reason}; use"):
        oraclesum.find_oracle(texts, references, method=method, max_words=5, **condition)
    [row] = oraclesum.compare(texts, references, methods=[method], max_words=5, **condition)
    assert (row.status, row.reason) == ("not_available", f"it {reason}")


def test_sets_near_the_best_score_are_named_to_a_method_that_has_none() -> None:
    with pytest.raises(InputError, match="bytes only, not within; use search"):
        oraclesum.enumerate_oracles(["a b"], ["a b"], method="paper", max_words=5, within=0.1)


@pytest.mark.parametrize("method", ["beam", "presumm-greedy"])
def test_heuristics_that_need_the_text_find_a_set_of_plain_recall(method: str) -> None:
    texts, references = ["A cat sat.", "Dogs bark.", "It rained."], ["The cat sat. Dogs bark."]
    oracle = oraclesum.find_oracle(texts, references, method=method, max_words=5)
    [row] = oraclesum.compare(texts, references, methods=[method], max_words=5)
    assert oracle.indices == row.indices == (0, 1)
    assert (oracle.hits, oracle.total, oracle.status) == (2, 4, "heuristic")
    with pytest.raises(InputError, match="finds one set and cannot enumerate"):
        oraclesum.enumerate_oracles(texts, references, method=method, max_words=5)
    instance = oraclesum.build_instance(texts, references, Rouge(), oraclesum.Limits(max_words=5))
    with pytest.raises(InputError, match="needs the text, which an instance does not have"):
        oraclesum.find_in_instance(instance, method=method)


def test_a_set_that_another_reference_needs_less_for_is_not_minimal() -> None:
    """Both references are reached whole; the first needs two sentences, the second one of them."""
    texts, references = ["a b", "c d"], ["a b c d", "c d"]
    rouge = Rouge("r1-recall", tokenizer=str.split, multi_reference="best")
    for method in ("search", "exhaustive"):
        family = oraclesum.enumerate_oracles(
            texts, references, rouge=rouge, method=method, max_words=4, family="minimal"
        )
        assert list(family) == [(1,)]


@pytest.mark.parametrize(
    ("objective", "advice"),
    [
        ("r1-f1+r2-f1", "leave the longer n-grams out of objective: 'r1-f1'"),
        ("rl-f1+0.5*r3-recall+r1-f1", "leave the longer n-grams out of objective: 'rl-f1\\+r1-f1'"),
        ("r2-f1", "set objective to 'r1-f1'"),
        ("r2-recall", "set n to 1"),
    ],
)
def test_terms_that_are_too_long_for_the_references_are_refused_with_what_to_maximise(
    objective: str, advice: str
) -> None:
    with pytest.raises(InputError, match=f"the longest has 1 word; {advice}$"):
        oraclesum.find_oracle(["cat sat"], ["cat"], rouge=objective, max_words=5)


def test_nothing_to_find_is_a_status_with_a_warning() -> None:
    with pytest.warns(NoOverlapWarning):
        family = oraclesum.enumerate_oracles(["x y"], ["a b"], rouge="r1-f1")
    assert (family.status, family.count, family.value) == ("no_overlap", 0, 0)


@pytest.mark.parametrize(
    ("sentences", "references", "objective", "keywords"),
    [
        (["b c", "c", "b c", "c b"], [["c b", "b"]], "rlsum-f1", {}),
        (["a b", "b a", "a b", "a b"], [["a", "b a"]], "rlsum-f1", {}),
        (
            ["b a b", "a b a", "b b a", "b b a", "a b b"],
            [["b b b b", "b b a a"]],
            "rlsum-recall",
            {"max_words": 9},
        ),
        (["a", "x", "b a x", "b a a"], ["a"], "r1-recall", {"min_sentences": 2, "max_words": 3}),
        (["x", "b", "a a x"], ["b a a"], "r1-recall", {"min_sentences": 2, "max_words": 3}),
        (
            ["b", "c a b c", "a b c c c c"],
            ["a"],
            "r1-recall",
            {"min_sentences": 2, "max_words": 8},
        ),
        (["a", "b"], ["a a", "b c c"], "best:r1-recall", {"min_sentences": 2, "max_words": 5}),
        (["c", "b"], ["b", "c"], "best:r1-f1", {"within": 0.5}),
        (["a", "b"], ["a", "b b"], "best:r1-recall", {"max_words": 5}),
        (
            ["f e f e d", "f e f e d", "e h b", "a e", "g a"],
            ["g a e"],
            "r1-f1",
            {"min_words": 8, "family": "minimal"},
        ),
        (["a", "a", "b"], ["a b"], "r1-f1", {"top": 3, "family": "minimal"}),
        (["a", "a a b b", "b b a a", "a a b a"], ["b b", "a"], "best:across:r2-f2", {}),
        (["a"] * 8, ["a", "a"], "best:r1-recall", {"max_words": 4, "max_list": 3}),
        # Two sentences are asked for, one of which adds nothing: such sets are minimal.
        (["a b", "b", "b"], ["a b b"], "sets:r1-recall", {"min_sentences": 2, "family": "minimal"}),
        (["a b", "b", "b"], ["a b"], "r1-recall", {"min_sentences": 2, "family": "minimal"}),
        # N-grams across joints, against references whose n-grams stay within their sentences.
        (["e c c", "a", "d d"], [["c c", "a d"]], "across:inside:r2-f1", {}),
        (["b", "a a"], [["c", "b a a a"]], "across:inside:2*r1-recall+r3-f1", {"max_words": 3}),
    ],
)
@pytest.mark.filterwarnings("ignore::oraclesum.errors.NoOverlapWarning")
def test_what_attacks_found_stays_mended(
    sentences: list[str], references: list[str], objective: str, keywords: dict[str, object]
) -> None:
    prefix, _, terms = objective.rpartition(":")
    rouge = Rouge(
        terms,
        tokenizer=str.split,
        multi_reference="best" if "best" in prefix else "pooled",
        boundaries="across" if "across" in prefix else "within",
        reference_boundaries="within" if "inside" in prefix else "across",
        counting="sets" if "sets" in prefix else "clipped",
    )
    if rouge.needs_limit:
        keywords = {"max_words": 9, **keywords}
    found, expected = (
        oraclesum.enumerate_oracles(
            sentences,
            references,
            rouge=rouge,
            method=method,
            **keywords,  # type: ignore[arg-type]
        )
        for method in ("search", "exhaustive")
    )
    assert (found.value, found.count) == (expected.value, expected.count)
    assert bool(found.count) == bool(found.value)
    assert (found.status, list(found)) == (expected.status, list(expected))


@pytest.mark.parametrize("stop", [None, lambda: True], ids=["proven", "stopped"])
def test_one_oracle_of_the_minimal_family_is_minimal(stop: Callable[[], object] | None) -> None:
    sentences, references = ["b d a a", "c c a d", "b"], ["d b"]
    rouge = Rouge("rl-recall", tokenizer=str.split)
    family = oraclesum.enumerate_oracles(
        sentences, references, rouge=rouge, max_sentences=3, family="minimal"
    )
    oracle = oraclesum.find_oracle(
        sentences, references, rouge=rouge, max_sentences=3, family="minimal", stop=stop
    )
    assert list(family) == [(0, 2), (1, 2)]
    assert oracle.indices in family


def test_very_long_texts_take_little_memory() -> None:
    """A table of one number per pair of words would need 1.6 GB."""
    program = """
import random, resource
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
import oraclesum
rng = random.Random(1)
words = [f"w{k}" for k in range(300)]
sentence, reference = (" ".join(rng.choices(words, k=20_000)) for _ in range(2))
for objective in ("rlsum-f1", "rl-f1"):
    family = oraclesum.enumerate_oracles([sentence, "w1 w2"], [reference], rouge=objective)
    assert 0.05 < family.value < 0.5, family.value
"""
    done = run_child([sys.executable, "-c", program])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("objective", ["r1-f1", "r1-f1+rlsum-f1", "r2-recall"])
def test_a_family_of_any_objective_is_loaded_as_it_was_saved(
    objective: str, tmp_path: Path
) -> None:
    family = oraclesum.enumerate_oracles(
        ["a b c", "b c", "c a b"], ["a b c a"], rouge=objective, max_sentences=2
    )
    family.write(tmp_path / "family")
    loaded = oraclesum.OracleFamily.read(tmp_path / "family")
    assert (loaded.value, loaded.upper_value, loaded.hits) == (
        family.value,
        family.upper_value,
        family.hits,
    )
    assert (list(loaded), loaded.status) == (list(family), family.status)


@pytest.mark.parametrize(
    "keywords",
    [
        {"rouge": "1e999999999*r1-f1"},
        {"rouge": "r1-f1+1e-99999999*r2-f1"},
        {"rouge": "r1-f1", "within": "1e-99999999"},
        {"rouge": "r1-f1", "within": "1e999999999"},
        {"rouge": "r1-f1", "costs": [2**63, 1], "max_cost": 5},
    ],
)
def test_numbers_beyond_reason_are_refused(keywords: dict[str, object]) -> None:
    with pytest.raises(InputError):
        oraclesum.enumerate_oracles(["a", "b"], ["a b"], **keywords)  # type: ignore[arg-type]
