"""How far a run over a corpus has come, while it runs and at its end; for people or programs."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

import orjson

from .closing import summarise
from .tally import Tally

__all__ = ["STYLES", "Progress"]

STYLES = ("auto", "json", "none")

_SECONDS_BETWEEN = {"terminal": 0.5, "lines": 10.0, "json": 1.0}
_HARDEST = 3


class Progress:
    """Lines on standard error: one that is written over on a terminal, one now and then elsewhere.

    `style` "json" writes one JSON object per line instead, `event` tells which kind.
    """

    def __init__(self, style: str, *, size: int | None, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        if style == "auto":
            style = "terminal" if self._stream.isatty() else "lines"
        self._style = style
        self._size = size
        self._started = time.monotonic()
        self._last = self._started
        self._before: tuple[int, int] = (0, 0)  # documents and size that an earlier run has done
        self._covered = False  # the line of the terminal is written on

    def start_from(self, documents: int, size: int) -> None:
        """What an earlier run has done counts, but not for the rate."""
        self._before = (documents, size)

    def show(self, tally: Tally, done: int) -> None:
        """Show the documents done; `done` is how much of the input that is."""
        now = time.monotonic()
        if self._style == "none" or now - self._last < _SECONDS_BETWEEN[self._style]:
            return
        self._last = now
        state = self._state(tally, done, now - self._started)
        if self._style == "json":
            self._write_json("progress", state)
            return
        left = state["seconds_left"]
        hardest = ", ".join(f"{one['id']} {one['seconds']:.2f} s" for one in state["hardest"])
        text = (
            f"{tally.documents:,} documents, {state['rate']:,.0f}/s"
            + (f", {_format_time(left)} left" if left is not None else "")
            + (f", {tally.errors} errors" if tally.errors else "")
            + (f", hardest: {hardest}" if hardest else "")
        )
        if self._style == "terminal":
            self._covered = True
            self._stream.write(f"\r\x1b[K{text[:200]}")
            self._stream.flush()
        else:
            print(text, file=self._stream, flush=True)

    def _state(self, tally: Tally, done: int, seconds: float) -> dict[str, Any]:
        documents, before = self._before
        part = (done - before) / (self._size - before) if self._size and self._size > before else 0
        return {
            "documents": tally.documents,
            "rate": (tally.documents - documents) / seconds if seconds else 0.0,
            "seconds": seconds,
            "seconds_left": seconds * (1 - part) / part if part else None,
            "errors": tally.errors,
            "hardest": [{"id": name, "seconds": s} for s, name in tally.slowest[:_HARDEST]],
        }

    def say(self, message: str) -> None:
        """Let a message through."""
        if self._style == "json":
            self._write_json("message", {"message": message})
            return
        self._uncover()
        print(message, file=self._stream, flush=True)

    def end(self, tally: Tally) -> None:
        """The summary of the whole run."""
        seconds = time.monotonic() - self._started
        if self._style == "json":
            rate = (tally.documents - self._before[0]) / seconds if seconds else 0.0
            self._write_json("summary", {"seconds": seconds, "rate": rate, **tally.to_json()})
        elif self._style != "none":
            self._uncover()
            for line in summarise(tally, tally.documents - self._before[0], seconds):
                print(line, file=self._stream, flush=True)

    def _uncover(self) -> None:
        if self._covered:
            self._stream.write("\r\x1b[K")
            self._covered = False

    def _write_json(self, event: str, fields: dict[str, Any]) -> None:
        line = orjson.dumps({"event": event, **fields}).decode()
        print(line, file=self._stream, flush=True)


def _format_time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
