"""A case solved: its instance and all its oracles, with what had to be said on the way."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from ..errors import InputError
from ..instances import Instance, Limits
from ..instances.build import build_instance
from ..notices import collect_warnings
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
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, kw_only=True)
class Solved:
    """All oracles of a case."""

    instance: Instance
    family: OracleFamily
    notes: tuple[str, ...]
    seconds: float


def solve(case: Case, stop: Callable[[], bool]) -> Solved:
    """Search for all oracles, until `stop` says true or the time of the case is over."""
    started = time.perf_counter()
    instance, notes = _build(case, case.limits)
    left = max(0.0, case.seconds - (time.perf_counter() - started))
    family = solve_all(instance, "search", _make_options(case, left, stop))
    check_wanted(stop)
    if len(family.sizes) * len(case.sentences) > _MOST_INCLUSION:
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
    )


def check_wanted(stop: Callable[[], bool]) -> None:
    """Raise ClientGone if nobody waits any longer; between steps that cannot be stopped."""
    if stop():
        raise ClientGone


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
        with collect_warnings() as caught:
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
    return instance, tuple(map(str, caught))


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
