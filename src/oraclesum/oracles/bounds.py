"""What questions to a family and scores may cost: seconds, a `stop` of the caller's, bytes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TypeVar

from .. import _kernel
from ..errors import LimitError
from ..frozen import dataclass
from .status import Status

__all__ = [
    "MAX_MEMORY",
    "TEXT_SECONDS",
    "answer_at_least",
    "answer_later",
    "answer_sooner",
    "answer_within",
    "ask",
    "check_bounds",
    "find_end",
]

MAX_MEMORY = 1 << 30
"""For one search with its diagram, and for the tables of one question to a family."""

TEXT_SECONDS = 5.0
"""How long after the time limit a summary may still be found in its document and scored: no record
can do without, and it takes milliseconds unless texts are very long."""

_SHOWN = 10**18  # bytes: more is as good as any number

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, kw_only=True)
class _Bounds:
    deadline: float | None = None  # of time.monotonic()
    stop: Callable[[], object] | None = None
    max_bytes: int = MAX_MEMORY


_bounds: ContextVar[_Bounds] = ContextVar("_bounds", default=_Bounds())  # noqa: B039 - it is frozen


@contextmanager
def answer_within(
    *,
    seconds: float | None = None,
    stop: Callable[[], object] | None = None,
    max_bytes: int = MAX_MEMORY,
) -> Iterator[None]:
    """Bound what families are asked inside the `with` block, on this thread.

    seconds: for all questions of the block together, counted from its start; None: no limit.
    stop: a callable without arguments, asked about every 10 ms; a true answer ends the question.
    max_bytes: memory that the tables of one question may take (default 1 GiB).

    A question that needs more raises LimitError, and so do `align_summary` and the value of a text
    under an objective, which may take 5 seconds more. Outside of any block there is no time limit,
    the default of `max_bytes` holds, and Ctrl-C ends a question in either case.

    >>> with answer_within(seconds=2.0):
    ...     pass  # family.inclusion, family.sizes, oraclesum.evaluate(...)
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    with _set_bounds(_Bounds(deadline=deadline, stop=stop, max_bytes=max_bytes)):
        yield


@contextmanager
def answer_sooner(
    seconds: float | None, *, stop: Callable[[], object] | None = None
) -> Iterator[None]:
    """Inside the `with` block, what bounds there are and no more than so many seconds.

    A `stop` is asked in place of the one there is.
    """
    outer = _bounds.get()
    ends = [outer.deadline, None if seconds is None else time.monotonic() + seconds]
    deadline = min((end for end in ends if end is not None), default=None)
    with _set_bounds(replace(outer, deadline=deadline, stop=stop or outer.stop)):
        yield


@contextmanager
def answer_later(seconds: float | None) -> Iterator[None]:
    """Inside the `with` block, what bounds there are, but so many seconds from now on."""
    outer = _bounds.get()
    deadline = outer.deadline if seconds is None else time.monotonic() + seconds
    with _set_bounds(replace(outer, deadline=deadline)):
        yield


@contextmanager
def answer_at_least(seconds: float) -> Iterator[None]:
    """Inside the `with` block, what bounds there are, but no less than so many seconds from now."""
    outer = _bounds.get()
    end = outer.deadline
    if end is not None:
        end = max(end, time.monotonic() + seconds)
    with _set_bounds(replace(outer, deadline=end)):
        yield


@contextmanager
def _set_bounds(bounds: _Bounds) -> Iterator[None]:
    token = _bounds.set(bounds)
    try:
        yield
    finally:
        _bounds.reset(token)


def find_end() -> Status | None:
    """What leaves no time for a further question; None if neither the deadline nor `stop` does."""
    bounds = _bounds.get()
    if bounds.stop is not None and bounds.stop():
        return Status.INTERRUPTED
    late = bounds.deadline is not None and time.monotonic() >= bounds.deadline
    return Status.TIME_LIMIT if late else None


def check_bounds(
    size: int = 0, *, what: str = "counting", late: float = 0.0, least: bool = False
) -> None:
    """For what Python does: LimitError if `size` bytes are too many for `what`, or time is up.

    `late` are seconds that it has beyond the time limit; `least` says that it may need more bytes.
    """
    bounds = _bounds.get()
    if bounds.deadline is not None and time.monotonic() > bounds.deadline + late:
        raise LimitError(f"{what} has no answer: the time limit was reached")
    if bounds.stop is not None and bounds.stop():
        raise LimitError(f"{what} has no answer: it was stopped")
    if size > bounds.max_bytes:
        shown = min(size, _SHOWN)  # it may have thousands of digits
        more = "more than " if least or size > shown else ""
        raise LimitError(
            f"{what} has no answer: it needs {more}{shown:,} bytes of memory; set a tighter limit "
            "of words or sentences, or ask inside answer_within(max_bytes=...)"
        )


def ask(
    question: Callable[[_kernel.QuestionLimits], _Answer],
    *,
    what: str = "a question to the family",
    late: float | None = 0.0,
) -> _Answer:
    """The kernel's answer under the present bounds.

    `late` are seconds that it has beyond the time limit; None: it has all the time it needs.
    """
    bounds = _bounds.get()
    left = None
    if late is not None and bounds.deadline is not None:
        left = max(0.0, bounds.deadline + late - time.monotonic())
    if bounds.stop is not None and bounds.stop():  # the kernel asks after 10 ms
        raise LimitError(f"{what} has no answer: it was interrupted")
    try:
        return question(_kernel.QuestionLimits(left, bounds.stop, bounds.max_bytes))
    except _kernel.Stopped as error:
        raise LimitError(f"{what} has no answer: {error}") from None
    except MemoryError as error:
        raise LimitError(
            f"{what} has no answer: {error or 'out of memory'}; set a tighter "
            "limit of words or sentences, or ask inside answer_within(max_bytes=...)"
        ) from None
