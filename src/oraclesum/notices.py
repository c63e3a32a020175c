"""Warnings of the package: to the user's `warnings`, or to whoever collects them in this thread.

`warnings.catch_warnings` exchanges state of the whole process: two threads that use it at once lose
warnings, and can leave the process with the wrong `showwarning`. Collecting here concerns only the
thread (or asyncio task) that asks for it.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from .errors import OraclesumWarning

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["Notice", "Told", "collect_warnings", "warn"]

_OWN = f"{__package__}."
_collected: ContextVar[list[OraclesumWarning] | None] = ContextVar("collected", default=None)


class Notice(str):
    """A message that one run says once: all with the same key mean the same.

    Workers know nothing of each other, so whoever shows their messages looks at the keys.
    """

    __slots__ = ("key",)

    key: tuple[str, str]

    def __new__(cls, text: str, key: tuple[str, str]) -> Notice:
        made = super().__new__(cls, text)
        made.key = key
        return made

    def __reduce__(self) -> tuple[type[Notice], tuple[str, tuple[str, str]]]:
        return Notice, (str(self), self.key)


class Told:
    """What a run has said already."""

    def __init__(self) -> None:
        self._keys: set[tuple[str, str]] = set()

    def pick(self, messages: Iterable[str]) -> Iterator[str]:
        """The messages without notices that were picked before."""
        for message in messages:
            if isinstance(message, Notice):
                if message.key in self._keys:
                    continue
                self._keys.add(message.key)
            yield message


def warn(message: str, category: type[OraclesumWarning]) -> None:
    """Warn, on behalf of the line that called the package, unless warnings are collected.

    A line of the package's own would be the same for every caller, and Python shows a warning once
    per line.
    """
    collected = _collected.get()
    if collected is None:
        warnings.warn(message, category, stacklevel=1 + _count_own_frames())
    else:
        collected.append(category(message))


def _count_own_frames() -> int:
    """How many calls deep the caller of this function is in the package."""
    depth = 0
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith(_OWN):
        depth, frame = depth + 1, frame.f_back
    return depth


@contextmanager
def collect_warnings() -> Iterator[list[OraclesumWarning]]:
    """Inside the block, the package's warnings of this thread go into the list it gives."""
    collected: list[OraclesumWarning] = []
    token = _collected.set(collected)
    try:
        yield collected
    finally:
        _collected.reset(token)
