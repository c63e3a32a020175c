"""Charts as SVG that lives in a page, and figures and tables of the report as HTML."""

from __future__ import annotations

import re
import warnings
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from html import escape
from io import StringIO
from typing import Any

from ...frozen import dataclass
from ..grid import Grid
from ..markup import to_csv
from ..names import shorten_names
from .canvas import open_canvas

__all__ = [
    "GRID",
    "INK",
    "MUTED",
    "PAPER",
    "SERIES",
    "SHADE",
    "Chart",
    "Picture",
    "draw_picture",
    "link_csv",
    "place_names",
    "render_chart",
    "render_table",
    "thin_points",
    "tidy_names",
]

# Stand-ins that no chart uses otherwise; the page's style sheet says what they look like. Series
# are those of Okabe and Ito, which colour-blind people can tell apart.
INK, MUTED, GRID, PAPER, SHADE = "#010101", "#020202", "#030303", "#040404", "#050505"
SERIES = ("#060601", "#060602", "#060603", "#060604", "#060605", "#060606")
_VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--line",
    PAPER: "--paper",
    SHADE: "--shade",
    **{colour: f"--series-{k}" for k, colour in enumerate(SERIES, 1)},
}

_WIDE, _NARROW = 760, 350  # pixels; one unit of the SVG is one pixel
_DOT = 72  # matplotlib's SVG has 72 units per inch

Draw = Callable[[Any, bool], None]  # takes a matplotlib Figure, and whether it is narrow


@dataclass(frozen=True, kw_only=True)
class Picture:
    """The same chart twice: for a desktop and for a phone."""

    wide: str
    narrow: str


def draw_picture(key: str, draw: Draw, *, height: int, narrow_height: int | None = None) -> Picture:
    """Draw a chart at both widths; `key` must be its own on the page."""
    return Picture(
        wide=_render(f"{key}-w", draw, _WIDE, height, narrow=False),
        narrow=_render(f"{key}-n", draw, _NARROW, narrow_height or height, narrow=True),
    )


def _render(key: str, draw: Draw, width: int, height: int, *, narrow: bool) -> str:
    settings: dict[str, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": key,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib: equal layout everywhere
        "font.size": 12,
        "axes.facecolor": "none",
        "axes.edgecolor": GRID,
        "axes.labelcolor": MUTED,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.unicode_minus": True,
        "text.color": INK,
        "text.parse_math": False,
        "xtick.color": GRID,
        "ytick.color": GRID,
        "xtick.major.size": 0,
        "ytick.major.size": 0,
        "xtick.major.pad": 6,
        "ytick.major.pad": 6,
        "xtick.labelcolor": MUTED,
        "ytick.labelcolor": INK,
        "grid.color": GRID,
        "grid.linewidth": 0.8,
        "legend.frameon": False,
        "hatch.linewidth": 1.0,
        "path.simplify": False,
    }
    size = (width / _DOT, height / _DOT)
    with (
        open_canvas(settings, figsize=size, dpi=_DOT, layout="constrained") as figure,
        warnings.catch_warnings(),
    ):
        # The browser has fonts for what matplotlib's lacks; only the measured width is a guess.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.patch.set_visible(False)
        draw(figure, narrow)
        out = StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, dpi=_DOT)
    return _adopt(out.getvalue(), key, width, height)


