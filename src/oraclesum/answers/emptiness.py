"""The warning about references that hold nothing."""

from __future__ import annotations

from ..corpora import Topic, has_text
from ..errors import OraclesumWarning
from ..notices import warn

__all__ = ["warn_of_empty_references"]


def warn_of_empty_references(topic: Topic) -> None:
    """An empty reference adds nothing to hits or total, as in ROUGE; rarely what was meant."""
    for i, reference in enumerate(topic.references):
        if not has_text(reference):
            warn(f"references[{i}] is empty and adds nothing", OraclesumWarning, stacklevel=2)
