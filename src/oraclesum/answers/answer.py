"""What becomes of one input record: output records and messages, as objects or ready to be written.

Objects stay in the process that made them. Between processes, and into files, records travel as the
bytes of their JSON line, with the few facts that a run adds up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import orjson

from ..corpora import Topic
from ..errors import RecordError
from .record import ErrorRecord, Json, Record

__all__ = ["Answer", "Item", "Row", "Written", "WrittenRow", "refuse", "write_answer", "write_row"]

Item = Topic | RecordError
"""What reading a record gave."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One output record, and the seconds it took (which are not part of the data)."""

    record: Record | Json
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Everything that one input record led to."""

    rows: list[Row] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)  # with file and line


class WrittenRow(NamedTuple):
    """One output record as a line of JSON, with what a run adds up."""

    line: bytes
    id: str | None
    reference: int | None
    status: str
    score: float | None
    family_count: int | None  # how many oracles there are
    seconds: float

    @property
    def record(self) -> Json:
        """The record as JSON has it."""
        record: Json = orjson.loads(self.line)
        return record


class Written(NamedTuple):
    """Everything that one input record led to, ready to be written or sent."""

    rows: list[WrittenRow]
    messages: list[str]


def write_answer(answer: Answer) -> Written:
    """The answer as lines."""
    rows = [write_row(row.record, row.seconds) for row in answer.rows]
    return Written(rows, answer.messages)


def write_row(record: Record | Json, seconds: float = 0.0) -> WrittenRow:
    """One record as a line."""
    values = record.to_json() if isinstance(record, Record) else record
    return WrittenRow(
        orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE),
        values.get("id"),
        values.get("reference"),
        values.get("status", "complete"),
        values.get("score"),
        None if values.get("count") is None else int(values["count"]),
        seconds,
    )


def refuse(error: RecordError) -> Answer:
    """The answer to a record that could not be read or worked on."""
    record = ErrorRecord(id=error.record_id, error=str(error))
    return Answer(rows=[Row(record=record)], messages=[str(error)])
