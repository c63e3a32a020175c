"""How far a run has come, on standard error: for people, or as JSON lines for programs."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

import orjson

from .tally import Tally, summarise

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

__all__ = ["STYLES", "Progress"]

STYLES = ("auto", "json", "none")

_SECONDS_BETWEEN = {"bar": 0.1, "lines": 10.0, "json": 1.0}
_HARDEST = 3


class Progress:
    """Shows how far a run has come, and lets messages through without breaking the bar.

    `style` "auto" is a bar on a terminal and a line now and then elsewhere, "json" one JSON object
    per line whose `event` tells which kind, "none" messages alone. `size` is that of the input, in
    the units in which `position` (or `done` of `show`) tells how much of it is done.
    """

    def __init__(
        self,
        style: str,
        *,
        size: int | None = None,
        position: Callable[[], int | None] = lambda: None,
        stream: TextIO | None = None,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        if style == "auto":
            style = "bar" if self._stream.isatty() and not _feeds_a_pipe() else "lines"
        self._style = style
        self._size = size
        self._position = position
        self._started = self._last = time.monotonic()
        self._before: tuple[int, int] = (0, 0)  # documents and size that an earlier run has done
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if self._style == "bar":
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
            console=Console(file=self._stream),
            transient=True,
        )
        self._task = self._bar.add_task("reading", total=self._size)
        self._bar.start()

    def start_from(self, documents: int, size: int) -> None:
        """What an earlier run has done counts, but not for the rate."""
        self._before = (documents, size)

    def show(self, tally: Tally, done: int | None = None) -> None:
        """Show the documents done; `done` is how much of the input that is."""
        if not self._is_due():
            return
        place = self._position() if done is None else done
        state = self._describe(tally, place)
        if self._style == "json":
            self._write_json("progress", state)
            return
        left = state["seconds_left"]
        hardest = ", ".join(f"{one['id']} {one['seconds']:.2f} s" for one in state["hardest"])
        text = (
            f"{tally.documents:,} document{'s' if tally.documents != 1 else ''}"
            f", {state['rate']:,.0f}/s"
            + (f", {_format_time(left)} left" if left is not None else "")
            + (f", {tally.errors} failed" if tally.errors else "")
            + (f", hardest: {hardest}" if hardest and self._style == "lines" else "")
        )
        self._show_text(text, place, self._size)

    def show_steps(self, done: int, total: int, what: str) -> None:
        """Show how far work that is counted in steps has come."""
        if not self._is_due():
            return
        if self._style == "json":
            self._write_json("steps", {"done": done, "total": total, "what": what})
        else:
            self._show_text(f"{what}: {done} of {total}", done, total)

    def _is_due(self) -> bool:
        now = time.monotonic()
        if self._style == "none" or now - self._last < _SECONDS_BETWEEN[self._style]:
            return False
        self._last = now
        return True

    def _show_text(self, text: str, done: int | None, total: int | None) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, description=text)
        elif self._style == "lines":
            self.say(f"{text}, {self._last - self._started:.0f} s")

    def _describe(self, tally: Tally, done: int | None) -> dict[str, Any]:
        documents, before = self._before
        seconds = self._last - self._started
        part = 0.0
        if done is not None and self._size and self._size > before:
            part = (done - before) / (self._size - before)
        return {
            "documents": tally.documents,
            "rate": (tally.documents - documents) / seconds if seconds else 0.0,
            "seconds": seconds,
            "seconds_left": seconds * (1 - part) / part if part else None,
            "errors": tally.errors,
            "hardest": [{"id": name, "seconds": s} for s, name in tally.slowest[:_HARDEST]],
        }

    def say(self, message: str) -> None:
        """Let a message through, above the bar if there is one."""
        if self._style == "json":
            self._write_json("message", {"message": message})
        elif self._bar is not None:
            self._bar.console.print(message, markup=False, highlight=False, soft_wrap=True)
        else:
            print(message, file=self._stream, flush=True)

    def end(self, tally: Tally, closing: Callable[[], None] | None = None) -> None:
        """The summary of the whole run; people get a table, or what `closing` prints."""
        self.stop()
        seconds = time.monotonic() - self._started
        fresh = tally.documents - self._before[0]
        if self._style == "json":
            rate = fresh / seconds if seconds else 0.0
            self._write_json("summary", {"seconds": seconds, "rate": rate, **tally.to_json()})
        elif self._style != "none":
            if closing is not None:
                closing()
                return
            for line in summarise(tally, fresh, seconds):
                print(line, file=self._stream, flush=True)

    def _write_json(self, event: str, fields: dict[str, Any]) -> None:
        line = orjson.dumps({"event": event, **fields}).decode()
        print(line, file=self._stream, flush=True)


def _feeds_a_pipe() -> bool:
    """Whether a program reads our output: it may show it on the same terminal as the bar."""
    try:
        return stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # no real file behind it
        return False


def _format_time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
