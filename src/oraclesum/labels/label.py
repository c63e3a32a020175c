"""Labels of a document: 0 or 1 for each sentence after one oracle, and its share in all of them."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, Unpack

from ..errors import InputError
from ..frozen import dataclass
from ..given import check_list, is_one_of
from ..instances.limits import Limits
from ..message import Message
from ..oracles.api import (
    ListTextKeywords,
    Problem,
    make_problem,
    read_keywords,
    solve_problem,
)
from ..oracles.bounds import answer_later, answer_sooner
from ..oracles.family import OracleFamily
from ..oracles.options import Options
from ..oracles.solve import warn_without_overlap
from ..oracles.status import Status
from ..rouge import Rouge
from ..signature import extend_signature
from ..systems.document import Document
from ..systems.simple import select_lead
from ..text import Analyser
from ..whole import as_whole
from .settings import LabelSettings, plain_options
from .soft import soften_labels

__all__ = [
    "DEFAULT_OBJECTIVE",
    "Labels",
    "choose_family",
    "label_every_oracle",
    "label_problem",
    "label_sentences",
    "take_lead",
]

DEFAULT_OBJECTIVE = "r1-f1+r2-f1"
"""What labels maximise unless told otherwise: what training code maximises, greedily."""

_LEAST_SECONDS = 1.0  # to choose one of the oracles, however late it is


@dataclass(frozen=True, kw_only=True)
class Labels:
    """Labels of one document after one oracle; both lists have one element per sentence."""

    labels: tuple[int, ...]  # 1: in the oracle
    soft_labels: tuple[float, ...]  # share of the sets that have it
    oracle_ids: tuple[int, ...]  # the oracle's sentences
    value: Fraction  # the oracle's exact score
    hits: int | None  # of recall; None for other objectives
    total: int | None
    count: int  # oracles
    status: Status
    signature: str

    @property
    def score(self) -> float:
        """The oracle's score under the objective, as a float."""
        return float(self.value)


def label_sentences(
    sentences: Sequence[str],
    references: Sequence[str | Sequence[str]],
    *,
    rouge: Rouge | str | None = None,
    method: str = "search",
    doc_ids: Sequence[int] | None = None,
    choose: str = "first",
    temperature: float | None = None,
    **keywords: Unpack[ListTextKeywords],
) -> Labels:
    """A label per sentence of a document, from its oracle: 0 or 1, and a share between 0 and 1.

    Parameters
    ----------
    sentences, references
        As for `enumerate_oracles`.
    rouge
        What is maximised: a `Rouge`, or its objective as text. Default "r1-f1+r2-f1", which is
        what extractive summarizers are usually trained on. Recall under a limit of sentences
        prefers long sentences.
    doc_ids
        The number of the document that each sentence is from; for the lead of several documents.
    choose
        The oracle of the hard labels if there are several: "first" (default), the one nearest to
        the "lead", or a "random" one by `seed`.
    within_hits, within, top, temperature
        Soft labels over near-optimal sets too, see `LabelSettings`. Default: over the oracles.
    method, max_words, max_sentences, …, time_limit, threads
        As for `enumerate_oracles`. `family` is "minimal" for recall by default, so that a sentence
        that adds nothing has no label.

    Returns
    -------
    Labels
        `labels`, `soft_labels`, `oracle_ids`, `value`, `score`, `count`, `status`, `signature`. If
        there is no oracle, all labels are 0 and `status` is "no_overlap".

    Raises
    ------
    InputError
        If a text or a setting cannot be used.

    Examples
    --------
    >>> labels = label_sentences(
    ...     ["It was Monday.", "The cat sat on the mat.", "The cat sat on the mat!", "Dogs bark."],
    ...     ["The cat sat on the mat. Dogs bark."],
    ... )
    >>> labels.labels, labels.soft_labels
    ((0, 1, 0, 1), (0.0, 0.5, 0.5, 1.0))
    """
    if is_one_of(choose, ("all",)):
        raise InputError(
            Message("{choose} must name one oracle; label_every_oracle gives the labels of all")
        )
    return next(
        _label(sentences, references, rouge, method, doc_ids, choose, temperature, keywords)
    )


def label_every_oracle(
    sentences: Sequence[str],
    references: Sequence[str | Sequence[str]],
    *,
    rouge: Rouge | str | None = None,
    method: str = "search",
    temperature: float | None = None,
    **keywords: Unpack[ListTextKeywords],
) -> list[Labels]:
    """The labels of each oracle, one after the other, at most `max_list` (default 1000) of them.

    Parameters
    ----------
    sentences, references, rouge, method, temperature, max_words, …
        As for `label_sentences`.

    Returns
    -------
    list of Labels

    Raises
    ------
    InputError
        If a text or a setting cannot be used.

    Examples
    --------
    >>> every = label_every_oracle(["A cat.", "Rain.", "A cat."], ["A cat."], rouge="r1-f1")
    >>> [labels.oracle_ids for labels in every]
    [(0,), (2,)]
    """
    return list(_label(sentences, references, rouge, method, None, "all", temperature, keywords))


