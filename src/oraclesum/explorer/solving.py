"""A case solved: its instance and all its oracles, with what had to be said on the way."""

from __future__ import annotations

import threading
import time
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TypeVar

from ..errors import InputError, OraclesumWarning
from ..instances import Instance, Limits
from ..instances.build import build_instance
from ..instances.limits import Limit
from ..oracles import OracleFamily
from ..oracles.options import Options
from ..oracles.solve import solve_all
from .case import Case
from .failure import ApiError, ClientGone

__all__ = [
    "MOST_SORTED",
    "Solved",
    "ask_family",
    "check_wanted",
    "hear_warnings",
    "solve",
    "solve_limit",
]

MOST_SORTED = 100_000
"""Families of at most so many oracles are shown in orders other than that of the text."""

_STOPPED = (
    "the search was stopped before its end: only the sets found so far are known, and inclusion is "
    "a share of these; core, precision and recall are not known"
)
_UNNAMED = "the reference "  # how a reason begins where there is but one reference

# Inclusion is counted for each size and sentence, half a microsecond each.
_MOST_INCLUSION = 20_000_000
# Before that, each node of the diagram counts its sets by size, in about so many bytes.
_MAX_COUNTING_BYTES = 700 << 20
_NODE_BYTES = 48  # as OracleFamily.memory counts them

# Python's list of warnings belongs to the process: one thread at a time may look at it.
_warning = threading.Lock()

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, kw_only=True)
class Solved:
    """All oracles of a case."""

    instance: Instance
    family: OracleFamily
    notes: tuple[str, ...]
    seconds: float
    counting_bytes: int = 0  # of memory, roughly, for counts by size


def solve(case: Case, stop: Callable[[], bool]) -> Solved:
    """Search for all oracles, until `stop` says true or the time of the case is over."""
    started = time.perf_counter()
    instance, notes = _build(case, case.limits)
    left = max(0.0, case.seconds - (time.perf_counter() - started))
    family = solve_all(instance, "search", _make_options(case, left, stop))
    check_wanted(stop)
    counting_bytes = _estimate_counting(instance, family)
    if (
        counting_bytes > _MAX_COUNTING_BYTES  # asked first: the sizes are what takes the memory
        or len(family.sizes) * len(case.sentences) > _MOST_INCLUSION
    ):
        raise ApiError(
            422,
            f"the oracles are of too many different sizes, in a document of "
            f"{len(case.sentences):,} sentences, to be shown: set a tighter limit",
            field="settings",
        )
    check_wanted(stop)
    if not instance.candidates:
        notes = (*notes, _explain_no_candidate(instance))
    if not family.exact:
        notes = (*notes, _STOPPED)
    return Solved(
        instance=instance,
        family=family,
        notes=tuple(dict.fromkeys(notes)),
        seconds=time.perf_counter() - started,
        counting_bytes=counting_bytes,
    )


def check_wanted(stop: Callable[[], bool]) -> None:
    """Raise ClientGone if nobody waits any longer; between steps that cannot be stopped."""
    if stop():
        raise ClientGone


def _estimate_counting(instance: Instance, family: OracleFamily) -> int:
    """The bytes for counts by size, roughly: nodes by sizes by digits of the count.

    A sixth of it, as few nodes have sets of all sizes, or of as many digits as the whole family.
    """
    largest = min(_count_fitting(instance, limit) for limit in instance.limits)
    nodes = family.memory // _NODE_BYTES
    return 8 * nodes * largest * (1 + family.count.bit_length() // 64) // 6


def _count_fitting(instance: Instance, limit: Limit) -> int:
    """How many candidates a limit allows at most."""
    lengths = sorted(limit.lengths[i] for i in instance.candidates)
    return bisect_right(list(accumulate(lengths)), limit.budget)


def solve_limit(case: Case, max_words: int, seconds: float, stop: Callable[[], bool]) -> Solved:
    """The same under another limit of words; the other limits stay as they are."""
    started = time.perf_counter()
    limits: Limits = replace(case.limits, max_words=max_words)
    instance, notes = _build(case, limits)
    family = solve_all(instance, "search", _make_options(case, seconds, stop))
    elapsed = time.perf_counter() - started
    return Solved(instance=instance, family=family, notes=notes, seconds=elapsed)


def _make_options(case: Case, seconds: float, stop: Callable[[], bool]) -> Options:
    return Options(
        time_limit=seconds,
        max_list=MOST_SORTED,
        family=case.settings.family,
        within_hits=case.settings.within_hits,
        stop=stop,
    )


def _build(case: Case, limits: Limits) -> tuple[Instance, tuple[str, ...]]:
    try:
        with hear_warnings() as caught:
            instance = build_instance(
                case.sentences, case.used_references, case.rouge, limits, id=case.id
            )
    except InputError as error:
        if (one := case.settings.reference) is None:
            raise
        reason = str(error)
        if reason.startswith(_UNNAMED):
            raise InputError(f"reference {one} {reason.removeprefix(_UNNAMED)}") from error
        raise InputError(f"reference {one} alone: {reason}") from error
    return instance, tuple(str(warning.message) for warning in caught)


@contextmanager
def hear_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """Keep the package's warnings from the server's output, in a list."""
    with _warning, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", OraclesumWarning)
        yield caught


def ask_family(family: OracleFamily, question: Callable[[], _Answer]) -> _Answer | None:
    """An answer that is about all oracles; None where they are not known, or there is none."""
    if not family.exact:
        return None
    try:
        return question()
    except InputError:  # none, or not all are held
        return None


def _explain_no_candidate(instance: Instance) -> str:
    if any(instance.counts):
        return "no sentence that shares an n-gram with a reference fits the limits: raise them"
    return (
        "no sentence shares an n-gram with a reference: check that both are in the same language "
        "and that the settings suit it, or use a smaller n"
    )
