"""DUC and TAC: the files of a year, sorted by topic, and the topics they make."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from ..errors import InputError, RecordError
from ..frozen import dataclass
from ..given import check_choice
from ..message import Message, show_name
from .bad import BadFile
from .caps import Caps
from .clusters import Cluster, Entry, join_cluster, join_documents
from .documents import Split
from .files import CorpusFile, Keeper, walk_files
from .gigaword import fold_document, month_of, pick_documents, read_topic_file
from .layouts import LAYOUTS, Layout
from .roles import (
    DocumentRole,
    GigawordRole,
    SummaryRole,
    TableRole,
    TopicFileRole,
    find_role,
)
from .tables import Table, average, read_table
from .topic import Topic

__all__ = ["read_year"]

_ERRORS_OF_A_TABLE = 10

Grades = dict[tuple[str, str | None, str], dict[str, list[float]]]


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

    `length` chooses among the references if a year has several; `task` "single" gives one topic
    per document. Raises InputError if the files hold no documents or no references of the year.
    """
    layout = LAYOUTS[key]
    check_choice("task", task, ("multi", "single"))
    if task == "single" and not layout.marked:
        raise InputError(f"{key} has no references of single documents; leave task at its default")
    length = _check_length(layout, key, length)
    choice = _Choice(layout=layout, length=length, single=task == "single")
    found = _gather_files(roots, choice, caps)
    models = sum(entry.role.human for entries in found.summaries.values() for entry in entries)
    if not found.documents or not models:
        where = ", ".join(map(show_name, roots))
        missing = "source documents" if not found.documents else "reference summaries"
        hint = f" of {length} words" if found.documents and layout.lengths else ""
        reason = Message(
            "no {missing}{hint} of {title}; if they are in another folder or archive, "
            "give that too, by {also}",
            missing=missing,
            hint=hint,
            title=layout.title,
        )
        if found.refused:  # they may have what is missing
            return iter([*found.errors, RecordError(where, 1, reason, where)])
        raise InputError(Message("{where}: {reason}", where=where, reason=reason))
    return _join(found, choice, split)


def _check_length(layout: Layout, key: str, length: str | None) -> str:
    offered = layout.lengths or (str(layout.words),)
    if length is None:
        return str(layout.words)
    if length not in offered:
        raise InputError(f"{key} has references of length {', '.join(offered)}, not {length}")
    return length


def _join(found: _YearFiles, choice: _Choice, split: Split) -> Iterator[Topic | RecordError]:
    yield from found.errors
    grades: dict[str, dict[tuple[str | None, str], dict[str, float]]] = defaultdict(dict)
    for (topic, document, peer), rows in found.grades.items():
        grades[topic][document, peer] = _mean(rows)
    join = join_documents if choice.single else join_cluster
    for topic in sorted({*found.documents, *found.summaries}):
        cluster = Cluster(
            id=topic,
            documents=found.documents.get(topic, []),
            summaries=found.summaries.get(topic, []),
            grades=grades[topic],
            layout=choice.layout,
        )
        yield from join(cluster, split)


def _mean(rows: Mapping[str, list[float]]) -> dict[str, float]:
    """Several judgements of one summary count as their mean."""
    return {measure: average(grades) for measure, grades in rows.items()}


