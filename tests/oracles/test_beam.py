"""Sets that are scored many at once, and the beams that rest on them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest

from oraclesum import Rouge
from oraclesum.errors import LimitError
from oraclesum.instances.limits import Limits
from oraclesum.oracles.bounds import _bounds
from oraclesum.oracles.objective import ObjectiveProblem
from oraclesum.oracles.options import Options

OBJECTIVES = ("r1-recall", "r2-f1", "rl-f1", "r1-f1+r2-f1+rlsum-f1")


def draw_problem(seed: int, objective: str, **settings: str) -> ObjectiveProblem:
    draws = random.Random(seed)
    texts = [" ".join(draws.choices("abcdef", k=draws.randint(1, 6))) for _ in range(9)]
    rouge = Rouge(objective, tokenizer=str.split, **settings)  # type: ignore[arg-type]
    return ObjectiveProblem(texts[:6], [texts[6:8], texts[8]], rouge, Limits(max_sentences=3))


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("boundaries", ["within", "across"])
def test_many_sets_score_as_each_does_alone(objective: str, boundaries: str) -> None:
    for seed in range(20):
        problem = draw_problem(seed, objective, boundaries=boundaries)
        sets = [chosen for size in range(4) for chosen in combinations(range(6), size)]
        again = draw_problem(seed, objective, boundaries=boundaries)
        assert problem.score_each(sets) == [again.score(chosen) for chosen in sets]


def test_many_sets_score_by_the_best_of_several_references() -> None:
    problem = draw_problem(3, "r1-f1", multi_reference="best")
    sets = list(combinations(range(6), 2))
    assert problem.score_each(sets) == [problem.score(chosen) for chosen in sets]


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_beam_is_between_the_best_sentence_and_the_best_set(objective: str) -> None:
    for seed in range(20):
        problem = draw_problem(seed, objective)
        widths = [problem.find_by_beam(width) for width in (1, 3, 100)]
        values = [found.value for found in widths]
        best = problem.solve_one("exhaustive", Options()).value
        alone = max(problem.score_each([(i,) for i in range(6)]))
        assert all(alone <= value <= best for value in values)
        assert [found.method for found in widths] == ["greedy", "beam-3", "beam-100"]
        assert all(problem.allows(found.indices) for found in widths)


def test_beams_keep_to_the_time_limit() -> None:
    problem = draw_problem(3, "r1-f1")
    for width in (1, 8):
        stopped = problem.find_by_beam(width, 0.0)
        assert (stopped.indices, stopped.value, stopped.status) == ((), 0, "time_limit")
        assert f"method:{stopped.method}" in stopped.signature
        assert problem.find_by_beam(width, 3600.0) == problem.find_by_beam(width)


@pytest.mark.parametrize("width", [1, 8])
def test_a_beam_that_is_stopped_has_the_best_set_so_far(width: int) -> None:
    problem = draw_problem(3, "r1-f1")
    asked: list[None] = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) > 2  # before the first sentence, while it is scored, before the next

    stopped = problem.find_by_beam(width, stop=stop)
    alone = max(problem.score_each([(i,) for i in range(6)]))
    assert len(asked) == 3
    assert (len(stopped.indices), stopped.value, stopped.status) == (1, alone, "interrupted")
    assert f"method:{stopped.method}" in stopped.signature
    assert problem.find_by_beam(width, stop=lambda: False) == problem.find_by_beam(width)


@pytest.mark.parametrize("width", [1, 8])
def test_sentences_are_scored_only_while_there_is_time(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long sentence against a long reference takes longer than a look at the clock."""
    problem = draw_problem(3, "r1-f1")
    score_each = problem.score_each
    bounds: list[float | None] = []

    def score(sets: list[tuple[int, ...]], *, late: float | None = None) -> list[Fraction]:
        if late is None:
            return score_each(sets)  # one set alone
        bounds.append(_bounds.get().deadline)
        if len(bounds) > 1:
            raise LimitError("the kernel saw that time is up")
        return score_each(sets, late=late)

    monkeypatch.setattr(problem, "score_each", score)
    stopped = problem.find_by_beam(width, 3600.0)
    assert (stopped.status, len(stopped.indices)) == ("interrupted", 1)
    assert all(deadline is not None for deadline in bounds)
