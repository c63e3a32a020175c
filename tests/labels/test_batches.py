"""Batches of the kernel give the labels that one document alone gives."""

from __future__ import annotations

from typing import Any

import pytest

from answers.test_native_objectives import make_topics
from oraclesum.answers import Answerer
from oraclesum.answers.enumeration import EnumerationTask
from oraclesum.instances.limits import Limits
from oraclesum.labels import LabelSettings
from oraclesum.labels.task import LabelTask
from oraclesum.oracles.options import Options
from oraclesum.rouge import Rouge


@pytest.mark.parametrize("shape", ["jsonl", "presumm"])
@pytest.mark.parametrize(
    ("objective", "limits", "wanted", "batches"),
    [
        ("r1-f1+r2-f1", {"max_sentences": 3}, {}, True),
        ("presumm", {"max_sentences": 3}, {"top": 4}, True),
        ("r1-f1", {}, {"within": "0.1"}, True),
        ("r2-recall", {"max_words": 8}, {"within_hits": 1}, True),
        ("rlsum-f1", {"max_sentences": 2}, {"top": 3, "temperature": 0.1}, False),
        ("r1-f1", {"max_sentences": 2}, {"choose": "lead"}, False),
    ],
)
def test_a_batch_labels_as_one_document_does(
    objective: str, limits: dict[str, Any], wanted: dict[str, Any], batches: bool, shape: str
) -> None:
    rouge = Rouge(objective)
    enumeration = EnumerationTask(
        rouge=rouge,
        limits=Limits(**limits, needed=rouge.needs_limit),
        options=Options(max_list=2),
    )
    task = LabelTask(enumeration=enumeration, settings=LabelSettings(**wanted), shape=shape)
    assert task.takes(rouge) == batches
    answerer = Answerer(task=task)
    topics = make_topics(120, seed=112)
    for topic, answer in zip(topics, answerer.answer_batch(topics), strict=True):
        alone = answerer.answer(topic)
        assert [row.record for row in answer.rows] == [row.record for row in alone.rows]
        assert answer.messages == alone.messages
