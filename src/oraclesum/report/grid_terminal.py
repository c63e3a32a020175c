"""Tables of results on a terminal."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .grid import Cell, Grid

__all__ = ["print_grid"]


def print_grid(grid: Grid, console: Console) -> None:
    """Print a title, the table and its notes; the paper's own figures are dimmed."""
    console.print(Text(grid.title, style="bold"))
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
            no_wrap=True,
        )
    for number, row in enumerate(grid.rows):
        if number in grid.rules:
            table.add_section()
        table.add_row(*(_show(cell) for cell in row))
    console.print(table)
    for note in grid.notes:
        console.print(Text(note, style="dim"))
    console.print()


def _show(cell: Cell) -> Text:
    return Text(cell.show(), style="bold" if cell.best else "")
