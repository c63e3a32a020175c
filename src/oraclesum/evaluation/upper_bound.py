"""The oracle row of a paper: the best extracts as rouge_score and ROUGE-1.5.5 score them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..answers.enumeration import FamilyTask
from ..answers.record import exact, write_fraction
from ..errors import LimitError
from ..frozen import dataclass
from ..oracles.api import find_in_problem, solve_problem
from ..oracles.bounds import TEXT_SECONDS, answer_within, ask, check_bounds
from ..oracles.family import OracleFamily
from ..oracles.options import Options
from ..oracles.status import Status
from ..rouge.printed import STATISTICS, STYLES, PrintedScorer
from ..text import split_sentences
from .bootstrap import bootstrap_means
from .panel import derive_seed

if TYPE_CHECKING:
    from ..answers.case import Case

__all__ = [
    "MAX_MEMBERS",
    "PARTS",
    "Cell",
    "Row",
    "UpperBoundTask",
    "bound_topic",
    "summarise_bounds",
]

Json = dict[str, Any]
MAX_MEMBERS = 1000  # oracles of a topic that are scored; of more of them so many are drawn
PARTS = ("recall", "precision", "f1")
_OWN_ROWS = ("oracle", "smallest", "largest", "greedy")  # systems follow; time may end any of them


@dataclass(frozen=True, kw_only=True)
class UpperBoundTask(FamilyTask):
    """The settings of one run of `upper-bound`, and how a case is answered."""

    def answer_case(self, case: Case, time_limit: float | None) -> list[Json]:
        """What is known of one topic: see `bound_topic`."""
        asked = self.enumeration
        options = replace(asked.options, time_limit=time_limit, max_list=MAX_MEMBERS)
        started = time.monotonic()
        problem = case.build_problem(asked.limits, options)
        family = solve_problem(problem, asked.method, options.left_since(started))
        # A search that was stopped has used all of its time, and so may greedy, which has as long:
        # what they found is scored all the same.
        stop = options.stop
        as_long = Options(time_limit=time_limit, stop=stop)
        greedy = find_in_problem(problem, "greedy", as_long)
        cut_short = greedy.status in (Status.TIME_LIMIT, Status.INTERRUPTED)
        if cut_short and not (family.count or family.exact or case.topic.systems):
            raise LimitError("time ended before any set was found")
        late = None if time_limit is None else time_limit + TEXT_SECONDS
        with answer_within(seconds=late, stop=stop):
            bounds = bound_topic(
                case.sentences,
                case.references,
                family,
                None if cut_short else greedy.indices,
                case.topic.systems,
                language=case.rouge.language,
                seed=derive_seed(options.seed, case.id),
            )
        record = {
            **case.head,
            "status": "complete" if family.exact else family.status.value,
            "proven": family.proven,
            "value": write_fraction(family.value),
            "score": family.score,
            "count": exact(family.count),
            "bounds": bounds,
            "signature": case.sign(family.signature),
            **case.tail,
        }
        return [record]


def bound_topic(
    sentences: Sequence[str],
    references: Sequence[str | Sequence[str]],
    family: OracleFamily,
    greedy: Sequence[int] | None,
    systems: Mapping[str, str | Sequence[str] | Sequence[int]],
    *,
    language: str = "en",
    seed: int = 0,
) -> Json:
    """The scores of a topic's oracles, of greedy and of its systems, in both styles.

    {style: {row: {statistic: {"recall": …, "precision": …, "f1": …}}}}, the rows being "oracle"
    (the mean over the family), "smallest" and "largest" (of its members, each number by itself),
    "greedy" (if it came to its end, else None is given) and "system NAME". Raises LimitError if
    scoring takes longer than `answer_within` says.
    """
    if family.status is Status.NO_OVERLAP:
        members: list[tuple[int, ...]] = [()]  # no set scores more than none
    elif family.count <= MAX_MEMBERS:
        members = list(islice(family.iterate(), MAX_MEMBERS))
    else:
        members = family.sample(MAX_MEMBERS, seed)
    found: Json = {}
    for style in STYLES:
        scorer = PrintedScorer(sentences, references, style)
        scores = [_score(scorer, member) for member in members]
        rows = _spread(scores) if scores else {}
        if greedy is not None:
            rows["greedy"] = _score(scorer, greedy)
        for name, system in systems.items():
            check_bounds(what="scoring")
            rows[f"system {name}"] = _score_system(scorer, system, references, style, language)
        found[style] = rows
    return found


def _score_system(
    scorer: PrintedScorer,
    system: str | Sequence[str] | Sequence[int],
    references: Sequence[str | Sequence[str]],
    style: str,
    language: str,
) -> Json:
    if not isinstance(system, str) and all(not isinstance(part, str) for part in system):
        return _score(scorer, [int(part) for part in system])
    texts = split_sentences(system, language) if isinstance(system, str) else list(map(str, system))
    return _score(PrintedScorer(texts, references, style))


def _score(scorer: PrintedScorer, selected: Sequence[int] | None = None) -> Json:
    """The scores of a set, within the bounds of `answer_within`."""
    scores = ask(partial(scorer.score, selected), what="scoring")
    return {
        name: {"recall": score.recall, "precision": score.precision, "f1": score.f1}
        for name, score in scores.items()
    }


def _spread(scores: list[Json]) -> Json:
    """Mean, smallest and largest of each number over the members of a family."""
    ways: dict[str, Callable[[list[float]], float]] = {
        "oracle": lambda values: math.fsum(values) / len(values),
        "smallest": min,
        "largest": max,
    }
    return {
        row: {
            name: {part: way([score[name][part] for score in scores]) for part in PARTS}
            for name in STATISTICS
        }
        for row, way in ways.items()
    }


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A mean over topics, with its bootstrap interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the table: recall, precision and F1 of every statistic, over the topics it has."""

    style: str
    name: str
    topics: int
    cells: Mapping[tuple[str, str], Cell]  # by statistic and part


def summarise_bounds(bounds: Iterable[Json], *, seed: int = 0) -> list[Row]:
    """The table of a corpus from what `bound_topic` says of each topic."""
    topics = list(bounds)
    rows = []
    for style in STYLES:
        given = dict.fromkeys(name for topic in topics for name in topic[style])
        own = [name for name in _OWN_ROWS if name in given]
        names = dict.fromkeys([*own, *given])
        for name in names:
            having = [topic[style][name] for topic in topics if name in topic[style]]
            keys = [(statistic, part) for statistic in STATISTICS for part in PARTS]
            values = [[topic[statistic][part] for topic in having] for statistic, part in keys]
            intervals = bootstrap_means(values, seed=seed)
            cells = {
                key: Cell(mean=math.fsum(row) / len(row), low=low, high=high)
                for key, row, (low, high) in zip(keys, values, intervals, strict=True)
            }
            rows.append(Row(style=style, name=name, topics=len(having), cells=cells))
    return rows
