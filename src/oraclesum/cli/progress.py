"""Progress and messages on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import stat
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ..corpora import Source

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

__all__ = ["Progress"]

_SECONDS_BETWEEN_LINES = 30.0


class Progress:
    """Shows how far a run has come, and lets messages through without breaking the bar."""

    def __init__(self, source: Source | None, *, quiet: bool) -> None:
        self._source = source
        self._quiet = quiet
        self._started = self._last_line = time.monotonic()
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and not self._quiet and not _feeds_a_pipe():
            self._start_bar()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Take the bar away; messages are still let through."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _start_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            SpinnerColumn(),
            BarColumn(bar_width=30),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("reading", total=self._size)
        self._bar.start()

    @property
    def _size(self) -> int | None:
        return None if self._source is None else self._source.size

    def show(self, *, topics: int, errors: int) -> None:
        """Show how many input records are done, and how many output records are errors."""
        failed = f", {errors} failed" if errors else ""
        text = f"{topics} topic{'s' if topics != 1 else ''}{failed}"
        done = None if self._source is None else self._source.position
        self._update(text, done, self._size)

    def show_steps(self, done: int, total: int) -> None:
        """Show how far the work on all records together has come."""
        self._update(f"correlations and tests: {done} of {total}", done, total)

    def _update(self, text: str, done: int | None, total: int | None) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, description=text)
        elif not self._quiet and time.monotonic() - self._last_line > _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self.say(f"{text}, {self._last_line - self._started:.0f} s")

    def say(self, message: str) -> None:
        """Print a message on standard error, above the bar where there is one."""
        if self._bar is not None:
            self._bar.console.print(message, markup=False, highlight=False, soft_wrap=True)
        else:
            print(message, file=sys.stderr, flush=True)


def _feeds_a_pipe() -> bool:
    """Whether a program reads our output: it may show it on the same terminal as the bar."""
    try:
        return stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # no real file behind it
        return False
