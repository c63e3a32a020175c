"""Ids that were used before: of several records with one id the first is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..errors import RecordError
from .topic import Topic

__all__ = ["Repeats", "refuse_repeats"]


class Repeats:
    """Remembers where each id was used first."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}

    def find(self, id: str, file: str, line: int) -> RecordError | None:
        """Take an id; if it was used before, the error that says so."""
        place = f"{file}:{line}"
        first = self._places.setdefault(id, place)
        if first is place:
            return None
        return RecordError(file, line, f"the id {id!r} was already used at {first}", id)


def refuse_repeats(items: Iterable[Topic | RecordError]) -> Iterator[Topic | RecordError]:
    """The items, each topic with an id that was used before made an error."""
    used = Repeats()
    for item in items:
        if isinstance(item, RecordError):
            yield item
        else:
            yield used.find(item.id, item.file, item.line) or item
