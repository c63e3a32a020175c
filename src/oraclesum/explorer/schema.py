"""What the API takes and answers with, field by field; /api/openapi.json is made from it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

__all__ = [
    "MAX_SENTENCES",
    "About",
    "CurvePoint",
    "FamilyQuestion",
    "FamilyView",
    "OraclePage",
    "OverlapQuestion",
    "Problem",
    "Settings",
    "SpelledDocument",
    "System",
    "SystemView",
    "TextDocument",
    "TopicDocument",
    "TopicList",
    "TopicView",
]

MAX_SENTENCES = 100_000
"""Of one document: a view of more would not fit into a browser."""

_MAX_FIELDS = 100  # of one object, known or not


def _refuse_many(value: Any) -> Any:
    """Before each of its fields makes an error of its own, which takes a thousand bytes."""
    if isinstance(value, dict) and len(value) > _MAX_FIELDS:
        raise PydanticCustomError(
            "too_many_fields", f"has {len(value):,} fields, {_MAX_FIELDS} are taken at most"
        )
    return value


class _Question(BaseModel):
    """What comes from outside; of all that is wrong with it, one thing is told."""

    # Strict: "2" is not 2, and a number too large for an integer is not rounded into one.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    _few_fields = model_validator(mode="before")(_refuse_many)


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
    Annotated[str, Tag("(text)")] | Annotated[list[str], Field(fail_fast=True), Tag("(sentences)")],
    Discriminator(
        lambda value: "(text)" if isinstance(value, str) else "(sentences)",
    ),
    WithJsonSchema({"anyOf": [_TEXT, _SENTENCES]}),
]
"""A reference summary: one text, or its sentences."""

System = Annotated[
    Annotated[list[Index], Field(fail_fast=True), Tag("(indices)")]
    | Annotated[list[str], Field(fail_fast=True), Tag("(sentences)")]
    | Annotated[str, Tag("(text)")],
    Discriminator(
        _kind_of_text,
        custom_error_type="system_kind",
        custom_error_message="must be a list of indices, a list of text, or text",
    ),
    WithJsonSchema({"anyOf": [_INDICES, _SENTENCES, _TEXT]}),
]
"""A system summary: sentence indices, sentences, or one text."""


class TopicDocument(_Question):
    """A topic of the opened corpus, by its place there."""

    topic: int = Field(ge=0, lt=2**53)


class _GivenDocument(_Question):
    references: list[Reference] = Field(min_length=1, max_length=100)
    systems: Annotated[dict[str, System] | None, BeforeValidator(_refuse_many)] = Field(
        default=None, max_length=_MAX_FIELDS
    )
    id: str | None = Field(default=None, max_length=200)


class SpelledDocument(_GivenDocument):
    """A document as a list of sentences."""

    sentences: list[str] = Field(fail_fast=True, min_length=1, max_length=MAX_SENTENCES)


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


class Settings(_Question):
    """What is maximised, and within which limits; recall needs at least one limit."""

    rouge: int = Field(default=2, ge=1, le=9, description="n of ROUGE-n recall")
    objective: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="in place of recall, e.g. r1-f1+r2-f1; null: recall of `rouge`",
    )
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
    within: str = Field(
        default="0",
        max_length=40,
        pattern=r"^[0-9]+(\.[0-9]+|/[0-9]*[1-9][0-9]*)?$",
        description="also sets at most so much below the best score, e.g. 0.005 or 1/200",
    )
    top: int = Field(default=0, ge=0, le=10_000, description="the so many best sets, with ties")
    boundaries: Literal["within", "across"] = Field(
        default="within", description="n-grams of a summary stay in its sentences, or cross them"
    )
    required: list[Index] = Field(
        fail_fast=True, default=[], max_length=1000, description="sentences that every set has"
    )
    forbidden: list[Index] = Field(
        fail_fast=True,
        default=[],
        max_length=MAX_SENTENCES,
        description="sentences that no set has",
    )
    time_limit: float | None = Field(
        default=None, gt=0, le=1e6, description="seconds; never more than the server allows"
    )


class FamilyQuestion(_Question):
    """A document and settings whose oracles are wanted."""

    document: Document
    settings: Settings = Settings()


class OverlapQuestion(_Question):
    """A system summary to be laid over the oracles."""

    system: System


Count = Annotated[str, Field(pattern="^[0-9]+$", description="a whole number of any size")]
Span = Annotated[list[int], Field(min_length=2, max_length=2)]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Problem(_Answer):
    """What was wrong, where, and what to do."""

    error: str
    field: str | None


class Language(_Answer):
    code: str
    name: str
    stem: bool
    stop_words: bool


class OpenedCorpus(_Answer):
    name: str
    topics: int


class ServerLimits(_Answer):
    body_bytes: int
    seconds: float
    words_from: int
    words_to: int
    max_sorted: int
    max_listed: int


class Load(_Answer):
    running: int
    waiting: int
    stored: int


class About(_Answer):
    """The server, what it has opened, and what it allows."""

    version: str
    corpus: OpenedCorpus | None
    languages: list[Language]
    defaults: Settings
    limits: ServerLimits
    load: Load


class TopicLine(_Answer):
    number: int
    id: str
    sentences: int | None = None
    words: int | None = None
    references: int | None = None
    systems: list[str] | None = None
    error: str | None = None


class TopicList(_Answer):
    """Topics of the corpus; a record that cannot be used has `error` in place of its sizes."""

    total: int
    topics: list[TopicLine]


class TopicSystem(_Answer):
    sentences: list[int]
    unmatched: list[str]


class TopicView(_Answer):
    """One topic; `language` is its own, or the one it is taken for."""

    number: int
    id: str
    sentences: list[str]
    doc_ids: list[int] | None
    references: list[list[str]]
    systems: dict[str, TopicSystem]
    language: str


class SentenceView(_Answer):
    """`ngrams`: pairs of an n-gram's id and the token it begins with."""

    text: str
    words: int
    bytes: int
    candidate: bool
    inclusion: float
    core: bool
    document: int | None
    tokens: list[Span]
    ngrams: list[Span]


