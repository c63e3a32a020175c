"""Answers that requests share: what several ask for at once is worked out by one of them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from ..oracles.bounds import check_bounds

__all__ = ["Once"]

_Key = TypeVar("_Key", bound=Hashable)
_Answer = TypeVar("_Answer")

_LOOK_SECONDS = 0.05  # between two looks at whether this one still has to wait


class Once(Generic[_Key, _Answer]):
    """A function whose answers are kept, the `most` used last of them.

    Who asks for what another is working out waits for that, within the bounds of `answer_within`;
    if the other gives up, one who waits does the work.
    """

    def __init__(self, work: Callable[[_Key], _Answer], *, most: int | None = None) -> None:
        self._work = work
        self._most = most
        self._known: OrderedDict[_Key, _Answer] = OrderedDict()
        self._busy: dict[_Key, threading.Event] = {}
        self._lock = threading.Lock()  # of both; nobody works or waits under it

    def __contains__(self, key: _Key) -> bool:
        """Whether the answer is known."""
        with self._lock:
            return key in self._known

    def __call__(self, key: _Key) -> _Answer:
        while True:
            with self._lock:
                if key in self._known:
                    self._known.move_to_end(key)
                    return self._known[key]
                other = self._busy.get(key)
                if other is None:
                    ended = self._busy[key] = threading.Event()
                    break
            while not other.wait(_LOOK_SECONDS):
                check_bounds(what="what another request is working out")
        try:
            answer = self._work(key)
            with self._lock:
                self._known[key] = answer
                while self._most is not None and len(self._known) > self._most:
                    self._known.popitem(last=False)
            return answer
        finally:
            with self._lock:
                del self._busy[key]
            ended.set()
