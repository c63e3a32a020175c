"""Ids that were used before: of several records with one id the first is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from ..errors import RecordError
from .topic import Topic

__all__ = ["Repeats", "refuse_repeats"]


class Repeats:
    """Remembers where each id was used first."""

    def __init__(self) -> None:
        # Hashes of ids, and one text for all places in a file: either may be thousands of letters
        # long for millions of records. No two ids have one hash.
        self._places: dict[bytes, tuple[str, int]] = {}
        self._files: dict[str, str] = {}

    def find(self, id: str, file: str, line: int) -> RecordError | None:
        """Take an id; if it was used before, the error that says so."""
        key = blake2b(id.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if (first := self._places.get(key)) is not None:
            where = f"{first[0]}:{first[1]}"
            return RecordError(file, line, f"the id {id!r} was already used at {where}", id)
        self._places[key] = (self._files.setdefault(file, file), line)
        return None


def refuse_repeats(items: Iterable[Topic | RecordError]) -> Iterator[Topic | RecordError]:
    """The items, each topic with an id that was used before made an error."""
    used = Repeats()
    for item in items:
        if isinstance(item, RecordError):
            yield item
        else:
            yield used.find(item.id, item.file, item.line) or item
