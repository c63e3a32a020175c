"""A topic as it was read: sentences to choose from, references, and what came along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from ..frozen import dataclass

if TYPE_CHECKING:
    from .documents import Document

__all__ = ["Flaw", "Reference", "System", "Topic"]

Reference = str | tuple[str, ...]
"""A reference summary: one text, or its sentences."""

System = str | tuple[str, ...] | tuple[int, ...]
"""A system summary: one text, its sentences, or indices into the topic's sentences."""


@dataclass(frozen=True, kw_only=True)
class Flaw:
    """Something that cannot be used in a record that otherwise can."""

    reason: str
    field: str  # of the record
    name: str | None = None  # of the system, if it is about one


@dataclass(frozen=True, kw_only=True)
class Topic:
    """One valid record of a corpus. Exactly one of `sentences` and `text` is set."""

    id: str
    sentences: tuple[str, ...] | None = None
    text: str | None = None
    references: tuple[Reference, ...]
    doc_ids: tuple[int, ...] | None = None
    systems: Mapping[str, System] = field(default_factory=dict)
    human: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    measures: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # the user's own
    language: str | None = None
    detection: str | None = None  # what found the language; "none" if it could not be told
    flaws: tuple[Flaw, ...] = ()  # what was left out of it
    file: str
    line: int
    # What readers of whole corpora know beyond a record:
    was_split: bool = False  # the reader cut documents into `sentences`; the corpus did not
    reference_names: tuple[str, ...] = ()  # who wrote each reference
    documents: tuple[Document, ...] = ()  # with their headlines and numbering; doc_ids point here
    extracts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # by human hand

    @property
    def place(self) -> str:
        """Where the record stands, as messages name it: file:line."""
        return f"{self.file}:{self.line}"
