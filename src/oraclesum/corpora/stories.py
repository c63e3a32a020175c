"""CNN and Daily Mail stories: a text, then its highlights, each after a line `@highlight`."""

from __future__ import annotations

from .bad import BadFile
from .markup import collapse, decode
from .topic import Topic

__all__ = ["parse_story"]

_MARK = "@highlight"


def parse_story(data: bytes, *, place: str, topic_id: str) -> Topic:
    """One story as a topic with one reference, whose sentences are the highlights.

    Its paragraphs are kept apart by empty lines, which end a sentence. Raises BadFile.
    """
    paragraphs: list[str] = []
    highlights: list[str] = []
    lines = decode(data).split("\n")
    marks = [number for number, line in enumerate(lines, start=1) if line.strip() == _MARK]
    for number, line in enumerate(lines, start=1):
        words = collapse(line)
        if words and words != _MARK:
            (highlights if marks and number > marks[0] else paragraphs).append(words)
    if not marks:
        raise BadFile(f"no line {_MARK} in a story", max(1, len(lines)))
    if not highlights:
        raise BadFile(f"nothing after {_MARK}", marks[0])
    if not paragraphs:
        raise BadFile(f"no text before the first {_MARK}", marks[0])
    return Topic(
        id=topic_id,
        text="\n\n".join(paragraphs),
        references=(tuple(highlights),),
        language="en",
        file=place,
        line=1,
    )
