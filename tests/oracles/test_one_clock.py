"""One time limit for all that a call does: building the problem, and every reference of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from oraclesum import (
    Rouge,
    enumerate_instance,
    enumerate_oracles,
    find_in_instance,
    find_oracle,
)
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import objective
from oraclesum.oracles.options import Options
from oraclesum.oracles.status import Status


def write_texts(texts: int, words: int) -> list[str]:
    draw = random.Random(5)
    return [" ".join(f"v{draw.randrange(40)}" for _ in range(words)) for _ in range(texts)]


@pytest.mark.parametrize("solve", [find_oracle, enumerate_oracles])
def test_references_share_one_clock(monkeypatch: pytest.MonkeyPatch, solve) -> None:  # type: ignore[no-untyped-def]
    """Time ends with the first reference: nobody comes to the others, and nothing is proven."""
    limits: list[float | None] = []
    run = objective.ObjectiveProblem._run

    def record(self, part, options, **how):  # type: ignore[no-untyped-def]
        limits.append(options.time_limit)
        return run(self, part, options, **how)

    def pass_time(self: Options, started: float) -> Options:
        return replace(self, time_limit=0.0) if limits else self

    monkeypatch.setattr(objective.ObjectiveProblem, "_run", record)
    monkeypatch.setattr(Options, "left_since", pass_time)
    found = solve(
        ["v1 v2 v3", "v4 v5"],
        ["v1 v2 v7", "v4 v5", "v3 v9"],
        rouge=Rouge("r1-f1", multi_reference="best"),
        max_sentences=1,
        time_limit=60,
    )
    assert limits == [60]
    assert found.status is Status.TIME_LIMIT
    assert not found.proven
    assert 0 < found.value < 1
    assert found.upper_value == 1


@pytest.mark.parametrize("solve", [find_oracle, enumerate_oracles])
@pytest.mark.parametrize(
    ("how", "status"),
    [({"time_limit": 0}, "time_limit"), ({"stop": lambda: True}, "interrupted")],
)
def test_of_hundreds_of_references_none_is_run_after_the_end(
    monkeypatch: pytest.MonkeyPatch,
    solve: Callable[..., Any],
    how: dict[str, Any],
    status: str,
) -> None:
    stopped: list[bool] = []
    run = objective.ObjectiveProblem._run

    def record(*given: Any, **named: Any) -> Any:
        made = run(*given, **named)
        stopped.append(made.found.stopped)
        return made

    monkeypatch.setattr(objective.ObjectiveProblem, "_run", record)
    sentences, references = write_texts(200, 30), write_texts(300, 50)
    rouge = Rouge("rl-f1", stem=False, multi_reference="best")
    found = solve(sentences, references, rouge=rouge, max_words=120, **how)
    assert stopped[-1]
    assert not any(stopped[:-1])
    assert found.status == status
    assert found.value <= found.upper_value == 1


def test_options_know_what_is_left_of_their_time() -> None:
    options = Options(time_limit=1000, max_list=7)
    assert options.left_since(0.0 - 10**9) == Options(time_limit=0, max_list=7)
    assert Options().left_since(0.0) == Options()


@pytest.mark.parametrize("solve", [find_oracle, enumerate_oracles])
def test_a_problem_that_is_not_built_in_time_proves_nothing(solve) -> None:  # type: ignore[no-untyped-def]
    texts = write_texts(60, 200)
    found = solve(texts, [texts[:40]], rouge="rlsum-f1", max_sentences=3, time_limit=0)
    assert found.status is Status.TIME_LIMIT
    assert not found.proven
    assert (found.value, found.upper_value) == (Fraction(0), Fraction(1))


def test_a_set_that_an_unreached_reference_scores_higher_has_that_value() -> None:
    rng = random.Random(1)

    def draw(words: int) -> str:
        return " ".join(f"w{rng.randint(1, 60)}" for _ in range(words))

    sentences, reference = [draw(15) for _ in range(600)], draw(100)
    references = [reference, " ".join(reference.split()[:40])]
    rouge = Rouge("rl-f1", stem=False, boundaries="across", multi_reference="best")
    found = find_oracle(sentences, references, rouge=rouge, max_words=45, time_limit=0.2)
    family = enumerate_oracles(sentences, references, rouge=rouge, max_words=45, time_limit=0.2)
    for answer, sets in ((found, [found.indices]), (family, list(family))):
        assert answer.status == "time_limit"
        assert answer.value <= answer.upper_value
        for indices in filter(None, sets):
            text = [sentences[i] for i in indices]
            assert answer.value == max(
                enumerate_oracles(
                    text,
                    [one],
                    rouge=Rouge("rl-f1", stem=False, boundaries="across"),
                    required=range(len(text)),
                ).value
                for one in references
            )


def test_no_bound_is_above_the_total_also_if_nothing_was_searched() -> None:
    rouge = Rouge(n=1, stem=False)
    sentences, references = ["c b", "c c a"], ["b a c", "c"]
    family = enumerate_oracles(sentences, references, rouge=rouge, max_words=8, time_limit=0)
    assert family.upper_bound <= family.total
    oracle = find_oracle(sentences, references, rouge=rouge, max_words=8, time_limit=0)
    assert oracle.upper_bound <= oracle.total


@pytest.mark.parametrize("method", ["exhaustive", "paper"])
def test_no_bound_of_a_stopped_walk_is_above_the_total(method: str) -> None:
    sentences, references = ["a b c", "c b a", "b a c"] * 9, ["a b c d e"]
    family = enumerate_oracles(
        sentences, references, rouge=Rouge(n=1, stem=False), method=method, max_words=40,
        stop=lambda: True,
    )  # fmt: skip
    assert family.status is Status.INTERRUPTED
    assert family.hits <= family.upper_bound <= family.total


def test_a_bound_holds_of_an_instance_whose_total_is_below_its_gains() -> None:
    instance = Instance(
        total=1,
        gains=[[1], [1], [1]],
        counts=[[(0, 1)], [(1, 1)], [(2, 1)]],
        limits=[Limit(unit="words", budget=2, lengths=(1, 1, 1))],
    )
    best = find_in_instance(instance)
    assert (best.hits, best.proven) == (2, True)
    assert find_in_instance(instance, time_limit=0).upper_bound >= best.hits
    assert enumerate_instance(instance, time_limit=0).upper_bound >= best.hits


def test_exhaustive_that_is_stopped_is_interrupted() -> None:
    family = enumerate_oracles(
        ["the cat sat on the mat", "dogs bark at night", "a cat sat down"] * 5,
        ["the cat sat dogs bark"],
        rouge="r1-f1",
        method="exhaustive",
        stop=lambda: True,
    )
    assert family.status == "interrupted"


@pytest.mark.parametrize("microseconds", [10, 50, 100, 200, 1000])
def test_time_that_ends_makes_no_objective_too_large(microseconds: int) -> None:
    """Of a scan that is stopped, a bound is asked for, whose numbers may not fit."""
    sentences = ["kb kf kb", "kf kf kl", "kb kh kb kd kb kf", "kd kg kg", "kg kj kj kc kj"]
    references = [["kj kc", "kg kj kj kj kb", "kh kh kf kh"]]
    rouge = Rouge("1000000*r1-f0.999+rlsum-f0.999", stem=False, boundaries="across")
    how: dict[str, Any] = {"rouge": rouge, "max_sentences": 1, "top": 2}
    whole = enumerate_oracles(sentences, references, **how)
    assert whole.status == "complete"
    for _ in range(20):
        family = enumerate_oracles(sentences, references, time_limit=microseconds / 1e6, **how)
        assert family.status in ("complete", "time_limit")
        assert family.value <= whole.value <= family.upper_value
