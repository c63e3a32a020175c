"""Lenient reading of news mark-up: SGML that no XML parser would take.

Whatever a file holds, reading takes time in proportion to its size. So no pattern here or in the
readers may run on to the end of the text and fail from many places: a thing that ends somewhere far
is found by `cut_between`, which looks for its end once.
"""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Callable, Iterator

from .bad import BadFile

__all__ = [
    "LineCounter",
    "collapse",
    "cut_between",
    "decode",
    "drop_between",
    "plain_text",
    "split_paragraphs",
]

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_COMMENT = re.compile("<!--")
_COMMENT_END = re.compile("-->")
_PARAGRAPH = re.compile(r"</?p\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z!?][^<>]*>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_TYPESETTING = re.compile(r"&[A-Z]{2};")  # &UR; &LR; &QL; … of the New York Times
_DOTS = re.compile(r"\.(?: \.){2,}")


def decode(data: bytes) -> str:
    """UTF-8 if it is valid, else Latin-1, which takes every byte; line ends become `\\n`.

    UTF-16 is known by the two bytes that it starts with. Raises BadFile if it is not valid.
    """
    is_utf_16 = data.startswith(_UTF_16)
    try:
        text = data.decode("utf-16" if is_utf_16 else "utf-8-sig")
    except UnicodeDecodeError as bad:
        if is_utf_16:
            raise BadFile(
                "starts with the byte order mark of UTF-16, but is cut off or damaged at byte "
                f"{bad.start + 1:,}"
            ) from None
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


class LineCounter:
    """Numbers of lines, from 1; places are asked for in their order, so none is counted twice."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._line = 1

    def find(self, place: int) -> int:
        """The line that a place of the text is on."""
        self._line += self._text.count("\n", self._place, place)
        self._place = place
        return self._line


def cut_between(
    text: str, opening: re.Pattern[str], find_closing: Callable[[re.Match[str]], re.Pattern[str]]
) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Every opening with the first closing after it, none inside another.

    Once a closing was not found it is not looked for again, so that openings alone cost nothing.
    """
    missing: set[re.Pattern[str]] = set()
    place = 0
    while (opened := opening.search(text, place)) is not None:
        place = opened.end()
        closing = find_closing(opened)
        if closing in missing:
            continue
        if (closed := closing.search(text, place)) is None:
            missing.add(closing)
            continue
        yield opened, closed
        place = closed.end()


def drop_between(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> str:
    """The text with a blank for each stretch from an opening to its closing."""
    parts: list[str] = []
    place = 0
    for opened, closed in cut_between(text, opening, lambda _: closing):
        parts.append(text[place : opened.start()])
        place = closed.end()
    return " ".join([*parts, text[place:]])


def plain_text(marked: str) -> str:
    """The text without tags; entities are decoded, a bare `&` or `<` stays."""
    text = drop_between(marked, _COMMENT, _COMMENT_END)
    text = _PARAGRAPH.sub("\n\n", text)
    text = _TAG.sub(" ", text)
    return _ENTITY.sub(_decode_entity, text)


def _decode_entity(match: re.Match[str]) -> str:
    # Only with a semicolon: html.unescape alone would turn "B&notes" into "B¬es".
    text = html.unescape(match[0])
    return " " if _TYPESETTING.fullmatch(text) else text


def collapse(text: str) -> str:
    """White space as single blanks, and the spaced dots of news wires as one ellipsis."""
    return _DOTS.sub(lambda dots: dots[0].replace(" ", ""), " ".join(text.split()))


def split_paragraphs(text: str) -> list[str]:
    """The paragraphs of hard-wrapped text, each on one line.

    A blank line ends one, and so does a line that is indented after one that is not: in a table or
    a quotation, where every line is indented, lines stay together.
    """
    paragraphs: list[list[str]] = [[]]
    indented = True
    for line in text.split("\n"):
        words = line.lstrip()
        space = line[: len(line) - len(words)]
        was_indented, indented = indented, space.startswith(("   ", "\t"))
        if not words:
            paragraphs.append([])
            indented = True
        elif indented and not was_indented:
            paragraphs.append([line])
        else:
            paragraphs[-1].append(line)
    return [collapse(" ".join(lines)) for lines in paragraphs if lines]
