"""Lenient reading of news mark-up: SGML that no XML parser would take."""

from __future__ import annotations

import html
import re

__all__ = ["collapse", "decode", "line_of", "plain_text", "split_paragraphs"]

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_PARAGRAPH = re.compile(r"</?p\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z!?][^<>]*>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_TYPESETTING = re.compile(r"&[A-Z]{2};")  # &UR; &LR; &QL; … of the New York Times
_DOTS = re.compile(r"\.(?: \.){2,}")
_INDENT = re.compile(r"(?: {3,}|\t)\s*\S")


def decode(data: bytes) -> str:
    """UTF-8 where it is valid, else Latin-1, which takes every byte; line ends become `\\n`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def line_of(text: str, position: int) -> int:
    """The number of the line, from 1, that a position of the text stands on."""
    return text.count("\n", 0, position) + 1


def plain_text(marked: str) -> str:
    """The text without tags; entities are decoded, a bare `&` or `<` stays."""
    text = _COMMENT.sub(" ", marked)
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
        was_indented, indented = indented, bool(_INDENT.match(line))
        if not line.strip():
            paragraphs.append([])
            indented = True
        elif indented and not was_indented:
            paragraphs.append([line])
        else:
            paragraphs[-1].append(line)
    return [collapse(" ".join(lines)) for lines in paragraphs if lines]
