"""DUC and TAC: from the files of a year to its topics."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..errors import InputError, RecordError
from ..message import Message
from .clusters import Cluster, join_cluster, join_documents
from .documents import Split
from .files import Caps
from .layouts import LAYOUTS, Layout
from .shelves import Choice, Shelves, fill_shelves
from .shown import show_name
from .topic import Topic

__all__ = ["read_year"]


def read_year(
    roots: Sequence[Path],
    key: str,
    *,
    split: Split,
    length: str | None = None,
    task: str = "multi",
    caps: Caps | None = None,
) -> Iterator[Topic | RecordError]:
    """The topics of a year in the order of their ids, after what was wrong with its files.

    `length` chooses among the references where a year has several; `task` "single" gives one topic
    per document. Raises InputError where the files hold no documents or no references of the year.
    """
    layout = LAYOUTS[key]
    if task not in ("multi", "single"):
        raise InputError(f'task must be "multi" or "single", not {task!r}')
    if task == "single" and not layout.marked:
        raise InputError(f"{key} has no references of single documents; leave task at its default")
    length = _check_length(layout, key, length)
    choice = Choice(layout=layout, length=length, single=task == "single")
    shelves = fill_shelves(roots, choice, caps)
    models = sum(entry.role.human for entries in shelves.summaries.values() for entry in entries)
    if not shelves.documents or not models:
        where = ", ".join(map(show_name, roots))
        missing = "source documents" if not shelves.documents else "reference summaries"
        hint = f" of {length} words" if shelves.documents and layout.lengths else ""
        reason = Message(
            "no {missing}{hint} of {title}; if they are in another folder or archive, "
            "give that too, by {also}",
            missing=missing,
            hint=hint,
            title=layout.title,
        )
        if shelves.refused:  # they may have what is missing
            return iter([*shelves.errors, RecordError(where, 1, reason, where)])
        raise InputError(Message("{where}: {reason}", where=where, reason=reason))
    return _join(shelves, choice, split)


def _check_length(layout: Layout, key: str, length: str | None) -> str:
    offered = layout.lengths or (str(layout.words),)
    if length is None:
        return str(layout.words)
    if length not in offered:
        raise InputError(f"{key} has references of length {', '.join(offered)}, not {length}")
    return length


def _join(shelves: Shelves, choice: Choice, split: Split) -> Iterator[Topic | RecordError]:
    yield from shelves.errors
    grades: dict[str, dict[tuple[str | None, str], dict[str, float]]] = defaultdict(dict)
    for (topic, document, peer), rows in shelves.grades.items():
        grades[topic][document, peer] = _mean(rows)
    join = join_documents if choice.single else join_cluster
    for topic in sorted({*shelves.documents, *shelves.summaries}):
        cluster = Cluster(
            id=topic,
            documents=shelves.documents.get(topic, []),
            summaries=shelves.summaries.get(topic, []),
            grades=grades[topic],
            layout=choice.layout,
        )
        yield from join(cluster, split)


def _mean(rows: Mapping[str, list[float]]) -> dict[str, float]:
    """Several judgements of one summary count as their mean."""
    return {measure: math.fsum(grades) / len(grades) for measure, grades in rows.items()}
