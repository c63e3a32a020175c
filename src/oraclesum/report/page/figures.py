"""A chart on the page: what it shows, how it looks, and the numbers behind it."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from html import escape

from ..grid import Grid
from ..markup import to_csv
from .canvas import Picture

__all__ = ["Chart", "link_csv", "render_chart", "render_table"]

_BARE_POINT = re.compile(r"(?<!\d)\.(?=\d)")
_MOST_ROWS = 200  # of a table on the page; its CSV has all


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart whose title says what is to be seen."""

    key: str
    title: str
    text: str  # how to read it, and what to keep in mind
    description: str  # for those who do not see it
    picture: Picture
    numbers: Grid
    label: str = ""  # which group of records it is of, where there are several


def render_chart(chart: Chart) -> str:
    """The chart as HTML."""
    name = escape(f"{chart.title} {chart.description}", quote=True)
    label = f'<p class="eyebrow">{escape(chart.label)}</p>' if chart.label else ""
    pictures = "".join(
        f'<div class="plot {kind}">{_name(svg, name)}</div>'
        for kind, svg in (("wide", chart.picture.wide), ("narrow", chart.picture.narrow))
    )
    return (
        f'<figure class="chart" id="{chart.key}"><figcaption>{label}<h3>{escape(chart.title)}</h3>'
        f"<p>{escape(chart.text)}</p></figcaption>{pictures}"
        f'<details class="numbers"><summary>The numbers behind it</summary>'
        f"{render_table(chart.numbers)}{link_csv(chart.numbers)}</details></figure>\n"
    )


def _name(svg: str, name: str) -> str:
    return svg.replace("<svg ", f'<svg role="img" aria-label="{name}" ', 1)


def render_table(grid: Grid, *, caption: bool = True) -> str:
    """A table as HTML, cut short where it is long: it says so, and the CSV has all."""
    heads = "".join(
        f'<th scope="col"{_align(head.right)}>{escape(f"{head.group} {head.name}".strip())}</th>'
        for head in grid.heads
    )
    rows = []
    for row in grid.rows[:_MOST_ROWS]:
        cells = []
        for k, cell in enumerate(row):
            text = escape(cell.show())
            if cell.style == "ratio":
                text = _BARE_POINT.sub("0.", text)  # the paper's .427 is 0.427 on a page
            text = f"<strong>{text}</strong>" if cell.best else text
            # The first cell names the row.
            tag = 'th scope="row"' if k == 0 else "td"
            cells.append(f"<{tag}{_align(grid.heads[k].right)}>{text}</{tag.split()[0]}>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    more = len(grid.rows) - _MOST_ROWS
    notes = [*grid.notes]
    if more > 0:
        notes.append(f"The first {_MOST_ROWS} of {len(grid.rows):,} rows; the CSV file has all.")
    name = f"<caption>{escape(grid.title)}</caption>" if caption else ""
    shown = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    title = escape(grid.title, quote=True)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}"><table>{name}'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>{shown}"
    )


def _align(right: bool) -> str:
    return ' class="r"' if right else ""


def link_csv(grid: Grid, text: str = "Download as CSV") -> str:
    """A link that holds the table itself: no network is needed."""
    data = b64encode(to_csv(grid).encode()).decode()
    return (
        f'<p class="download"><a download="{escape(grid.key, quote=True)}.csv" '
        f'href="data:text/csv;charset=utf-8;base64,{data}">{escape(text)}'
        f'<span class="away"> of {escape(grid.title)}</span></a></p>'
    )
