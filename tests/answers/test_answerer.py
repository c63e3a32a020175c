"""The kernel's batches give what the careful path gives, record for record."""

from __future__ import annotations

from typing import Any

import pytest

from oraclesum.answers import Answerer
from oraclesum.corpora import Topic
from oraclesum.corpora.rows import read_rows
from oraclesum.errors import RecordError
from parallel.documents import make_documents
from parallel.standins import make_task

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
def test_a_batch_equals_the_careful_path(settings: dict[str, Any]) -> None:
    answerer = Answerer(task=make_task(**settings))
    items = list(read_rows([*make_documents(25), *ODD, *make_documents(3, seed=1)]))
    answers = answerer.answer_batch(items)
    assert len(answers) == len(items)
    for item, answer in zip(items, answers, strict=True):
        careful = answerer.answer(item)
        assert answer.messages == careful.messages
        assert [row.record for row in answer.rows] == [row.record for row in careful.rows]


def test_the_kernel_and_not_the_careful_path_answers_plain_documents(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the careful path was taken")

    monkeypatch.setattr(Answerer, "_answer_topic", refuse)
    answerer = Answerer(task=make_task(max_words=30))
    answers = answerer.answer_batch(list(read_rows(make_documents(20))))
    assert {row.record["status"] for a in answers for row in a.rows} <= {"complete", "list_limit"}


def test_a_family_beyond_doubles_is_counted_exactly() -> None:
    topic = Topic(id="big", sentences=("a b",) * 80, references=("a b",), file="in.jsonl", line=1)
    (answer,) = Answerer(task=make_task(max_words=300)).answer_batch([topic])
    record = answer.rows[0].record
    assert record["count"] == 2**80 - 1
    assert record["inclusion"] == [2**79 / (2**80 - 1)] * 80
    assert record["status"] == "list_limit"
    assert len(record["oracles"]) == 20


def test_a_record_that_could_not_be_read_keeps_its_place_in_a_batch() -> None:
    items = [*read_rows(make_documents(2)), RecordError("in.jsonl", 9, "broken", "bad")]
    answers = Answerer(task=make_task()).answer_batch([items[0], items[2], items[1]])
    assert [answer.rows[0].record["id"] for answer in answers] == ["d0", "bad", "d1"]
    assert answers[1].rows[0].record["error"] == "in.jsonl:9: broken"
