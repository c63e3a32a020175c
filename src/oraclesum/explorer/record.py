"""Records to download: what `oraclesum enumerate` writes for a case, and what it would read."""

from __future__ import annotations

import re
from typing import Any

import orjson

from ..answers import FamilyRecord
from ..signature import extend_signature
from ..text import splitter_setting
from .case import Case
from .solving import Solved

__all__ = ["input_name", "output_name", "write_input", "write_record"]

_UNSAFE = re.compile("[^A-Za-z0-9_-]+")


def write_record(case: Case, solved: Solved, most: int) -> bytes:
    """The line that `enumerate --list MOST` writes, to the byte."""
    record = FamilyRecord.describe(
        solved.family,
        id=case.id,
        reference=case.settings.reference,
        max_list=most,
        counts_nodes=True,
        method="search",
        signature=sign(case, solved),
        sentences=case.sentences if case.was_split else None,
    )
    return record.to_line()


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
