"""One cluster of DUC or TAC: its documents, summaries and grades joined to topics."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from ..errors import RecordError
from ..frozen import dataclass
from .bad import BadFile
from .documents import Document, Split, parse_document
from .layouts import Layout
from .roles import DocumentRole, SummaryRole
from .summaries import parse_extract, parse_marked, parse_summary
from .topic import Reference, System, Topic

__all__ = ["Cluster", "Entry", "join_cluster", "join_documents"]

RoleT = TypeVar("RoleT", DocumentRole, SummaryRole)


@dataclass(frozen=True, kw_only=True)
class Entry(Generic[RoleT]):
    """A file that was read, and what it is."""

    role: RoleT
    place: str
    data: bytes


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """All that was found about one docset."""

    id: str
    documents: list[Entry[DocumentRole]]
    summaries: list[Entry[SummaryRole]]
    grades: Mapping[tuple[str | None, str], Mapping[str, float]]
    layout: Layout

    @property
    def place(self) -> str:
        """Where the cluster is, as messages name it."""
        if self.documents:
            return self.documents[0].place.rpartition("/")[0]
        return self.summaries[0].place


@dataclass(frozen=True, kw_only=True)
class _Summary:
    name: str
    sentences: tuple[str, ...]
    rank: int
    human: bool
    document: str | None = None
    taken: tuple[tuple[str, int], ...] = ()  # what an extract takes: document and number
    place: str
    line: int = 1


def join_cluster(cluster: Cluster, split: Split) -> Iterator[Topic | RecordError]:
    """The cluster as one topic, after what is wrong with its files."""
    documents, errors = _read_documents(cluster, split)
    yield from errors
    summaries, errors = _read_summaries(cluster, split)
    yield from errors
    yield _build_topic(cluster, cluster.id, tuple(documents.values()), summaries, None)


def join_documents(cluster: Cluster, split: Split) -> Iterator[Topic | RecordError]:
    """Each document of the cluster as a topic, with the summaries of that document alone."""
    documents, errors = _read_documents(cluster, split)
    yield from errors
    summaries, errors = _read_summaries(cluster, split)
    yield from errors
    by_document: dict[str, list[_Summary]] = defaultdict(list)
    for summary in summaries:
        name = _resolve(summary.document or "", documents, cluster.layout)
        if name is None:
            reason = f"a summary of {summary.document}, which is no document of {cluster.id}"
            record_id = f"{cluster.id}/{summary.document}"
            yield RecordError(summary.place, summary.line, reason, record_id)
        else:
            by_document[name].append(summary)
    for name, document in documents.items():
        topic = f"{cluster.id}/{name}"
        yield _build_topic(cluster, topic, (document,), by_document[name], name)


def _read_documents(
    cluster: Cluster, split: Split
) -> tuple[dict[str, Document], list[RecordError]]:
    """The documents by file name, in its order; what is there twice counts once."""
    documents: dict[str, Document] = {}
    errors: list[RecordError] = []
    best = min((entry.role.rank for entry in cluster.documents), default=0)
    seen: dict[str, bytes] = {}
    for entry in sorted(cluster.documents, key=lambda entry: entry.role.document):
        name = entry.role.document
        if entry.role.rank > best or seen.get(name) == entry.data:
            continue
        if name in seen:
            reason = f"differs from another file of the same document {name}, which was read"
            errors.append(RecordError(entry.place, 1, reason, f"{cluster.id}/{name}"))
            continue
        seen[name] = entry.data
        try:
            documents[name] = parse_document(entry.data, name=name, split=split)
        except BadFile as bad:
            record_id = f"{cluster.id}/{name}"
            errors.append(RecordError(entry.place, bad.line, bad.reason, record_id))
    return documents, errors


def _read_summaries(cluster: Cluster, split: Split) -> tuple[list[_Summary], list[RecordError]]:
    read: list[_Summary] = []
    errors: list[RecordError] = []
    for entry in cluster.summaries:
        record_id = f"{cluster.id}/{entry.role.name}"
        try:
            for summary in _read_summary(entry, split):
                if summary.sentences or not summary.human:  # an empty system scores 0
                    read.append(summary)
                    continue
                reason = "the reference summary has no text, and is not used"
                errors.append(RecordError(summary.place, summary.line, reason, record_id))
        except BadFile as bad:
            errors.append(RecordError(entry.place, bad.line, bad.reason, record_id))
    kept: dict[tuple[str | None, str], list[_Summary]] = {}
    for summary in sorted(read, key=lambda s: (s.name, s.rank, s.place, s.line)):
        same = kept.setdefault((summary.document, summary.name), [])
        texts = [other.sentences for other in same]
        if not same:
            same.append(summary)
        elif summary.rank > same[0].rank or summary.sentences in texts:
            continue
        elif summary.human:
            same.append(summary)
        else:
            reason = f"differs from another file of the same system {summary.name}, which was read"
            record_id = f"{cluster.id}/{summary.name}"
            errors.append(RecordError(summary.place, summary.line, reason, record_id))
    return [summary for same in kept.values() for summary in same], errors


def _read_summary(entry: Entry[SummaryRole], split: Split) -> Iterator[_Summary]:
    role = entry.role
    if role.marked and role.length == "perdocs":
        for marked in parse_marked(entry.data):
            yield _Summary(
                name=role.name,
                sentences=tuple(split(marked.text)) if marked.text else (),
                rank=role.rank,
                human=True,
                document="".join(marked.attributes.get("docref", "").split()),
                place=entry.place,
                line=marked.line,
            )
    elif role.marked and role.length is not None and role.length.endswith("e"):
        extract = parse_extract(entry.data)
        yield _Summary(
            name=role.name,
            sentences=tuple(unit.text for unit in extract if unit.text),
            rank=role.rank,
            human=True,
            taken=tuple((unit.document, unit.number) for unit in extract),
            place=entry.place,
        )
    else:
        yield _Summary(
            name=role.name,
            sentences=parse_summary(entry.data, split=split, one_per_line=role.one_per_line),
            rank=role.rank,
            human=role.human,
            document=role.document,
            place=entry.place,
        )


def _resolve(name: str, documents: Mapping[str, Document], layout: Layout) -> str | None:
    """The file name of a document that a summary names by file name, DOCNO or a known misprint."""
    for spelling in (name, layout.errata.get(name)):
        if spelling in documents:
            return spelling
        for file, document in documents.items():
            if document.id == spelling:
                return file
    return None


def _build_topic(
    cluster: Cluster,
    topic: str,
    documents: tuple[Document, ...],
    summaries: list[_Summary],
    document: str | None,
) -> Topic | RecordError:
    references = [summary for summary in summaries if summary.human]
    if not documents or not references:
        what = "documents" if not documents else "reference summaries"
        reason = f"{topic} has no {what}"
        return RecordError(cluster.place, 1, reason, topic)
    chosen = [
        (number, sentence.text)
        for number, source in enumerate(documents)
        for sentence in source.sentences
        if sentence.candidate
    ]
    systems: dict[str, System] = {s.name: s.sentences for s in summaries if not s.human}
    grades = {peer: row for (name, peer), row in cluster.grades.items() if name == document}
    texts: tuple[Reference, ...] = tuple(summary.sentences for summary in references)
    return Topic(
        id=topic,
        sentences=tuple(text for _, text in chosen),
        doc_ids=tuple(number for number, _ in chosen),
        references=texts,
        systems=systems,
        human=grades,
        language="en",
        file=cluster.place,
        line=1,
        was_split=any(source.was_split for source in documents),
        reference_names=_distinct_names(references),
        documents=documents,
        extracts=_find_extracts(references, documents, cluster.layout),
    )


def _distinct_names(references: list[_Summary]) -> tuple[str, ...]:
    """The writers' letters; a second summary by the same hand is told apart by a number."""
    counts: dict[str, int] = defaultdict(int)
    names: list[str] = []
    for reference in references:
        counts[reference.name] += 1
        count = counts[reference.name]
        names.append(reference.name if count == 1 else f"{reference.name}{count}")
    return tuple(names)


def _find_extracts(
    references: list[_Summary], documents: tuple[Document, ...], layout: Layout
) -> dict[str, tuple[int, ...]]:
    """Human extracts as indices; sentences that are no candidates, such as headlines, fall out."""
    numbers: dict[tuple[str, int], int] = {}
    for source in documents:
        for sentence in source.sentences:
            if sentence.candidate:
                numbers[source.id, sentence.number] = len(numbers)
    by_name = {source.id: source for source in documents}
    extracts: dict[str, tuple[int, ...]] = {}
    for reference in references:
        if reference.taken:
            resolved = (
                (_resolve(name, by_name, layout) or name, number)
                for name, number in reference.taken
            )
            indices = [numbers[label] for label in resolved if label in numbers]
            extracts[reference.name] = tuple(dict.fromkeys(indices))
    return extracts
