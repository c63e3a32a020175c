"""What a report knows: the problems, their cases, what systems did on them, what went wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any

from ...errors import InputError
from ...frozen import dataclass
from ...instances.limits import Limits
from ...rouge import Rouge
from ...rouge.objective import name_objective, parse_objective
from .numbers import show_number

__all__ = [
    "PROVEN",
    "CaseFacts",
    "CaseKey",
    "Facts",
    "Hits",
    "Objective",
    "SystemRow",
    "explain_bounds",
    "explain_partial",
    "explain_pools",
    "label_case",
    "label_objectives",
    "read_objective",
]

PROVEN = "proven"
"""The status of a case of which a file says the best score, and none how many oracles there are."""

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
    terms: str = ""  # of another objective than recall of n-grams within sentences
    boundaries: str = "within"
    counting: str = "clipped"
    multi_reference: str = "pooled"
    tokens: str = ""  # whose rules make words, if they are not those of ROUGE-1.5.5
    near: str = ""  # which sets below the best are counted too

    @property
    def statistic(self) -> str:
        """What is maximised as tables name it: "ROUGE-2 recall"."""
        return name_objective(parse_objective(self.terms or f"r{self.n}-recall"))

    @property
    def system_score(self) -> str:
        """The score that systems are shown with."""
        return self.statistic if self.terms else f"ROUGE-{self.n} recall (ROUGE-1.5.5)"

    @property
    def max_words(self) -> int | None:
        """The limit in words, if there is one."""
        return dict(self.limits).get("words")

    @property
    def limit_words(self) -> str:
        """The length limit in words."""
        parts = [f"{budget:,} {unit}" for unit, budget in self.limits]
        if self.terms and not parts:
            return "any length"
        return "at most " + " and ".join(parts) if parts else "a limit that the signature lacks"

    def describe_measure(self, languages: Iterable[str]) -> str:
        """What is counted, and against what."""
        units = {1: "single words", 2: "pairs of neighbouring words"}
        grams = units.get(self.n, f"runs of {self.n} words")
        against = "one reference at a time" if self.single else "all references of a topic together"
        words = "as stems" if self.stem else "as they stand"
        stop = "without stop words" if self.remove_stopwords else "stop words included"
        named = ", ".join(dict.fromkeys(languages)) or "not said"
        if self.terms:
            return (
                f"{self.statistic}{self._describe_counting()}, against {against}. Words are "
                f"compared {words}, {stop}; language: {named}."
            )
        return (
            f"ROUGE-{self.n} recall: the share of the reference's {grams} that a summary has, "
            f"against {against}. Words are compared {words}, {stop}; language: {named}."
        )

    def _describe_counting(self) -> str:
        parts = [
            *(["the weighted mean of its terms"] if "+" in self.terms else []),
            *(["each distinct n-gram counted once"] if self.counting == "sets" else []),
            *(["the best reference counts"] if self.multi_reference == "best" else []),
            *([f"words by the rules of {self.tokens}"] if self.tokens else []),
        ]
        return "".join(f", {part}" for part in parts)

    def describe_summaries(self) -> str:
        """Which summaries take part, and how n-grams run."""
        inside = "inside each sentence" if self.boundaries == "within" else "across their sentences"
        text = (
            f"A summary is any set of document sentences with {self.limit_words}. References are "
            f"counted across their sentences as ROUGE-1.5.5 does, summaries {inside}."
        )
        if self.family == "minimal":
            text += " Only sets from which no sentence can be dropped without loss are counted."
        if self.within_hits:
            text += f" Sets up to {self.within_hits} hits below the best are counted too."
        if self.near:
            text += f" Sets near the best are counted too ({self.near})."
        return text

    def make_rouge(self, language: str) -> Rouge:
        """The measure, to compute what a record does not have."""
        given: dict[str, Any] = {"n": self.n}
        if self.terms:
            given = {
                "objective": self.terms,
                "boundaries": self.boundaries,
                "counting": self.counting,
                "multi_reference": self.multi_reference,
                **({"tokenizer": self.tokens} if self.tokens else {}),
            }
        return Rouge(
            **given,
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
            needed=not self.terms,
        )


def read_objective(signature: str, *, single: bool) -> tuple[Objective, str] | None:
    """The objective that a signature names, and the language; None if it names none."""
    pairs = dict(part.partition(":")[::2] for part in signature.split("|"))
    terms = pairs.get("objective", "")
    try:
        n = parse_objective(terms)[0].n if terms else int(pairs["rouge"])
    except (KeyError, ValueError, InputError):
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
        near=", ".join(f"{name} {pairs[name]}" for name in ("within", "top") if name in pairs),
        **(_read_terms(pairs) if terms else {}),
    )
    return objective, pairs.get("lang", "")


def _read_terms(pairs: Mapping[str, str]) -> dict[str, str]:
    """What a signature says of an objective that is not the paper's."""
    tokens = pairs.get("tok", "rouge-1.5.5")
    return {
        "terms": pairs["objective"],
        "boundaries": pairs.get("boundaries", "within"),
        "counting": pairs.get("counting", "clipped"),
        "multi_reference": pairs.get("multi_reference", "pooled"),
        "tokens": "" if tokens == "rouge-1.5.5" or pairs.get("lang", "en") != "en" else tokens,
    }


