"""Tables of human judgements: which column holds what, and reading them line by line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from ..frozen import dataclass
from .bad import BadFile
from .markup import decode
from .names import fold_length, fold_topic

__all__ = ["Judgement", "Table", "Units", "average", "read_table"]


@dataclass(frozen=True, kw_only=True)
class Units:
    """Judgements of single model units at the end of a line, averaged to one measure (2001)."""

    measure: str
    count: int  # the column that says how many units there are
    first: int  # the column of the first unit's grade
    step: int


@dataclass(frozen=True, kw_only=True)
class Table:
    """One kind of table: the files it is in, and its columns, counted from 0."""

    files: str  # pattern of the path
    peer: int
    width: int  # how many columns; at least so many if `open_ended`
    open_ended: bool = False
    topic: int = 0
    prefix: str = ""  # what the topic column leaves out
    kind: int | None = None  # the column with M (several documents) or P (one)
    document: int | None = None
    length: int | None = None
    measures: Mapping[str, int] = field(default_factory=dict)
    question: tuple[str, int, int] | None = None  # measure, column of the question, of the grade
    units: Units | None = None


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What one line says of one summary."""

    topic: str
    document: str | None
    length: str | None
    peer: str
    grades: Mapping[str, float]


def read_table(data: bytes, table: Table) -> Iterator[Judgement | BadFile]:
    """Every line that starts with a docset; others are headers, however long the header is.

    A line with the wrong columns, or with NUL bytes, comes out as what is wrong with it.
    """
    if not data.strip():
        yield BadFile("empty: the judgements are lost", 1)
    for number, line in enumerate(decode(data).split("\n"), start=1):
        if "\0" in line:  # of a block that was never written to the disk
            yield BadFile("NUL bytes: the file is damaged, and rows may be lost", number)
            continue
        columns = line.split()
        topic = fold_topic(table.prefix + columns[table.topic]) if columns else None
        if topic is None:
            continue
        if table.kind is not None and columns[table.kind : table.kind + 1] not in (["M"], ["P"]):
            continue
        try:
            yield _read_line(columns, topic, table)
        except BadFile as bad:
            yield BadFile(bad.reason, number)


def _read_line(columns: list[str], topic: str, table: Table) -> Judgement:
    width = table.width
    if table.units is not None and len(columns) > table.units.count:
        units = _read_grade(columns[table.units.count], table.units.count) or 0
        width = table.units.first - 1 + table.units.step * int(units)
    if len(columns) != width and not (table.open_ended and len(columns) > width):
        raise BadFile(f"{len(columns)} columns where this table has {width}")
    grades = {name: _read_grade(columns[column], column) for name, column in table.measures.items()}
    if table.question is not None:
        measure, question, grade = table.question
        grades[f"{measure}_{columns[question]}"] = _read_grade(columns[grade], grade)
    if table.units is not None:
        places = range(table.units.first, width, table.units.step)
        marks = [mark for i in places if (mark := _read_grade(columns[i], i)) is not None]
        grades[table.units.measure] = average(marks) if marks else None
    per_document = table.kind is not None and columns[table.kind] == "P"
    return Judgement(
        topic=topic,
        document=columns[table.document] if per_document and table.document is not None else None,
        length=None if table.length is None else fold_length(columns[table.length]),
        peer=columns[table.peer].upper(),
        grades={name: grade for name, grade in grades.items() if grade is not None},
    )


def _read_grade(text: str, column: int) -> float | None:
    if text == "-":
        return None  # not judged
    try:
        grade = float(text)
    except ValueError:
        grade = math.nan
    if not math.isfinite(grade):
        raise BadFile(f"column {column} must be a number or `-`, not {text!r}")
    return grade


def average(grades: Sequence[float]) -> float:
    """The mean, also of grades whose sum is too large for a float."""
    try:
        return math.fsum(grades) / len(grades)
    except OverflowError:
        return math.fsum(grade / len(grades) for grade in grades)
