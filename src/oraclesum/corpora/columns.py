"""Columns of published data sets, such as `article` and `highlights`, under our own names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InputError
from ..message import Message
from .bad import BadRecord, name_value

__all__ = ["COLUMN_PAIRS", "Columns", "check_columns", "describe_fields", "rename_columns"]

Columns = tuple[tuple[str, str], ...]
"""Our names, each with the name it has in the data."""

COLUMN_PAIRS = (
    ("article", "highlights"),  # CNN/Daily Mail
    ("document", "summary"),  # XSum, Multi-News, Gigaword
    ("article", "abstract"),  # arXiv, PubMed
    ("article", "summary"),
    ("text", "summary"),  # BillSum, Newsroom, MLSUM, XL-Sum, HeterSumGraph, MatchSum
    ("dialogue", "summary"),  # SAMSum, DialogSum
    ("report", "summary"),  # GovReport
    ("source", "target"),
    ("src", "tgt"),  # PreSumm, BertSum: sentences as lists of words
    ("source", "summary"),
    ("content", "summary"),  # Webis-TLDR
    ("transcript", "summary"),
    ("chapter", "summary"),  # BookSum
    ("documents", "tldr"),  # Reddit TIFU
    ("description", "abstract"),  # BigPatent
    ("text", "highlights"),
    ("text", "headline"),  # WikiHow
    ("text", "reference"),
    ("text", "target"),
    ("input", "output"),  # SCROLLS
)
"""The columns with the document and with its one summary, in the order they are looked for."""

_OURS = (
    "text",
    "sentences",
    "references",
    "summary",
    "id",
    "doc_ids",
    "systems",
    "human",
    "measures",
    "language",
)
_IDS = ("id", "guid", "article_id", "report_id", "doc_id", "docid", "fname", "gem_id")
_BETWEEN_DOCUMENTS = "|||||"  # of Multi-News
_GRADES = ("coherence", "consistency", "fluency", "relevance")  # of SummEval
_FIELDS_SHOWN = 20
_LONGEST_FIELD = 40


def check_columns(columns: object) -> Columns:
    """The columns that a user names: a mapping, pairs, or text as `text=body,summary=title`.

    `summary` is one reference, as text or as a list of its sentences; `references` is a list of
    them, or the text of one. A name with a dot (`article.text`) is a field of an object. Raises
    InputError.
    """
    if columns is None:
        return ()
    if isinstance(columns, str):
        pairs = [part.partition("=")[::2] for part in columns.split(",")]
    elif isinstance(columns, Mapping):
        pairs = list(columns.items())
    elif isinstance(columns, tuple) and all(
        isinstance(pair, tuple) and len(pair) == 2 for pair in columns
    ):
        pairs = list(columns)  # as this function gives them
    else:
        raise InputError(
            Message("{columns} must be a mapping, not {kind}", kind=type(columns).__name__)
        )
    found: dict[str, str] = {}
    for ours, theirs in pairs:
        if not (isinstance(ours, str) and isinstance(theirs, str) and theirs.strip()):
            raise InputError(
                Message("{columns} must be as text=article,references=highlights: NAME=COLUMN")
            )
        ours = ours.strip()
        if ours not in _OURS:
            raise InputError(
                Message(
                    "{columns} sets {known}, not {ours}", known=", ".join(_OURS), ours=repr(ours)
                )
            )
        if ours in found:
            raise InputError(Message("{columns} sets {ours} twice", ours=ours))
        found[ours] = theirs.strip()
    if "references" in found and "summary" in found:
        raise InputError(Message("{columns} sets references and summary: give one of them"))
    return tuple(found.items())


def rename_columns(record: dict[str, Any], columns: Columns = ()) -> dict[str, Any]:
    """The record in our own columns; one that has `references`, or no known pair, as it is.

    Raises BadRecord.
    """
    if columns:
        record = _choose(record, columns)
    if record.get("references") is not None:
        return record
    for document, summary in COLUMN_PAIRS:
        if record.get(document) is not None and record.get(summary) is not None:
            used = (document, summary)
            renamed = {key: value for key, value in record.items() if key not in used}
            renamed["references"] = [_read_summary(record[summary])]
            return _name_id(_set_document(renamed, record[document]))
    if record.get("machine_summaries") is not None and record.get("human_summaries") is not None:
        return _name_id(_read_summeval(record))
    return record


def describe_fields(record: Mapping[str, Any], columns: Columns = ()) -> str:
    """Which fields a record has, and how to say which is which."""
    absent = [theirs for _, theirs in columns if _find(record, theirs) is None]
    names = [str(name)[:_LONGEST_FIELD] for name in record]
    more = [f"{len(names) - _FIELDS_SHOWN} more"] if len(names) > _FIELDS_SHOWN else []
    return Message(
        "{absent}{fields}; say which is which by {columns}, as in text=article,references=summary",
        absent=f"there is no field `{absent[0]}`; " if absent else "",
        fields=f"its fields are: {', '.join([*names[:_FIELDS_SHOWN], *more])}"
        if names
        else "it has no field",
    )


def _choose(record: dict[str, Any], columns: Columns) -> dict[str, Any]:
    """The record with the columns that the user named under our names."""
    named = {theirs for _, theirs in columns}
    chosen = {key: value for key, value in record.items() if key not in named}
    for ours, theirs in columns:
        value = _find(record, theirs)
        if ours in ("text", "sentences"):
            chosen.pop("sentences", None)
            _set_document(chosen, value)
        elif ours == "summary":
            chosen["references"] = None if value is None else [_read_summary(value)]
        elif ours == "references" and isinstance(value, str):
            chosen["references"] = [_read_summary(value)]
        else:
            chosen[ours] = value
    return chosen


def _find(record: Mapping[str, Any], name: str) -> Any:
    """The value of a field, or of a field inside an object: `article.text`."""
    if name in record:
        return record[name]
    head, dot, rest = name.partition(".")
    inner = record.get(head)
    return _find(inner, rest) if dot and isinstance(inner, Mapping) else None


def _set_document(record: dict[str, Any], document: Any) -> dict[str, Any]:
    """Put a document into a record: a text, sentences, or lists of them."""
    if not isinstance(document, list):
        record["text"] = _separate(document) if isinstance(document, str) else document
    elif document and all(isinstance(part, list) for part in document):
        if _are_words(document):
            record.setdefault("sentences", [" ".join(words) for words in document])
        else:  # HeterSumGraph's Multi-News: the sentences of each document
            record.setdefault("sentences", [one for part in document for one in part])
            numbers = [number for number, part in enumerate(document) for _ in part]
            record.setdefault("doc_ids", numbers)
    else:
        record.setdefault("sentences", document)
    return record


def _are_words(parts: list[Any]) -> bool:
    """Whether lists of text are sentences of words; if not, they are documents of sentences."""
    return all(
        isinstance(word, str) and not any(map(str.isspace, word)) for part in parts for word in part
    )


def _read_summary(summary: Any) -> Any:
    """One reference. Highlights come as lines; a text without line ends stays one text."""
    if isinstance(summary, str) and "\n" in summary.strip():
        return [line.strip() for line in summary.split("\n") if line.strip()]
    nested = isinstance(summary, list) and all(isinstance(part, list) for part in summary)
    return [" ".join(words) for words in summary] if nested and _are_words(summary) else summary


def _read_summeval(record: dict[str, Any]) -> dict[str, Any]:
    """A row of SummEval as the Hugging Face hub has it: systems without names, grades in lists."""
    used = {"machine_summaries", "human_summaries", *_GRADES}
    renamed = {key: value for key, value in record.items() if key not in used}
    summaries = record["machine_summaries"]
    if not isinstance(summaries, list):
        raise BadRecord(f"`machine_summaries` must be a list of text, not {name_value(summaries)}")
    names = [f"M{number}" for number in range(len(summaries))]
    renamed["references"] = record["human_summaries"]
    renamed["systems"] = dict(zip(names, summaries, strict=True))
    graded = [name for name in _GRADES if isinstance(record.get(name), list)]
    renamed["human"] = {
        name: {grade: record[grade][k] for grade in graded if k < len(record[grade])}
        for k, name in enumerate(names)
    }
    return renamed


def _name_id(record: dict[str, Any]) -> dict[str, Any]:
    for name in _IDS:
        if record.get("id") in (None, "") and record.get(name) not in (None, ""):
            record["id"] = record[name]
    return record


def _separate(text: str) -> str:
    """Several documents in one text, kept apart by empty lines, which end a sentence."""
    parts = (part.strip() for part in text.split(_BETWEEN_DOCUMENTS))
    return "\n\n".join(part for part in parts if part) if _BETWEEN_DOCUMENTS in text else text
