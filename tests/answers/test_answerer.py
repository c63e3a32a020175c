"""The kernel's batches give what answers case by case give, record for record."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oraclesum.answers import Answer, Answerer
from oraclesum.corpora import Topic
from oraclesum.corpora.rows import read_rows
from oraclesum.errors import RecordError
from runs.documents import make_documents
from runs.standins import make_task

ODD: list[dict[str, Any]] = [
    {"id": "no overlap", "sentences": ["a b c"], "references": ["x y z"]},
    {"id": "empty reference", "sentences": ["a b c"], "references": ["a b", " "]},
    {"id": "no n-gram", "sentences": ["a b c"], "references": ["a"]},
    {"id": "no token", "sentences": ["a b c"], "references": ["…"]},
    {"id": "nothing fits", "sentences": ["a b " * 20], "references": ["a b"]},
    {"id": "French", "sentences": ["le chat dort", "non"], "references": ["le chat dort"]}
    | {"language": "fr"},
    {"id": "unknown tongue", "sentences": ["a b"], "references": ["a b"], "language": "xx"},
    {"id": "text", "text": "The cat sat. The dog ran off.", "references": ["the cat sat"]},
    {"id": "outside ASCII", "sentences": ["naïve café — a b"], "references": ["naïve café a b"]},
    {"id": "lone surrogate", "sentences": ["a \ud800 b c"], "references": ["a b c"]},
    {"id": "white space", "sentences": ["a b\u00a0c\x1fd\ve\ff"], "references": ["a b c d e f"]},
    {"id": "begins with a space", "sentences": ["  a b", "a b c", " "], "references": ["a b c"]},
    {"id": "huge family", "sentences": ["a b"] * 70 + ["c d"], "references": ["a b", "c d"]},
    {"id": 7, "sentences": "not a list", "references": ["a b"]},
]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"references": "single"},
    {"max_sentences": 2},
    {"max_bytes": 60, "max_words": 12},
    {"within_hits": 1},
    {"family": "minimal"},
    {"max_list": 0},
    {"n": 1, "stem": False, "remove_stopwords": True},
    {"method": "exhaustive", "max_sentences": 1},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_batch_equals_case_by_case(settings: dict[str, Any]) -> None:
    answerer = Answerer(task=make_task(**settings))
    items = list(read_rows([*make_documents(25), *ODD, *make_documents(3, seed=1)]))
    answers = answerer.answer_batch(items)
    assert len(answers) == len(items)
    for item, answer in zip(items, answers, strict=True):
        alone = answerer.answer(item)
        assert answer.messages == alone.messages
        assert [row.record for row in answer.rows] == [row.record for row in alone.rows]


@given(
    sentences=st.lists(st.text("ab \t\n\u00a0.-é", max_size=12), min_size=1, max_size=6),
    reference=st.text("ab .", max_size=12),
    max_words=st.integers(1, 9),
)
def test_a_batch_equals_case_by_case_on_any_white_space(
    sentences: list[str], reference: str, max_words: int
) -> None:
    answerer = Answerer(task=make_task(n=1, max_words=max_words))
    items = list(read_rows([{"id": "x", "sentences": sentences, "references": [reference]}]))
    (answer,) = answerer.answer_batch(items)
    alone = answerer.answer(items[0])
    assert [row.record for row in answer.rows] == [row.record for row in alone.rows]


def test_the_kernel_and_no_case_alone_answers_plain_documents(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a case was answered alone")

    monkeypatch.setattr(Answerer, "_answer_topic", refuse)
    answerer = Answerer(task=make_task(max_words=30))
    answers = answerer.answer_batch(list(read_rows(make_documents(20))))
    assert {row.record.status for a in answers for row in a.rows} <= {"complete", "list_limit"}


def test_a_family_beyond_doubles_is_counted_exactly() -> None:
    topic = Topic(id="big", sentences=("a b",) * 80, references=("a b",), file="in.jsonl", line=1)
    (answer,) = Answerer(task=make_task(max_words=300)).answer_batch([topic])
    record = answer.rows[0].record.to_dict()
    assert record["count"] == 2**80 - 1
    assert record["inclusion"] == [2**79 / (2**80 - 1)] * 80
    assert record["status"] == "list_limit"
    assert len(record["oracles"]) == 20


def test_a_record_that_could_not_be_read_keeps_its_place_in_a_batch() -> None:
    items = [*read_rows(make_documents(2)), RecordError("in.jsonl", 9, "broken", "bad")]
    answers = Answerer(task=make_task()).answer_batch([items[0], items[2], items[1]])
    assert [answer.rows[0].record.id for answer in answers] == ["d0", "bad", "d1"]
    assert answers[1].rows[0].record.to_dict()["error"] == "in.jsonl:9: broken"


def make_hard(name: str) -> dict[str, Any]:
    """A document that no method ends on within a moment, near misses counted in."""
    draw = random.Random(5)
    words = [f"w{k}" for k in range(40)]
    sentences = [" ".join(draw.choices(words, k=6)) for _ in range(90)]
    references = [" ".join(draw.choices(words, k=250)) for _ in range(2)]
    return {"id": name, "sentences": sentences, "references": references}


@pytest.mark.parametrize("language", ["en", "fr"])  # the kernel's batches, and case by case
def test_who_waits_behind_a_hard_document_is_answered_without_it(language: str) -> None:
    task = make_task(n=1, within_hits=12, max_words=60, max_list=5, time_limit=1.0)
    easy = [{**one, "language": language} for one in make_documents(6)]
    hard = {**make_hard("hard"), "language": language}
    items = list(read_rows([*easy[:3], hard, *easy[3:]]))
    answerer = Answerer(task=task)
    answers: list[Answer] = []
    while len(answers) < len(items):
        # On a busy machine an easy document may take long too, and end a part early.
        part = answerer.answer_some(items[len(answers) :])
        assert part
        assert "hard" not in ids(part)[1:]
        answers += part
    assert ids(answers) == ["d0", "d1", "d2", "hard", "d3", "d4", "d5"]
    assert answers[3].rows[0].record.status == "time_limit"
    for item, answer in zip(items, answers, strict=True):
        if item is not items[3]:
            alone = answerer.answer(item)
            assert [row.record for row in answer.rows] == [row.record for row in alone.rows]


def ids(answers: list[Answer]) -> list[str]:
    return [answer.rows[0].record.id for answer in answers]


def test_seconds_are_written_where_they_are_asked_for() -> None:
    items = list(read_rows([*make_documents(2), {**make_documents(3)[2], "language": "fr"}]))
    plain = Answerer(task=make_task()).answer_batch(items)
    timed = Answerer(task=make_task(seconds=True)).answer_batch(items)
    for without, answer in zip(plain, timed, strict=True):
        record = answer.rows[0].record.to_dict()
        assert record.pop("seconds") == answer.rows[0].seconds > 0
        assert record == without.rows[0].record.to_dict()


@pytest.mark.parametrize("name", ["max_words", "max_sentences", "max_bytes"])
def test_a_limit_beyond_any_number_of_the_kernel_is_no_limit(name: str) -> None:
    items = list(read_rows(make_documents(3)))
    answerer = Answerer(task=make_task(**{name: 10**30}))
    for item, answer in zip(items, answerer.answer_batch(items), strict=True):
        assert answer.rows[0].record == answerer.answer(item).rows[0].record


def test_what_a_record_says_does_not_depend_on_records_that_come_after_it() -> None:
    text = "The ship , which left , is late ."
    row = {"sentences": [text] * 8, "references": [text]}
    first, second, third = read_rows([row | {"id": str(i)} for i in range(3)])
    answerer = Answerer(task=make_task())
    answerer.answer_batch([third])  # on another thread, which was faster
    one, two = answerer.answer_batch([first, second])
    assert [message for message in one.messages if "(said once)" in message]
    assert not two.messages
