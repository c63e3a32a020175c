"""Why something is no record, and what its values are called in such a reason."""

from __future__ import annotations

from typing import Any

__all__ = ["BadRecord", "NoRecord", "name_value"]


class BadRecord(Exception):  # noqa: N818 - a message on its way to the reader, which adds file and line
    """Why a line is not a record, with the record's id if it could be read."""

    def __init__(self, reason: str, record_id: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.record_id = record_id


class NoRecord(BadRecord):
    """Nothing that could be a record: most likely all of the file is of another kind."""


def name_value(value: Any) -> str:
    """What a JSON value is called in a message."""
    if value is None:
        return "null"
    names = {bool: "true or false", str: "text", int: "a number", float: "a number"}
    return names.get(type(value), "a list" if isinstance(value, list) else "an object")
