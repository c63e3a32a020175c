"""Tables of results on a terminal: if it is narrow, intervals go below their values."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .grid import Cell, Grid
from .names import break_name, longest_piece

__all__ = ["print_grid"]

_GAP = 2


def print_grid(grid: Grid, console: Console) -> None:
    """Print a title, the table and its notes; the paper's own figures are dimmed.

    Where even stacked intervals and broken names do not fit, the columns are spread over several
    tables, each with the names of the rows: a number is never cut.
    """
    console.print(Text(grid.title, style="bold"))
    widths = _widths(grid, stacked=False)
    if _total(widths) <= console.width:
        console.print(_build(grid, range(len(grid.heads)), widths, stacked=False))
    else:
        wanted = _widths(grid, stacked=True)
        least = _least_widths(grid, wanted)
        blocks = _spread(grid, least, console.width)
        for number, block in enumerate(blocks):
            fitted = _fit(block, wanted, least, console.width)
            if number:
                console.print()
            console.print(_build(grid, block, fitted, stacked=True))
    for note in grid.notes:
        console.print(Text(note, style="dim"))
    console.print()


def _widths(grid: Grid, *, stacked: bool) -> list[int]:
    """Columns on the screen that each column of the table wants."""
    widths = []
    before = ""
    for k, head in enumerate(grid.heads):
        texts = [head.name, *(_show(row[k], stacked) for row in grid.rows)]
        if head.group != before:
            texts.append(head.group)  # stands above the first of its columns
        before = head.group
        widths.append(max(cell_len(line) for text in texts for line in text.split("\n")))
    return widths


def _least_widths(grid: Grid, wanted: Sequence[int]) -> list[int]:
    """The same if names are broken: numbers and intervals never are."""
    return [
        wanted[k]
        if head.right
        else max(map(longest_piece, (head.name, *(row[k].show() for row in grid.rows))))
        for k, head in enumerate(grid.heads)
    ]


def _spread(grid: Grid, least: Sequence[int], available: int) -> list[list[int]]:
    """Columns by table: as many as fit, those of a group together if a table has room."""
    names = [k for k, head in enumerate(grid.heads) if not head.right] or [0]
    blocks = [list(names)]

    def fits(block: Sequence[int]) -> bool:
        return _total([least[k] for k in block]) <= available

    start = 0
    for _, columns in grid.groups:
        group = [k for k in range(start, start + columns) if k not in names]
        start += columns
        together = fits([*names, *group])
        for part in [group] if together else [[k] for k in group]:
            if not fits([*blocks[-1], *part]) and blocks[-1] != names:
                blocks.append(list(names))
            blocks[-1] += part
    return blocks


def _fit(
    block: Sequence[int], wanted: Sequence[int], least: Sequence[int], available: int
) -> list[int]:
    """The widths of a table's columns: the widest names give way first."""
    widths = [wanted[k] for k in block]
    while _total(widths) > available:
        spare = [j for j, k in enumerate(block) if widths[j] > least[k]]
        if not spare:
            break
        widths[max(spare, key=widths.__getitem__)] -= 1
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * len(widths) - 1


def _build(grid: Grid, block: Sequence[int], widths: Sequence[int], *, stacked: bool) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    heads = [grid.heads[k] for k in block]
    grouped = any(head.group for head in heads)
    before = ""
    for head, width in zip(heads, widths, strict=True):
        # A group's name stands once, above the first of its columns.
        group = head.group if head.group != before else ""
        before = head.group
        name = head.name if head.right else break_name(head.name, width)
        table.add_column(
            f"{group}\n{name}" if grouped else name,
            justify="right" if head.right else "left",
            # A value stands beside the first line of its name, its interval below.
            vertical="top",
            style="dim" if head.name == "paper" else "",
            min_width=width,
            overflow="fold",
        )
    for number, row in enumerate(grid.rows):
        if number in grid.rules:
            table.add_section()
        table.add_row(
            *(
                _style(row[k], stacked, None if head.right else width)
                for k, head, width in zip(block, heads, widths, strict=True)
            )
        )
    return table


def _style(cell: Cell, stacked: bool, width: int | None) -> Text:
    text = _show(cell, stacked)
    if width is not None:
        text = break_name(text, width)
    return Text(text, style="bold" if cell.best else "")


def _show(cell: Cell, stacked: bool) -> str:
    text = cell.show()
    return text.replace(" [", "\n[").replace(", ", ",\N{NO-BREAK SPACE}") if stacked else text
