"""Work in several processes: order, errors in between, and a worker that dies."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cli.deadly import die_on_demand
from oraclesum.answers import Answer, Json
from oraclesum.cli.pool import answer_in_order
from oraclesum.corpora import Topic
from oraclesum.errors import RecordError


def make_topic(id: str, line: int) -> Topic:
    return Topic(id=id, sentences=("a",), references=("a",), file="in.jsonl", line=line)


@pytest.mark.parametrize("place", [0, 5, 19])
def test_a_worker_that_dies_costs_only_the_topic_that_killed_it(place: int) -> None:
    names = [str(i) for i in range(20)]
    names[place] = "deadly"
    topics = [make_topic(name, line) for line, name in enumerate(names, 1)]
    answers = list(answer_in_order(topics, die_on_demand, jobs=2, ahead=True))
    records = [answer.rows[0].record for answer in answers]
    assert [record["id"] for record in records] == names
    assert [record["status"] for record in records].count("error") == 1
    reason = f"in.jsonl:{place + 1}: the worker process died on this record"
    assert records[place]["error"].startswith(reason)


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("jobs", [1, 2])
def test_records_that_could_not_be_read_stay_in_their_place(jobs: int, ahead: bool) -> None:
    bad = RecordError("in.jsonl", 2, "broken", "bad")
    items = [make_topic("a", 1), bad, make_topic("c", 3)]
    answers = list(answer_in_order(items, die_on_demand, jobs=jobs, ahead=ahead))
    assert [answer.rows[0].record["id"] for answer in answers] == ["a", "bad", "c"]
    assert answers[1].messages == ["in.jsonl:2: broken"]


def test_no_more_is_read_ahead_than_the_workers_need() -> None:
    read = []

    def items() -> object:
        for line in range(1, 100):
            read.append(line)
            yield make_topic(str(line), line)

    answers = answer_in_order(items(), die_on_demand, jobs=1, ahead=False)
    for asked in range(1, 20):
        next(answers)
        assert len(read) == asked


def test_many_small_topics_share_a_batch() -> None:
    sizes = []

    def work(topics: Sequence[Topic]) -> list[Answer[Json]]:
        sizes.append(len(topics))
        return die_on_demand(topics)

    topics = [make_topic(str(line), line) for line in range(1, 500)]
    answers = list(answer_in_order(topics, work, jobs=1, ahead=True))
    assert [answer.rows[0].record["id"] for answer in answers] == [topic.id for topic in topics]
    assert max(sizes) > 1
