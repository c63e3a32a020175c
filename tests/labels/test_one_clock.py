"""One time limit for all that labels take: the oracles, the sets near them, and what they share."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import oraclesum
from oracles.test_stop import hard_document
from oraclesum import _kernel
from oraclesum.answers import Answerer
from oraclesum.answers.answerer import Answer
from oraclesum.answers.case import split_topic
from oraclesum.answers.enumeration import EnumerationTask, NativeFamily, NativeObjective
from oraclesum.corpora import Topic
from oraclesum.errors import LimitError
from oraclesum.instances.limits import Limits
from oraclesum.labels import LabelSettings, label, soft, task
from oraclesum.labels.task import LabelTask
from oraclesum.oracles import bounds, options
from oraclesum.oracles.family import OracleFamily
from oraclesum.oracles.options import Options
from oraclesum.rouge import Rouge

SENTENCES = ["The cat sat.", "A cat slept.", "The cat sat!", "A dog barked.", "The dog ran."]
REFERENCES = ["The cat sat. A dog barked."]
NEAR = [
    ("r1-recall", {"within_hits": 2}),
    ("r1-recall", {"within_hits": 2, "temperature": 1.0}),
    ("r1-f1+r2-f1", {"top": 3}),
    ("r1-f1+r2-f1", {"top": 3, "temperature": 0.1}),
    ("r1-f1+r2-f1", {"within": "0.3", "temperature": 0.1}),
]


def make_topic(sentences: list[str], references: list[str]) -> Topic:
    return Topic(
        id="one",
        sentences=tuple(sentences),
        text=None,
        references=tuple(references),
        doc_ids=None,
        systems={},
        human={},
        language=None,
        flaws=(),
        file="made",
        line=1,
    )


def make_task(objective: str, wanted: dict[str, Any], time_limit: float | None) -> LabelTask:
    rouge = Rouge(objective)
    enumeration = EnumerationTask(
        rouge=rouge,
        limits=Limits(max_words=250 if time_limit == 0 else 6, needed=rouge.needs_limit),
        options=Options(time_limit=time_limit),
    )
    return LabelTask(enumeration=enumeration, settings=LabelSettings(**wanted))


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The searches that are made, by the name of what makes them."""
    made: list[str] = []

    def record(owner: Any, name: str) -> None:
        run: Callable[..., Any] = getattr(owner, name)

        def count(*given: Any, **named: Any) -> Any:
            made.append(name)
            return run(*given, **named)

        monkeypatch.setattr(owner, name, count)

    record(_kernel, "enumerate_batch")
    record(_kernel, "search")
    record(oraclesum.oracles.objective.ObjectiveProblem, "_run")
    return made


