"""Names for little room: shortened so that they stay different, broken between words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

__all__ = ["OWN_PREFIX", "break_name", "longest_piece", "shorten_names"]

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


def _replace(long: Mapping[str, str], short: Mapping[str, str]) -> dict[str, str]:
    """The short forms, except those that two names would share."""
    times = Counter(short.values())
    return {name: text if times[text] == 1 else long[name] for name, text in short.items()}


def _cut_middle(text: str, max_columns: int) -> str:
    if len(text) <= max_columns:
        return text
    tail = (max_columns - 1) // 2
    return f"{text[: max_columns - 1 - tail]}…{text[len(text) - tail :]}"


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
