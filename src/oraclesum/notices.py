"""Warnings of the package: to the user's `warnings`, or to whoever collects them in this thread.

`warnings.catch_warnings` exchanges state of the whole process: two threads that use it at once lose
warnings, and can leave the process with the wrong `showwarning`. Collecting here concerns only the
thread (or asyncio task) that asks for it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .errors import OraclesumWarning

__all__ = ["collect_warnings", "warn"]

_collected: ContextVar[list[OraclesumWarning] | None] = ContextVar("collected", default=None)


def warn(message: str, category: type[OraclesumWarning], *, stacklevel: int) -> None:
    """Warn as `warnings.warn` does, with the same `stacklevel`, unless warnings are collected."""
    collected = _collected.get()
    if collected is None:
        warnings.warn(message, category, stacklevel=stacklevel + 1)
    else:
        collected.append(category(message))


@contextmanager
def collect_warnings() -> Iterator[list[OraclesumWarning]]:
    """Inside the block, the package's warnings of this thread go into the list it gives."""
    collected: list[OraclesumWarning] = []
    token = _collected.set(collected)
    try:
        yield collected
    finally:
        _collected.reset(token)
