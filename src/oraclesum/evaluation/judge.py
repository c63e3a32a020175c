"""The judged systems of one topic under every measure: oracles found, summaries scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..instances.build import build_instance
from ..instances.limits import Limits
from ..oracles.api import enumerate_instance
from ..rouge import Rouge
from ..signature import merge_signatures
from .draws import DRAWS
from .measures import CaseScore, TopicMeasures, collect_measures, paper_rouge
from .panel import Summary, derive_case_seed, score_panel
from .summary import SummaryScore

__all__ = ["judge_topic", "summarise_scores"]

Reference = str | Sequence[str]


def judge_topic(
    sentences: Sequence[str],
    references: Sequence[Reference],
    summaries: Mapping[str, Summary],
    limits: Limits,
    *,
    measures: Sequence[int] = (1, 2),
    language: str = "en",
    id: str = "",
    draws: int = DRAWS,
    seed: int = 0,
    time_limit: float | None = None,
    threads: int = 1,
) -> TopicMeasures:
    """ROUGE-n and the F-measures of each n in `measures`, in the paper's settings."""
    found: dict[str, Mapping[str, float]] = {}
    drawn: dict[str, Mapping[str, list[float]]] = {}
    partial = 0
    signatures: list[str] = []
    for n in measures:
        rouge = paper_rouge(n, language)

        def score_against(
            models: Sequence[Reference], reference: int | None, rouge: Rouge = rouge
        ) -> dict[str, CaseScore]:
            instance = build_instance(sentences, models, rouge, limits, id=id)
            family = enumerate_instance(instance, time_limit=time_limit, threads=threads)
            nonlocal partial
            partial += not family.exact
            signatures.append(family.signature)
            own_seed = derive_case_seed(seed, id, rouge.size, reference)
            scores = score_panel(
                summaries, models, rouge, family, draws=draws, seed=own_seed, intervals=False
            )
            return summarise_scores(scores)

        collected = collect_measures(
            n,
            score_against(references, None),
            [score_against([reference], k) for k, reference in enumerate(references)],
        )
        found |= collected.measures
        drawn |= collected.drawn
    return TopicMeasures(
        measures=found, drawn=drawn, partial=partial, signature=merge_signatures(signatures)
    )


def summarise_scores(scores: Mapping[str, SummaryScore]) -> dict[str, CaseScore]:
    """What correlations need of each scored summary."""
    return {
        system: CaseScore(
            recall=score.rouge.recall,
            f_measure=score.overlap.f_measure,
            drawn=list(score.drawn.f_measures),
        )
        for system, score in scores.items()
    }
