"""What a report knows: the problems, their cases, what systems did on them, what went wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...instances.limits import Limits
from ...rouge import Rouge
from .numbers import show_number

__all__ = [
    "Case",
    "CaseKey",
    "Facts",
    "Objective",
    "SystemRow",
    "explain_pools",
    "label_case",
    "label_objectives",
    "read_objective",
]

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
    """The objective that a signature names, and the language; None if it names none."""
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


CaseKey = tuple[str, int | None]  # topic, and the reference if it is alone


@dataclass(frozen=True, kw_only=True)
class SystemRow:
    """One system on one case."""

    recall: float  # as ROUGE-1.5.5 counts the text
    objective_hits: int  # counted as the oracles are
    precision: float
    overlap_recall: float
    f_measure: float
    words: int | None = None
    missed_core: int | None = None
    human: Mapping[str, float] = field(default_factory=dict)

    def exceeds(self, max_words: int | None) -> bool:
        """Whether it is known to be longer than the limit in words."""
        return max_words is not None and self.words is not None and self.words > max_words


@dataclass(kw_only=True)
class Case:
    """One problem. Facts come from several files; None is what no file says."""

    id: str
    reference: int | None
    status: str
    hits: int
    total: int
    language: str = ""
    count: int | None = None
    exact: bool = True  # the count is that of all oracles
    proven: bool = True
    upper_bound: int | None = None
    oracles: list[list[int]] | None = None
    inclusion: list[float] | None = None
    checked: int | None = None
    sentences: int | None = None
    candidates: int | None = None
    seconds: dict[str, float] = field(default_factory=dict)  # by method, to all its answers
    ended: dict[str, bool] = field(default_factory=dict)  # by method, whether it came to its end
    greedy_hits: int | None = None
    jaccard: float | None = None  # of the greedy set with the oracles, on average
    jaccard_exact: bool = True
    greedy: list[int] | None = None
    texts: tuple[str, ...] | None = None
    in_corpus: bool = False  # the corpus has it, and says where its documents begin
    doc_ids: tuple[int, ...] | None = None
    systems: dict[str, SystemRow] = field(default_factory=dict)
    files: dict[str, None] = field(default_factory=dict)  # that speak of it, in order

    @property
    def key(self) -> CaseKey:
        return self.id, self.reference

    @property
    def score(self) -> float:
        """Recall of the oracle, or the best found."""
        return self.hits / self.total if self.total else 0.0

    @property
    def name(self) -> str:
        """The topic, with the reference if that is alone."""
        return self.id if self.reference is None else f"{self.id}, reference {self.reference}"


@dataclass(kw_only=True)
class Facts:
    """Everything that was read."""

    cases: dict[Objective, dict[CaseKey, Case]] = field(default_factory=dict)
    correlations: list[dict[str, Any]] = field(default_factory=list)
    signatures: dict[str, None] = field(default_factory=dict)  # in order, once each
    errors: dict[tuple[str, str], None] = field(default_factory=dict)  # topic and reason, once
    notes: list[str] = field(default_factory=list)
    sources: list[tuple[str, str]] = field(default_factory=list)  # file, and what it contains
    slowest: list[tuple[str, float]] = field(default_factory=list)
    work_seconds: float | None = None
    has_texts: bool = False
    labels: dict[Objective, str] = field(default_factory=dict)  # what tells problems apart
    reading: str = ""  # the file whose records are being taken

    def every_case(self) -> list[tuple[Objective, Case]]:
        """All cases of all objectives in order."""
        return [(o, case) for o, cases in self.cases.items() for case in cases.values()]


_MAX_FILES = 3
_ALONE = "each reference alone"

Cases = Mapping[CaseKey, Case]


def label_objectives(problems: Mapping[Objective, Cases]) -> dict[Objective, str]:
    """A short name of each problem with all that differs; empty if there is one of one file."""
    if len(problems) == 1:
        ((objective, cases),) = problems.items()
        return {objective: _name_pool(cases)}
    settings: tuple[Callable[[Objective], str], ...] = (
        lambda o: o.limit_words.removeprefix("at most "),
        lambda o: _ALONE if o.single else "all references",
        lambda o: "stems" if o.stem else "no stems",
        lambda o: "no stop words" if o.remove_stopwords else "with stop words",
        lambda o: "minimal sets only" if o.family == "minimal" else f"{o.family} sets",
        lambda o: f"within {show_number(o.within_hits, 'hit')}",
    )
    differing = [say for say in settings if len({say(o) for o in problems}) > 1]
    languages = {o: _list(sorted({c.language for c in problems[o].values()})) for o in problems}
    files = {o: _list(_list_files(problems[o])) for o in problems}
    labels = {}
    for objective, cases in problems.items():
        parts = [f"ROUGE-{objective.n}", *(say(objective) for say in differing)]
        if len(set(languages.values())) > 1 and languages[objective]:
            parts.append(languages[objective])
        if pool := _name_pool(cases):
            parts.append(pool)
        elif len(set(files.values())) > 1:
            parts.append(files[objective])
        labels[objective] = ", ".join(parts)
    return labels


def label_case(label: str, case: Case) -> str:
    """The name of the problem with the reference that the case is of."""
    if case.reference is None:
        return label
    own = f"reference {case.reference}"
    return label.replace(_ALONE, own) if _ALONE in label else ", ".join(filter(None, (label, own)))


def explain_pools(problems: Mapping[Objective, Cases]) -> list[str]:
    """A sentence for each problem whose means are over files that share no case."""
    told = []
    for objective, cases in problems.items():
        pools = _find_pools(cases)
        if len(pools) < 2:
            continue
        parts = [
            f"{show_number(len({case.id for case in members}), 'topic')} of {_list(names)}"
            for names, members in pools
        ]
        name = f"ROUGE-{objective.n}, {objective.limit_words}: " if len(problems) > 1 else ""
        told.append(
            f"{name}Means and charts take files together that share no topic: {'; '.join(parts)}. "
            "A report of each file alone keeps them apart."
        )
    return told


def _name_pool(cases: Cases) -> str:
    return f"{_list(_list_files(cases))} together" if len(_find_pools(cases)) > 1 else ""


def _list_files(cases: Cases) -> list[str]:
    return list(dict.fromkeys(name for case in cases.values() for name in case.files))


def _find_pools(cases: Cases) -> list[tuple[list[str], list[Case]]]:
    """Files that share cases, with those: one group if every file speaks of the same."""
    pools: list[tuple[list[str], list[Case]]] = []
    by_files: dict[tuple[str, ...], list[Case]] = {}
    for case in cases.values():
        by_files.setdefault(tuple(case.files), []).append(case)
    for files, members in by_files.items():
        names, together = list(files), list(members)
        apart = []
        for pool in pools:
            if set(pool[0]) & set(names):
                names = list(dict.fromkeys([*pool[0], *names]))
                together = [*pool[1], *together]
            else:
                apart.append(pool)
        pools = [*apart, (names, together)]
    return pools


def _list(names: Iterable[str]) -> str:
    shown = [name for name in names if name]
    if len(shown) > _MAX_FILES:
        more = len(shown) - _MAX_FILES + 1
        shown = [*shown[: _MAX_FILES - 1], f"{more} more"]
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
