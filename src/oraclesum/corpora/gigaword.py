"""Documents that a corpus only names: the ids in a file of topics, the text in English Gigaword."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from typing import NamedTuple

from .bad import BadFile
from .caps import describe_cap
from .documents import fold_id
from .markup import LineCounter, cut_between, decode
from .names import fold_topic
from .unpacking import damage, describe_loss, unpack

__all__ = ["Part", "fold_document", "month_of", "pick_documents", "read_topic_file"]

_TOPIC = re.compile(r"<topic\b[^<>]*?\bid\s*=\s*[\"']([^\"']*)[\"']", re.I)
_PART = re.compile(r"<docset([a-z])\b[^<>]*>", re.I)
_DOC = re.compile(r"<doc\b[^<>]*?\bid\s*=\s*[\"']([^\"']*)[\"']", re.I)
_CATALOGUE = re.compile(r"\.LDC\w+$")  # AFP_ENG_20060501.0123.LDC2009T13
_EXTENSIONS = re.compile(r"(?:\.[A-Za-z]{1,5})+$")
_LONGEST_LINE = 1 << 20
_OPENING = re.compile(rb"<DOC\b[^<>]*?\bid\s*=\s*[\"']([^\"']*)[\"']", re.I)
_EDGE = re.compile(rb"(?=<DOC[\s>])|(?<=</DOC>)", re.I)  # where a document may begin or end


class Part(NamedTuple):
    """What a file of topics says of one part of a topic."""

    topic: str  # as `d1101-a` names it
    documents: tuple[str, ...]
    line: int


def read_topic_file(data: bytes) -> list[Part]:
    """The documents of each part of each topic. Raises BadFile."""
    text = decode(data)
    parts: list[Part] = []
    openings = list(_TOPIC.finditer(text))
    lines = LineCounter(text)
    for i, opening in enumerate(openings):
        topic, line = fold_topic(opening[1]), lines.find(opening.start())
        if topic is None:
            raise BadFile(f"{opening[1]!r} is not the id of a topic", line)
        end = openings[i + 1].start() if i + 1 < len(openings) else len(text)
        body = text[opening.end() : end]
        for part, closed in cut_between(body, _PART, _find_part_end):
            names = _DOC.finditer(body, part.end(), closed.start())
            ids = (_CATALOGUE.sub("", fold_id(doc[1])) for doc in names)
            parts.append(Part(f"{topic}-{part[1].lower()}", tuple(ids), line))
    if not parts:
        raise BadFile('no <topic id="…"> with <docsetA> in a file of topics')
    return parts


def _find_part_end(part: re.Match[str]) -> re.Pattern[str]:
    return re.compile(f"</docset{part[1].lower()}>", re.I)  # of few, which re keeps


def fold_document(name: str) -> str:
    """What the id of a document and the name of its file share: AFP_ENG_20060501.0123."""
    return _CATALOGUE.sub("", _EXTENSIONS.sub("", name).upper())


def month_of(document: str) -> str:
    """The file of Gigaword that has a document: afp_eng_200605 for AFP_ENG_20060501.0123."""
    return document[:14].lower()


def pick_documents(
    data: bytes, wanted: set[str], *, record_bytes: int
) -> Iterator[tuple[str, bytes | BadFile]]:
    """The wanted documents of one file of Gigaword, gzipped or not, or why one is none.

    Raises BadFile if the rest of the file cannot be read.
    """
    parts: list[bytes] = []
    size = 0
    current: str | None = None
    stream = unpack(BytesIO(data), data[:8])
    try:
        for line in iter(partial(stream.readline, _LONGEST_LINE), b""):
            for piece in _EDGE.split(line) if b"<" in line else (line,):
                if piece[:4].upper() == b"<DOC":
                    if current is not None:
                        yield current, _lack_end(current)
                    opening = _OPENING.match(piece)
                    name = None if opening is None else opening[1].decode("latin-1")
                    current = name if name in wanted else None
                    parts, size = [], 0
                if current is None:
                    continue
                parts.append(piece)
                size += len(piece)
                if size > record_bytes:
                    yield (
                        current,
                        BadFile(f"the document {current} is {describe_cap(record_bytes)}"),
                    )
                    current = None
                elif piece[-6:].upper() == b"</DOC>":
                    yield current, b"".join(parts)
                    current = None
    except damage() as error:
        if current is not None:
            yield current, _lack_end(current)
        raise BadFile(f"reading stopped, the rest is lost: {describe_loss(error)}") from None
    if current is not None:
        yield current, _lack_end(current)


def _lack_end(document: str) -> BadFile:
    return BadFile(f"the document {document} is cut off: it has no </DOC>")
