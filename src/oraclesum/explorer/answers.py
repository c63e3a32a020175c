"""What the API answers with, field by field; the schema under /api/openapi.json is made from it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from .questions import Settings

__all__ = [
    "About",
    "CurvePoint",
    "FamilyView",
    "OraclePage",
    "Problem",
    "SystemView",
    "TopicList",
    "TopicView",
]

_EXACT = ConfigDict(extra="forbid")

Count = Annotated[str, Field(pattern="^[0-9]+$", description="a whole number of any size")]
Span = Annotated[list[int], Field(min_length=2, max_length=2)]


class Problem(BaseModel):
    """What was wrong, where, and what to do."""

    model_config = _EXACT
    error: str
    field: str | None


class Language(BaseModel):
    model_config = _EXACT
    code: str
    name: str
    stem: bool
    stop_words: bool


class OpenedCorpus(BaseModel):
    model_config = _EXACT
    name: str
    topics: int


class ServerLimits(BaseModel):
    model_config = _EXACT
    body_bytes: int
    seconds: float
    words_from: int
    words_to: int
    most_sorted: int
    most_listed: int


class Load(BaseModel):
    model_config = _EXACT
    running: int
    waiting: int
    held: int


class About(BaseModel):
    """The server, what it has opened, and what it allows."""

    model_config = _EXACT
    version: str
    corpus: OpenedCorpus | None
    languages: list[Language]
    defaults: Settings
    limits: ServerLimits
    load: Load


class TopicLine(BaseModel):
    model_config = _EXACT
    number: int
    id: str
    sentences: int | None = None
    words: int | None = None
    references: int | None = None
    systems: list[str] | None = None
    error: str | None = None


class TopicList(BaseModel):
    """Topics of the corpus; a record that cannot be used has `error` in place of its sizes."""

    model_config = _EXACT
    total: int
    topics: list[TopicLine]


class TopicSystem(BaseModel):
    model_config = _EXACT
    sentences: list[int]
    unmatched: list[str]


class TopicView(BaseModel):
    """One topic; `language` is its own, or the one it is taken for."""

    model_config = _EXACT
    number: int
    id: str
    sentences: list[str]
    doc_ids: list[int] | None
    references: list[list[str]]
    systems: dict[str, TopicSystem]
    language: str


class SentenceView(BaseModel):
    """`ngrams`: pairs of an n-gram's id and the token it begins with."""

    model_config = _EXACT
    text: str
    words: int
    bytes: int
    candidate: bool
    inclusion: float
    core: bool
    document: int | None
    tokens: list[Span]
    ngrams: list[Span]


class ReferenceView(BaseModel):
    model_config = _EXACT
    text: str
    tokens: list[Span]
    ngrams: list[Span]
    used: bool


class NgramView(BaseModel):
    """`counts`: how often each used reference has it."""

    model_config = _EXACT
    id: int
    words: str
    counts: list[int]


class GreedyView(BaseModel):
    model_config = _EXACT
    sentences: list[int]
    hits: int
    score: float


class LengthView(BaseModel):
    model_config = _EXACT
    shortest: int
    longest: int


class SystemView(BaseModel):
    """A system summary as `oraclesum evaluate` measures it.

    `hits`, `total`, `score` (recall), `words` and `feasible` (the limits are kept) are those of its
    whole text, as ROUGE-1.5.5 counts; `objective_hits` those inside its sentences, which compare
    with the oracles' hits. `sentences` are what was found of it in the document, `aligned_words`
    and `aligned_hits` theirs, `unmatched` the rest. `precision`, `recall`, `f_measure` and
    `nearest`, the oracle most like it, are about `sentences`, and null where not all oracles are
    known.
    """

    model_config = _EXACT
    name: str
    hits: int
    total: int
    score: float
    words: int
    feasible: bool
    objective_hits: int
    sentences: list[int]
    unmatched: list[str]
    aligned_words: int
    aligned_hits: int
    precision: float | None
    recall: float | None
    f_measure: float | None
    nearest: list[int] | None


class Commands(BaseModel):
    model_config = _EXACT
    shell: str
    python: str
    needs: str | None = Field(description="the file both read: /api/families/{key}/input")


class FamilyView(BaseModel):
    """Everything about the oracles of a document but the list of them.

    Where the search was stopped (`status` time_limit or interrupted), `count`, `support`, `sizes`
    and `inclusion` are those of the sets found so far, `core` is empty and no sentence is marked as
    `core`, and `lengths`, `smallest` and `earliest` are null: they are not known.
    """

    model_config = _EXACT
    key: str
    id: str
    status: Literal["complete", "streamed", "time_limit", "interrupted", "no_overlap"]
    proven: bool
    hits: int
    total: int
    score: float
    upper_bound: int
    count: Count
    checked: Count
    seconds: float
    signature: str
    objective: str
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
    greedy: GreedyView
    systems: list[SystemView]
    commands: Commands


class OracleLine(BaseModel):
    model_config = _EXACT
    rank: Count
    sentences: list[int]
    words: int
    hits: int = Field(description="the best, or up to within_hits less")
    distance: int | None


class OraclePage(BaseModel):
    """Some oracles; `rank` is an oracle's place in the text order, whatever the order shown."""

    model_config = _EXACT
    total: Count
    offset: Count
    sorted: bool
    note: str | None
    oracles: list[OracleLine]


class CurvePoint(BaseModel):
    """The best score under one limit, as the events `point` of a curve carry it."""

    model_config = _EXACT
    limit: int
    hits: int
    total: int
    score: float
    count: Count
    status: str
    proven: bool
    seconds: float
