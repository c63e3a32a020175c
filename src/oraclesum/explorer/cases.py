"""A question made ready to be solved, and solved: document, measure, limits, all its oracles."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

import orjson

from ..corpora.topic import Reference, System
from ..errors import InputError, LimitError
from ..evaluation.alignment import Alignment, align_summary
from ..frozen import dataclass
from ..instances import Instance, Limits
from ..notices import collect_warnings
from ..oracles import OracleFamily
from ..oracles.api import Problem, build_problem, solve_problem
from ..oracles.bounds import TEXT_SECONDS, answer_sooner
from ..oracles.options import Options
from ..oracles.status import Status
from ..rouge import Rouge
from ..rouge.objective import parse_objective
from ..rouge.presets import PRESETS
from ..text import Preparation
from .corpus import ServedCorpus, require_topic, split_until_stopped
from .replies import ApiError, ClientGone
from .schema import (
    MAX_SENTENCES,
    FamilyQuestion,
    Settings,
    SpelledDocument,
    TopicDocument,
)

__all__ = [
    "MAX_SORTED",
    "ServedCase",
    "Solved",
    "align_systems",
    "ask_family",
    "check_wanted",
    "freeze_system",
    "make_case",
    "make_key",
    "make_rouge",
    "solve",
    "solve_limit",
]

# Comparing text with every sentence takes about a microsecond each, of long sentences up to some
# milliseconds: this many of short ones, and as many of long ones as the time allows.
_MAX_COMPARISONS = 2_000_000
_MAX_REFERENCE_LETTERS = 500_000  # each n-gram of them is listed, with its count per reference
_MAX_LETTERS = 1_000_000  # of text to be split: a fraction of a second, at worst 15 seconds
_SHORTEST_SENTENCE = 20  # characters, for a guess of how many sentences a text has


@dataclass(frozen=True, kw_only=True)
class ServedCase:
    """One document under one choice of settings."""

    key: str
    id: str
    number: int | None  # in the corpus; None: the document came with the question
    sentences: tuple[str, ...]
    text: str | None  # that the sentences were split from, here or by the reader
    was_split: bool
    preparation: Preparation  # of the corpus; nothing is done to a document that is pasted
    references: tuple[Reference, ...]
    doc_ids: tuple[int, ...] | None
    systems: Mapping[str, System]
    alignments: Mapping[str, Alignment]
    rouge: Rouge
    limits: Limits
    settings: Settings
    seconds: float  # that a search may take

    @property
    def used(self) -> tuple[int, ...]:
        """Indices of the references that count."""
        if self.settings.reference is None:
            return tuple(range(len(self.references)))
        return (self.settings.reference,)

    @property
    def compared(self) -> int:
        """Letters of references that each word of a summary is compared with, term by term.

        Subsequences are; n-grams are looked up.
        """
        terms = sum(term.kind != "ngrams" for term in self.rouge.terms)
        return terms * self.reference_letters

    @property
    def reference_letters(self) -> int:
        """Letters of the references that count."""
        used = [self.references[k] for k in self.used]
        return sum(len(one) if isinstance(one, str) else sum(map(len, one)) for one in used)

    @property
    def marked(self) -> int:
        """Length of the n-grams that are marked: those of the first term that has n-grams."""
        sizes = [term.n for term in self.rouge.terms if term.kind == "ngrams"]
        return sizes[0] if sizes else 1

    @property
    def used_references(self) -> list[Reference]:
        """The references that count."""
        return [self.references[k] for k in self.used]


def make_case(
    question: FamilyQuestion,
    corpus: ServedCorpus | None,
    *,
    max_seconds: float,
) -> ServedCase:
    """The case of a question. Raises ApiError or InputError if it cannot be used."""
    settings = question.settings
    seconds = min(max_seconds, settings.time_limit or max_seconds)
    document = question.document
    limits = Limits(
        max_words=settings.max_words,
        max_sentences=settings.max_sentences,
        max_bytes=settings.max_bytes,
        required=settings.required,
        forbidden=settings.forbidden,
        needed=make_rouge(settings, None).needs_limit,
    )
    text: str | None = None
    doc_ids: tuple[int, ...] | None = None
    number: int | None = None
    systems: Mapping[str, System]
    references: tuple[Reference, ...]
    if isinstance(document, TopicDocument):
        number = document.topic
        corpus = require_topic(corpus, number, field="document.topic")
        topic = corpus.topic(number)
        rouge = make_rouge(settings, topic.language)
        sentences = corpus.sentences(topic, rouge.language)
        was_split = topic.sentences is None or topic.was_split
        text, doc_ids, id = topic.text, topic.doc_ids, topic.id
        references, systems = topic.references, topic.systems
        alignments: Mapping[str, Alignment] = corpus.align(number, rouge.language)
    else:
        rouge = make_rouge(settings, None)
        id = document.id or "pasted"
        references = tuple(
            one if isinstance(one, str) else tuple(one) for one in document.references
        )
        was_split = not isinstance(document, SpelledDocument)
        if isinstance(document, SpelledDocument):
            sentences = tuple(document.sentences)
        else:
            text = document.text
            sentences = tuple(_split(text, rouge.language, field="document.text"))
            if not sentences:
                raise ApiError(422, "the document is empty: text is blank", field="document.text")
        systems = {name: freeze_system(one) for name, one in (document.systems or {}).items()}
        with answer_sooner(seconds):
            alignments = align_systems(systems, sentences, rouge.language, field="document.systems")
    _refuse_too_much(sentences, references)
    if settings.reference is not None and settings.reference >= len(references):
        raise ApiError(
            422,
            f"there is no reference {settings.reference}: the document has {len(references)}, "
            "numbered from 0",
            field="settings.reference",
        )
    return ServedCase(
        key=make_key(question, corpus, max_seconds),
        id=id,
        number=number,
        sentences=sentences,
        text=text,
        was_split=was_split,
        preparation=Preparation() if number is None or corpus is None else corpus.preparation,
        references=references,
        doc_ids=doc_ids,
        systems=systems,
        alignments=alignments,
        rouge=rouge,
        limits=limits,
        settings=settings,
        seconds=seconds,
    )


def _refuse_too_much(sentences: Sequence[str], references: Sequence[Reference]) -> None:
    if len(sentences) > MAX_SENTENCES:
        raise ApiError(
            422,
            f"the document has {len(sentences):,} sentences, more than the {MAX_SENTENCES:,} that "
            "can be shown: use `oraclesum enumerate`",
            field="document",
        )
    letters = sum(len(one) if isinstance(one, str) else sum(map(len, one)) for one in references)
    if letters > _MAX_REFERENCE_LETTERS:
        raise ApiError(
            422,
            f"the references have {letters:,} characters, more than the "
            f"{_MAX_REFERENCE_LETTERS:,} that can be shown: use `oraclesum enumerate`",
            field="document.references",
        )


def make_rouge(settings: Settings, language: str | None) -> Rouge:
    """The measure, in the language of the settings or else that of the topic."""
    if settings.objective is not None:
        name = settings.objective.strip().lower()
        if (preset := PRESETS.get(name)) is not None:
            raise ApiError(
                422,
                f"{name!r} is a preset, which sets more than the objective: give its objective, "
                f"{preset.objective!r}, and set here what else you need, or use "
                f"`oraclesum enumerate --objective {name}`",
                field="settings.objective",
            )
        try:
            parse_objective(settings.objective)
        except InputError as error:
            raise ApiError(422, str(error), field="settings.objective") from error
    return Rouge(
        settings.objective,
        n=settings.rouge if settings.objective is None else None,
        stem=settings.stem,
        remove_stopwords=settings.remove_stopwords,
        language=settings.language or language or "en",
        boundaries=settings.boundaries,
    )


def align_systems(
    systems: Mapping[str, System],
    sentences: Sequence[str],
    language: str,
    *,
    field: str,
) -> dict[str, Alignment]:
    """Each system as sentences of the document; an ApiError if that would take too long."""
    comparisons = sum(_guess_units(system) for system in systems.values()) * len(sentences)
    too_long = ApiError(
        422,
        "the system summaries are too long to be found in this document by their text: "
        "give them as lists of sentence indices",
        field=field,
    )
    if comparisons > _MAX_COMPARISONS:
        raise too_long
    found: dict[str, Alignment] = {}
    for name, system in systems.items():
        # Its text would be that often in the summary, and a short body could ask for any length.
        if not isinstance(system, str) and _repeats_index(system):
            raise ApiError(422, f"system {name!r} names a sentence twice", field=field)
        units = _split(system, language, field=field) if isinstance(system, str) else system
        try:
            found[name] = align_summary(units, sentences, language=language)
        except LimitError:  # or nobody waits for the answer any longer
            raise too_long from None
        except InputError as error:
            raise ApiError(422, f"system {name!r}: {error}", field=field) from error
    return found


def _repeats_index(system: Sequence[str] | Sequence[int]) -> bool:
    indices = [part for part in system if not isinstance(part, str)]
    return len(set(indices)) < len(indices)


def _split(text: str, language: str, *, field: str) -> list[str]:
    """The sentences of a text; an ApiError if it is so long that others would wait for it."""
    if len(text) > _MAX_LETTERS:
        raise ApiError(
            422,
            f"the text is too long to be split into sentences here (over {_MAX_LETTERS} "
            "characters): give it as a list of sentences",
            field=field,
        )
    return list(split_until_stopped(text, language))


def _guess_units(system: System) -> int:
    if isinstance(system, str):
        return len(system) // _SHORTEST_SENTENCE + 1
    return sum(isinstance(part, str) for part in system)


def freeze_system(system: list[int] | list[str] | str) -> System:
    """A system as a question has it, as the stages take it."""
    return system if isinstance(system, str) else tuple(system)  # type: ignore[return-value] # of one kind


def make_key(question: FamilyQuestion, corpus: ServedCorpus | None, max_seconds: float) -> str:
    """Equal for equal questions; corpora and servers differ by name and limit."""
    content: dict[str, Any] = question.model_dump()
    parts = (content, corpus.shown if corpus else None, max_seconds)
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()[:32]


MAX_SORTED = 100_000
"""Families of at most so many oracles are shown in orders other than that of the text."""

_STOPPED = (
    "the search was stopped before its end: only the sets found so far are known, and inclusion is "
    "a share of these; core, precision and recall are not known"
)
_UNNAMED = "the reference "  # how a reason begins if there is only one reference

# Inclusion is counted for each size and sentence, half a microsecond each.
_MAX_INCLUSION = 20_000_000
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, kw_only=True)
class Solved:
    """All oracles of a case."""

    problem: Problem
    family: OracleFamily
    notes: tuple[str, ...]
    seconds: float

    def hits(self, indices: Sequence[int]) -> int | None:
        """The hits of a set; None of other objectives than recall."""
        if isinstance(self.problem, Instance):
            return self.problem.hits(indices)
        if self.family.total is None:
            return None
        return int(self.problem.score(indices) * self.family.total)  # whole: value = hits / total

    def score_each(self, sets: Sequence[Sequence[int]]) -> list[Fraction]:
        """The exact scores of sets, within the time of `answer_within`."""
        if isinstance(self.problem, Instance):
            return [Fraction(self.problem.hits(one), self.problem.total) for one in sets]
        return self.problem.score_each(sets, late=0.0)

    def find_candidates(self) -> list[int]:
        """Sentences that can be in an oracle: they can add to the score, and fit alone."""
        if isinstance(self.problem, Instance):
            return list(self.problem.candidates)
        rows = self.problem.rows
        return [
            i for i in self.problem.candidates if all(row.lengths[i] <= row.budget for row in rows)
        ]


def solve(case: ServedCase, stop: Callable[[], bool]) -> Solved:
    """Search for all oracles, until `stop` says true or the time of the case is over."""
    started = time.perf_counter()
    problem, notes = _build(case, case.limits)
    left = max(0.0, case.seconds - (time.perf_counter() - started))
    with collect_warnings() as caught:
        family = solve_problem(problem, "search", _make_options(case, left, stop))
    notes = (*notes, *map(str, caught))
    check_wanted(stop)
    with answer_sooner(case.seconds + TEXT_SECONDS):
        sizes = len(family.sizes)
    if sizes * len(case.sentences) > _MAX_INCLUSION:
        raise ApiError(
            422,
            f"the oracles are of too many different sizes, in a document of "
            f"{len(case.sentences):,} sentences, to be shown: set a tighter limit",
            field="settings",
        )
    check_wanted(stop)
    if isinstance(problem, Instance) and not problem.candidates:
        notes = (*notes, _explain_no_candidate(problem))
    if family.status == Status.NO_OVERLAP and (case.limits.required or case.limits.forbidden):
        notes = (_explain_conditions(case),)  # they are the reason, not the texts
    if not family.exact:
        notes = (*notes, _STOPPED)
    return Solved(
        problem=problem,
        family=family,
        notes=tuple(dict.fromkeys(notes)),
        seconds=time.perf_counter() - started,
    )


def check_wanted(stop: Callable[[], bool]) -> None:
    """Raise ClientGone if nobody waits any longer; between steps that cannot be stopped."""
    if stop():
        raise ClientGone


def solve_limit(
    case: ServedCase, unit: str, limit: int, seconds: float, stop: Callable[[], bool]
) -> Solved:
    """The same under another limit of words or sentences; the other limits stay as they are."""
    started = time.perf_counter()
    changed: dict[str, Any] = {f"max_{unit}": limit}
    limits: Limits = replace(case.limits, **changed)
    problem, notes = _build(case, limits)
    with collect_warnings():
        family = solve_problem(problem, "search", _make_options(case, seconds, stop))
    elapsed = time.perf_counter() - started
    return Solved(problem=problem, family=family, notes=notes, seconds=elapsed)


def _make_options(case: ServedCase, seconds: float, stop: Callable[[], bool]) -> Options:
    return Options(
        time_limit=seconds,
        max_list=MAX_SORTED,
        family=case.settings.family,
        within_hits=case.settings.within_hits,
        within=Fraction(case.settings.within),
        top=case.settings.top,
        stop=stop,
    )


def _build(case: ServedCase, limits: Limits) -> tuple[Problem, tuple[str, ...]]:
    options = _make_options(case, 0.0, lambda: False)
    try:
        with collect_warnings() as caught:
            problem = build_problem(
                case.sentences, case.used_references, case.rouge, limits, options, id=case.id
            )
    except InputError as error:
        if (one := case.settings.reference) is None:
            raise
        reason = str(error)
        if reason.startswith(_UNNAMED):
            raise InputError(f"reference {one} {reason.removeprefix(_UNNAMED)}") from error
        raise InputError(f"reference {one} alone: {reason}") from error
    return problem, tuple(map(str, caught))


def ask_family(family: OracleFamily, question: Callable[[], _Answer]) -> _Answer | None:
    """An answer that is about all oracles; None if they are not known, or there is none."""
    if not family.exact:
        return None
    try:
        return question()
    except InputError:  # none, or not all are stored
        return None


def _explain_no_candidate(instance: Instance) -> str:
    if any(instance.counts):
        return "no sentence that shares an n-gram with a reference fits the limits: raise them"
    return (
        "no sentence shares an n-gram with a reference: check that both are in the same language "
        "and that the settings suit it, or use a smaller n"
    )


def _explain_conditions(case: ServedCase) -> str:
    required = case.limits.required
    for row in case.limits.measure(case.sentences):
        needed = sum(row.lengths[i] for i in required)
        if needed > row.budget:
            which = "the sentence" if len(required) == 1 else f"the {len(required)} sentences"
            return (
                f"{which} that must be in would take {needed:,} {row.unit}, and the limit is "
                f"{row.budget:,}: raise it, or require less"
            )
    return (
        "no set that meets the conditions and fits the limits shares an n-gram with a reference: "
        "forbid less"
    )
