"""Batches of the kernel give, under any objective, the record that one document alone gives."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from oraclesum.answers import Answerer
from oraclesum.answers.enumeration import EnumerationTask
from oraclesum.corpora import Topic
from oraclesum.instances.limits import Limits
from oraclesum.oracles.options import Options
from oraclesum.rouge import Rouge

WORDS = ["a", "b", "c", "d", "cats", "cat", "The", "-", "sat"]


def make_topics(count: int, seed: int) -> list[Topic]:
    rng = random.Random(seed)

    def draw(least: int, most: int) -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(least, most)))

    return [
        Topic(
            id=str(i),
            sentences=tuple(draw(0, 7) for _ in range(rng.randint(1, 8))),
            text=None,
            references=tuple(
                draw(1, 6) + "\n" + draw(0, 6) if rng.random() < 0.5 else (draw(1, 5), draw(0, 5))
                for _ in range(rng.randint(1, 3))
            ),
            doc_ids=None,
            systems={},
            human={},
            language=None,
            flaws=(),
            file="made",
            line=i + 1,
        )
        for i in range(count)
    ]


@pytest.mark.parametrize(
    ("objective", "settings", "limits", "options"),
    [
        ("r1-f1+r2-f1", {}, {"max_sentences": 3}, {}),
        ("r1-f1+r2-f1", {}, {}, {"within": "0.1"}),
        ("r1-f1", {"counting": "sets"}, {}, {"top": 3}),
        ("r2-f0.5", {"boundaries": "across"}, {"max_words": 9}, {"family": "minimal"}),
        ("rlsum-f1", {}, {"max_sentences": 2, "min_sentences": 2}, {}),
        ("rl-f1", {}, {"max_sentences": 3}, {"max_list": 1}),
        ("r1-f1+r2-f1+2*rlsum-f1", {}, {"max_bytes": 20, "min_words": 2}, {}),
        ("r1-precision", {}, {"min_words": 4}, {}),
        ("r2-recall", {"boundaries": "across"}, {"max_words": 8}, {}),
        ("r1-recall", {}, {"max_words": 8, "min_sentences": 2}, {}),
        ("r1-recall", {}, {"max_sentences": 3, "min_sentences": 2}, {"family": "minimal"}),
        (
            "r1-recall",
            {"counting": "sets"},
            {"max_words": 9, "min_words": 4},
            {"family": "minimal"},
        ),
        ("presumm", {}, {"max_sentences": 3}, {}),
        ("neusum", {}, {"max_sentences": 5}, {}),
        ("r1-f1", {"multi_reference": "best"}, {}, {}),
    ],
)
@pytest.mark.parametrize("references", ["multi", "single"])
def test_a_batch_answers_as_one_document_does(
    objective: str,
    settings: dict[str, Any],
    limits: dict[str, Any],
    options: dict[str, Any],
    references: Any,
) -> None:
    rouge = Rouge(objective, **settings)
    task = EnumerationTask(
        rouge=rouge,
        limits=Limits(**limits, needed=rouge.needs_limit),
        options=Options(**{"max_list": 100, **options}),
        references=references,
    )
    assert task.takes(rouge) == (rouge.multi_reference == "pooled" and objective != "neusum")
    answerer = Answerer(task=task)
    topics = make_topics(150, seed=111)
    together = answerer.answer_batch(topics)
    for topic, answer in zip(topics, together, strict=True):
        alone = answerer.answer(topic)
        assert [without_nodes(row.record) for row in answer.rows] == [
            without_nodes(row.record) for row in alone.rows
        ]
        assert answer.messages == alone.messages


def without_nodes(record: Any) -> Any:
    return replace(record, checked=None) if hasattr(record, "checked") else record
