"""What becomes of one input record: output records, and what people are told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ..corpora import Topic
from ..errors import RecordError

__all__ = ["Answer", "Item", "Row"]

Item = Topic | RecordError
"""What reading a record gave."""

R = TypeVar("R")
"""An output record: one of the kinds of `record.py`, or its JSON form."""


@dataclass(frozen=True, kw_only=True)
class Row(Generic[R]):
    """One output record, and the seconds it took (which are not part of the data)."""

    record: R
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Answer(Generic[R]):
    """Everything that one input record led to."""

    rows: list[Row[R]] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)  # with file and line