CaseKey = tuple[str, int | None]  # topic, and the reference if it is alone


Hits = int | Fraction
"""Hits of recall, or the exact value under another objective, whose total is then 1."""


@dataclass(frozen=True, kw_only=True)
class SystemRow:
    """One system on one case."""

    score: float  # recall as ROUGE-1.5.5 counts the text; else the value under the objective
    objective_hits: Hits  # counted as the oracles are
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
class CaseFacts:
    """One problem. Facts come from several files; None is what no file says."""

    id: str
    reference: int | None
    status: str
    hits: Hits
    total: int
    language: str = ""
    count: int | None = None
    exact: bool = True  # count and inclusion are of all oracles; else of the sets found so far
    proven: bool = True
    upper_bound: Hits | None = None
    oracles: list[list[int]] | None = None
    inclusion: list[float] | None = None
    checked: int | None = None
    sentences: int | None = None
    candidates: int | None = None
    seconds: dict[str, float] = field(default_factory=dict)  # by method, to all its answers
    ended: dict[str, bool] = field(default_factory=dict)  # by method, whether it came to its end
    greedy_hits: Hits | None = None
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
    def unmet(self) -> bool:
        """Whether the search was stopped before it met any set, so that there is no score."""
        return not self.exact and self.count == 0

    @property
    def known_count(self) -> int | None:
        """The number of oracles; None if the search was stopped before it knew it."""
        return self.count if self.exact else None

    @property
    def known_inclusion(self) -> list[float] | None:
        """The share of the oracles with each sentence; None as above."""
        return self.inclusion if self.exact else None

    @property
    def score(self) -> float:
        """The oracle's score, or the best found: a lower bound if it is not proven."""
        return self.rate(self.hits)

    def rate(self, hits: Hits) -> float:
        """Hits as a score."""
        return float(Fraction(hits, self.total)) if self.total else 0.0

    def tell(self, hits: Hits) -> str:
        """Hits as text: of what total, or the exact value."""
        return str(hits) if isinstance(hits, Fraction) else f"{hits}/{self.total}"

    @property
    def name(self) -> str:
        """The topic, with the reference if that is alone."""
        return self.id if self.reference is None else f"{self.id}, reference {self.reference}"


