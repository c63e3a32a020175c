"""Exact extractive oracle summaries under ROUGE-n: proven, enumerated, counted."""

from __future__ import annotations

from .lazy import load_module, load_when_asked

TYPE_CHECKING = False  # typing's own takes as long to import as all else before Ctrl-C is heard
if TYPE_CHECKING:
    from typing import Any

    from .corpora import Topic, demo_path, open_corpus, open_source, read_topics
    from .errors import (
        InputError,
        MissingExtraError,
        NoOverlapWarning,
        NoTokensWarning,
        OraclesumError,
        OraclesumWarning,
        RecordError,
    )
    from .evaluation import Overlap, evaluate
    from .instances import Instance, Limits
    from .instances.build import build_instance
    from .labels import Labels, label_dataset, label_every_oracle, label_sentences
    from .oracles import Oracle, OracleFamily, Status
    from .oracles.api import (
        compare,
        enumerate_instance,
        enumerate_oracles,
        find_in_instance,
        find_oracle,
    )
    from .oracles.feasible import count_feasible
    from .report.oracle_row import UpperBound, upper_bound
    from .rouge import Rouge
    from .rouge.score import RougeScore, score
    from .runs.corpus import enumerate_corpus
    from .text import detect_language, split_sentences

    __version__: str

__all__ = [
    "InputError",
    "Instance",
    "Labels",
    "Limits",
    "MissingExtraError",
    "NoOverlapWarning",
    "NoTokensWarning",
    "Oracle",
    "OracleFamily",
    "OraclesumError",
    "OraclesumWarning",
    "Overlap",
    "RecordError",
    "Rouge",
    "RougeScore",
    "Status",
    "Topic",
    "UpperBound",
    "build_instance",
    "compare",
    "count_feasible",
    "demo_path",
    "detect_language",
    "enumerate_corpus",
    "enumerate_instance",
    "enumerate_oracles",
    "evaluate",
    "find_in_instance",
    "find_oracle",
    "label_dataset",
    "label_every_oracle",
    "label_sentences",
    "open_corpus",
    "open_source",
    "read_topics",
    "score",
    "split_sentences",
    "upper_bound",
]

# The re-exports above, loaded when first asked for: the kernel is not loaded to show --help.
_HOMES = {
    "corpora": ("Topic", "demo_path", "open_corpus", "open_source", "read_topics"),
    "errors": (
        "InputError",
        "MissingExtraError",
        "NoOverlapWarning",
        "NoTokensWarning",
        "OraclesumError",
        "OraclesumWarning",
        "RecordError",
    ),
    "evaluation": ("Overlap", "evaluate"),
    "instances": ("Instance", "Limits"),
    "instances.build": ("build_instance",),
    "labels": ("Labels", "label_dataset", "label_every_oracle", "label_sentences"),
    "oracles": ("Oracle", "OracleFamily", "Status"),
    "oracles.api": (
        "compare",
        "enumerate_instance",
        "enumerate_oracles",
        "find_in_instance",
        "find_oracle",
    ),
    "oracles.feasible": ("count_feasible",),
    "report.oracle_row": ("UpperBound", "upper_bound"),
    "runs.corpus": ("enumerate_corpus",),
    "rouge": ("Rouge", "RougeScore", "score"),
    "text": ("detect_language", "split_sentences"),
}


if not TYPE_CHECKING:  # a type checker would believe in any name otherwise
    _load = load_when_asked(__name__, _HOMES)

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from .signature import package_version

            return package_version()
        if name == "_kernel":  # whichever module imports it first asks here
            return load_module(name, __name__)
        return _load(name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, "__version__"})
