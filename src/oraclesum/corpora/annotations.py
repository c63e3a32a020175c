"""SummEval's published annotations: a line per article and system, gathered by article."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..errors import NoRecordError, RecordError
from .bad import BadRecord, NoRecord, name_value
from .reading import Source, read_source
from .record import load_json, read_id
from .rows import read_row
from .topic import Topic

__all__ = ["read_annotations"]

_EXPERTS = "expert_annotations"
_NO_ARTICLES = (
    "these are SummEval's annotations without the articles, which it may not publish: get the CNN "
    "and Daily Mail stories and join them with SummEval's data_processing/pair_data.py; its "
    "output, *.paired.jsonl, is read as it is"
)


class _Article(NamedTuple):
    """An article and the line that was its first."""

    line: int
    row: dict[str, Any]
    lines: dict[str, int]  # of each system


def read_annotations(source: Source) -> Iterator[Topic | RecordError]:
    """A topic per article, with every system's summary and the mean of its experts' grades.

    A line without its article, as in the file that is published, is a NoRecordError.
    """
    articles: dict[str, _Article] = {}
    name, label = source.name, source.label
    for line in read_source(source):
        if isinstance(line, RecordError):
            yield line
            continue
        try:
            _take(load_json(line.data), line.number, articles)
        except BadRecord as bad:
            kind = NoRecordError if isinstance(bad, NoRecord) else RecordError
            yield kind(name, line.number, bad.reason, bad.record_id or f"{label}:{line.number}")
    for article in articles.values():
        try:
            yield read_row(article.row, article.line, name=name, label=label)
        except RecordError as error:
            yield error


def _take(row: Any, number: int, articles: dict[str, _Article]) -> None:
    """Add a line to its article. Raises BadRecord."""
    if not isinstance(row, dict):
        raise BadRecord(f"a line of SummEval's annotations is an object, not {name_value(row)}")
    if row.get("id") is None:
        raise BadRecord("the line has no `id`, which names its article")
    key, system = read_id(row["id"], None), row.get("model_id")
    if not isinstance(system, str):
        raise BadRecord(f"`model_id` must be text, not {name_value(system)}", key)
    if not isinstance(decoded := row.get("decoded"), str):
        raise BadRecord(f"`decoded` must be text, not {name_value(decoded)}", key)
    grades = _average(row.get(_EXPERTS), key)
    text = row.get("text", row.get("article"))
    if text is None:
        raise NoRecord(_NO_ARTICLES, key)
    given = {"text": text, "references": row.get("references")}
    article = articles.setdefault(
        key, _Article(number, {"id": key, **given, "systems": {}, "human": {}}, {})
    )
    for field, value in given.items():
        if article.row[field] != value:
            raise BadRecord(
                f"its `{field}` differs from that of the same article on line {article.line}", key
            )
    if (first := article.lines.setdefault(system, number)) != number:
        raise BadRecord(f"the system {system!r} of this article is on line {first} already", key)
    article.row["systems"][system] = decoded
    article.row["human"][system] = grades


def _average(experts: Any, key: str) -> dict[str, float]:
    """The mean of each grade over the experts. Raises BadRecord."""
    if not isinstance(experts, list) or not experts:
        raise BadRecord(f"`{_EXPERTS}` must be a list with the grades of each expert", key)
    graded = [one for one in experts if isinstance(one, dict)]
    if not graded:
        raise BadRecord(f"`{_EXPERTS}` must be a list with the grades of each expert", key)
    means: dict[str, float] = {}
    # The measures of all: one that the first expert left out would be lost without a word.
    for measure in dict.fromkeys(measure for one in graded for measure in one):
        grades = [one.get(measure) for one in graded]
        numbers = [
            one for one in grades if isinstance(one, int | float) and not isinstance(one, bool)
        ]
        if len(numbers) < len(experts):
            raise BadRecord(f"`{_EXPERTS}` must have a number for {measure!r} of each expert", key)
        try:
            means[measure] = math.fsum(numbers) / len(experts)
        except OverflowError:
            raise BadRecord(f"the sum of the experts' {measure!r} is too large", key) from None
    return means
