"""Evaluated systems on a terminal: a line per topic and system, then the averages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from ..evaluation.averages import count_partial
from .grid import Cell
from .names import OWN_PREFIX, shorten_names
from .numbers import format_indices
from .tables import Column, RecordTable, format_status

__all__ = ["EvaluationTable"]

Record = Mapping[str, Any]


_NARROW = 120  # columns from which full names and all columns have room
_LONGEST_NAME = 16
_LONGEST_ID = 8


class EvaluationTable:
    """Takes the records of `evaluate` one by one and prints them as two tables."""

    def __init__(self, n: int, *, with_reference: bool, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)
        self._n = n
        self._with_reference = with_reference
        self._rows: list[tuple[Record, float]] = []
        self._averages: list[Record] = []

    def add(self, record: Record, seconds: float) -> None:
        """Take one record; averages go into a table of their own."""
        if record["status"] == "average":
            self._averages.append(record)
        else:
            self._rows.append((record, seconds))

    def print(self) -> None:
        """Print both tables and say what the columns are."""
        every = [*(record for record, _ in self._rows), *self._averages]
        names = {r["system"]: r["system"] for r in every if "system" in r}
        if self._console.width < _NARROW:
            names = shorten_names(names, _LONGEST_NAME)
        rows = RecordTable(self._columns(names), self._console)
        for record, seconds in self._rows:
            rows.add(record, seconds)
        rows.print()
        if not self._averages:
            return  # nothing could be evaluated
        count = max(record["topics"] for record in self._averages)
        topics = f"{count} topic{'s' if count != 1 else ''}"
        self._console.print(Text(f"Averages over {topics}", style="bold"))
        averages = RecordTable(self._average_columns(names), self._console)
        for record in self._averages:
            averages.add(record, 0.0)
        averages.print()
        left_out = list(dict.fromkeys([*rows.left_out, *averages.left_out]))
        for line in self._explain(names, left_out):
            self._console.print(Text(line, style="dim"))
        self._console.print()

    def _columns(self, names: Mapping[str, str]) -> list[Column]:
        ids = {str(r["id"]): str(r["id"]) for r, _ in self._rows}
        if self._console.width < _NARROW:
            ids = shorten_names(ids, _LONGEST_ID)
        topic = Column(
            header="topic",
            cell=lambda r, _: ids[str(r["id"])],
            right=False,
            yields=True,
            names=True,
            narrowest=_LONGEST_ID,
        )
        reference = Column(header="ref", cell=lambda r, _: str(r.get("reference", "")))
        status = Column(header="status", cell=format_status, right=False, hidden_if={"complete"})
        one = Column(header="F one", cell=lambda r, _: _one(r["random"]), optional=True)
        unaligned = Column(
            header="not\naligned",
            cell=lambda r, _: _not_aligned(r["alignment"]["coverage"]),
            hidden_if={"0%"},
            optional=True,
        )
        missed = Column(
            header="missed\ncore",
            cell=lambda r, _: _list_missed(r),
            right=False,
            yields=True,
            optional=True,
        )
        before = [topic, *([reference] if self._with_reference else []), _name(names), status]
        return [*before, *_measured(self._n), one, unaligned, missed]

    def _average_columns(self, names: Mapping[str, str]) -> list[Column]:
        partial = Column(header="not\nall", cell=lambda r, _: str(r["partial"]), hidden_if={"0"})
        one = Column(header="F one", cell=lambda r, _: _one(r["random"]), optional=True)
        interval = Column(header="95%", cell=lambda r, _: _interval(r["random"]), optional=True)
        unaligned = Column(
            header="not\naligned",
            cell=lambda r, _: _not_aligned(r["coverage"]),
            hidden_if={"0%"},
            optional=True,
        )
        missed = Column(
            header="missed\ncore",
            cell=lambda r, _: "-" if r["missed_core"] is None else f"{r['missed_core']:.1f}",
            optional=True,
        )
        measured = _measured(self._n)
        return [_name(names), partial, *measured, one, interval, unaligned, missed]

    def _explain(self, names: Mapping[str, str], left_out: Sequence[str]) -> list[str]:
        """What the columns are, which of them are not from all oracles, and what has no room."""
        partial, number = count_partial(record for record, _ in self._rows)
        if not self._rows:  # the averages are all that is shown
            partial = max(record["partial"] for record in self._averages)
            number = max(record["cases"] for record in self._averages)
        against = "all oracles"
        lines = []
        if partial:
            against = "all oracles found"
            lines.append(
                f"Time ran out in {partial} of {number} cases (not all: their number for each "
                "system): there not all oracles are known, P, R, F and F one are against those "
                "found, and missed core leaves these cases out."
            )
        lines.insert(0, _LEGEND.format(against=against))
        if any(name != shown and shown in name for name, shown in names.items()):
            lines.append(f"Systems of ours are shown without {OWN_PREFIX} before their names.")
        if left_out:
            lines.append(
                f"No room for: {', '.join(left_out)}. A wider terminal or -o FILE has everything."
            )
        return lines


_LEGEND = (
    "P, R, F: against {against}. F one: against one random oracle; averages have the 95% "
    "interval of its mean. share: hits over the oracle's hits, "
    "averages are means over topics. missed core: sentences that every oracle "
    "has and the summary lacks."
)


def _name(names: Mapping[str, str]) -> Column:
    return Column(
        header="system",
        cell=lambda r, _: names[r["system"]],
        right=False,
        yields=True,
        names=True,
        narrowest=_LONGEST_NAME,
    )


def _measured(n: int) -> list[Column]:
    return [
        _ratio(f"R-{n}\nrecall", lambda r: r["rouge"]["recall"]),
        _ratio("share", lambda r: r["share"], optional=True),
        _ratio("P", lambda r: r["all"]["precision"]),
        _ratio("R", lambda r: r["all"]["recall"]),
        _ratio("F", lambda r: r["all"]["f_measure"]),
        Column(header="words", cell=lambda r, _: f"{r['words']:.0f}"),
    ]


def _ratio(
    header: str, value: Callable[[Record], float | None], *, optional: bool = False
) -> Column:
    return Column(
        header=header,
        cell=lambda r, _: Cell(value=value(r), style="ratio").show(),
        optional=optional,
    )


def _one(drawn: Record) -> str:
    return Cell(value=drawn["f_measure"], style="ratio").show() if drawn["draws"] else "-"


def _interval(drawn: Record) -> str:
    if not drawn["draws"]:
        return "-"
    whole = Cell(value=drawn["f_measure"], style="ratio", low=drawn["low"], high=drawn["high"])
    return whole.show().partition(" ")[2]


def _not_aligned(coverage: float) -> str:
    return f"{1 - coverage:.0%}"


def _list_missed(record: Record) -> str:
    missed = record["missed_core"]
    return "?" if missed is None else format_indices(missed) or "-"
