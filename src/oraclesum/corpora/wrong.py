"""Refuses a corpus whose first records are none at all, with one message that says what it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeVar

import orjson

from ..errors import NoRecordError, RecordError
from ..message import Message, Setting
from .reading import Line
from .topic import Topic

__all__ = ["refuse_wrong"]

_LOOKED_AT = 5  # records; one that could be used, or is wrong in another way, ends the look
_LONGEST_NAME = 100  # characters of a column's name

Item = TypeVar("Item", Topic | RecordError, Line | RecordError)


def refuse_wrong(items: Iterable[Item]) -> Iterator[Item]:
    """The items, unless all of the first few have no document or no references.

    Reads a record now, or a few if the first is no record. Raises NoRecordError.
    """
    rest = iter(items)
    looked: list[Item] = []
    wrong: list[NoRecordError] = []
    for item in rest:
        looked.append(item)
        parsed = item.parse() if isinstance(item, Line) else item
        if not isinstance(parsed, NoRecordError):
            break
        wrong.append(parsed)
        if len(wrong) == _LOOKED_AT:
            break
    if looked and len(wrong) == len(looked):
        first, error = looked[0], wrong[0]
        guess = _guess(first.data) if isinstance(first, Line) else None
        if guess is None:
            raise error
        raise NoRecordError(error.file, error.line, guess, error.record_id)
    return chain(looked, rest)


def _guess(line: bytes) -> str | None:
    """What a line is that should be JSON; None if nobody can tell."""
    text = line.decode("utf-8", "replace").strip()
    if text.startswith(("{", "[", "\ufffd")) or "\0" in text or _is_json(line):
        return None
    if text.startswith("<"):
        return "this is XML or HTML, not JSON lines"
    for separator, name in (("\t", "tsv"), (",", "csv"), (";", "csv")):
        names = text.split(separator)
        if len(names) > 1 and all(name and len(name) <= _LONGEST_NAME for name in names):
            return Message(
                "this is {kind}, not JSON lines: give {format}",
                kind=name.upper(),
                format=Setting("format", repr(name)),
            )
    return "this is plain text, not JSON lines"


def _is_json(line: bytes) -> bool:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True
