"""Batches of topics that are answered case by case: a slow one lets those before it go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oraclesum import Rouge, corpora, enumerate_oracles
from oraclesum.answers import Answerer, Case, answerer
from oraclesum.answers.answerer import write_answer
from oraclesum.cli.run import AnswerCase, CaseTask
from oraclesum.cli.settings import Settings
from oraclesum.corpora import Topic, open_corpus

DEMO = Path(corpora.__file__).with_name("demo.jsonl")


def make_answerer(answer_case: AnswerCase, settings: Settings) -> Answerer:
    return Answerer(task=CaseTask(answer=answer_case, settings=settings))


class Clock:
    """Stands still but for what a case is said to take."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def topics() -> list[Topic]:
    found = [topic for topic in open_corpus(DEMO) if isinstance(topic, Topic)]
    return found[:4]


@pytest.mark.parametrize(("slow", "expected"), [(None, 4), (0, 4), (2, 2)])
def test_a_slow_topic_ends_the_batch_unless_it_is_the_first(
    monkeypatch: pytest.MonkeyPatch, topics: list[Topic], slow: int | None, expected: int
) -> None:
    clock = Clock()
    monkeypatch.setattr(answerer, "time", clock)
    limits: list[float | None] = []

    def answer_case(case: Case, settings: Settings) -> Iterator[dict[str, Any]]:
        limits.append(settings.time_limit)
        if slow is not None and case.id == topics[slow].id:
            clock.now += 10.0 if settings.time_limit is None else settings.time_limit
        yield {"id": case.id, "status": "complete"}

    answers = make_answerer(answer_case, Settings(max_words=20)).answer_some(topics)
    assert [answer.rows[0].record["id"] for answer in answers] == [t.id for t in topics[:expected]]
    assert limits[0] is None  # the first has all the time it needs
    assert None not in limits[1:]


def test_a_short_time_limit_of_the_user_needs_no_other(topics: list[Topic]) -> None:
    limits: list[float | None] = []

    def answer_case(case: Case, settings: Settings) -> Iterator[dict[str, Any]]:
        limits.append(settings.time_limit)
        yield {"id": case.id, "status": "complete"}

    settings = Settings(max_words=20, time_limit=0.001)
    assert len(make_answerer(answer_case, settings).answer_some(topics)) == len(topics)
    assert limits == [0.001] * len(topics)


def test_questions_after_a_search_are_inside_its_time_limit(topics: list[Topic]) -> None:
    sentences = [f"word {' '.join(['filler'] * (k % 7))}" for k in range(60)]
    family = enumerate_oracles(sentences, ["word"], rouge=Rouge(n=1), max_words=100)

    def ask(case: Case, settings: Settings) -> Iterator[dict[str, Any]]:
        yield {"id": case.id, "status": "complete", "sizes": len(family.sizes)}

    late = make_answerer(ask, Settings(max_words=100, time_limit=0.0)).answer(topics[0])
    assert [row.status for row in write_answer(late).rows] == ["error"]
    assert "time limit" in late.messages[0]
    known = make_answerer(ask, Settings(max_words=100)).answer(topics[0])
    assert [row.record["status"] for row in known.rows] == ["complete"]
