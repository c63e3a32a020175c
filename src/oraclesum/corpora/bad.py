"""Why something is no record or file, and what its values are called in such a reason."""

from __future__ import annotations

from typing import Any

__all__ = ["BadFile", "BadRecord", "Doubled", "NoRecord", "name_value"]


class BadFile(Exception):  # noqa: N818 - a message on its way to the reader, which adds the file
    """Why a file is not what it should be, and on which line."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


class BadRecord(Exception):  # noqa: N818 - a message on its way to the reader, which adds file and line
    """Why a line is not a record, with the record's id if it could be read."""

    def __init__(self, reason: str, record_id: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.record_id = record_id


class NoRecord(BadRecord):
    """Nothing that could be a record: most likely all of the file is of another kind."""


class Doubled:
    """Stands for the cells of two columns of one name: nobody can tell which is meant."""


def name_value(value: Any) -> str:
    """What a JSON value is called in a message."""
    if value is None:
        return "null"
    if isinstance(value, Doubled):
        return "one of two columns of this name; rename the other"
    names = {bool: "true or false", str: "text", int: "a number", float: "a number"}
    return names.get(type(value), "a list" if isinstance(value, list) else "an object")
