"""Records to download: what `oraclesum enumerate` writes for a case, and what it would read."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import orjson

from ..oracles.status import Status
from ..signature import extend_signature
from ..text import splitter_setting
from .case import Case
from .solving import Solved

__all__ = ["input_name", "output_name", "write_input", "write_record"]

_LARGEST_EXACT_DOUBLE = 2**53
_UNSAFE = re.compile("[^A-Za-z0-9_-]+")


def write_record(case: Case, solved: Solved, most: int) -> bytes:
    """The line that `enumerate --list MOST` writes, to the byte."""
    family = solved.family
    status = family.status
    if status in (Status.COMPLETE, Status.LIST_LIMIT):
        # As if `most` had been asked for at the start; here all oracles are within reach.
        status = Status.COMPLETE if family.count <= most else Status.LIST_LIMIT
    record: dict[str, Any] = {"id": case.id}
    if case.settings.reference is not None:
        record["reference"] = case.settings.reference
    record |= {
        "status": status.value,
        "hits": family.hits,
        "total": family.total,
        "score": family.score,
        "count": _exact(family.count),
        "oracles": list(islice(family.iterate_at(0), most)),
        "inclusion": family.inclusion,
        "upper_bound": family.upper_bound,
        "checked": _exact(family.checked),
        "method": "search",
        "signature": sign(case, solved),
    }
    if case.was_split:
        record["sentences"] = case.sentences
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)


def sign(case: Case, solved: Solved) -> str:
    """The signature, with the splitter where it cut the sentences."""
    signature = solved.family.signature
    return extend_signature(signature, splitter_setting()) if case.was_split else signature


def write_input(case: Case) -> bytes:
    """The case's document as a line that every verb reads."""
    record: dict[str, Any] = {"id": case.id}
    if case.was_split and case.text is not None:
        record["text"] = case.text
    else:
        record["sentences"] = case.sentences
        if case.doc_ids is not None:
            record["doc_ids"] = case.doc_ids
    record["references"] = case.references
    if case.systems:
        record["systems"] = case.systems
    record["language"] = case.rouge.language
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)


def output_name(case: Case) -> str:
    """A file name for the record, made of the id."""
    return f"{_clean(case.id)}.jsonl"


def input_name(case: Case) -> str:
    """A file name for the document."""
    return f"{_clean(case.id)}.input.jsonl"


def _clean(id: str) -> str:
    return _UNSAFE.sub("_", id).strip("_-")[:80] or "document"


def _exact(number: int) -> int | str:
    return number if abs(number) <= _LARGEST_EXACT_DOUBLE else str(number)
