"""Output records as tables and summaries on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..frozen import dataclass
from .names import fit_names
from .numbers import format_score

__all__ = [
    "Column",
    "RecordTable",
    "format_status",
    "print_summary",
]

Record = Mapping[str, Any]

_GAP = 2
_NARROWEST = 6
_STATUS_STYLES = {
    "complete": "green",
    "heuristic": "cyan",
    "proven": "green",
    "list_limit": "green",
    "time_limit": "yellow",
    "memory_limit": "yellow",
    "streamed": "green",
    "counted": "yellow",
    "interrupted": "yellow",
    "no_overlap": "yellow",
    "error": "bold red",
}


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column: its header, and the cell a record (and the seconds it took) has there."""

    header: str
    cell: Callable[[Record, float], str | Text]
    right: bool = True
    yields: bool = False  # is cut short if the terminal is too narrow
    names: bool = False  # different cells stay different if they are cut short
    narrowest: int = _NARROWEST  # so much of a cell that yields is always shown
    hidden_if: Set[str] = frozenset()  # left out if every cell says one of these
    optional: bool = False  # left out if the terminal is too narrow for it


class RecordTable:
    """Keeps the cells of each record, and prints them together so that the columns align."""

    def __init__(self, columns: Sequence[Column], console: Console | None = None) -> None:
        self._columns = columns
        self._console = console
        self._rows: list[list[Text]] = []
        self.left_out: list[str] = []  # headers of the columns that found no room

    def add(self, record: Record, seconds: float) -> None:
        """Take one record; an error record keeps its place, with empty cells."""
        failed = record.get("status") == "error"
        row: list[Text] = []
        for column in self._columns:
            empty = failed and column.header not in ("topic", "ref", "status")
            cell = "" if empty else column.cell(record, seconds)
            row.append(Text(cell) if isinstance(cell, str) else cell)
        self._rows.append(row)

    def print(self) -> None:
        """Print the table, if there is anything to show."""
        if not self._rows:
            return
        shown = [k for k, column in enumerate(self._columns) if self._says_something(k, column)]
        console = self._console or Console()
        while True:
            columns = [self._columns[k] for k in shown]
            rows = [[row[k] for k in shown] for row in self._rows]
            widths = _fit(columns, rows, console.width)
            spare = [k for k in shown if self._columns[k].optional]
            if not spare or _total(widths) <= console.width:
                break
            shown.remove(spare[-1])
            self.left_out.append(self._columns[spare[-1]].header.replace("\n", " "))
        for k, column in enumerate(columns):
            if column.names:
                short = fit_names([row[k].plain for row in rows], max(widths[k], _NARROWEST))
                for row in rows:
                    row[k] = Text(short[row[k].plain], style=row[k].style)
        # If nothing can give way any more, lines are longer than the terminal, and nothing is cut.
        needed = _total(widths)
        table = Table(
            box=SIMPLE_HEAD,
            show_edge=False,
            padding=(0, 1, 0, 0),
            header_style="bold",
            width=needed if needed > console.width else None,
        )
        for column, width in zip(columns, widths, strict=True):
            table.add_column(
                column.header,
                justify="right" if column.right else "left",
                vertical="bottom",
                width=width,
                no_wrap=True,
                overflow="ellipsis",
            )
        for row in rows:
            table.add_row(*row)
        console.print(table, crop=False)
        console.print()

    def _says_something(self, place: int, column: Column) -> bool:
        return any(row[place].plain not in column.hidden_if for row in self._rows)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * len(widths) - 1


def _fit(columns: Sequence[Column], rows: Sequence[Sequence[Text]], available: int) -> list[int]:
    """Widths that show all cells whole; on a narrow terminal, all but the yielding ones."""
    widths = [
        max(*map(len, column.header.split("\n")), *(row[k].cell_len for row in rows))
        for k, column in enumerate(columns)
    ]
    yielding = [k for k, column in enumerate(columns) if column.yields]
    while _total(widths) > available:
        spare = [k for k in yielding if widths[k] > columns[k].narrowest]
        if not spare:
            break
        widths[max(spare, key=widths.__getitem__)] -= 1
    return widths


def format_status(record: Record, _: float = 0.0) -> Text:
    """The status in its colour."""
    status = str(record["status"])
    return Text(status, style=_STATUS_STYLES.get(status, ""))


_INDENT = 6


def print_summary(console: Console, record: Mapping[str, Any], name: str, n: int) -> None:
    """Print one output record of `extract`: its score under `name`, and ROUGE-n of its text."""
    title = Text(str(record["id"]), style="bold")
    if "reference" in record:
        title.append(f", reference {record['reference']}")
    if record["status"] == "error":
        console.print(title + Text("  ") + format_status(record), end="\n\n")
        return
    hits = f"{record['hits']}/{record['total']} = " if "hits" in record else ""
    title.append(f"  {name} {hits}{format_score(record['score'])}  ")
    proven = Text("proven best", "green") if record["proven"] else Text("not proven", "yellow")
    console.print(title + proven)
    body = Table.grid(padding=(0, 1))
    body.add_column(justify="right", style="cyan", min_width=_INDENT - 1)
    body.add_column()
    for i, sentence in zip(record["oracle"], record["summary"], strict=True):
        body.add_row(str(i), Text(sentence))
    console.print(body)
    rouge = record["rouge"]
    parts = (f"{name} {format_score(rouge[name])}" for name in ("recall", "precision", "f1"))
    text = f"{' ' * _INDENT}as a text: ROUGE-{n} {', '.join(parts)}"
    console.print(Text(text, style="dim"), end="\n\n")
