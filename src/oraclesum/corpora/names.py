"""File names of DUC and TAC summaries: DOCSET.TYPE.LENGTH.SELECTOR.PEER[.DOCREF][.html]."""

from __future__ import annotations

import re

from ..frozen import dataclass

__all__ = ["SummaryName", "fold_length", "fold_topic", "parse_name"]

_NAME = re.compile(
    r"(?P<topic>D\d+[A-Z]?(?:-[A-Z])?)\.(?P<kind>[MP])\.(?P<length>\d+e?)\.(?P<selector>[A-Z])"
    r"\.(?P<peer>[A-Z]+|\d+)(?:\.(?P<docref>(?!html?$).+?))?(?:\.html?)?",
    re.IGNORECASE,
)
_TOPIC = re.compile(r"(d\d+)[a-z]?(-[a-z])?")


@dataclass(frozen=True, kw_only=True)
class SummaryName:
    """What the name of a summary file says."""

    topic: str  # as fold_topic gives it
    per_document: bool
    length: str
    peer: str  # a writer's letter or a system's number
    document: str | None  # of a summary of one document


def parse_name(name: str) -> SummaryName | None:
    """What a file name says, or None if it is not the name of a summary."""
    found = _NAME.fullmatch(name)
    topic = fold_topic(found["topic"]) if found else None
    if found is None or topic is None:
        return None
    return SummaryName(
        topic=topic,
        per_document=found["kind"].upper() == "P",
        length=fold_length(found["length"]),
        peer=found["peer"].upper(),
        document=found["docref"],
    )


def fold_topic(text: str) -> str | None:
    """The id that a document folder, a summary and a table share; None if it is no docset.

    Lower case, without the selector's letter: `D0801A-B` and `D0801-B` are `d0801-b`.
    """
    found = _TOPIC.fullmatch(text.lower())
    return f"{found[1]}{found[2] or ''}" if found else None


def fold_length(text: str) -> str:
    """A length as the user writes it: `050` is `50`, `200e` stays."""
    return text.lstrip("0").lower() or "0"
