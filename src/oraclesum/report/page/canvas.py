"""Charts as SVG that lives in a page: text stays text, colours are the page's, ids are unique."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from ...errors import MissingExtraError
from ..names import shorten_names

__all__ = [
    "GRID",
    "INK",
    "MUTED",
    "PAPER",
    "SERIES",
    "SHADE",
    "Picture",
    "draw_picture",
    "place_names",
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
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("a report", "report") from None

    settings: dict[Any, Any] = {
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
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # The browser has fonts for what matplotlib's lacks; only the measured width is a guess.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = Figure(figsize=(width / _DOT, height / _DOT), dpi=_DOT, layout="constrained")
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


def tidy_names(names: Iterable[str], most: int) -> dict[str, str]:
    """What to write for each name in a chart: short, on one line, without control characters."""
    short = shorten_names(names, most)
    return {
        name: "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
        if len(text) <= 2 * most
        else f"{text[: most - 1]}…"
        for name, text in short.items()
    }


def place_names(
    points: Sequence[tuple[float, float]], names: Sequence[str], *, size: float = 11
) -> list[tuple[float, float]]:
    """Where to write the names of points, in pixels from each: beside it, clear of other names.

    Points are given in pixels; a name that finds no clear place stands at the usual one.
    """
    taken: list[tuple[float, float, float, float]] = [
        (x - 5, y - 5, x + 5, y + 5) for x, y in points
    ]
    offsets = []
    for (x, y), name in zip(points, names, strict=True):
        width = 0.62 * size * len(name)
        usual = (8.0, 4.0)
        tried = (usual, (8.0, -size - 2), (-width - 8, 4.0), (-width - 8, -size - 2))
        for dx, dy in (*tried, (8.0, size + 6), (8.0, -2 * size - 4)):
            box = (x + dx, y + dy, x + dx + width, y + dy + size)
            if not any(_overlap(box, other) for other in taken):
                break
        else:
            dx, dy = usual
        taken.append((x + dx, y + dy, x + dx + width, y + dy + size))
        offsets.append((dx, dy))
    return offsets


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def thin_points(
    points: list[tuple[float, float]], width: float, height: float, *, cell: float = 3.0
) -> dict[int, int]:
    """The points that can be told apart, by index, and how many each stands for.

    Of those in one cell the first is kept. Points are given in shares of the plot from 0 to 1, the
    plot and a cell in pixels.
    """
    first: dict[tuple[int, int], int] = {}
    numbers: dict[int, int] = {}
    for k, (x, y) in enumerate(points):
        kept = first.setdefault((int(x * width / cell), int(y * height / cell)), k)
        numbers[kept] = numbers.get(kept, 0) + 1
    return numbers
