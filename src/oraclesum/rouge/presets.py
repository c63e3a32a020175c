"""Presets: what known programs maximise when they make labels or print scores, as one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from ..frozen import dataclass

__all__ = ["PRESETS", "Preset"]


@dataclass(frozen=True, kw_only=True)
class Preset:
    """The settings of a program, by the names that `Rouge` and the limits have.

    `peer` says what the program itself does with them; here the optimum is proven.
    """

    objective: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    peer: str


PRESETS: Mapping[str, Preset] = {
    "presumm": Preset(
        objective="r1-f1+r2-f1",
        settings={"tokenizer": "presumm", "stem": False, "counting": "sets"},
        limits={"max_sentences": 3},
        peer="labels of PreSumm, BertSum and their many heirs: greedy, 3 sentences at most",
    ),
    "oreo": Preset(
        objective="r1-f1+r2-f1",
        settings={"tokenizer": "presumm", "stem": False, "counting": "sets"},
        limits={"max_sentences": 3},
        peer="soft labels of oreo: a beam of 256, 3 sentences; use top=16 for its soft labels",
    ),
    "memsum": Preset(
        objective="r1-f1+r2-f1",
        settings={"tokenizer": "memsum", "stem": True},
        peer="episodes of MemSum: a beam of 2, as many sentences as raise the score by 0.001",
    ),
    "neusum": Preset(
        objective="r2-f1",
        settings={"tokenizer": "whitespace", "stem": False, "reference_boundaries": "within"},
        limits={"max_sentences": 5},
        peer="labels of NeuSum: all combinations of up to 5 sentences, given up above 100,000",
    ),
    "matchsum": Preset(
        objective="r1-f1+r2-f1+rlsum-f1",
        settings={"boundaries": "across"},
        limits={"min_sentences": 2, "max_sentences": 3},
        peer="candidates of MatchSum: combinations of 2 or 3 of a model's 5 best sentences",
    ),
    "rouge-score": Preset(
        objective="r1-f1+r2-f1+rlsum-f1",
        settings={
            "tokenizer": "rouge-score",
            "boundaries": "across",
        },
        peer="what rouge_score prints with use_stemmer=True",
    ),
    "rouge-1.5.5": Preset(
        objective="r1-f1+r2-f1+rlsum-f1",
        settings={"boundaries": "across"},
        peer="what ROUGE-1.5.5 prints with -n 2 -m",
    ),
    "hirao": Preset(
        objective="r2-recall",
        limits={"max_words": 100},
        peer="the paper's oracles: recall, n-grams within sentences, 100 words",
    ),
}
"""Each preset by its name."""