def _label(
    sentences: Sequence[str],
    references: Sequence[str | Sequence[str]],
    rouge: Rouge | str | None,
    method: str,
    doc_ids: Sequence[int] | None,
    choose: str,
    temperature: float | None,
    keywords: Any,
) -> Iterator[Labels]:
    settings = LabelSettings(
        choose=choose,
        max_list=keywords.get("max_list", LabelSettings.max_list),
        within_hits=keywords.get("within_hits", 0),
        within=keywords.get("within", 0),
        top=keywords.get("top", 0),
        temperature=temperature,
        seed=keywords.get("seed", 0),
    )
    rouge = DEFAULT_OBJECTIVE if rouge is None else rouge
    measure = Rouge(rouge) if isinstance(rouge, str) else rouge
    if isinstance(measure, Rouge):
        keywords.setdefault("family", choose_family(measure))
    problem, options = make_problem(sentences, references, measure, keywords)
    doc_ids = None if doc_ids is None else _check_documents(doc_ids, len(sentences))
    warn_without_overlap(problem)
    lead: tuple[int, ...] = ()
    if choose == "lead":
        limits, _ = read_keywords(keywords, measure)
        lead = take_lead(sentences, doc_ids, limits)
    return label_problem(problem, lead, settings, method=method, options=plain_options(options))


def _check_documents(doc_ids: Sequence[int], sentences: int) -> list[int]:
    every = check_list("doc_ids", doc_ids, "a list with a whole number per sentence")
    if len(every) != sentences:
        raise InputError(f"doc_ids has {len(every)} numbers for {sentences} sentences")
    return [as_whole(f"doc_ids[{i}]", number) for i, number in enumerate(every)]


def choose_family(rouge: Rouge) -> str:
    """The family whose sets give labels: under recall, sentences that add nothing come free."""
    return "minimal" if rouge.needs_limit else "all"


def label_problem(
    problem: Problem,
    lead: Sequence[int],
    settings: LabelSettings,
    *,
    method: str,
    options: Options,
) -> Iterator[Labels]:
    """The labels of a problem; `lead` is needed if the oracle nearest to it is chosen."""
    started = time.monotonic()
    oracles = solve_problem(problem, method, options)
    left = options.left_since(started)
    least = None if left.time_limit is None else max(left.time_limit, _LEAST_SECONDS)
    with answer_later(least):  # soft labels may use up all the time; there have to be hard ones
        every = _choose(oracles, lead, settings, problem.id)
    left = options.left_since(started)
    with answer_sooner(left.time_limit, stop=left.stop):
        soft, status = soften_labels(
            problem,
            oracles,
            settings,
            chosen=every[0] if every else (),
            method=method,
            options=left,
        )
    signature = extend_signature(oracles.signature, *settings.describe())
    for chosen in every:
        members = set(chosen)
        yield Labels(
            labels=tuple(int(i in members) for i in range(oracles.n_sentences)),
            soft_labels=soft,
            oracle_ids=chosen,
            value=oracles.value,
            hits=oracles.hits,
            total=oracles.total,
            count=oracles.count,
            status=status,
            signature=signature,
        )


def take_lead(
    sentences: Sequence[str], doc_ids: Sequence[int] | None, limits: Limits
) -> tuple[int, ...]:
    """The lead summary: first sentences of all documents, then second ones, while they fit."""
    document = Document(sentences=sentences, doc_ids=doc_ids, limits=limits, content=Analyser())
    return tuple(sorted(select_lead(document)))


def _choose(
    oracles: OracleFamily, lead: Sequence[int], settings: LabelSettings, name: str
) -> list[tuple[int, ...]]:
    if not oracles.count:
        return [()]
    if settings.choose == "lead":
        return [oracles.nearest(lead) if lead else oracles.earliest()]  # no limit, no lead
    if settings.choose == "random":
        # Within a corpus every topic draws for itself, whatever its neighbours are.
        return oracles.sample(
            1, (settings.seed + zlib.crc32(name.encode("utf-8", "surrogatepass"))) % 2**63
        )
    if settings.choose == "first" and oracles.method == "paper" and len(oracles) < oracles.count:
        raise InputError(
            Message(
                "method 'paper' lists the sets that it finds first, here {some} of {all}, and not "
                "the first in lexicographic order: raise {max_list}, or use method 'search'",
                some=len(oracles),
                all=oracles.count,
            )
        )
    return list(islice(oracles.iterate(), 1 if settings.choose == "first" else settings.max_list))