@dataclass(kw_only=True)
class Facts:
    """Everything that was read."""

    cases: dict[Objective, dict[CaseKey, CaseFacts]] = field(default_factory=dict)
    correlations: list[dict[str, Any]] = field(default_factory=list)
    differences: list[dict[str, Any]] = field(default_factory=list)
    signatures: dict[str, None] = field(default_factory=dict)  # in order, once each
    errors: dict[tuple[str, str], None] = field(default_factory=dict)  # topic and reason, once
    notes: list[str] = field(default_factory=list)
    sources: list[tuple[str, str]] = field(default_factory=list)  # file, and what it contains
    slowest: list[tuple[str, float]] = field(default_factory=list)
    work_seconds: float | None = None
    has_texts: bool = False
    labels: dict[Objective, str] = field(default_factory=dict)  # what tells problems apart
    reading: str = ""  # the file whose records are being taken

    def every_case(self) -> list[tuple[Objective, CaseFacts]]:
        """All cases of all objectives in order."""
        return [(o, case) for o, cases in self.cases.items() for case in cases.values()]


_MAX_FILES = 3
_ALONE = "each reference alone"

Cases = Mapping[CaseKey, CaseFacts]


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
        lambda o: f"n-grams {o.boundaries} sentences",
        lambda o: "distinct n-grams" if o.counting == "sets" else "clipped counts",
        lambda o: f"{o.multi_reference} references",
        lambda o: f"tokens of {o.tokens or 'ROUGE-1.5.5'}",
        lambda o: o.near or "the best sets only",
    )
    differing = [say for say in settings if len({say(o) for o in problems}) > 1]
    languages = {o: _list(sorted({c.language for c in problems[o].values()})) for o in problems}
    files = {o: _list(_list_files(problems[o])) for o in problems}
    labels = {}
    for objective, cases in problems.items():
        parts = [objective.statistic, *(say(objective) for say in differing)]
        if len(set(languages.values())) > 1 and languages[objective]:
            parts.append(languages[objective])
        if pool := _name_pool(cases):
            parts.append(pool)
        elif len(set(files.values())) > 1:
            parts.append(files[objective])
        labels[objective] = ", ".join(parts)
    return labels


def label_case(label: str, case: CaseFacts) -> str:
    """The name of the problem with the reference that the case is of."""
    if case.reference is None:
        return label
    own = f"reference {case.reference}"
    return label.replace(_ALONE, own) if _ALONE in label else ", ".join(filter(None, (label, own)))


def explain_bounds(cases: Iterable[CaseFacts]) -> str:
    """What is a lower bound or in no mean, as searches were stopped; empty if none was."""
    every = list(cases)
    unmet = sum(case.unmet for case in every)
    bounds = sum(not case.proven and not case.unmet for case in every)
    told = []
    if bounds:
        told.append(
            f"The best score of {show_number(bounds, 'case')} is not proven: it is a lower bound, "
            "and a share of it is at most that share of the oracle."
        )
    if unmet:
        told.append(
            f"In {show_number(unmet, 'case')} no set was met in time: left out of the mean of the "
            "oracle and of all shares."
        )
    return " ".join(told)


def explain_partial(cases: Iterable[CaseFacts]) -> str:
    """What F-measures and shares of systems are in stopped searches; empty if none was."""
    stopped = sum(bool(case.systems) and not case.exact for case in cases)
    if not stopped:
        return ""
    return (
        f" In {show_number(stopped, 'case')} the search was stopped: P, R and F are against the "
        "sets found so far (0 if none was met), and the share is of the best found."
    )


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
        name = f"{objective.statistic}, {objective.limit_words}: " if len(problems) > 1 else ""
        told.append(
            f"{name}Means and charts take files together that share no topic: {'; '.join(parts)}. "
            "A report of each file alone keeps them apart."
        )
    return told


def _name_pool(cases: Cases) -> str:
    return f"{_list(_list_files(cases))} together" if len(_find_pools(cases)) > 1 else ""


def _list_files(cases: Cases) -> list[str]:
    return list(dict.fromkeys(name for case in cases.values() for name in case.files))


def _find_pools(cases: Cases) -> list[tuple[list[str], list[CaseFacts]]]:
    """Files that share cases, with those: one group if every file speaks of the same."""
    pools: list[tuple[list[str], list[CaseFacts]]] = []
    by_files: dict[tuple[str, ...], list[CaseFacts]] = {}
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
