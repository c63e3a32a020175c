"""The measures of the paper's Table 6: ROUGE, and F-measures from all oracles (M) or one (S)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from ..rouge import Rouge

__all__ = [
    "CaseScore",
    "TopicMeasures",
    "collect_measures",
    "name_f_measure",
    "order_measures",
    "paper_rouge",
]


@dataclass(frozen=True, kw_only=True)
class CaseScore:
    """One system against one family: ROUGE recall, F from all oracles, F from each drawn one."""

    recall: float
    f_measure: float
    drawn: Sequence[float]


@dataclass(frozen=True, kw_only=True)
class TopicMeasures:
    """Scores of the systems of one topic by measure; drawn measures have one score per draw."""

    measures: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    drawn: Mapping[str, Mapping[str, list[float]]] = field(default_factory=dict)
    partial: int = 0  # families of which time allowed only a part
    signature: str = ""


def paper_rouge(n: int, language: str = "en") -> Rouge:
    """The paper's settings (Sec. 6.1): stems; ROUGE-1 without stop words, longer n-grams with them.

    Only English has a stop list; elsewhere stop words are kept, and the signature says so.
    """
    return Rouge(n=n, stem=True, remove_stopwords=n == 1 and language == "en", language=language)


def name_f_measure(n: int, references: str, kind: str) -> str:
    """The paper's name, e.g. `F-measure (R1) (single-M)`."""
    return f"F-measure (R{n}) ({references}-{kind})"


def order_measures(names: Iterable[str]) -> list[str]:
    """The order of Table 6: ROUGE first, then single before multi, n upwards, M before S."""

    def place(name: str) -> tuple[bool, bool, str]:
        return name.startswith("F-measure"), "(multi" in name, name

    return sorted(names, key=place)


def collect_measures(
    n: int,
    multi: Mapping[str, CaseScore],
    single: Sequence[Mapping[str, CaseScore]],
) -> TopicMeasures:
    """The measures of one topic under ROUGE-n.

    `multi`: systems against the oracles of all references together. `single`: against those of each
    reference alone, which are averaged; a draw then takes one oracle of every reference.
    """
    measures: dict[str, dict[str, float]] = {
        f"ROUGE-{n}": {system: score.recall for system, score in multi.items()}
    }
    drawn: dict[str, dict[str, list[float]]] = {}
    for references, cases in (("single", single), ("multi", [multi])):
        if not cases:
            continue
        measures[name_f_measure(n, references, "M")] = {
            system: fmean(case[system].f_measure for case in cases) for system in cases[0]
        }
        drawn[name_f_measure(n, references, "S")] = {
            system: _average_draws([case[system].drawn for case in cases]) for system in cases[0]
        }
    return TopicMeasures(measures=measures, drawn=drawn)


def _average_draws(drawn: Sequence[Sequence[float]]) -> list[float]:
    """Draw by draw over the references; one without an oracle has no draws and is left out."""
    held = [values for values in drawn if values]
    return [fmean(values) for values in zip(*held, strict=True)]
