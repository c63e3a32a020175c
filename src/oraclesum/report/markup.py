"""Tables of results as Markdown, LaTeX (booktabs) and CSV."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable

from .grid import TIMES, Cell, Grid, show_power

__all__ = ["FORMATS", "escape_latex", "to_csv", "to_latex", "to_latex_document", "to_markdown"]

FORMATS = ("markdown", "latex", "csv")

_WIDE = 7  # columns from which a page is filled
_NUMBERED = re.compile(r"Table (?P<number>\d+): (?P<rest>.+)")
_MINUS = re.compile(r"-(?=[.\d])")
_MARKDOWN = re.compile(r"([\\|*_`<>\[\]])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "≥": r"$\geq$",
    TIMES: r"$\times$",
}


def to_markdown(grid: Grid) -> str:
    """A heading, a table in the manner of GitHub, and the notes."""
    names = [f"{head.group}: {head.name}" if head.group else head.name for head in grid.heads]
    marks = ["---:" if head.right else ":---" for head in grid.heads]
    lines = [f"### {_escape_markdown(grid.title)}", ""]
    lines += [_row(map(_escape_markdown, names)), _row(marks)]
    lines += [_row(map(_markdown_cell, row)) for row in grid.rows]
    lines += [""]
    for note in grid.notes:
        lines += [f"*{_escape_markdown(note)}*", ""]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _markdown_cell(cell: Cell) -> str:
    text = _escape_markdown(cell.show())
    text = re.sub(rf"{TIMES}10\^(\d+)", rf"{TIMES}10<sup>\1</sup>", text)
    return f"**{text}**" if cell.best else text


def _escape_markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def to_latex(grid: Grid) -> str:
    """A table environment; needs the package booktabs."""
    spec = "".join("r" if head.right else "l" for head in grid.heads)
    lines = [r"\begin{table}[tb]", r"\centering"]
    wide = len(grid.heads) > _WIDE or any(c.low is not None for row in grid.rows for c in row)
    lines += [r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"] if wide else [r"\small"]
    lines += [rf"\begin{{tabular}}{{{spec}}}", r"\toprule"]
    if any(head.group for head in grid.heads):
        lines += _latex_groups(grid)
    lines += [" & ".join(escape_latex(head.name) for head in grid.heads) + r" \\", r"\midrule"]
    for number, row in enumerate(grid.rows):
        if number in grid.rules:
            lines.append(r"\midrule")
        lines.append(" & ".join(map(_latex_cell, row)) + r" \\")
    caption = " ".join([_caption(grid.title), *grid.notes])
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{escape_latex(caption)}}}"]
    lines += [rf"\label{{tab:{grid.key}}}", r"\end{table}", ""]
    return "\n".join(lines)


def _caption(title: str) -> str:
    """LaTeX numbers tables itself: the paper's number goes to the end."""
    found = _NUMBERED.match(title)
    if found is None:
        return f"{title}."
    return f"{found['rest'][0].upper()}{found['rest'][1:]} (Table {found['number']} of the paper)."


def to_latex_document(grids: Iterable[Grid]) -> str:
    """All tables as a document that compiles as it is."""
    head = [
        r"\documentclass{article}",
        r"\usepackage[utf8]{inputenc}",
        r"\usepackage{booktabs}",
        r"\usepackage[margin=2cm]{geometry}",
        r"\begin{document}",
        "",
    ]
    return "\n".join([*head, *map(to_latex, grids), r"\end{document}", ""])


def _latex_groups(grid: Grid) -> list[str]:
    cells, rules = [], []
    column = 1
    for name, width in grid.groups:
        if name:
            cells.append(rf"\multicolumn{{{width}}}{{c}}{{{escape_latex(name)}}}")
            rules.append(rf"\cmidrule(lr){{{column}-{column + width - 1}}}")
        else:
            cells.append("")
        column += width
    return [" & ".join(cells) + r" \\", "".join(rules)]


def _latex_cell(cell: Cell) -> str:
    if cell.style == "power" and isinstance(cell.value, int | float):
        mantissa, exponent = show_power(cell.value)
        bound = r"\geq " if cell.at_least else ""
        power = rf"\times 10^{{{exponent}}}" if exponent else ""
        text = f"${bound}{mantissa.replace(',', '{,}')}{power}$"
    else:
        text = escape_latex(cell.show())
        if cell.style != "text":
            text = _MINUS.sub("$-$", text)
    return rf"\textbf{{{text}}}" if cell.best else text


def escape_latex(text: str) -> str:
    """Text in which no character is a command of LaTeX."""
    return "".join(_LATEX.get(character, character) for character in text)


def to_csv(grid: Grid) -> str:
    """Bare values under one line of names; intervals, and marks of bounds, in own columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    wide = [any(row[k].low is not None for row in grid.rows) for k in range(len(grid.heads))]
    marked = [
        any(row[k].at_least or row[k].at_most for row in grid.rows) for k in range(len(grid.heads))
    ]
    names: list[str] = []
    for head, has_interval, has_bound in zip(grid.heads, wide, marked, strict=True):
        name = f"{head.group} {head.name}".strip()
        names += [name, f"{name} low", f"{name} high"] if has_interval else [name]
        names += [f"{name} bound"] if has_bound else []
    writer.writerow(names)
    for row in grid.rows:
        cells: list[object] = []
        for cell, has_interval, has_bound in zip(row, wide, marked, strict=True):
            cells.append(_bare(cell.value))
            if has_interval:
                cells += [_bare(cell.low), _bare(cell.high)]
            if has_bound:
                cells.append("lower" if cell.at_least else "upper" if cell.at_most else "")
        writer.writerow(cells)
    return out.getvalue()


def _bare(value: object) -> object:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value
