"""Names for little room: shortened so that they stay different, broken between words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from rich.cells import cell_len

__all__ = ["OWN_PREFIX", "break_name", "fit_names", "longest_piece", "shorten_names"]

OWN_PREFIX = "oraclesum/"

# A name may be broken at a space and after - / _ and the like, never inside a word or a number.
_PIECES = re.compile(r"\S*?[-/_](?=[^\W\d])|\S+")


def shorten_names(names: Iterable[str], max_columns: int) -> dict[str, str]:
    """What to show for each name, in `max_columns` columns if that leaves them different.

    Our own prefix goes first, then the middle of what is still too long: names differ at the ends.
    """
    whole = {name: name for name in names}
    bare = _replace(whole, {name: name.removeprefix(OWN_PREFIX) for name in whole})
    return _replace(bare, {name: _cut_middle(text, max_columns) for name, text in bare.items()})


def fit_names(names: Iterable[str], max_columns: int) -> dict[str, str]:
    """What to show for each name, always in `max_columns` columns (six or more), all different.

    First the middle is left out, as names differ at the ends; then all but the end; those that are
    still alike are numbered.
    """
    whole = list(dict.fromkeys(names))
    shown = {name: name for name in whole if cell_len(name) <= max_columns}
    taken = set(shown.values())
    for cut in (_cut_middle, _cut_start):
        short = {name: cut(name, max_columns) for name in whole if name not in shown}
        times = Counter(short.values())
        fits = {
            name: text for name, text in short.items() if times[text] == 1 and text not in taken
        }
        shown |= fits
        taken.update(fits.values())
    number = 0
    for name in whole:
        while name not in shown:
            number += 1
            mark = f"~{number}"
            text = _take(name, max_columns - len(mark)) + mark
            if text not in taken:
                shown[name] = text
                taken.add(text)
    return shown


def _replace(long: Mapping[str, str], short: Mapping[str, str]) -> dict[str, str]:
    """The short forms, except those that two names would share."""
    times = Counter(short.values())
    return {name: text if times[text] == 1 else long[name] for name, text in short.items()}


def _cut_middle(text: str, max_columns: int) -> str:
    if cell_len(text) <= max_columns:
        return text
    tail = (max_columns - 1) // 2
    return f"{_take(text, max_columns - 1 - tail)}…{_take(text[::-1], tail)[::-1]}"


def _cut_start(text: str, max_columns: int) -> str:
    return f"…{_take(text[::-1], max_columns - 1)[::-1]}"


def _take(text: str, columns: int) -> str:
    """As much of the beginning as has room; some letters are two columns wide."""
    end = columns
    while cell_len(text[:end]) > columns:
        end -= 1
    return text[:end]


def longest_piece(text: str) -> int:
    """Columns that a name needs when it is broken wherever that is allowed."""
    return max((len(piece) for piece in _PIECES.findall(text)), default=0)


def break_name(text: str, width: int) -> str:
    """The name on lines of at most `width` columns, or of one piece if that is longer."""
    lines: list[str] = []
    for line in text.split("\n"):
        current = ""
        end = 0
        for found in _PIECES.finditer(line):
            gap = line[end : found.start()]
            end = found.end()
            if current and len(current) + len(gap) + len(found.group()) > width:
                lines.append(current)
                current = found.group()
            else:
                current += gap + found.group() if current else found.group()
        lines.append(current)
    return "\n".join(lines)
