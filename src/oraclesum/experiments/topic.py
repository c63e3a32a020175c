"""Everything the tables need of one topic, measured once and handed on as plain JSON."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

import orjson

from ..corpora import Topic
from ..errors import OraclesumError
from ..evaluation.measures import paper_rouge
from ..evaluation.panel import (
    Summary,
    derive_case_seed,
    derive_seed,
    prepare_summaries,
    score_panel,
)
from ..evaluation.summary import SummaryScore
from ..instances.build import build_instance
from ..instances.instance import Instance
from ..instances.limits import count_words
from ..notices import collect_warnings
from ..oracles.api import enumerate_instance, find_in_instance
from ..oracles.family import OracleFamily
from ..oracles.feasible import count_feasible
from ..rouge import Rouge
from ..stopping import came_from_handler
from ..systems import run_systems
from ..text import find_language, split_sentences
from .objectives import measure_objectives
from .settings import Experiment
from .similarity import compare_oracles, compare_with_oracles

__all__ = ["fingerprint_topic", "measure_topic"]

T = TypeVar("T")


def fingerprint_topic(topic: Topic) -> str:
    """A short digest of all that a topic holds: results of another text are not taken for it."""
    content: list[Any] = [
        topic.sentences,
        topic.text,
        topic.references,
        topic.doc_ids,
        topic.language,
    ]
    content += [topic.doc_ids, topic.language, dict(topic.systems)]
    content.append({name: dict(each) for name, each in topic.human.items()})
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


def measure_topic(topic: Topic, experiment: Experiment) -> dict[str, Any]:
    """The results of one topic; `error` in place of them where it cannot be measured."""
    head = {"id": topic.id, "fingerprint": fingerprint_topic(topic)}
    try:
        # Not shown: a reference that shares nothing with the document shows in the results.
        with collect_warnings():
            return {**head, **_measure(topic, experiment)}
    except OraclesumError as error:
        return {**head, "error": f"{topic.place}: {error}"}
    except Exception as error:  # a bug of ours must not cost the user the other topics
        if came_from_handler(error):
            raise
        reason = f"internal error, please report it: {type(error).__name__}: {error}"
        return {**head, "error": f"{topic.place}: {reason}"}


def _measure(topic: Topic, experiment: Experiment) -> dict[str, Any]:
    language = find_language(experiment.language or topic.language or "en").code
    sentences = topic.sentences
    if sentences is None:
        sentences = tuple(split_sentences(topic.text or "", language))
    limits = experiment.make_limits()
    ours = run_systems(
        experiment.systems,
        sentences=sentences,
        doc_ids=topic.doc_ids,
        limits=limits,
        language=language,
        seed=derive_seed(experiment.seed, topic.id),
        time_limit=experiment.time_limit,
    )
    summaries = prepare_summaries(
        {**topic.systems, **ours},
        sentences,
        cut_to=limits,
        threshold=experiment.threshold,
        language=language,
    )
    cases = []
    for n in experiment.measures:
        rouge = paper_rouge(n, language)
        for k in (None, *range(len(topic.references))):
            references = topic.references if k is None else (topic.references[k],)
            instance = build_instance(sentences, references, rouge, limits, id=topic.id)
            seed = derive_case_seed(experiment.seed, topic.id, n, k)
            case = _measure_case(instance, references, rouge, summaries, experiment, seed)
            cases.append({"n": n, "reference": k, **case})
    return {
        "documents": len(set(topic.doc_ids)) if topic.doc_ids else 1,
        "sentences": len(sentences),
        "words": sum(map(count_words, sentences)),
        "references": len(topic.references),
        "human": {name: dict(scores) for name, scores in topic.human.items()},
        "summaries": {
            name: {
                "words": summary.words,
                "coverage": summary.alignment.coverage,
                "unaligned": list(summary.alignment.unaligned),
                "ours": name in ours,
            }
            for name, summary in summaries.items()
        },
        "cases": cases,
        "objectives": measure_objectives(
            sentences,
            topic.references,
            topic.doc_ids,
            experiment,
            language=language,
            seed=derive_seed(experiment.seed, topic.id),
        )
        if experiment.objectives
        else None,
    }


def _measure_case(
    instance: Instance,
    references: Sequence[Any],
    rouge: Rouge,
    summaries: Mapping[str, Summary],
    experiment: Experiment,
    seed: int,
) -> dict[str, Any]:
    limit = experiment.time_limit
    first, one = _time(lambda: find_in_instance(instance, time_limit=limit))
    family, every = _time(lambda: enumerate_instance(instance, time_limit=limit))
    greedy = find_in_instance(instance, method="greedy")
    near = compare_with_oracles(greedy.indices, family, seed=seed)
    among = compare_oracles(family, seed=seed)
    lengths = [instance.lengths[i] for i in instance.candidates]
    scores = score_panel(
        summaries,
        references,
        rouge,
        family,
        draws=experiment.draws,
        seed=seed,
        intervals=False,
    )
    return {
        "total": instance.total,
        "hits": family.hits,
        "proven": family.proven,
        "status": family.status.value,
        "exact": family.exact,
        "ended_one": first.proven,
        # Big integers as text: JSON readers round them.
        "count": str(family.count),
        "feasible": str(count_feasible(lengths, instance.budget)),
        "candidates": len(instance.candidates),
        "checked": family.checked,
        "seconds_one": one,
        "seconds_all": every,
        "greedy_hits": greedy.hits,
        "jaccard_greedy": None if near is None else asdict(near),
        "jaccard_among": None if among is None else asdict(among),
        "baselines": _run_baselines(instance, family, experiment.baseline_time_limit),
        "systems": {name: _describe(score) for name, score in scores.items()},
        "signature": family.signature,
    }


def _run_baselines(instance: Instance, family: OracleFamily, limit: float) -> dict[str, Any]:
    """The paper's own ways on the same problem, for as long as they may take."""
    if limit <= 0:
        return {}
    listed, seconds = _time(
        lambda: enumerate_instance(instance, method="paper", time_limit=limit, max_list=0)
    )
    ended = listed.status.value != "time_limit"
    if ended and family.exact:
        assert (listed.hits, listed.count) == (family.hits, family.count)
    solved, ilp_seconds = _time(lambda: find_in_instance(instance, method="ilp", time_limit=limit))
    return {
        "paper": {"seconds": seconds, "checked": listed.checked, "ended": ended},
        "ilp": {"seconds": ilp_seconds, "ended": solved.proven},
    }


def _describe(score: SummaryScore) -> dict[str, Any]:
    return {
        "hits": score.rouge.hits,
        "reference_total": score.rouge.reference_total,
        "summary_total": score.rouge.summary_total,
        "objective_hits": score.objective_hits,
        "precision": score.overlap.precision,
        "recall": score.overlap.recall,
        "f_measure": score.overlap.f_measure,
        "selected": len(score.alignment.indices),
        "drawn_shared": list(score.drawn.shared),
        "drawn_sizes": list(score.drawn.sizes),
    }


def _time(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start