class ReferenceView(_Answer):
    text: str
    tokens: list[Span]
    ngrams: list[Span]
    used: bool


class NgramView(_Answer):
    """`counts`: how often each used reference has it."""

    id: int
    words: str
    counts: list[int]


class GreedyView(_Answer):
    sentences: list[int]
    hits: int | None
    score: float
    share: float | None = Field(description="its score over the best, as `evaluate` writes it")


class LengthView(_Answer):
    shortest: int
    longest: int


class SystemView(_Answer):
    """A system summary as `oraclesum evaluate` measures it.

    `hits`, `total`, `score` (recall), `words` and `feasible` (the limits are kept) are those of its
    whole text, as ROUGE-1.5.5 counts; `objective_hits` and `objective_score` those inside its
    sentences, which compare with the oracles. Of other objectives than recall there are no hits,
    and both scores are the value of its text. `sentences` are what was found of it in the document,
    `aligned_words` and `aligned_hits` theirs, `unmatched` the rest. `precision`, `recall`,
    `f_measure` and `nearest`, the oracle most like it, are about `sentences`, and null if not all
    oracles are known.
    """

    name: str
    hits: int | None
    total: int | None
    score: float
    words: int
    feasible: bool
    objective_hits: int | None
    objective_score: float
    sentences: list[int]
    unmatched: list[str]
    aligned_words: int
    aligned_hits: int | None
    precision: float | None
    recall: float | None
    f_measure: float | None
    nearest: list[int] | None


class Commands(_Answer):
    shell: str
    python: str
    needs: str | None = Field(description="the file both read: /api/families/{key}/input")


class FamilyView(_Answer):
    """Everything about the oracles of a document but the list of them.

    If the search was stopped (`status` time_limit, memory_limit or interrupted), `count`,
    `support`, `sizes` and `inclusion` are those of the sets found so far, `core` is empty and no
    sentence is marked as `core`, and `lengths`, `smallest` and `earliest` are null: they are not
    known. Hits, `total` and `upper_bound` are null for other objectives than recall.
    """

    key: str
    id: str
    status: Literal[
        "complete", "streamed", "time_limit", "memory_limit", "interrupted", "no_overlap"
    ]
    proven: bool
    hits: int | None
    total: int | None
    score: float
    value: str = Field(description="the score as a fraction, p/q")
    upper_bound: int | None
    upper_score: float
    count: Count
    checked: Count
    seconds: float
    signature: str
    measure: str = Field(description="what is maximised, by name: ROUGE-2 recall, r1-f1+r2-f1")
    marked: int = Field(description="length of the n-grams in `ngrams`")
    objective: str = Field(description="what is maximised, as a sentence")
    notes: list[str]
    settings: Settings
    sentences: list[SentenceView]
    references: list[ReferenceView]
    ngrams: list[NgramView]
    core: list[int]
    support: list[int]
    sizes: dict[str, Count]
    lengths: LengthView | None
    smallest: list[int] | None
    earliest: list[int] | None
    greedy: GreedyView | None = Field(description="null if it would take too long")
    systems: list[SystemView]
    commands: Commands


class OracleLine(_Answer):
    rank: Count
    sentences: list[int]
    words: int
    hits: int | None = Field(description="the best, or up to within_hits less")
    score: float
    distance: int | None


class OraclePage(_Answer):
    """Some oracles; `rank` is an oracle's place in the text order, whatever the order shown."""

    total: Count
    offset: Count
    sorted: bool
    note: str | None
    oracles: list[OracleLine]


class CurvePoint(_Answer):
    """The best score under one limit, as the events `point` of a curve carry it."""

    limit: int
    hits: int | None
    total: int | None
    score: float
    count: Count
    status: str
    proven: bool
    seconds: float