@dataclass(frozen=True, kw_only=True)
class _Choice:
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
class _YearFiles:
    """What was found; grades are by topic, document (None: of all) and peer, then by measure."""

    documents: dict[str, list[Entry[DocumentRole]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    summaries: dict[str, list[Entry[SummaryRole]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    grades: Grades = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    named: dict[str, tuple[str, ...]] = field(default_factory=dict)  # documents of a topic file
    # Names of documents whose files could not be read.
    lost: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    errors: list[RecordError] = field(default_factory=list)
    refused: list[RecordError] = field(default_factory=list)  # those of files nobody looked into


def _gather_files(roots: Sequence[Path], choice: _Choice, caps: Caps | None) -> _YearFiles:
    """Read all files that the choice needs. What is wrong with one is kept, and the rest read."""
    found = _YearFiles()
    keeper = Keeper(Caps() if caps is None else caps)
    for root in roots:
        for file in walk_files(root, caps):
            if isinstance(file, RecordError):
                found.errors.append(file)
                found.refused.append(file)
            elif (role := find_role(file.name, choice.layout)) is not None:
                try:
                    _sort_in(file, role, choice, found, keeper)
                except BadFile as bad:
                    found.errors.append(RecordError(file.place, bad.line, bad.reason, file.place))
                    if isinstance(role, DocumentRole):
                        found.lost[role.topic].add(fold_document(role.document))
    if named := _list_named(found):
        _read_gigaword(roots, choice.layout, named, found, caps, keeper)
    return found


def _list_named(found: _YearFiles) -> dict[str, tuple[str, ...]]:
    """The documents that files of topics name and that are no files, by topic."""
    named: dict[str, tuple[str, ...]] = {}
    for topic, ids in found.named.items():
        entries = found.documents.get(topic, [])
        best = _find_best(entries)
        names = {fold_document(one.role.document) for one in entries if one.role.rank == best}
        names |= found.lost.get(topic, set())
        missing = tuple(one for one in ids if fold_document(one) not in names)
        # If none of the files has a name that is asked for, they are named in some other way.
        if missing and (not names or len(missing) < len(ids)):
            named[topic] = missing
    return named


def _find_best(entries: list[Entry[DocumentRole]]) -> int:
    """The rank of those documents of a topic that are read."""
    return min((entry.role.rank for entry in entries), default=0)


def _sort_in(
    file: CorpusFile, role: object, choice: _Choice, found: _YearFiles, keeper: Keeper
) -> None:
    match role:
        case DocumentRole():
            entry = Entry(role=role, place=file.place, data=_keep(file, keeper))
            found.documents[role.topic].append(entry)
        case SummaryRole() if choice.takes_summary(role):
            summary = Entry(role=role, place=file.place, data=_keep(file, keeper))
            found.summaries[role.topic].append(summary)
        case TableRole():
            _read_grades(_keep(file, keeper), file.place, role.table, choice, found)
        case TopicFileRole():
            for part in read_topic_file(_keep(file, keeper)):
                kept = found.named.setdefault(part.topic, part.documents)
                if {*kept} != {*part.documents}:
                    reason = (
                        f"names other documents of {part.topic} than what was read of it before, "
                        "which is kept"
                    )
                    found.errors.append(RecordError(file.place, part.line, reason, part.topic))


def _keep(file: CorpusFile, keeper: Keeper) -> bytes:
    try:
        return keeper.read(file)
    except InputError as error:
        raise BadFile(str(error).removeprefix(f"{file.place}: ")) from None


def _read(file: CorpusFile) -> bytes:
    try:
        return file.read()
    except InputError as error:
        raise BadFile(str(error).removeprefix(f"{file.place}: ")) from None


def _count(data: bytes, place: str, keeper: Keeper) -> bytes | BadFile:
    """A document of Gigaword, which is packed on disk too; or why it cannot be kept."""
    try:
        keeper.count(place, len(data))
    except InputError as error:
        return BadFile(str(error).removeprefix(f"{place}: "))
    return data


def _read_grades(data: bytes, place: str, table: Table, choice: _Choice, found: _YearFiles) -> None:
    errors: list[BadFile] = []
    for row in read_table(data, table):
        if isinstance(row, BadFile):
            errors.append(row)
        elif choice.single == (row.document is not None) and (
            choice.single or choice.takes_length(row.length)
        ):
            grades = found.grades[row.topic, row.document, row.peer]
            for measure, grade in row.grades.items():
                grades[measure].append(grade)
    for bad in errors[:_ERRORS_OF_A_TABLE]:
        found.errors.append(RecordError(place, bad.line, bad.reason, place))
    if more := errors[_ERRORS_OF_A_TABLE:]:
        reason = f"this and {len(more) - 1} more lines are wrong: {more[0].reason}"
        found.errors.append(RecordError(place, more[0].line, reason, place))


def _read_gigaword(
    roots: Sequence[Path],
    layout: Layout,
    named: Mapping[str, tuple[str, ...]],
    found: _YearFiles,
    caps: Caps | None,
    keeper: Keeper,
) -> None:
    """The named documents, from the months of Gigaword that they are in."""
    topics: dict[str, list[str]] = defaultdict(list)
    for topic, ids in named.items():
        for document in ids:
            topics[document].append(topic)
    missing = set(topics)
    broken: set[str] = set()  # those that were found, but are no whole documents
    ranks = {topic: _find_best(found.documents.get(topic, [])) for topic in named}
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
                    if not isinstance(data, BadFile):
                        data = _count(data, file.place, keeper)
                    if isinstance(data, BadFile):
                        broken.add(document)
                        record_id = f"{topics[document][0]}/{document}"
                        found.errors.append(
                            RecordError(file.place, data.line, data.reason, record_id)
                        )
                        continue
                    missing.discard(document)
                    for topic in topics[document]:
                        # As the files beside it: of several ranks only the best is read.
                        entry = DocumentRole(topic=topic, rank=ranks[topic], document=document)
                        found.documents[topic].append(
                            Entry(role=entry, place=f"{file.place}/{document}", data=data)
                        )
            except BadFile as bad:
                found.errors.append(RecordError(file.place, bad.line, bad.reason, file.place))
    for document in sorted(missing - broken):
        topic = topics[document][0]
        reason = f"{document} of {topic} is neither a file here nor in a given part of Gigaword"
        place = show_name(roots[0])
        found.errors.append(RecordError(place, 1, reason, f"{topic}/{document}"))
