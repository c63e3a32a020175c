"""Tables of results on a terminal; where it is narrow, intervals go below their values."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from .grid import Cell, Grid

__all__ = ["print_grid"]

_UNBOUNDED = 10_000


def print_grid(grid: Grid, console: Console) -> None:
    """Print a title, the table and its notes; the paper's own figures are dimmed."""
    console.print(Text(grid.title, style="bold"))
    table = _build(grid, stacked=False)
    wanted = Measurement.get(console, console.options.update(max_width=_UNBOUNDED), table).maximum
    if wanted > console.width:
        table = _build(grid, stacked=True)
    console.print(table)
    for note in grid.notes:
        console.print(Text(note, style="dim"))
    console.print()


def _build(grid: Grid, *, stacked: bool) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    grouped = any(head.group for head in grid.heads)
    before = ""
    for head in grid.heads:
        # A group's name stands once, above the first of its columns.
        group = head.group if head.group != before else ""
        before = head.group
        table.add_column(
            f"{group}\n{head.name}" if grouped else head.name,
            justify="right" if head.right else "left",
            vertical="bottom",
            style="dim" if head.name == "paper" else "",
            # Numbers are shown whole or not at all; only a stacked table may break its words.
            no_wrap=not stacked,
            overflow="fold",
        )
    for number, row in enumerate(grid.rows):
        if number in grid.rules:
            table.add_section()
        table.add_row(*(_show(cell, stacked=stacked) for cell in row))
    return table


def _show(cell: Cell, *, stacked: bool) -> Text:
    text = cell.show()
    if stacked:
        text = text.replace(" [", "\n[").replace(", ", ",\N{NO-BREAK SPACE}")
    return Text(text, style="bold" if cell.best else "")
