"""SummEval's published annotations: a line per article and system, gathered by article."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import orjson

from ..errors import NoRecordError, RecordError
from .reading import Source, read_source
from .rows import read_row
from .topic import Topic

__all__ = ["read_annotations"]

_EXPERTS = "expert_annotations"


def read_annotations(source: Source) -> Iterator[Topic | RecordError]:
    """A topic per article, with every system's summary and the mean of its experts' grades.

    Raises NoRecordError if the articles are missing, as in the file that is published.
    """
    topics: dict[str, tuple[int, dict[str, Any]]] = {}
    name, label = source.name, source.label
    for line in read_source(source):
        if isinstance(line, RecordError):
            yield line
            continue
        number = line.number
        try:
            row = orjson.loads(line.data)
            key, system, summary = str(row["id"]), str(row["model_id"]), row["decoded"]
            references, experts = row["references"], row[_EXPERTS]
            grades = {measure: _average(experts, measure) for measure in experts[0]}
        except (
            orjson.JSONDecodeError,
            KeyError,
            TypeError,
            IndexError,
            AttributeError,
            OverflowError,  # grades whose sum is no float
            RecursionError,  # an id that is a list of lists of lists
        ) as error:
            reason = f"no line of SummEval's annotations: {type(error).__name__} {error}"
            yield RecordError(name, number, reason, f"{label}:{number}")
            continue
        text = row.get("text", row.get("article"))
        if text is None:
            raise NoRecordError(
                name,
                number,
                "these are SummEval's annotations without the articles, which it may not "
                "publish: get the CNN and Daily Mail stories and join them with SummEval's "
                "data_processing/pair_data.py; its output, *.paired.jsonl, is read as it is",
            )
        _, topic = topics.setdefault(
            key,
            (
                number,
                {"id": key, "text": text, "references": references, "systems": {}, "human": {}},
            ),
        )
        topic["systems"][system] = summary
        topic["human"][system] = grades
    for number, topic in topics.values():
        try:
            yield read_row(topic, number, name=name, label=label)
        except RecordError as error:
            yield error


def _average(experts: list[dict[str, float]], measure: str) -> float:
    return math.fsum(grades[measure] for grades in experts) / len(experts)
