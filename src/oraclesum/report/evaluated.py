"""Evaluated systems on a terminal: a line per topic and system, then the averages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from .grid import Cell
from .tables import Column, RecordTable, format_indices, format_status

__all__ = ["EvaluationTable"]

Record = Mapping[str, Any]


class EvaluationTable:
    """Takes the records of `evaluate` one by one and prints them as two tables."""

    def __init__(self, n: int, *, with_reference: bool, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)
        topic = Column(header="topic", cell=lambda r, _: str(r["id"]), right=False, yields=True)
        reference = Column(header="ref", cell=lambda r, _: str(r.get("reference", "")))
        status = Column(header="status", cell=format_status, right=False, hidden_if={"complete"})
        missed = Column(
            header="missed\ncore",
            cell=lambda r, _: format_indices(r["missed_core"]) or "-",
            right=False,
            yields=True,
        )
        unaligned = Column(
            header="not\naligned", cell=lambda r, _: _not_aligned(r), hidden_if={"0%"}
        )
        self._rows = RecordTable(
            [
                topic,
                *([reference] if with_reference else []),
                _SYSTEM,
                status,
                *_measured(n, _one),
                unaligned,
                missed,
            ],
            self._console,
        )
        mean_missed = Column(header="missed\ncore", cell=lambda r, _: f"{r['missed_core']:.1f}")
        mean_unaligned = Column(
            header="not\naligned", cell=lambda r, _: f"{1 - r['coverage']:.0%}", hidden_if={"0%"}
        )
        self._averages = RecordTable(
            [_SYSTEM, *_measured(n, _interval), mean_unaligned, mean_missed], self._console
        )
        self._topics = 0

    def add(self, record: Record, seconds: float) -> None:
        """Take one record; averages go into a table of their own."""
        if record["status"] == "average":
            self._averages.add(record, seconds)
            self._topics = max(self._topics, record["topics"])
        else:
            self._rows.add(record, seconds)

    def print(self) -> None:
        """Print both tables and say what the columns are."""
        self._rows.print()
        if not self._topics:
            return  # nothing could be evaluated
        topics = f"{self._topics} topic{'s' if self._topics != 1 else ''}"
        self._console.print(Text(f"Averages over {topics}", style="bold"))
        self._averages.print()
        self._console.print(Text(_LEGEND, style="dim"), end="\n\n")


_LEGEND = (
    "P, R, F: against all oracles. F one: against one random oracle; averages have the 95% "
    "interval of its mean. share: of the oracle's hits. missed core: sentences that every oracle "
    "has and the summary lacks."
)

_SYSTEM = Column(header="system", cell=lambda r, _: str(r["system"]), right=False, yields=True)


def _measured(n: int, show_drawn: Callable[[Record], str]) -> list[Column]:
    return [
        _ratio(f"R-{n}\nrecall", lambda r: r["rouge"]["recall"]),
        _ratio("share", lambda r: r["share"]),
        _ratio("P", lambda r: r["all"]["precision"]),
        _ratio("R", lambda r: r["all"]["recall"]),
        _ratio("F", lambda r: r["all"]["f_measure"]),
        Column(header="F one", cell=lambda r, _: show_drawn(r["random"])),
        Column(header="words", cell=lambda r, _: f"{r['words']:.0f}"),
    ]


def _ratio(header: str, value: Callable[[Record], float]) -> Column:
    return Column(header=header, cell=lambda r, _: Cell(value=value(r), style="ratio").show())


def _one(drawn: Record) -> str:
    return Cell(value=drawn["f_measure"], style="ratio").show() if drawn["draws"] else "-"


def _interval(drawn: Record) -> str:
    if not drawn["draws"]:
        return "-"
    low, high = drawn["low"], drawn["high"]
    return Cell(value=drawn["f_measure"], style="ratio", low=low, high=high).show()


def _not_aligned(record: Record) -> str:
    return f"{1 - record['alignment']['coverage']:.0%}"
