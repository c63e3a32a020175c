"""The judged systems of one topic under every measure: oracles found, summaries scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ..frozen import dataclass
from ..instances.limits import Limits
from ..oracles.api import build_problem, solve_problem
from ..oracles.bounds import answer_within
from ..oracles.family import OracleFamily
from ..oracles.options import Options
from ..oracles.solve import warn_without_overlap
from ..rouge import Rouge, RougeScore, score_summaries
from ..signature import merge_signatures
from .draws import DRAWS
from .measures import (
    CaseScore,
    TopicMeasures,
    collect_measures,
    collect_overlaps,
    name_rouge,
    paper_rouge,
)
from .panel import Summary, derive_case_seed, score_panel
from .summary import SummaryScore

__all__ = ["ObjectiveMeasure", "judge_topic"]

Reference = str | Sequence[str]
STATISTICS = ("recall", "precision", "f1")


@dataclass(frozen=True, kw_only=True)
class ObjectiveMeasure:
    """An objective that is a measure of its own: value, share, and overlaps with its oracles."""

    name: str
    rouge: Rouge
    limits: Limits


def judge_topic(
    sentences: Sequence[str],
    references: Sequence[Reference],
    summaries: Mapping[str, Summary],
    limits: Limits | None,
    *,
    measures: Sequence[int] = (1, 2),
    statistics: Sequence[str] = ("recall",),
    both_stop_words: bool = False,
    objective: ObjectiveMeasure | None = None,
    language: str = "en",
    id: str = "",
    draws: int = DRAWS,
    seed: int = 0,
    time_limit: float | None = None,
    threads: int = 1,
) -> TopicMeasures:
    """ROUGE-n and the F-measures of each n in `measures`, in the paper's settings.

    `limits` are those of the oracles of `measures`. `statistics` are those of ROUGE-n, with
    `both_stop_words` also with the stop words that the paper leaves out, and without those it
    keeps. An `objective` adds its value, the share of the oracle, and P, R and F.
    """
    found: dict[str, Mapping[str, float]] = {}
    drawn: dict[str, Mapping[str, list[float]]] = {}
    partial = 0
    signatures: list[str] = []
    options = Options(time_limit=time_limit, threads=threads)

    def score_against(
        rouge: Rouge, limits: Limits, reference: int | None
    ) -> tuple[OracleFamily, dict[str, SummaryScore]]:
        nonlocal partial
        models = references if reference is None else [references[reference]]
        problem = build_problem(sentences, models, rouge, limits, options, id=id)
        warn_without_overlap(problem)
        family = solve_problem(problem, "search", options)
        partial += not family.exact
        signatures.append(family.signature)
        own_seed = derive_case_seed(seed, id, rouge.size, reference)
        with answer_within(seconds=time_limit):  # as each search has it
            return family, score_panel(
                summaries, models, rouge, family, draws=draws, seed=own_seed, intervals=False
            )

    every = range(len(references))
    for n in measures:
        assert limits is not None
        rouge = paper_rouge(n, language)
        _, multi = score_against(rouge, limits, None)
        single = [score_against(rouge, limits, k)[1] for k in every]
        collected = collect_measures(
            n,
            _summarise(multi, statistics, ["F-measure"]),
            [_summarise(scores, statistics, ["F-measure"]) for scores in single],
        )
        found |= collected.measures
        drawn |= collected.drawn
        if both_stop_words:
            found |= _score_otherwise(n, rouge, summaries, references, statistics)
    if objective is not None:
        family, multi = score_against(objective.rouge, objective.limits, None)
        single = [score_against(objective.rouge, objective.limits, k)[1] for k in every]
        found |= _measure_objective(objective.name, family, multi)
        overlaps = ["F-measure", "precision", "recall"]
        collected = collect_overlaps(
            objective.name,
            _summarise(multi, (), overlaps),
            [_summarise(scores, (), overlaps) for scores in single],
        )
        found |= collected.measures
        drawn |= collected.drawn
    return TopicMeasures(
        measures=found, drawn=drawn, partial=partial, signature=merge_signatures(signatures)
    )


def _measure_objective(
    name: str, family: OracleFamily, scores: Mapping[str, SummaryScore]
) -> dict[str, Mapping[str, float]]:
    """Value and share. A summary has no share if its oracle scores 0."""
    return {
        f"objective {name}": {
            system: float(_find_value(score, family)) for system, score in scores.items()
        },
        f"share of oracle ({name})": {
            system: score.share for system, score in scores.items() if score.share is not None
        },
    }


def _find_value(score: SummaryScore, family: OracleFamily) -> Fraction:
    if score.objective_value is not None:
        return score.objective_value
    assert score.objective_hits is not None
    return Fraction(score.objective_hits, family.total) if family.total else Fraction(0)


def _score_otherwise(
    n: int,
    rouge: Rouge,
    summaries: Mapping[str, Summary],
    references: Sequence[Reference],
    statistics: Sequence[str],
) -> dict[str, Mapping[str, float]]:
    """ROUGE-n with stop words if the paper is without them, and the other way round."""
    if rouge.language != "en":
        return {}  # no stop list
    other = Rouge(n=n, stem=True, remove_stopwords=not rouge.remove_stopwords)
    texts = [summary.texts for summary in summaries.values()]
    scores = [across for across, _ in score_summaries(texts, references, other)]
    word = "without" if other.remove_stopwords else "with"
    return {
        name_rouge(n, statistic, word): dict(
            zip(summaries, (_take(score, [statistic])[statistic] for score in scores), strict=True)
        )
        for statistic in statistics
    }


def _take(score: RougeScore, statistics: Sequence[str]) -> dict[str, float]:
    values = {"recall": score.recall, "precision": score.precision, "f1": score.f1}
    return {statistic: values[statistic] for statistic in statistics}


def _summarise(
    scores: Mapping[str, SummaryScore], statistics: Sequence[str], overlaps: Sequence[str]
) -> dict[str, CaseScore]:
    """What correlations need of each scored summary."""
    return {
        system: CaseScore(
            rouge=_take(score.rouge, statistics),
            overlaps={
                name: value
                for name, value in (
                    ("precision", score.overlap.precision),
                    ("recall", score.overlap.recall),
                    ("F-measure", score.overlap.f_measure),
                )
                if name in overlaps
            },
            drawn=list(score.drawn.f_measures),
        )
        for system, score in scores.items()
    }