def _adopt(svg: str, key: str, width: int, height: int) -> str:
    """Make matplotlib's document a part of a page."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>\s*", "", body, flags=re.DOTALL)
    body = re.sub(r"<defs>\s*<style type=\"text/css\">.*?</style>\s*</defs>\s*", "", body, flags=16)
    body = re.sub(r"<!--.*?-->\s*", "", body, flags=re.DOTALL)
    body = re.sub(r"<svg[^>]*>", "", body, count=1).removesuffix("\n").removesuffix("</svg>")
    used = set(re.findall(r"(?:url\(#|xlink:href=\"#)([^)\"]+)", body))
    body = re.sub(
        r" id=\"([^\"]+)\"", lambda m: f' id="{key}-{m[1]}"' if m[1] in used else "", body
    )
    body = re.sub(r"url\(#([^)]+)\)", rf"url(#{key}-\1)", body)
    body = re.sub(r"xlink:href=\"#([^\"]+)\"", rf'href="#{key}-\1"', body)
    body = re.sub(r"font-family: [^;\"]*;?", "", body)
    body = re.sub(r" transform=\"rotate\(-0 [^\"]*\"", "", body)
    body = re.sub(r"font: (?:(\d+|bold) )?([\d.]+)px [^;\"]*", _set_font, body)
    body = re.sub(r"<[^>]+>", _shorten_tag, body)
    for colour, variable in _VARIABLES.items():
        body = body.replace(colour, f"var({variable})")
    body = re.sub(r"\s*\n\s*", "\n", body)
    return f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}">{body}</svg>'


def _set_font(found: re.Match[str]) -> str:
    weight = f"font-weight: {found[1]}; " if found[1] else ""
    return f"{weight}font-size: {found[2]}px"


def _shorten_tag(found: re.Match[str]) -> str:
    return re.sub(r"(\.\d{2})\d+", r"\1", found[0])


def tidy_names(names: Iterable[str], max_letters: int) -> dict[str, str]:
    """What to write for each name in a chart: short, on one line, without control characters."""
    short = shorten_names(names, max_letters)
    return {
        name: "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
        if len(text) <= 2 * max_letters
        else f"{text[: max_letters - 1]}…"
        for name, text in short.items()
    }


_LETTERS = 11  # pixels: their height
_CELL = 3.0  # pixels: points in one cell cannot be told apart


def place_names(
    points: Sequence[tuple[float, float]], names: Sequence[str]
) -> list[tuple[float, float]]:
    """Where to write the names of points, in pixels from each: beside it, clear of other names.

    Points are given in pixels; a name that finds no clear place stands at the usual one.
    """
    taken: list[tuple[float, float, float, float]] = [
        (x - 5, y - 5, x + 5, y + 5) for x, y in points
    ]
    offsets = []
    for (x, y), name in zip(points, names, strict=True):
        width = 0.62 * _LETTERS * len(name)
        usual = (8.0, 4.0)
        tried = (usual, (8.0, -_LETTERS - 2), (-width - 8, 4.0), (-width - 8, -_LETTERS - 2))
        for dx, dy in (*tried, (8.0, _LETTERS + 6), (8.0, -2 * _LETTERS - 4)):
            box = (x + dx, y + dy, x + dx + width, y + dy + _LETTERS)
            if not any(_overlap(box, other) for other in taken):
                break
        else:
            dx, dy = usual
        taken.append((x + dx, y + dy, x + dx + width, y + dy + _LETTERS))
        offsets.append((dx, dy))
    return offsets


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def thin_points(points: list[tuple[float, float]], width: float, height: float) -> dict[int, int]:
    """The points that can be told apart, by index, and how many each stands for.

    Of those in one cell the first is kept. Points are given in shares of the plot from 0 to 1, the
    plot and a cell in pixels.
    """
    first: dict[tuple[int, int], int] = {}
    numbers: dict[int, int] = {}
    for k, (x, y) in enumerate(points):
        kept = first.setdefault((int(x * width / _CELL), int(y * height / _CELL)), k)
        numbers[kept] = numbers.get(kept, 0) + 1
    return numbers


_BARE_POINT = re.compile(r"(?<!\d)\.(?=\d)")
_MAX_ROWS = 200  # of a table on the page; its CSV has all


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart whose title says what is to be seen."""

    key: str
    title: str
    text: str  # how to read it, and what to keep in mind
    description: str  # for those who do not see it
    picture: Picture
    numbers: Grid
    label: str = ""  # which group of records it is of, if there are several


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
    """A table as HTML, cut short if it is long: it says so, and the CSV has all."""
    heads = "".join(
        f'<th scope="col"{_align(head.right)}>{escape(f"{head.group} {head.name}".strip())}</th>'
        for head in grid.heads
    )
    rows = []
    for row in grid.rows[:_MAX_ROWS]:
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
    more = len(grid.rows) - _MAX_ROWS
    notes = [*grid.notes]
    if more > 0:
        notes.append(f"The first {_MAX_ROWS} of {len(grid.rows):,} rows; the CSV file has all.")
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
    """A link that contains the table itself: no network is needed."""
    data = b64encode(to_csv(grid).encode()).decode()
    return (
        f'<p class="download"><a download="{escape(grid.key, quote=True)}.csv" '
        f'href="data:text/csv;charset=utf-8;base64,{data}">{escape(text)}'
        f'<span class="away"> of {escape(grid.title)}</span></a></p>'
    )
