"""A family that the kernel makes straight from text answers as the one of the built problem."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

import oraclesum
from answers.test_native_objectives import make_topics
from explorer.serving import HARD
from oraclesum.answers.case import Case, split_topic
from oraclesum.answers.enumeration import EnumerationTask
from oraclesum.answers.record import FamilyRecord
from oraclesum.errors import InputError
from oraclesum.instances.limits import Limits
from oraclesum.notices import collect_warnings
from oraclesum.oracles import OracleFamily
from oraclesum.oracles.api import solve_problem
from oraclesum.oracles.bounds import answer_within
from oraclesum.oracles.options import Options
from oraclesum.oracles.status import Status
from oraclesum.rouge import Rouge
from oraclesum.text import Preparation


def make_cases(task: EnumerationTask, count: int) -> list[Case]:
    return [
        case
        for topic in make_topics(count, seed=7)
        for case in split_topic(topic, task.rouge, "multi", Preparation())
    ]


def make_task(objective: str, limits: dict[str, Any], **options: Any) -> EnumerationTask:
    rouge = Rouge(objective)
    chosen = Limits(**limits, needed=rouge.needs_limit)
    return EnumerationTask(rouge=rouge, limits=chosen, options=Options(**options))


def ask(family: OracleFamily) -> dict[str, Any]:
    names = ("value", "upper_value", "hits", "total", "upper_bound", "proven", "status", "method")
    more = ("count", "core", "inclusion_by_size", "sizes", "n_sentences", "signature")
    answers = {name: getattr(family, name) for name in (*names, *more)}
    return {**answers, "drawn": family.sample(20, seed=5), "all": list(family)}


def solve_by_kernel(task: EnumerationTask, case: Case) -> OracleFamily | None:
    ((family, _),) = task.solve_families([case], None, 0)
    return family


@pytest.mark.parametrize(
    ("objective", "limits"),
    [
        ("r1-recall", {"max_words": 9}),
        ("r2-recall", {"max_sentences": 3, "max_bytes": 30}),
        ("r1-f1+r2-f1", {"max_sentences": 3}),
        ("rlsum-f1", {}),
        ("r1-recall", {"max_words": 9, "min_sentences": 2}),
    ],
)
def test_text_solved_by_the_kernel_gives_the_family_of_the_problem(
    objective: str, limits: dict[str, Any]
) -> None:
    task = make_task(objective, limits)
    solved = 0
    for case in make_cases(task, 150):
        with collect_warnings() as expected:
            try:
                problem = case.build_problem(task.limits, task.options)
                plain = ask(solve_problem(problem, "search", task.options))
            except InputError as error:
                with pytest.raises(InputError, match=re.escape(str(error))):
                    task.solve_case(case)
                continue
        with collect_warnings() as collected:
            assert ask(task.solve_case(case)) == plain
        assert list(map(str, collected)) == list(map(str, expected))
        solved += solve_by_kernel(task, case) is not None
    assert solved > 50


def test_a_case_whose_time_is_up_has_its_best_set_alone() -> None:
    task = make_task("r1-recall", {"max_words": 9}, time_limit=0.0)
    families = [
        family
        for case in make_cases(task, 30)
        if (family := solve_by_kernel(task, case)) is not None and not family.exact
    ]
    assert all(family.status is Status.TIME_LIMIT for family in families)
    assert all(family.count == len(list(family)) <= 1 for family in families)


@pytest.mark.parametrize("multi_reference", ["pooled", "best"])
def test_what_a_stopped_search_had_found_is_written_although_time_is_up(
    multi_reference: str,
) -> None:
    rouge = Rouge("r1-recall", multi_reference=multi_reference)
    asked = itertools.count()
    document = HARD["document"]
    family = oraclesum.enumerate_oracles(
        document["sentences"],
        document["references"],
        rouge=rouge,
        max_words=250,
        stop=lambda: next(asked) > 60,
    )
    assert family.status is Status.INTERRUPTED
    with answer_within(seconds=0.0):
        record = FamilyRecord.describe(
            family,
            id="late",
            reference=None,
            max_list=10,
            counts_nodes=False,
            method="search",
            signature=family.signature,
            sentences=None,
        )
    assert record.oracles == list(map(list, family))
    assert len(record.oracles) == 1
    assert record.inclusion is not None
    assert sum(record.inclusion) == len(record.oracles[0])


def test_sets_beyond_those_that_are_written_are_drawn_all_the_same() -> None:
    task = make_task("r1-recall", {"max_words": 9}, max_list=1)
    counts = []
    for case in make_cases(task, 60):
        if (family := solve_by_kernel(task, case)) is not None:
            counts.append(family.count)
            assert len(list(family)) == family.count
            assert len(set(family.sample(500, seed=1))) == family.count
    assert max(counts) > 3


def test_a_case_that_is_solved_again_keeps_to_one_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    task = make_task("r1-recall", {"max_words": 9}, time_limit=60.0)
    now = 0.0

    def give_up(self: EnumerationTask, *_: object) -> list[tuple[None, float]]:
        nonlocal now
        now += 61.0
        return [(None, 61.0)]

    monkeypatch.setattr(EnumerationTask, "solve_families", give_up)
    monkeypatch.setattr("oraclesum.oracles.options.time.monotonic", lambda: now)
    limits = []

    def solve(problem: object, method: str, options: Options) -> None:
        limits.append(options.time_limit)

    monkeypatch.setattr("oraclesum.oracles.api.solve_problem", solve)
    task.solve_case(make_cases(task, 1)[0])
    assert limits == [0.0]
