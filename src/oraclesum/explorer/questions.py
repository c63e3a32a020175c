"""What a client may send: documents and settings, checked field by field."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, WithJsonSchema

__all__ = [
    "MOST_SENTENCES",
    "FamilyQuestion",
    "OverlapQuestion",
    "Settings",
    "SpelledDocument",
    "System",
    "TextDocument",
    "TopicDocument",
]

MOST_SENTENCES = 100_000
"""Of one document: a view of more would not fit into a browser."""

# Strict: "2" is not 2, and a number too large for an integer is not rounded into one.
_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)


def _kind_of_text(value: Any) -> str | None:
    """Decided by one look, so that an error speaks of what was meant."""
    if isinstance(value, str):
        return "(text)"
    if isinstance(value, list):
        return "(sentences)" if not value or isinstance(value[0], str) else "(indices)"
    return None


_TEXT = {"type": "string"}
_SENTENCES = {"type": "array", "items": _TEXT}
_INDICES = {"type": "array", "items": {"type": "integer", "minimum": 0, "exclusiveMaximum": 2**31}}

Index = Annotated[int, Field(ge=0, lt=2**31)]
Reference = Annotated[
    Annotated[str, Tag("(text)")] | Annotated[list[str], Tag("(sentences)")],
    Discriminator(
        lambda value: "(text)" if isinstance(value, str) else "(sentences)",
    ),
    WithJsonSchema({"anyOf": [_TEXT, _SENTENCES]}),
]
"""A reference summary: one text, or its sentences."""

System = Annotated[
    Annotated[list[Index], Tag("(indices)")]
    | Annotated[list[str], Tag("(sentences)")]
    | Annotated[str, Tag("(text)")],
    Discriminator(
        _kind_of_text,
        custom_error_type="system_kind",
        custom_error_message="must be a list of indices, a list of text, or text",
    ),
    WithJsonSchema({"anyOf": [_INDICES, _SENTENCES, _TEXT]}),
]
"""A system summary: sentence indices, sentences, or one text."""


class TopicDocument(BaseModel):
    """A topic of the opened corpus, by its place there."""

    model_config = _STRICT

    topic: int = Field(ge=0, lt=2**53)


class _GivenDocument(BaseModel):
    model_config = _STRICT

    references: list[Reference] = Field(min_length=1, max_length=100)
    systems: dict[str, System] | None = Field(default=None, max_length=100)
    id: str | None = Field(default=None, max_length=200)


class SpelledDocument(_GivenDocument):
    """A document as a list of sentences."""

    sentences: list[str] = Field(min_length=1, max_length=MOST_SENTENCES)


class TextDocument(_GivenDocument):
    """A document as running text, which is split into sentences."""

    text: str = Field(min_length=1)


def _choose(value: Any) -> str | None:
    """Which kind of document it is: decided by one field, so that errors speak of that kind."""
    for field in ("topic", "sentences", "text"):
        if field in value if isinstance(value, dict) else hasattr(value, field):
            return f"({field})"
    return None


Document = Annotated[
    Annotated[TopicDocument, Tag("(topic)")]
    | Annotated[SpelledDocument, Tag("(sentences)")]
    | Annotated[TextDocument, Tag("(text)")],
    Discriminator(
        _choose,
        custom_error_type="document_kind",
        custom_error_message="give one of `topic`, `sentences` or `text`",
    ),
]


class Settings(BaseModel):
    """What is maximised, and within which limits; at least one limit must be set."""

    model_config = _STRICT

    rouge: int = Field(default=2, ge=1, le=9, description="n of ROUGE-n")
    max_words: int | None = Field(default=100, ge=1, lt=2**31)
    max_sentences: int | None = Field(default=None, ge=1, lt=2**31)
    max_bytes: int | None = Field(default=None, ge=1, lt=2**31)
    stem: bool = True
    remove_stopwords: bool = False
    language: str | None = Field(
        default="en", max_length=40, description="null: the topic's own, else English"
    )
    reference: int | None = Field(
        default=None, ge=0, lt=2**31, description="null: all together; else the index of one"
    )
    family: Literal["all", "minimal"] = "all"
    within_hits: int = Field(default=0, ge=0, le=10_000)
    time_limit: float | None = Field(
        default=None, gt=0, le=1e6, description="seconds; never more than the server allows"
    )


class FamilyQuestion(BaseModel):
    """A document and settings whose oracles are wanted."""

    model_config = _STRICT

    document: Document
    settings: Settings = Settings()


class OverlapQuestion(BaseModel):
    """A system summary to be laid over the oracles."""

    model_config = _STRICT

    system: System
