"""The families that the server still has: the ones used last, within bounds of number and bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from .case import Case
from .failure import ApiError
from .orders import Orders
from .solving import Solved

__all__ = ["Held", "Store"]

_MOST_FORGOTTEN = 10_000


@dataclass(frozen=True, kw_only=True)
class Held:
    """A solved case, with its view as it goes over the wire."""

    case: Case
    solved: Solved
    view: bytes
    orders: Orders = field(compare=False)

    @property
    def size(self) -> int:
        """Bytes of memory, roughly."""
        text = sum(map(len, self.case.sentences)) + len(self.view)
        return 4 * text + self.solved.family.memory


class Store:
    """Least recently used families are forgotten first; the newest is always held."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._forgotten: OrderedDict[str, None] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._held)

    def put(self, held: Held) -> None:
        """Hold a family, and forget others where that is too much."""
        with self._lock:
            self._drop(held.case.key)
            self._forgotten.pop(held.case.key, None)
            self._held[held.case.key] = held
            self._bytes += held.size
            while len(self._held) > self._most or (
                self._bytes > self._most_bytes and len(self._held) > 1
            ):
                self._forget(next(iter(self._held)))

    def find(self, key: str) -> Held | None:
        """The family of that key where it is held."""
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                self._held.move_to_end(key)
            return held

    def get(self, key: str) -> Held:
        """The family of that key; an ApiError says whether it ever was there."""
        held = self.find(key)
        if held is not None:
            return held
        if key in self._forgotten:
            raise ApiError(410, "this family is no longer held: post its document again")
        raise ApiError(404, "there is no family of this key: post a document to /api/families")

    def remove(self, key: str) -> None:
        """Forget one family, which must be there."""
        self.get(key)
        with self._lock:
            self._forget(key)

    def _forget(self, key: str) -> None:
        self._drop(key)
        self._forgotten[key] = None
        while len(self._forgotten) > _MOST_FORGOTTEN:
            self._forgotten.popitem(last=False)

    def _drop(self, key: str) -> None:
        held = self._held.pop(key, None)
        if held is not None:
            self._bytes -= held.size
