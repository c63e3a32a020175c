"""What the tables of objectives need of one topic: optima, heuristics, and how they relate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from itertools import islice
from statistics import fmean
from typing import Any

from ..errors import LimitError, OraclesumError
from ..instances.limits import count_words
from ..oracles.family import OracleFamily
from ..oracles.objective import ObjectiveProblem
from ..oracles.options import Options
from ..rouge import Rouge
from ..text import split_sentences
from .settings import Experiment
from .similarity import compare_with_oracles

__all__ = ["BEAM", "NEAR", "PLACES", "measure_objectives"]

BEAM = 3  # sets that the beam of the tables keeps
NEAR = ("0.005", "0.01")  # how far below the best a near-optimal set may score
PLACES = 10  # parts of a document in which oracle sentences are counted
_MAX_SCORED = 100  # optima that are scored under the other objectives; of more so many are drawn

Set = tuple[int, ...]


def measure_objectives(
    sentences: Sequence[str],
    references: Sequence[str | Sequence[str]],
    doc_ids: Sequence[Any] | None,
    experiment: Experiment,
    *,
    language: str,
    seed: int,
) -> dict[str, Any]:
    """All objectives of the experiment on one topic, all references together, as plain JSON."""
    problems = {
        name: ObjectiveProblem(
            sentences, references, Rouge(name, language=language), experiment.make_limits()
        )
        for name in experiment.objectives
    }
    options = Options(time_limit=experiment.objective_time_limit)
    rows: dict[str, dict[str, Any]] = {}
    families: dict[str, OracleFamily] = {}
    members: dict[str, list[Set]] = {}
    tried: set[Set] = set()  # every set that anything led to
    for name, problem in problems.items():
        family = problem.solve_all("search", options)
        greedy, beam = problem.find_by_beam(1), problem.find_by_beam(BEAM)
        near = compare_with_oracles(greedy.indices, family, seed=seed)
        families[name] = family
        members[name] = _choose_members(family, seed)
        tried.update(members[name], filter(None, (greedy.indices, beam.indices)))
        rows[name] = {
            "proven": family.proven,
            "exact": family.exact,
            "status": family.status.value,
            "count": str(family.count),  # as text: JSON readers round big integers
            "near": _count_near(problem, family, options),
            "greedy": str(greedy.value),
            "beam": str(beam.value),
            "jaccard": None if near is None else asdict(near),
        }
    places, lengths = _find_places(len(sentences), doc_ids), [count_words(s) for s in sentences]
    every = sorted(tried)
    for name, row in rows.items():
        family, inclusion = families[name], families[name].inclusion
        scores = zip(problems[name].score_each(every), every, strict=True)
        best, chosen = max(scores, key=lambda pair: pair[0], default=(Fraction(0), ()))
        if family.proven and best != family.value:
            raise OraclesumError(f"internal error: a set beats the proven best of {name}")
        if best > family.value:  # time ran out, and another objective or a beam led further
            members[name] = [chosen]
            inclusion = [float(i in chosen) for i in range(len(sentences))]
        row["best"] = str(best)
        row["upper"] = float(family.upper_value)
        row["under"] = {
            other: float(fmean(problem.score_each(members[name]))) if members[name] else None
            for other, problem in problems.items()
        }
        row |= _describe_members(inclusion, places, lengths)
    return {
        "rows": rows,
        "document": _describe_members([1.0] * len(sentences), places, lengths),
        "reference": _describe_references(references, language),
    }


def _choose_members(family: OracleFamily, seed: int) -> list[Set]:
    """All optima if they are few, else a seeded sample of them."""
    if family.count <= _MAX_SCORED:
        return list(family)
    try:
        return family.sample(_MAX_SCORED, seed)
    except LimitError:  # too many to be stored: the first ones are
        return list(islice(family, _MAX_SCORED))


def _count_near(
    problem: ObjectiveProblem, family: OracleFamily, options: Options
) -> dict[str, dict[str, Any]]:
    """How many sets score almost as much; beyond what time allows, what is certain."""
    count, exact = (family.count, True) if family.exact else (1 if family.proven else 0, False)
    counts = {}
    for distance in NEAR:
        if exact and count:
            found = problem.solve_all(
                "search",
                Options(time_limit=options.time_limit, within=Fraction(distance), max_list=0),
            )
            exact = found.exact
            count = found.count if exact else count
        counts[distance] = {"count": str(count), "exact": exact}
    return counts


def _find_places(n_sentences: int, doc_ids: Sequence[Any] | None) -> list[float]:
    """Where in its own document each sentence is: 0 is the beginning, 1 the end."""
    ids = doc_ids or [0] * n_sentences
    totals: dict[Any, int] = {}
    ranks = []
    for one in ids:
        ranks.append(totals.get(one, 0))
        totals[one] = ranks[-1] + 1
    return [(rank + 0.5) / totals[one] for rank, one in zip(ranks, ids, strict=True)]


def _describe_members(
    inclusion: Sequence[float], places: Sequence[float], lengths: Sequence[int]
) -> dict[str, Any]:
    """Means over sets of sentences, from the share of the sets that has each sentence."""
    size = sum(inclusion)
    if not size:
        return {"sentences": 0.0, "words": 0.0, "position": None, "places": None}
    parts = [0.0] * PLACES
    for share, place in zip(inclusion, places, strict=True):
        parts[int(place * PLACES)] += share / size
    return {
        "sentences": size,
        "words": sum(a * b for a, b in zip(inclusion, lengths, strict=True)),
        "position": sum(a * b for a, b in zip(inclusion, places, strict=True)) / size,
        "places": parts,
    }


def _describe_references(
    references: Sequence[str | Sequence[str]], language: str
) -> Mapping[str, float]:
    """Mean sentences and words of the references."""
    texts = [
        split_sentences(reference, language) if isinstance(reference, str) else list(reference)
        for reference in references
    ]
    return {
        "sentences": fmean(map(len, texts)),
        "words": fmean(sum(map(count_words, text)) for text in texts),
    }
