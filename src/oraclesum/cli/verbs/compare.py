"""The verb `compare`: the methods side by side on the same topics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from ..options import (
    PathName,
    choice_options,
    limit_options,
    output_options,
    rouge_options,
    run_options,
    solve_options,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ...answers import Case, WrittenRow
    from ...answers.record import ComparisonRecord

__all__ = ["answer_case", "command"]

METHODS = (
    "search",
    "ilp",
    "paper",
    "exhaustive",
    "greedy",
    "presumm-greedy",
    "beam",
    "genetic",
    "pairwise",
)


def _split_names(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    if value is None:
        return ()
    names = tuple(name.strip() for name in value.split(",") if name.strip())
    for name in names:
        if name not in METHODS:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(METHODS)}")
    if not names:
        raise click.BadParameter("name at least one method")
    return tuple(dict.fromkeys(names))


@click.command("compare", epilog="Records are described in docs/records.md.")
@click.argument("input", type=PathName(), metavar="IN")
@rouge_options
@limit_options
@choice_options
@click.option(
    "--methods",
    metavar="NAMES",
    callback=_split_names,
    help=f"Names of methods, separated by commas: {', '.join(METHODS)}. Default: all; paper, "
    "genetic and pairwise with recall only.",
)
@solve_options(time_limit=10.0)
@run_options
@output_options
def command(input: str, **options: Any) -> None:
    """The methods side by side: what each found, what it proved, how long it took.

    Gives one record per topic and method; a terminal also gets the averages. Methods that can
    enumerate count all oracles, the others find one set. A method that cannot do the objective says
    why. IN is a file of JSON lines, - for standard input, or demo.

    \b
    Examples:
      oraclesum compare demo --max-words 60
      oraclesum compare demo --objective r2-f1 --max-sentences 3
      oraclesum compare topics.jsonl --methods search,ilp,greedy --max-words 100 -o compared.jsonl
    """
    from ..run import Verb, run_verb

    verb = Verb(name="compare", answer_case=answer_case, show=SideBySide, closing_scores=False)
    run_verb(verb, input, {"clock_per_method": True, **options})


def answer_case(case: Case, settings: Settings) -> Iterator[ComparisonRecord]:
    """One record per method."""
    from ...answers.record import ComparisonRecord, write_fraction
    from ...oracles.compare import compare_methods
    from ...oracles.objective import ObjectiveProblem

    options = replace(settings.make_options(), max_list=1)  # the sets themselves are not shown
    limits = settings.make_limits()
    problem = case.build_problem(limits, options)
    rows = compare_methods(
        problem,
        settings.methods or None,
        options,
        lambda: ObjectiveProblem(case.sentences, case.references, case.rouge, limits, id=case.id),
    )
    for row in rows:
        yield ComparisonRecord(
            **case.head,
            method=row.method,
            status="complete" if row.status == "list_limit" else row.status.value,
            reason=row.reason or None,
            hits=row.hits,
            total=None if row.hits is None else row.total,
            value=None if row.value is None else write_fraction(row.value),
            score=row.score,
            proven=row.proven,
            upper_bound=row.upper_bound,
            checked=row.checked,
            count=row.count,
            oracle=list(row.indices),
            seconds=row.seconds,
            signature=case.sign(row.signature),
            **case.tail,
        )


@dataclass(kw_only=True)
class Sums:
    """What one method did over all cases."""

    cases: int = 0
    score: float = 0.0
    best: int = 0
    proven: int = 0
    seconds: list[float] = field(default_factory=list)


def _explain(record: Mapping[str, Any]) -> str:
    """Why there is no answer of this method; empty if there is one."""
    return f"not available: {record['reason']}" if "reason" in record else ""


def _if_run(show: Callable[[dict[str, Any]], str]) -> Callable[[Any, float], str]:
    """A cell that is empty for a method that cannot do the objective."""
    return lambda record, _: "" if "reason" in record else show(record)


class SideBySide:
    """The sink for a terminal: a line per case and method, then the averages per method."""

    def __init__(self, settings: Settings) -> None:
        from ...report.numbers import format_count, format_indices, format_score
        from ...report.tables import Column, RecordTable
        from ..screen import HITS, METHOD, PROVEN, REFERENCE, STATUS, TOPIC, TableSink

        oracles = Column(
            header="oracles",
            cell=lambda record, _: "" if record["count"] is None else format_count(record["count"]),
        )
        checked = Column(
            header="checked", cell=_if_run(lambda record: format_count(record["checked"]))
        )
        seconds = Column(header="seconds", cell=_if_run(lambda record: f"{record['seconds']:.4f}"))
        chosen = Column(
            header="sentences",
            cell=lambda record, _: _explain(record) or format_indices(record["oracle"]),
            right=False,
            yields=True,
            optional=True,
        )
        status = replace(STATUS, hidden_if={"complete", "heuristic", "not_available"})
        reference = [REFERENCE] if settings.references == "single" else []
        rouge = settings.make_rouge()
        score = Column(
            header=rouge.name, cell=_if_run(lambda record: format_score(record["score"]))
        )
        hits = [replace(HITS, cell=_if_run(lambda record: f"{record['hits']:,}"))]
        hits = hits if rouge.has_hits else []
        proven = replace(PROVEN, cell=_if_run(lambda record: "yes" if record["proven"] else "no"))
        self._table = TableSink(
            [
                TOPIC,
                *reference,
                METHOD,
                status,
                score,
                *hits,
                proven,
                oracles,
                checked,
                seconds,
                chosen,
            ]
        )
        self._averages = RecordTable(
            [
                METHOD,
                Column(header=f"mean\n{rouge.name}", cell=lambda row, _: f"{row['score']:.5f}"),
                Column(header="as good as\nthe best", cell=lambda row, _: row["best"]),
                Column(header="proven", cell=lambda row, _: row["proven"]),
                Column(header="median\nseconds", cell=lambda row, _: f"{row['seconds']:.4f}"),
            ]
        )
        self._missing: dict[str, str] = {}  # methods that cannot do the objective, and why
        self._best: dict[tuple[str, int | None], float] = {}
        self._records: list[dict[str, Any]] = []

    def write(self, row: WrittenRow) -> None:
        record = row.record
        self._table.write(row)
        if reason := _explain(record):
            self._missing[record["method"]] = reason
        elif record["status"] != "error":
            key = (record["id"], record.get("reference"))
            self._best[key] = max(record["score"], self._best.get(key, 0.0))
            names = ("id", "reference", "method", "score", "proven", "seconds")
            self._records.append({name: record.get(name) for name in names})

    def close(self) -> None:
        import statistics

        self._table.close()
        sums: dict[str, Sums] = {}
        for record in self._records:
            each = sums.setdefault(record["method"], Sums())
            each.cases += 1
            each.score += record["score"]
            each.best += record["score"] == self._best[record["id"], record["reference"]]
            each.proven += record["proven"]
            each.seconds.append(record["seconds"])
        for method, each in sums.items():
            row = {
                "method": method,
                "score": each.score / each.cases,
                "best": f"{each.best} of {each.cases}",
                "proven": f"{each.proven} of {each.cases}",
                "seconds": statistics.median(each.seconds),
            }
            self._averages.add(row, 0.0)
        self._averages.print()
        for method, reason in self._missing.items():
            print(f"{method} is {reason}")
