"""What each file of a DUC or TAC folder is: document, model, peer or table of one layout."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ..frozen import dataclass
from .layouts import LAYOUTS, Layout
from .names import fold_length, parse_name
from .tables import Table

__all__ = [
    "DocumentRole",
    "GigawordRole",
    "Role",
    "SummaryRole",
    "TableRole",
    "TopicFileRole",
    "count_roles",
    "find_role",
    "find_year",
]

# Summaries that were not evaluated (2005), or cut up for other measures.
_OTHER_SUMMARIES = re.compile(r"(?:^|/)(?:extras|BE|Pyramids?|pans?)/", re.IGNORECASE)
_GIGAWORD = re.compile(r"/(?P<source>[a-z]{3}_eng)/((?P=source)_\d{6})(?:\.gz)?$", re.IGNORECASE)
_YEAR = re.compile(
    r"(?:duc|tac)[-_. ]?(?:20)?(0[1-9]|1[01])(?!\d)|(?:update|guided)summ(?:20)?(0[89]|1[01])", re.I
)


@dataclass(frozen=True, kw_only=True)
class DocumentRole:
    """A source document of a cluster."""

    topic: str
    rank: int  # the layout's preference; lower is better
    document: str


@dataclass(frozen=True, kw_only=True)
class SummaryRole:
    """A summary, or a file with the summaries of several documents."""

    topic: str
    rank: int
    name: str  # the writer or system
    human: bool
    marked: bool = False  # with <SUM>, or an extract
    length: str | None = None
    document: str | None = None  # of a summary of one document
    one_per_line: bool = False


@dataclass(frozen=True, kw_only=True)
class TableRole:
    """A table of human judgements."""

    table: Table


@dataclass(frozen=True, kw_only=True)
class TopicFileRole:
    """A file that names the documents of all topics."""


@dataclass(frozen=True, kw_only=True)
class GigawordRole:
    """A month of English Gigaword."""

    month: str  # afp_eng_200605


Role = DocumentRole | SummaryRole | TableRole | TopicFileRole | GigawordRole


def find_role(name: str, layout: Layout) -> Role | None:
    """What a file is to a layout, by its path alone; None if it is nothing."""
    if find_year(name) not in (None, layout.year) or _search(layout.exclude, name):
        return None
    for rank, pattern in enumerate(layout.documents):
        if found := _search(pattern, name):
            topic = found["docset"].lower()
            if group := found.groupdict().get("group"):
                topic = f"{topic}-{group.lower()}"
            return DocumentRole(topic=topic, rank=rank, document=found["document"])
    for rank, pattern in enumerate(layout.marked):
        if found := _search(pattern, name):
            return SummaryRole(
                topic=found["docset"].lower(),
                rank=rank,
                name=found["writer"].upper(),
                human=True,
                marked=True,
                length=fold_length(found["length"]),
            )
    if found := _search(layout.systems, name):
        topic, system = found["docset"].lower(), found["system"]
        return SummaryRole(topic=topic, rank=0, name=system, human=False, one_per_line=True)
    if _search(layout.topic_file, name):
        return TopicFileRole()
    if layout.topic_file != Layout.topic_file and (found := _GIGAWORD.search(name)):
        return GigawordRole(month=found[2].lower())
    for table in layout.tables:
        if _search(table.files, name):
            return TableRole(table=table)
    return _find_named(name, layout)


def _find_named(name: str, layout: Layout) -> SummaryRole | None:
    """A summary whose file name says what it is."""
    parsed = parse_name(name.rpartition("/")[2])
    if parsed is None or _OTHER_SUMMARIES.search(name):
        return None
    if not re.fullmatch(layout.docset, parsed.topic.partition("-")[0]):
        return None
    human = bool(re.fullmatch(layout.writers, parsed.peer))
    for rank, pattern in enumerate(layout.models if human else layout.peers):
        if _search(pattern, name):
            return SummaryRole(
                topic=parsed.topic,
                rank=len(layout.marked) + rank,
                name=parsed.peer,
                human=human,
                length=parsed.length,
                document=parsed.document if parsed.per_document else None,
            )
    return None


def count_roles(names: Iterable[str]) -> dict[str, Counter[str]]:
    """For each layout, how many documents, models and systems the files would be."""
    counts: dict[str, Counter[str]] = {key: Counter() for key in LAYOUTS}
    for name in names:
        for key, layout in LAYOUTS.items():
            match find_role(name, layout):
                case DocumentRole() | TopicFileRole():
                    counts[key]["documents"] += 1
                case SummaryRole(human=True):
                    counts[key]["models"] += 1
                case SummaryRole():
                    counts[key]["systems"] += 1
    return counts


def find_year(path: str) -> str | None:
    """The year that a path names last, such as 2004 in `DUC2004/results`."""
    found = [match[1] or match[2] for match in _YEAR.finditer(path)]
    return f"20{found[-1]}" if found else None


def _search(pattern: str, name: str) -> re.Match[str] | None:
    return re.search(pattern, name, re.IGNORECASE)
