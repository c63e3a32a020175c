"""Summaries as files: SEE, ISI, SPL, DUC's SUM and extracts, plain text; told apart by content."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..frozen import dataclass
from .bad import BadFile
from .documents import Split, fold_id, parse_attributes, read_number
from .markup import LineCounter, collapse, decode, drop_between, plain_text

__all__ = ["Extract", "MarkedSummary", "parse_extract", "parse_marked", "parse_summary"]

_SEE_UNIT = re.compile(
    r"<a\b(?=[^<>]*\bid\s*=)[^<>]*>(.*?)(?=</a>|<a\b|</body|</html|\n<|$(?![\s\S]))", re.I | re.S
)
_ISI_UNIT = re.compile(r"<S\s+SNTNO\s*=[^<>]*>(.*?)(?=</S>|<S\b|$(?![\s\S]))", re.I | re.S)
_SUM = re.compile(r"<SUM\b((?:\s*\w+\s*=\s*(?:\"[^\"]*\"|[^\s\"<>]+))*)\s*>?", re.I)
_SUM_END = re.compile(r"</SUM\s*>|<SUM\b", re.I)
_SENTENCE = re.compile(r"<s\s([^<>]*)>", re.I)
_SENTENCE_END = re.compile(r"</?s\b|</SUM", re.I)
_NAMES_DOCUMENT = re.compile(r"\bdocid\b", re.I)
_HEAD = re.compile(r"<head\b", re.I)
_HEAD_END = re.compile("</head>", re.I)
_HTML = re.compile(r"<html\b|<a\s+(?:size\s*=\s*\S+\s+)?name\s*=", re.I)
_ENDS_SENTENCE = re.compile(r"[.!?…][\"'”’)\]`]*\s*$")  # noqa: RUF001 - closing quotes of print


@dataclass(frozen=True, kw_only=True)
class MarkedSummary:
    """One `<SUM …>` of a file: what it says of itself, and its text."""

    attributes: dict[str, str]
    text: str
    line: int


@dataclass(frozen=True, kw_only=True)
class Extract:
    """One sentence that a human extract takes: which document, which number, and its words."""

    document: str
    number: int
    text: str


def parse_summary(data: bytes, *, split: Split, one_per_line: bool = False) -> tuple[str, ...]:
    """The sentences of a summary file; none for an empty file.

    `one_per_line` says that lines are sentences whatever they look like, unless there is only one.
    Raises BadFile if mark-up is broken.
    """
    text = decode(data)
    if re.search(r"<SUM\b", text, re.I):
        marked = parse_marked(data)
        return _cut(" ".join(summary.text for summary in marked), split)
    if next(_find_extract_units(text), None) is not None:
        return tuple(unit.text for unit in parse_extract(data) if unit.text)
    if re.search(r"<S\s+SNTNO\s*=", text, re.I):
        return _units(_ISI_UNIT, text)
    if _HTML.search(text):
        units = _units(_SEE_UNIT, text)
        if not units and not re.search(r"<a\b[^<>]*\b(?:id|name)\s*=", text, re.I):
            return _cut(plain_text(drop_between(text, _HEAD, _HEAD_END)), split)
        return units
    return _read_lines(text, split, one_per_line=one_per_line)


def _units(unit: re.Pattern[str], text: str) -> tuple[str, ...]:
    found = (collapse(plain_text(match[1])) for match in unit.finditer(text))
    return tuple(words for words in found if words)  # empty units occur, and are none


def _find_extract_units(text: str) -> Iterator[re.Match[str]]:
    """Every `<s …>` that names a document."""
    return (tag for tag in _SENTENCE.finditer(text) if _NAMES_DOCUMENT.search(tag[1]))


def _cut(text: str, split: Split) -> tuple[str, ...]:
    words = collapse(text)
    return tuple(split(words)) if words else ()


def _read_lines(text: str, split: Split, *, one_per_line: bool) -> tuple[str, ...]:
    lines = [words for line in text.split("\n") if (words := collapse(line))]
    if len(lines) < 2:
        return _cut(" ".join(lines), split)
    ended = sum(bool(_ENDS_SENTENCE.search(line)) for line in lines[:-1])
    if one_per_line or 2 * ended >= len(lines) - 1:
        return tuple(lines)
    return _cut(" ".join(lines), split)  # hard-wrapped: few lines end where a sentence does


def parse_marked(data: bytes) -> list[MarkedSummary]:
    """Every `<SUM DOCSET=… DOCREF=…>` of a file; a missing `>` or `</SUM>` is made good.

    Raises BadFile if there is none.
    """
    text = decode(data)
    summaries: list[MarkedSummary] = []
    lines = LineCounter(text)
    position = 0
    while (opened := _SUM.search(text, position)) is not None:
        closed = _SUM_END.search(text, opened.end())
        end = len(text) if closed is None else closed.start()
        summaries.append(
            MarkedSummary(
                attributes=parse_attributes(opened[1]),
                text=collapse(plain_text(text[opened.end() : end])),
                line=lines.find(opened.start()),
            )
        )
        position = end
    if not summaries:
        raise BadFile("no <SUM …> in a file of model summaries")
    return summaries


def parse_extract(data: bytes) -> list[Extract]:
    """The sentences `<s docid num wdcount>` of a human extract. Raises BadFile."""
    text = decode(data)
    extracts: list[Extract] = []
    lines = LineCounter(text)
    for opened in _find_extract_units(text):
        line = lines.find(opened.start())
        attributes = parse_attributes(opened[1])
        if not (document := fold_id(attributes.get("docid", ""))):
            raise BadFile("a sentence <s …> whose `docid` names no document", line)
        # An `<s>` without attributes stands for `</s>` in at least one file.
        closed = _SENTENCE_END.search(text, opened.end())
        end = len(text) if closed is None else closed.start()
        extracts.append(
            Extract(
                document=document,
                number=read_number(attributes, line),
                text=collapse(plain_text(text[opened.end() : end])),
            )
        )
    if not extracts:
        raise BadFile("no sentence <s docid=… num=…> in a file of extracts")
    return extracts
