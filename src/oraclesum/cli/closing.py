"""The closing lines of a run: how many topics, how good, how long, under which settings."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import fsum
from typing import Any

from ..answers import Written
from ..oracles.status import Status
from ..runs.tally import Tally
from .settings import Settings

__all__ = ["Closing", "describe", "describe_limits", "say"]

_STOPPED = {status.value for status in Status if status.partial}


@dataclass(kw_only=True)
class Closing:
    """Sums over the output records of a run, and the lines that show them."""

    with_scores: bool = True
    tally: Tally = field(default_factory=Tally)
    scores: list[float] = field(default_factory=list)  # of each problem, once
    counts: list[int] = field(default_factory=list)
    stopped: int = 0  # problems of which scores and counts are of what was found so far
    _last: tuple[Any, ...] = ()
    _started: float = field(default_factory=time.perf_counter)

    def add(self, answers: Sequence[Written]) -> None:
        """Take the answers to some topics."""
        self.tally.add(answers)
        if not self.with_scores:
            return
        for row in chain.from_iterable(answer.rows for answer in answers):
            # A problem may have several records in a row, one per oracle; it counts once.
            problem = (row.id, row.reference)
            if row.status == "error" or problem == self._last:
                continue
            self._last = problem
            self.stopped += row.status in _STOPPED
            if row.score is not None:
                self.scores.append(row.score)
            if row.family_count is not None:
                self.counts.append(row.family_count)

    def print_closing(self, settings: Settings, wording: str | None = None) -> None:
        """One line of results and one of settings, or what is said in their place."""
        seconds = time.perf_counter() - self._started
        topics, errors = self.tally.documents, self.tally.errors
        parts = [f"{topics} topic{'s' if topics != 1 else ''} in {seconds:.2f} s"]
        if self.scores:
            parts.append(f"mean {_name(settings)} {fsum(self.scores) / len(self.scores):.5f}")
        if self.counts:
            parts.append(f"median oracles {_median(self.counts)}")
        if self.stopped:
            parts.append(f"{self.stopped} stopped, with what was found so far")
        parts.append(f"{errors} error{'s' if errors != 1 else ''}")
        for line in ("; ".join(parts), wording or describe(settings)):
            say(line)


def _name(settings: Settings) -> str:
    return settings.make_rouge().name


def _median(counts: list[int]) -> str:
    """The median to read; exact, since counts can be beyond any float."""
    from ..report.numbers import format_count

    ordered = sorted(counts)
    twice = ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]
    half = twice % 2 == 1 and twice < 2 * 10**15
    return format_count(twice // 2) + (".5" if half else "")


def describe_limits(settings: Settings) -> list[str]:
    """The length limits in words; an empty list if there are none."""
    return settings.make_limits(needed=False).put_into_words()


def say(line: str) -> None:
    """A line on standard error, wrapped at spaces on a terminal."""
    if sys.stderr.isatty():
        import shutil
        import textwrap

        line = textwrap.fill(
            line,
            shutil.get_terminal_size().columns,
            break_long_words=False,
            break_on_hyphens=False,
        )
    print(line, file=sys.stderr, flush=True)


def describe(settings: Settings) -> str:
    """The settings that move a number, in words."""
    rouge = settings.make_rouge()
    parts = [
        rouge.name,
        *(["n-grams across sentences"] if rouge.boundaries == "across" else []),
        *(["distinct n-grams"] if rouge.counting == "sets" else []),
        *(["the best reference"] if rouge.multi_reference == "best" else []),
        *([f"tokens of {rouge.tokenizer}"] if rouge.tokenizer is not None else []),
        "stems" if rouge.stem else "no stems",
        "stop words left out" if rouge.remove_stopwords else "stop words kept",
        f"language {settings.one_language or 'of each record'}"
        + (", else detected" if settings.language == "auto" else ""),
    ]
    if limits := describe_limits(settings):
        parts += limits
        parts.append(
            "each reference alone" if settings.references == "single" else "all references"
        )
    if settings.make_options().family == "minimal":
        parts.append("minimal sets only")
    if settings.within_hits:
        parts.append(f"within {settings.within_hits} hits of the best")
    if settings.within != "0":
        parts.append(f"within {settings.within} of the best")
    if settings.top:
        parts.append(f"the {settings.top} best sets")
    return ", ".join(parts)
