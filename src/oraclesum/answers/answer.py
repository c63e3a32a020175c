"""What becomes of one input record: output records, and what people are told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..corpora import Topic
from ..errors import RecordError

__all__ = ["Answer", "Item", "Record", "Row"]

Item = Topic | RecordError
"""What reading a record gave."""

Record = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One output record, and the seconds it took (which are not part of the data)."""

    record: Record
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Everything that one input record led to."""

    rows: list[Row] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)  # with file and line
