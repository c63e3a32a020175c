"""What is correlated: ROUGE, and overlaps with all oracles (M) or one (S), named as in Table 6."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from statistics import fmean

from ..frozen import dataclass
from ..rouge import Rouge

__all__ = [
    "CaseScore",
    "TopicMeasures",
    "collect_measures",
    "collect_overlaps",
    "name_overlap",
    "name_rouge",
    "order_measures",
    "paper_rouge",
]


@dataclass(frozen=True, kw_only=True)
class CaseScore:
    """One system against one family: ROUGE, overlaps with all oracles, F with each drawn one."""

    rouge: Mapping[str, float]  # by statistic: recall, precision, f1
    overlaps: Mapping[str, float]  # by name: F-measure, precision, recall
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


def name_rouge(n: int, statistic: str, stop_words: str = "") -> str:
    """E.g. `ROUGE-1 recall`; `stop_words` says what differs from the paper's settings."""
    statistic = "F1" if statistic == "f1" else statistic
    return f"ROUGE-{n} {statistic}{stop_words and f' {stop_words} stop words'}"


def name_overlap(overlap: str, objective: str, references: str, kind: str) -> str:
    """As the paper has it, e.g. `F-measure (R1) (single-M)`."""
    return f"{overlap} ({objective}) ({references}-{kind})"


def order_measures(names: Iterable[str]) -> list[str]:
    """The order of Table 6: ROUGE first, then single before multi, n upwards, M before S.

    Measures that are no overlap with oracles stand with ROUGE.
    """

    def place(name: str) -> tuple[bool, bool, str]:
        overlap = name.endswith(("-M)", "-S)"))
        return overlap, overlap and "(multi" in name, name

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
    statistics = next((score.rouge for score in multi.values()), {})
    rouge = {
        name_rouge(n, statistic): {name: score.rouge[statistic] for name, score in multi.items()}
        for statistic in statistics
    }
    found = collect_overlaps(f"R{n}", multi, single)
    return TopicMeasures(measures={**rouge, **found.measures}, drawn=found.drawn)


def collect_overlaps(
    objective: str,
    multi: Mapping[str, CaseScore],
    single: Sequence[Mapping[str, CaseScore]],
) -> TopicMeasures:
    """The overlaps with the oracles of one objective, by the name it is shown with."""
    measures: dict[str, dict[str, float]] = {}
    drawn: dict[str, dict[str, list[float]]] = {}
    for references, cases in (("single", single), ("multi", [multi])):
        if not cases:
            continue
        overlaps = next((score.overlaps for score in cases[0].values()), {})
        for overlap in overlaps:
            measures[name_overlap(overlap, objective, references, "M")] = {
                system: fmean(case[system].overlaps[overlap] for case in cases)
                for system in cases[0]
            }
        drawn[name_overlap("F-measure", objective, references, "S")] = {
            system: _average_draws([case[system].drawn for case in cases]) for system in cases[0]
        }
    return TopicMeasures(measures=measures, drawn=drawn)


def _average_draws(drawn: Sequence[Sequence[float]]) -> list[float]:
    """Draw by draw over the references; one without an oracle has no draws and is left out."""
    filled = [values for values in drawn if values]
    return [fmean(values) for values in zip(*filled, strict=True)]
