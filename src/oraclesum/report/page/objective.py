"""What was maximised, read back from a signature: in words, as a key, and as settings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ...instances.limits import Limits
from ...rouge import Rouge

__all__ = ["Objective", "read_objective"]

_LIMIT = re.compile(r"(words|sentences|bytes)<=(\d+)")
_PAPER_LIMIT = re.compile(r"(\d+)-(words|sentences|bytes)")


@dataclass(frozen=True, kw_only=True, order=True)
class Objective:
    """The problem that a group of records shares; the language may differ from record to record."""

    n: int
    remove_stopwords: bool
    stem: bool
    limits: tuple[tuple[str, int], ...]  # unit and budget
    family: str = "all"
    within_hits: int = 0
    single: bool = False  # each reference alone

    @property
    def max_words(self) -> int | None:
        """The limit in words, if there is one."""
        return dict(self.limits).get("words")

    @property
    def limit_words(self) -> str:
        """The length limit in words."""
        parts = [f"{budget:,} {unit}" for unit, budget in self.limits]
        return "at most " + " and ".join(parts) if parts else "a limit that the signature lacks"

    def describe_measure(self, languages: Iterable[str]) -> str:
        """What is counted, and against what."""
        units = {1: "single words", 2: "pairs of neighbouring words"}
        grams = units.get(self.n, f"runs of {self.n} words")
        against = "one reference at a time" if self.single else "all references of a topic together"
        words = "as stems" if self.stem else "as they stand"
        stop = "without stop words" if self.remove_stopwords else "stop words included"
        named = ", ".join(dict.fromkeys(languages)) or "not said"
        return (
            f"ROUGE-{self.n} recall: the share of the reference's {grams} that a summary has, "
            f"against {against}. Words are compared {words}, {stop}; language: {named}."
        )

    def describe_summaries(self) -> str:
        """Which summaries take part, and how n-grams run."""
        text = (
            f"A summary is any set of document sentences with {self.limit_words}. References are "
            "counted across their sentences as ROUGE-1.5.5 does, summaries inside each sentence."
        )
        if self.family == "minimal":
            text += " Only sets from which no sentence can be dropped without loss are counted."
        if self.within_hits:
            text += f" Sets up to {self.within_hits} hits below the best are counted too."
        return text

    def make_rouge(self, language: str) -> Rouge:
        """The measure, to compute what a record does not have."""
        return Rouge(
            n=self.n,
            stem=self.stem,
            remove_stopwords=self.remove_stopwords and language == "en",  # no other stop list
            language=language,
        )

    def make_limits(self) -> Limits:
        """The limits, to compute what a record does not have."""
        limits = dict(self.limits)
        return Limits(
            max_words=limits.get("words"),
            max_sentences=limits.get("sentences"),
            max_bytes=limits.get("bytes"),
        )


def read_objective(signature: str, *, single: bool) -> tuple[Objective, str] | None:
    """The objective that a signature names, and the language; None where it names none."""
    pairs = dict(part.partition(":")[::2] for part in signature.split("|"))
    try:
        n = int(pairs["rouge"])
    except (KeyError, ValueError):
        return None
    limit = pairs.get("limit", "")
    found = [(unit, int(budget)) for unit, budget in _LIMIT.findall(limit)]
    found = found or [(unit, int(budget)) for budget, unit in _PAPER_LIMIT.findall(limit)]
    within = pairs.get("within_hits", "0")
    objective = Objective(
        n=n,
        remove_stopwords=pairs.get("stop", "no") != "no",
        stem=pairs.get("stem", "no") != "no",
        limits=tuple(found),
        family=pairs.get("family", "all"),
        within_hits=int(within) if within.isascii() and within.isdigit() else 0,
        single=single,
    )
    return objective, pairs.get("lang", "")
