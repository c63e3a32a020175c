"""Batches of `evaluate` say what each record alone says: scores, intervals, messages, errors."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from answers.test_native_objectives import make_topics
from oraclesum.answers import Answer, Answerer
from oraclesum.answers.case import split_topic
from oraclesum.cli import evaluating
from oraclesum.cli.evaluating import EvaluationTask
from oraclesum.cli.settings import Settings
from oraclesum.corpora import Topic


def make_panels(count: int) -> list[Topic]:
    draw = random.Random(3)
    panels = []
    for topic in make_topics(count, seed=31):
        sentences = list(topic.sentences or ())
        indices = draw.sample(range(len(sentences)), draw.randint(0, len(sentences)))
        systems: dict[str, Any] = {"indices": indices, "text": sentences[:2], "none": ["..."]}
        if draw.random() < 0.1:
            systems["wrong"] = [len(sentences)]
        chosen = draw.sample(sorted(systems), draw.randint(0, len(systems)))
        panels.append(replace(topic, systems={name: systems[name] for name in chosen}))
    return panels


def make_answerer(**settings: Any) -> Answerer:
    return Answerer(task=EvaluationTask.make(Settings(**settings)))


def write(answer: Answer) -> list[Any]:
    return [*(row.record for row in answer.rows), *answer.messages]


@pytest.mark.parametrize(
    "settings",
    [
        {"max_words": 9},
        {"max_words": 9, "rouge": 1, "references": "single", "cut": True},
        {"max_sentences": 3, "objective": "r1-f1+r2-f1", "draws": 5},
        {"max_bytes": 40, "systems": ("lead", "random", "frequency"), "time_limit": 60.0},
    ],
)
def test_a_batch_evaluates_as_one_record_does(settings: dict[str, Any]) -> None:
    answerer = make_answerer(**settings)
    panels = make_panels(90)
    answers = answerer.answer_batch(panels)
    assert [write(answer) for answer in answers] == [
        write(answerer.answer(panel)) for panel in panels
    ]
    assert sum(len(answer.rows) for answer in answers) > len(panels)


def test_usual_records_are_evaluated_together(monkeypatch: pytest.MonkeyPatch) -> None:
    alone: list[str] = []
    look_alone = EvaluationTask.answer_case

    def note(self: EvaluationTask, case: Any, time_limit: float | None) -> Any:
        alone.append(case.id)
        return look_alone(self, case, time_limit)

    monkeypatch.setattr(EvaluationTask, "answer_case", note)
    panels = [replace(panel, systems={"first": [0]}) for panel in make_panels(60)]
    answers = make_answerer(max_words=9, rouge=1).answer_batch(panels)
    unusual = [answer for answer in answers if answer.messages]
    assert len(alone) == len(unusual) < 30


def test_what_goes_wrong_with_one_record_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    panels = [replace(panel, systems={"first": [0]}) for panel in make_panels(20)]
    answerer = make_answerer(max_words=9, rouge=1)
    expected = [write(answer) for answer in answerer.answer_batch(panels)]
    broken = panels[7].id
    measure = evaluating.measure

    def fail(case: Any, *rest: Any) -> Any:
        if case.id == broken:
            raise ZeroDivisionError
        return measure(case, *rest)

    monkeypatch.setattr(evaluating, "measure", fail)
    answers = [write(answer) for answer in answerer.answer_batch(panels)]
    assert "internal error" in answers[7][-1]
    assert answers[:7] + answers[8:] == expected[:7] + expected[8:]


def test_who_waits_behind_a_record_that_takes_long_is_answered_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task = EvaluationTask.make(Settings(max_words=9, rouge=1))
    rouge = task.rouge_for(None)
    cases = [
        case
        for panel in make_panels(20)
        for case in split_topic(
            replace(panel, systems={"first": [0]}), rouge, "multi", task.preparation
        )
    ]
    now, measure = 0.0, evaluating.measure

    def take_long(case: Any, *rest: Any) -> Any:
        nonlocal now
        now += 60.0 if case.id in (cases[0].id, cases[5].id) else 0.0
        return measure(case, *rest)

    monkeypatch.setattr(evaluating, "measure", take_long)
    monkeypatch.setattr("oraclesum.cli.evaluating.time.perf_counter", lambda: now)
    # The first is answered however long it takes.
    assert len(list(task.answer_batch(cases, 30.0, 1))) == 5
