"""All systems of a topic against its oracles: each prepared once, scored under every measure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from ..frozen import dataclass
from ..instances.limits import Limits
from ..oracles.bounds import answer_within
from ..oracles.family import OracleFamily
from ..oracles.objective import score_text
from ..oracles.status import Status
from ..oracles.store import ListedStore
from ..rouge import Rouge, RougeScore, score_summaries
from .alignment import DEFAULT_THRESHOLD, Alignment, align_summary
from .draws import DRAWS, draw_oracles, evaluate_draws
from .overlap import evaluate
from .summary import SummaryScore, count_summary_words, cut_summary, summary_texts

__all__ = [
    "ScoredText",
    "Summary",
    "derive_case_seed",
    "derive_seed",
    "prepare_summaries",
    "score_panel",
    "score_texts",
    "take_first",
]

FIRST = 100  # oracles that are evaluated against if there is no time for all
System = str | Sequence[str] | Sequence[int]
Reference = str | Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A system summary ready to be scored: its text, and the document sentences it consists of."""

    texts: tuple[str, ...]  # what ROUGE sees
    alignment: Alignment
    words: int  # of the whole summary, cut or not


@dataclass(frozen=True, kw_only=True)
class ScoredText:
    """What the text of a summary scores."""

    rouge: RougeScore
    hits: int  # of the objective, if it is recall
    value: Fraction | None  # of any other objective


def prepare_summaries(
    systems: Mapping[str, System],
    sentences: Sequence[str],
    *,
    cut_to: Limits | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    language: str = "en",
) -> dict[str, Summary]:
    """Align every system; with `cut_to`, the text that ROUGE sees ends at the limits (-l, -b)."""
    prepared = {}
    for name, system in systems.items():
        texts = summary_texts(system, sentences)
        prepared[name] = Summary(
            texts=tuple(texts if cut_to is None else cut_summary(texts, cut_to)),
            alignment=align_summary(system, sentences, threshold=threshold, language=language),
            words=count_summary_words(texts),
        )
    return prepared


def score_texts(
    summaries: Mapping[str, Summary], references: Sequence[Reference], rouge: Rouge
) -> list[ScoredText]:
    """What the text of every summary scores; the references are analysed once for all.

    Raises LimitError 5 seconds after the time of `answer_within`.
    """
    texts = [summary.texts for summary in summaries.values()]
    return [
        ScoredText(
            rouge=across,
            hits=inside.hits,
            value=None if rouge.plain else score_text(words, references, rouge),
        )
        for words, (across, inside) in zip(
            texts, score_summaries(texts, references, rouge), strict=True
        )
    ]


def score_panel(
    summaries: Mapping[str, Summary],
    references: Sequence[Reference],
    rouge: Rouge,
    family: OracleFamily,
    *,
    scored: Sequence[ScoredText] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    intervals: bool = True,
) -> dict[str, SummaryScore]:
    """Measure every summary: its text by ROUGE, its sentences by the oracles of one family.

    All of them meet the same drawn oracles. Without `intervals`, those of the drawn F-measures are
    nan. `scored` is what `score_texts` says of them, if that is known.
    """
    if scored is None:
        scored = score_texts(summaries, references, rouge)
    drawn = draw_oracles(family, draws=draws, seed=seed)
    panel = list(summaries.values())
    selections = [summary.alignment.indices for summary in panel]
    core = family.core if family.exact else None
    columns = zip(
        summaries,
        panel,
        scored,
        evaluate_draws(selections, drawn, intervals=intervals),
        strict=True,
    )
    return {
        name: SummaryScore(
            rouge=text.rouge,
            **_describe_objective(text, rouge, family),
            overlap=evaluate(summary.alignment.indices, family),
            drawn=overlap,
            alignment=summary.alignment,
            missed_core=None
            if core is None
            else tuple(i for i in core if i not in summary.alignment.indices),
            words=summary.words,
        )
        for name, summary, text, overlap in columns
    }


def take_first(family: OracleFamily) -> OracleFamily:
    """The first oracles as a family of their own, if there is no time to ask about all of them.

    Its status says that time ran out. A small family stays as it is: it is quick to ask, and its
    draws do not depend on the time.
    """
    if family.count <= FIRST:
        return family
    with answer_within():
        first = list(islice(family.iterate(), FIRST))
    return OracleFamily(
        store=ListedStore(first, family.n_sentences),
        n_sentences=family.n_sentences,
        hits=family.hits,
        total=family.total,
        status=Status.TIME_LIMIT,
        upper_bound=family.upper_bound,
        checked=family.checked,
        method=family.method,
        signature=family.signature,
        value=family.value,
        upper_value=family.upper_value,
    )


def _describe_objective(text: ScoredText, rouge: Rouge, family: OracleFamily) -> dict[str, Any]:
    if rouge.plain:
        return {"objective_hits": text.hits, "oracle_hits": family.hits}
    return {
        "objective_hits": None,
        "oracle_hits": None,
        "objective_value": text.value,
        "oracle_value": family.value,
    }


def derive_case_seed(seed: int, id: str, n: int, reference: int | None) -> int:
    """The seed of a topic's oracles under ROUGE-n, the same in every verb.

    `reference` is the index of the one that is taken alone, None for all of them together.
    """
    return derive_seed(seed, id, n, reference)


def derive_seed(seed: int, *parts: object) -> int:
    """A seed of its own for each part of a run, the same on every machine and in every order."""
    text = "\0".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:6], "big")
