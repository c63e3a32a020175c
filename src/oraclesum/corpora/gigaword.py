"""Documents that a corpus only names: the ids in a file of topics, the text in English Gigaword."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from io import BytesIO

from .caps import describe_cap
from .documents import BadFile, fold_id
from .markup import LineCounter, cut_between, decode
from .names import fold_topic
from .unpacking import damage, describe, unpack

__all__ = ["month_of", "pick_documents", "read_topic_file"]

_TOPIC = re.compile(r"<topic\b[^<>]*?\bid\s*=\s*[\"']([^\"']*)[\"']", re.I)
_PART = re.compile(r"<docset([a-z])\b[^<>]*>", re.I)
_DOC = re.compile(r"<doc\b[^<>]*?\bid\s*=\s*[\"']([^\"']*)[\"']", re.I)
_CATALOGUE = re.compile(r"\.LDC\w+$")  # AFP_ENG_20060501.0123.LDC2009T13
_LONGEST_LINE = 1 << 20
_OPENING = re.compile(rb"<DOC\b[^<>]*?\bid\s*=\s*[\"']([^\"']*)[\"']", re.I)


def read_topic_file(data: bytes) -> Mapping[str, tuple[str, ...]]:
    """The documents of each part of each topic, as `d1101-a` names it. Raises BadFile."""
    text = decode(data)
    parts: dict[str, tuple[str, ...]] = {}
    openings = list(_TOPIC.finditer(text))
    lines = LineCounter(text)
    for i, opening in enumerate(openings):
        topic = fold_topic(opening[1])
        if topic is None:
            raise BadFile(f"{opening[1]!r} is not the id of a topic", lines.find(opening.start()))
        end = openings[i + 1].start() if i + 1 < len(openings) else len(text)
        body = text[opening.end() : end]
        for part, closed in cut_between(body, _PART, _find_part_end):
            names = _DOC.finditer(body, part.end(), closed.start())
            ids = (_CATALOGUE.sub("", fold_id(doc[1])) for doc in names)
            parts[f"{topic}-{part[1].lower()}"] = tuple(ids)
    if not parts:
        raise BadFile('no <topic id="…"> with <docsetA> in a file of topics')
    return parts


def _find_part_end(part: re.Match[str]) -> re.Pattern[str]:
    return re.compile(f"</docset{part[1].lower()}>", re.I)  # of few, which re keeps


def month_of(document: str) -> str:
    """The file of Gigaword that has a document: afp_eng_200605 for AFP_ENG_20060501.0123."""
    return document[:14].lower()


def pick_documents(
    data: bytes, wanted: set[str], *, record_bytes: int
) -> Iterator[tuple[str, bytes]]:
    """The wanted documents of one file of Gigaword, gzipped or not. Raises BadFile."""
    parts: list[bytes] = []
    size = 0
    current: str | None = None
    stream = unpack(BytesIO(data), data[:8])
    try:
        for line in iter(partial(stream.readline, _LONGEST_LINE), b""):
            if line[:4].upper() == b"<DOC" and (opening := _OPENING.match(line)):
                name = opening[1].decode("latin-1")
                current = name if name in wanted else None
                parts, size = [], 0
            if current is not None:
                parts.append(line)
                size += len(line)
                if size > record_bytes:
                    raise BadFile(f"the document {current} is {describe_cap(record_bytes)}")
                if line[:6].upper() == b"</DOC>":
                    yield current, b"".join(parts)
                    current = None
    except damage() as error:
        raise BadFile(f"reading stopped, the rest is lost: {describe(error)}") from None
