"""The files of a DUC or TAC year, read and sorted by topic: what is wanted, and nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import InputError, RecordError
from .clusters import Entry
from .documents import BadFile
from .files import Caps, CorpusFile, walk_files
from .gigaword import month_of, pick_documents, read_topic_file
from .layouts import Layout
from .roles import (
    DocumentRole,
    GigawordRole,
    SummaryRole,
    TableRole,
    TopicFileRole,
    find_role,
)
from .tables import Table, read_table

__all__ = ["Choice", "Shelves", "fill_shelves"]

_ERRORS_OF_A_TABLE = 10

Grades = dict[tuple[str, str | None, str], dict[str, list[float]]]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What is wanted of a year."""

    layout: Layout
    length: str  # of the references, as file names write it
    single: bool  # one topic per document

    def takes_summary(self, role: SummaryRole) -> bool:
        """Whether a summary is of the chosen task and length."""
        if role.marked:
            return role.length == ("perdocs" if self.single else self.length)
        if self.single:
            return role.document is not None
        return role.document is None and self.takes_length(role.length)

    def takes_length(self, length: str | None) -> bool:
        """Whether a length is the chosen one; a year with one length does not care."""
        return not self.layout.lengths or length in (None, self.length)


@dataclass(frozen=True, kw_only=True)
class Shelves:
    """What was found; grades are by topic, document (None: of all) and peer, then by measure."""

    documents: dict[str, list[Entry[DocumentRole]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    summaries: dict[str, list[Entry[SummaryRole]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    grades: Grades = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    named: dict[str, tuple[str, ...]] = field(default_factory=dict)  # documents of a topic file
    errors: list[RecordError] = field(default_factory=list)
    refused: list[RecordError] = field(default_factory=list)  # those of files nobody looked into


def fill_shelves(roots: Sequence[Path], choice: Choice, caps: Caps | None) -> Shelves:
    """Read all files that the choice needs. What is wrong with one is kept, and the rest read."""
    shelves = Shelves()
    for root in roots:
        for file in walk_files(root, caps):
            if isinstance(file, RecordError):
                shelves.errors.append(file)
                shelves.refused.append(file)
            elif (role := find_role(file.name, choice.layout)) is not None:
                try:
                    _shelve(file, role, choice, shelves)
                except BadFile as bad:
                    shelves.errors.append(RecordError(file.place, bad.line, bad.reason, file.place))
    named = {topic: ids for topic, ids in shelves.named.items() if topic not in shelves.documents}
    if named:
        _read_gigaword(roots, choice.layout, named, shelves, caps)
    return shelves


def _shelve(file: CorpusFile, role: object, choice: Choice, shelves: Shelves) -> None:
    match role:
        case DocumentRole():
            entry = Entry(role=role, place=file.place, data=_read(file))
            shelves.documents[role.topic].append(entry)
        case SummaryRole() if choice.takes_summary(role):
            summary = Entry(role=role, place=file.place, data=_read(file))
            shelves.summaries[role.topic].append(summary)
        case TableRole():
            _read_grades(file, role.table, choice, shelves)
        case TopicFileRole():
            shelves.named.update(read_topic_file(_read(file)))


def _read(file: CorpusFile) -> bytes:
    try:
        return file.read()
    except InputError as error:
        raise BadFile(str(error).removeprefix(f"{file.place}: ")) from None


def _read_grades(file: CorpusFile, table: Table, choice: Choice, shelves: Shelves) -> None:
    errors: list[BadFile] = []
    for row in read_table(_read(file), table):
        if isinstance(row, BadFile):
            errors.append(row)
        elif choice.single == (row.document is not None) and (
            choice.single or choice.takes_length(row.length)
        ):
            grades = shelves.grades[row.topic, row.document, row.peer]
            for measure, grade in row.grades.items():
                grades[measure].append(grade)
    for bad in errors[:_ERRORS_OF_A_TABLE]:
        shelves.errors.append(RecordError(file.place, bad.line, bad.reason, file.place))
    if more := errors[_ERRORS_OF_A_TABLE:]:
        reason = f"this and {len(more) - 1} more lines are wrong: {more[0].reason}"
        shelves.errors.append(RecordError(file.place, more[0].line, reason, file.place))


def _read_gigaword(
    roots: Sequence[Path],
    layout: Layout,
    named: Mapping[str, tuple[str, ...]],
    shelves: Shelves,
    caps: Caps | None,
) -> None:
    """The named documents, from the months of Gigaword that they are in."""
    topics: dict[str, list[str]] = defaultdict(list)
    for topic, ids in named.items():
        for document in ids:
            topics[document].append(topic)
    missing = set(topics)
    cap = (Caps() if caps is None else caps).record_bytes
    for root in roots:
        for file in walk_files(root, caps):
            role = None if isinstance(file, RecordError) else find_role(file.name, layout)
            if isinstance(file, RecordError) or not isinstance(role, GigawordRole):
                continue
            wanted = {document for document in missing if month_of(document) == role.month}
            try:
                if not wanted:
                    continue
                for document, data in pick_documents(_read(file), wanted, record_bytes=cap):
                    missing.discard(document)
                    for topic in topics[document]:
                        entry = DocumentRole(topic=topic, rank=0, document=document)
                        shelves.documents[topic].append(
                            Entry(role=entry, place=f"{file.place}/{document}", data=data)
                        )
            except BadFile as bad:
                shelves.errors.append(RecordError(file.place, bad.line, bad.reason, file.place))
    for document in sorted(missing):
        topic = topics[document][0]
        reason = f"{document} of {topic} is neither a file here nor in a given part of Gigaword"
        place = str(roots[0])
        shelves.errors.append(RecordError(place, 1, reason, f"{topic}/{document}"))
