"""What records lack and the corpus can give: texts, greedy summaries, candidates, Jaccard."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from statistics import fmean

from ...corpora import Topic
from ...errors import InputError, OraclesumWarning, RecordError
from ...instances.instance import Instance
from ...oracles.api import Problem, build_problem, find_in_problem, solve_problem
from ...oracles.options import Options
from ...oracles.oracle import Oracle
from ...oracles.status import Status
from ...text import split_sentences
from .facts import CaseFacts, Facts, Objective

__all__ = ["complete_facts"]

_DRAWS = 1000
_MAX_SEARCHES = 500  # families that are searched again because their record lists a part only
_SECONDS = 2.0  # for each of them


def complete_facts(facts: Facts, topics: Iterable[Topic | RecordError]) -> list[str]:
    """Add what follows from the corpus to the cases; what of the results it does not have.

    Wrong texts are left out. Raises InputError if no topic of the results is in the corpus.
    """
    wanted: dict[str, list[tuple[Objective, CaseFacts]]] = {}
    for objective, case in facts.every_case():
        wanted.setdefault(case.id, []).append((objective, case))
    number, strangers = len(wanted), 0
    budget = [_MAX_SEARCHES]
    for topic in topics:
        if isinstance(topic, RecordError):
            continue
        for objective, case in wanted.pop(topic.id, ()):
            if not _complete(facts, objective, case, topic, budget):
                strangers += 1
    if wanted and len(wanted) == number:
        raise InputError(
            f"no topic of the results is in the corpus (the first is {next(iter(wanted))!r}): "
            "--corpus must be what the results were made from; without it a report is made from "
            "the results alone"
        )
    told = []
    if strangers:
        told.append(
            f"{strangers:,} of {len(facts.every_case()):,} cases are not what the corpus gives "
            "under their settings (other texts, or a tokenizer of one's own): their texts "
            "are not shown"
        )
    if wanted:
        told.append(f"{len(wanted):,} of {number:,} topics of the results are not in the corpus")
    if budget[0] < 0:
        facts.notes.append(
            f"more than {_MAX_SEARCHES} records list only a part of their oracles, or none; what "
            f"that leaves open was computed from the corpus for the first {_MAX_SEARCHES} of them"
        )
    return told


def _complete(
    facts: Facts, objective: Objective, case: CaseFacts, topic: Topic, budget: list[int]
) -> bool:
    language = case.language or topic.language or "en"
    texts = case.texts or topic.sentences or tuple(split_sentences(topic.text or "", language))
    references = topic.references
    if case.reference is not None:
        references = references[case.reference : case.reference + 1]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OraclesumWarning)
            rouge, limits = objective.make_rouge(language), objective.make_limits()
            problem = build_problem(texts, references, rouge, limits, Options(), id=case.id)
            if case.sentences not in (None, len(texts)) or not _fits(case, problem):
                return False
            case.texts, case.sentences = tuple(texts), len(texts)
            case.doc_ids, case.in_corpus = topic.doc_ids, True
            if isinstance(problem, Instance):
                case.candidates = len(problem.candidates)
            facts.has_texts = True
            if not case.hits:
                case.greedy_hits = case.hits if case.exact else None
                return True
            greedy = find_in_problem(problem, "greedy", Options())
            found = greedy.value if objective.terms else greedy.hits
            if objective.terms and case.proven and greedy.value > case.hits:
                return False  # other texts
            case.greedy_hits, case.greedy = found, list(greedy.indices)
            if case.oracles is not None and case.known_count == len(case.oracles):
                case.jaccard, case.jaccard_exact = _mean_jaccard(greedy, case.oracles), True
            elif case.exact and (case.inclusion is None or case.jaccard is None):
                budget[0] -= 1
                if budget[0] >= 0:
                    _search_again(objective, case, problem, greedy)
    except InputError:
        return False
    return True


def _fits(case: CaseFacts, problem: Problem) -> bool:
    """Whether the problem is the one that the record is of, as far as the record tells."""
    if isinstance(problem, Instance):
        return problem.total == case.total
    # Sets near the best come in any order: one of those that are listed has the best score.
    return not case.oracles or any(problem.score(oracle) == case.hits for oracle in case.oracles)


def _search_again(objective: Objective, case: CaseFacts, problem: Problem, greedy: Oracle) -> None:
    """The family once more, for what the record does not say of it."""
    if objective.near:
        return
    options = Options(
        time_limit=_SECONDS,
        max_list=_DRAWS,
        family=objective.family,
        within_hits=objective.within_hits,
    )
    family = solve_problem(problem, "search", options)
    best = family.value if objective.terms else family.hits
    if not family.exact or (best, family.count) != (case.hits, case.count):
        return
    case.inclusion = case.inclusion or family.inclusion
    case.oracles = case.oracles or list(map(list, family))
    if case.jaccard is None and family.complete:
        case.jaccard, case.jaccard_exact = _mean_jaccard(greedy, family), True
    elif case.jaccard is None and family.status == Status.LIST_LIMIT:
        case.jaccard, case.jaccard_exact = _mean_jaccard(greedy, family.sample(_DRAWS)), False


def _mean_jaccard(greedy: Oracle, oracles: Iterable[Sequence[int]]) -> float:
    chosen = set(greedy.indices)
    return fmean(len(chosen & set(o)) / len(chosen | set(o)) for o in oracles)
