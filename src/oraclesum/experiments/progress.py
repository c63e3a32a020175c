"""Progress of a reproduction on standard error: a bar on a terminal, a line per topic elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

__all__ = ["Progress"]


class Progress:
    """Shows how many topics are done."""

    def __init__(self, total: int, *, quiet: bool) -> None:
        self._total = total
        self._quiet = quiet
        self._started = time.monotonic()
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and not self._quiet:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("measuring topics"),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task("", total=self._total)
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def report(self, done: int, total: int, text: str) -> None:
        """One more topic, or a message about one."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done)
            if text:
                self.say(text)
        elif not self._quiet:
            seconds = time.monotonic() - self._started
            self.say(f"{done} of {total} topics, {seconds:.0f} s{'; ' if text else ''}{text}")

    def say(self, message: str) -> None:
        """Print a message, above the bar where there is one."""
        if self._quiet:
            return
        if self._bar is not None:
            self._bar.console.print(message, markup=False, highlight=False, soft_wrap=True)
        else:
            print(message, file=sys.stderr, flush=True)
