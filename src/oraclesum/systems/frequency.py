"""System `frequency`: after SumBasic (Nenkova and Vanderwende 2005), frequent words matter."""

from __future__ import annotations

from .. import _kernel
from ..text import Numbering
from .document import Document

__all__ = ["select_frequent"]


def select_frequent(document: Document) -> list[int]:
    """Sentences by the mean probability of their words, those of chosen sentences then squared.

    In each step the sentences with the most probable word compete, as in SumBasic.
    """
    limits = [(row.budget, list(row.lengths)) for row in document.rows]
    content = document.content
    if content.rules is not None:
        return _kernel.select_frequent(
            list(document.sentences), content.rules, content.stem, content.remove_stopwords, limits
        )
    numbering = Numbering()
    return _kernel.select_frequent_words(list(map(numbering.number, document.words)), limits)
