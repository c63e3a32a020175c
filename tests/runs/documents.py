"""Small seeded documents with references cut from their own sentences, for runs over a corpus."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

__all__ = ["make_documents", "write_lines"]

_WORDS = [f"{a}{b}" for a in ("ba", "co", "du", "fi", "go", "ha", "ki") for b in ("lt", "rm", "st")]


def make_documents(count: int, *, seed: int = 0, sentences: int = 8) -> list[dict[str, Any]]:
    """Records with ids d0, d1, … in which many sets of sentences are equally good."""
    draw = random.Random(seed)
    documents = []
    for number in range(count):
        body = [draw.choices(_WORDS, k=draw.randint(4, 9)) for _ in range(sentences)]
        body[-1] = list(body[0])  # a copy doubles families
        references = [
            [" ".join(draw.choice(body)[:6]), " ".join(draw.choices(_WORDS, k=3))]
            for _ in range(draw.randint(1, 2))
        ]
        documents.append(
            {
                "id": f"d{number}",
                "sentences": [" ".join(words).capitalize() + "." for words in body],
                "references": references,
            }
        )
    return documents


def write_lines(path: Path, records: Iterable[dict[str, Any]]) -> Path:
    """The records as JSON lines."""
    path.write_bytes(b"".join(orjson.dumps(r, option=orjson.OPT_APPEND_NEWLINE) for r in records))
    return path