class Clock:
    """Stands still but for what a test lets pass; it begins with the machine's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.monotonic()
        for module in (bounds, options, label, soft, task, oraclesum.oracles.objective):
            fake = SimpleNamespace(monotonic=lambda: self.now)
            monkeypatch.setattr(module, "time", fake)


def answer(task: LabelTask, topic: Topic, *, batch: bool) -> Answer:
    answerer = Answerer(task=task)
    return answerer.answer_batch([topic])[0] if batch else answerer.answer(topic)


@pytest.mark.parametrize("wanted", [{}, {"within_hits": 2}, {"within_hits": 2, "temperature": 1.0}])
def test_a_document_that_takes_all_its_time_is_searched_once(
    searches: list[str], wanted: dict[str, Any]
) -> None:
    task = make_task("r1-recall", wanted, time_limit=0)
    found = answer(task, make_topic(*hard_document()), batch=True)
    assert len(searches) == 1
    [row] = found.rows
    assert row.record.status == "time_limit"
    assert found.messages == []


@pytest.mark.parametrize(("objective", "wanted"), [("r1-recall", {}), *NEAR])
def test_a_batch_and_one_document_that_run_out_of_time_give_the_same(
    objective: str, wanted: dict[str, Any]
) -> None:
    topic = make_topic(*hard_document())
    task = make_task(objective, wanted, time_limit=0)
    both = [answer(task, topic, batch=batch) for batch in (True, False)]
    assert [row.record for row in both[0].rows] == [row.record for row in both[1].rows]
    assert both[0].rows[0].record.status == "time_limit"


@pytest.mark.parametrize("ends", ["in the search", "after it"])
@pytest.mark.parametrize(("objective", "wanted"), NEAR)
def test_sets_near_the_oracles_have_the_time_that_these_left(
    monkeypatch: pytest.MonkeyPatch, objective: str, wanted: dict[str, Any], ends: str
) -> None:
    """If it does not suffice, soft labels are shares of the oracles, and the status says so."""
    topic = make_topic(SENTENCES, REFERENCES)
    plain = answer(make_task(objective, {}, 60.0), topic, batch=False).rows[0].record
    clock = Clock(monkeypatch)
    solve = label.solve_problem
    limits: list[float | None] = []

    def find_oracles(*given: Any) -> Any:
        clock.now += 45.0
        return solve(*given)

    def find_near(problem: Any, method: str, wider: Options) -> Any:
        limits.append(wider.time_limit)
        if ends == "in the search":
            wider = replace(wider, time_limit=0.0)
        family = solve(problem, method, wider)
        clock.now += 20.0
        return family

    monkeypatch.setattr(label, "solve_problem", find_oracles)
    monkeypatch.setattr(soft, "solve_problem", find_near)
    task = make_task(objective, {"choose": "lead", **wanted}, 60.0)
    record = answer(task, topic, batch=False).rows[0].record
    assert limits[0] == pytest.approx(15.0)
    assert all(limit == 0.0 for limit in limits[1:])
    assert record.status == "time_limit"
    for field in ("soft_labels", "count", "value"):
        assert getattr(record, field) == getattr(plain, field)
    assert sum(record.labels) == sum(plain.labels)


@pytest.mark.parametrize(
    ("objective", "wanted"), [one for one in NEAR if "temperature" not in one[1]]
)
def test_a_batch_gives_the_sets_near_the_oracles_what_is_left(
    monkeypatch: pytest.MonkeyPatch, searches: list[str], objective: str, wanted: dict[str, Any]
) -> None:
    topic = make_topic(SENTENCES, REFERENCES)
    plain = answer(make_task(objective, {}, 60.0), topic, batch=True).rows[0].record
    searches.clear()
    solve = EnumerationTask.solve_batch
    spent: list[Any] = []

    def take_all_time(self: EnumerationTask, *given: Any, **named: Any) -> Any:
        spent.append(named.get("spent"))
        return [(found, 100.0) for found, _ in solve(self, *given, **named)]

    monkeypatch.setattr(EnumerationTask, "solve_batch", take_all_time)
    [row] = answer(make_task(objective, wanted, 60.0), topic, batch=True).rows
    assert searches == ["enumerate_batch"] * 2
    assert spent == [None, [100.0]]
    assert row.seconds == 200.0
    assert row.record.status == "time_limit"
    for field in ("labels", "oracle_ids", "soft_labels", "count", "value"):
        assert getattr(row.record, field) == getattr(plain, field)


def test_the_kernel_wants_the_seconds_of_every_document_or_of_none() -> None:
    enumeration = make_task("r1-recall", {}, 60.0).enumeration
    topic = make_topic(SENTENCES, REFERENCES)
    cases = list(split_topic(topic, enumeration.rouge, "multi", enumeration.preparation))
    for spent, status in (([], "complete"), ([0.0], "complete"), ([100.0], "time_limit")):
        [(found, _)] = enumeration.solve_batch(cases, None, 0, spent=spent)
        assert found is not None
        assert found.status == status
    with pytest.raises(ValueError, match="spent"):
        list(enumeration.solve_batch(cases, None, 0, spent=[0.0, 0.0]))


@pytest.mark.parametrize("seconds", [0.0, 100.0])
@pytest.mark.parametrize("batch", [True, False])
@pytest.mark.parametrize(("objective", "wanted"), [("r1-recall", {}), *NEAR])
def test_labels_are_hard_ones_if_the_oracles_cannot_be_counted(
    monkeypatch: pytest.MonkeyPatch,
    objective: str,
    wanted: dict[str, Any],
    batch: bool,
    seconds: float,
) -> None:
    def refuse(_: object) -> Any:
        clock.now += 100.0 - seconds
        raise LimitError("there is no answer")

    topic = make_topic(SENTENCES, REFERENCES)
    plain = answer(make_task(objective, {}, 60.0), topic, batch=batch).rows[0].record
    clock = Clock(monkeypatch)
    monkeypatch.setattr(OracleFamily, "inclusion", property(refuse))
    monkeypatch.setattr(NativeFamily, "inclusion", property(refuse))
    monkeypatch.setattr(NativeObjective, "inclusion", property(refuse))
    [row] = answer(make_task(objective, wanted, 60.0), topic, batch=batch).rows
    assert row.record.soft_labels == list(map(float, row.record.labels))
    for field in ("labels", "oracle_ids", "count", "value"):
        assert getattr(row.record, field) == getattr(plain, field)
    late = not seconds and not (batch and "temperature" not in wanted)  # a batch took 0.0 s
    assert row.record.status == ("time_limit" if late else "memory_limit")


def test_time_that_a_batch_took_is_not_given_to_a_case_once_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of two cases of one record the batch answers the second, and leaves 15 s to the first."""
    solve = EnumerationTask.solve_batch
    limits: list[float | None] = []

    def leave_the_first(self: EnumerationTask, *given: Any, **named: Any) -> Any:
        solved = list(solve(self, *given, **named))
        return [(None, 45.0), *solved[1:]]

    def answer_case(self: LabelTask, case: Any, time_limit: float | None) -> Any:
        limits.append(time_limit)
        return answer_alone(self, case, time_limit)

    rouge = Rouge("r1-recall")
    enumeration = EnumerationTask(
        rouge=rouge,
        limits=Limits(max_words=6),
        options=Options(time_limit=60.0),
        references="single",
    )
    labels = LabelTask(enumeration=enumeration, settings=LabelSettings())
    topic = make_topic(SENTENCES, [*REFERENCES, "The dog ran."])
    plain = answer(labels, topic, batch=True)
    answer_alone = LabelTask.answer_case
    monkeypatch.setattr(LabelTask, "answer_case", answer_case)
    monkeypatch.setattr(EnumerationTask, "solve_batch", leave_the_first)
    found = answer(labels, topic, batch=True)
    assert limits == [15.0]
    assert [row.record for row in found.rows] == [row.record for row in plain.rows]
    assert len(found.rows) == 2
