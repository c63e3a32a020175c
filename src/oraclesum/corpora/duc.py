"""DUC and TAC: from the files of a year to its topics."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import InputError, RecordError
from .clusters import Cluster, Entry, GradeLists, join_cluster, join_documents
from .documents import BadFile, Split
from .files import Caps, walk_files
from .layouts import LAYOUTS, Layout
from .roles import DocumentRole, SummaryRole, TableRole, find_role
from .tables import read_table
from .topic import Topic

__all__ = ["read_year"]


@dataclass(frozen=True, kw_only=True)
class _Shelves:
    """The wanted files of a year, sorted by topic; grades are by topic, document and peer."""

    documents: dict[str, list[Entry[DocumentRole]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    summaries: dict[str, list[Entry[SummaryRole]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    grades: GradeLists = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    errors: list[RecordError] = field(default_factory=list)


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
    length = _check_length(layout, key, length)
    if task not in ("multi", "single"):
        raise InputError(f'task must be "multi" or "single", not {task!r}')
    single = task == "single"
    if single and not layout.marked:
        raise InputError(f"{key} has no references of single documents; leave task at its default")
    shelves = _fill_shelves(roots, layout, length, single=single, caps=caps)
    models = sum(entry.role.human for entries in shelves.summaries.values() for entry in entries)
    if not shelves.documents or not models:
        where = ", ".join(map(str, roots))
        missing = "source documents" if not shelves.documents else "reference summaries"
        hint = f" of {length} words" if shelves.documents and layout.lengths else ""
        raise InputError(
            f"{where}: no {missing}{hint} of {layout.title}; if they are in another folder "
            "or archive, give that too"
        )
    return _join(shelves, layout, length, split, join_documents if single else join_cluster)


def _join(
    shelves: _Shelves,
    layout: Layout,
    length: str,
    split: Split,
    join: Callable[[Cluster, Split], Iterator[Topic | RecordError]],
) -> Iterator[Topic | RecordError]:
    yield from shelves.errors
    grades: dict[str, dict[tuple[str | None, str], dict[str, float]]] = defaultdict(dict)
    for (topic, document, peer), rows in shelves.grades.items():
        grades[topic][document, peer] = _mean(rows)
    for topic in sorted({*shelves.documents, *shelves.summaries}):
        cluster = Cluster(
            id=topic,
            documents=shelves.documents.get(topic, []),
            summaries=shelves.summaries.get(topic, []),
            grades=grades[topic],
            layout=layout,
            length=length,
        )
        yield from join(cluster, split)


def _check_length(layout: Layout, key: str, length: str | None) -> str:
    if length is None:
        return str(layout.words)
    if length not in (layout.lengths or (str(layout.words),)):
        offered = ", ".join(layout.lengths or (str(layout.words),))
        raise InputError(f"{key} has references of length {offered}, not {length}")
    return length


def _fill_shelves(
    roots: Sequence[Path], layout: Layout, length: str, *, single: bool, caps: Caps | None
) -> _Shelves:
    shelves = _Shelves()
    for root in roots:
        for file in walk_files(root, caps):
            if isinstance(file, RecordError):
                shelves.errors.append(file)
                continue
            role = find_role(file.name, layout)
            if isinstance(role, SummaryRole) and not _is_wanted(role, layout, length, single):
                continue
            if role is None:
                continue
            try:
                data = file.read()
            except InputError as error:
                shelves.errors.append(RecordError(file.place, 1, _reason(error, file.place)))
                continue
            match role:
                case DocumentRole():
                    entry = Entry(role=role, place=file.place, data=data)
                    shelves.documents[role.topic].append(entry)
                case SummaryRole():
                    shelves.summaries[role.topic].append(
                        Entry(role=role, place=file.place, data=data)
                    )
                case TableRole():
                    _read_grades(role, file.place, data, shelves, layout, length, single=single)
    return shelves


def _reason(error: InputError, place: str) -> str:
    return str(error).removeprefix(f"{place}: ")


def _is_wanted(role: SummaryRole, layout: Layout, length: str, single: bool) -> bool:
    if role.marked:
        return role.length == ("perdocs" if single else length)
    if single:
        return role.document is not None
    if role.document is not None:
        return False
    return not layout.lengths or role.length in (None, length)


def _read_grades(
    role: TableRole,
    place: str,
    data: bytes,
    shelves: _Shelves,
    layout: Layout,
    length: str,
    *,
    single: bool,
) -> None:
    for row in read_table(data, role.table):
        if isinstance(row, BadFile):
            shelves.errors.append(RecordError(place, row.line, row.reason, place))
        elif single == (row.document is not None) and (
            single or not layout.lengths or row.length in (None, length)
        ):
            grades = shelves.grades[row.topic, row.document, row.peer]
            for measure, grade in row.grades.items():
                grades[measure].append(grade)


def _mean(rows: Mapping[str, list[float]]) -> dict[str, float]:
    """Several judgements of one summary count as their mean."""
    return {measure: math.fsum(grades) / len(grades) for measure, grades in rows.items()}
