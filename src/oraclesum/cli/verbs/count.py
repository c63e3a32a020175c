"""The verb `count`: how many summaries fit the limit, and how many of them are oracles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ..options import (
    PathName,
    folder_options,
    one_limit_options,
    output_options,
    rouge_options,
    run_options,
    solve_options,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ...answers import Case
    from ...answers.record import CountRecord
    from ..output import Sink

__all__ = ["answer_case", "command"]


@click.command("count", epilog="Records are described in docs/records.md.")
@click.argument("input", type=PathName(), metavar="IN")
@rouge_options
@one_limit_options
@click.option(
    "--oracles/--no-oracles",
    default=True,
    show_default=True,
    help="Count the oracles too, or only the summaries that fit.",
)
@solve_options()
@run_options
@output_options
@folder_options
def command(input: str, **options: Any) -> None:
    """How many sets of candidate sentences fit the limit (Appendix B), and how many are oracles.

    Candidates are the sentences that share an n-gram with a reference. Both numbers are exact
    whatever their size; in JSON they are decimal strings beyond 2^53. IN is a file of JSON lines,
    - for standard input, or demo.

    \b
    Examples:
      oraclesum count demo --rouge 1 --max-words 60
      oraclesum count topics.jsonl --no-oracles --max-words 250 -o counts.jsonl
    """
    from ...instances.limits import LENGTHS
    from ..run import Verb, run_verb

    if sum(options[name] is not None for name in LENGTHS) > 1:
        raise click.UsageError(
            "`count` takes one limit; give only one of --max-words, --max-sentences and --max-bytes"
        )
    verb = Verb(name="count", answer_case=answer_case, show=show)
    run_verb(verb, input, {"list": 0, **options}, folders=True)


def answer_case(case: Case, settings: Settings) -> Iterator[CountRecord]:
    """The record of one case: candidates, feasible summaries, oracles."""
    from ...answers.record import CountRecord, write_fraction
    from ...errors import LimitError
    from ...instances import Instance, Limit
    from ...oracles.api import solve_problem
    from ...oracles.feasible import count_feasible
    from ...oracles.status import Status

    options = settings.make_options()
    problem = case.build_problem(settings.make_limits(), options)
    limits = problem.limits if isinstance(problem, Instance) else problem.rows
    # An objective with precision in it needs no limit: then no sentence has a length.
    limit = (
        limits[0] if limits else Limit(unit="none", budget=0, lengths=(0,) * problem.n_sentences)
    )
    # Those of an objective may be too long to be chosen.
    fitting = [limit.lengths[i] for i in problem.candidates if limit.lengths[i] <= limit.budget]
    record = CountRecord(
        **case.head,
        status=Status.COMPLETE.value,
        candidates=len(fitting),
        feasible=None,
        signature=case.sign(problem.signature),
        **case.tail,
    )
    if settings.oracles:
        family = solve_problem(problem, "search", options)
        # Nothing is to be listed here, so that limit is not one that was hit.
        status = Status.COMPLETE if family.status == Status.LIST_LIMIT else family.status
        record = replace(
            record,
            status=status.value,
            count=family.count,
            hits=family.hits,
            total=family.total,
            value=write_fraction(family.value),
            score=family.score,
        )
    try:
        feasible = count_feasible(fitting, limit.budget)
        if limit.floor:  # of a preset: shorter sets do not count
            feasible -= count_feasible(fitting, limit.floor - 1)
        yield replace(record, feasible=feasible)
    except LimitError:
        yield replace(record, status=Status.TIME_LIMIT.value)


def show(settings: Settings) -> Sink:
    """The table: one line per case."""
    from ...report.numbers import format_count
    from ...report.tables import Column
    from ..screen import COUNT, REFERENCE, SECONDS, STATUS, TOPIC, TableSink

    candidates = Column(header="candidates", cell=lambda record, _: f"{record['candidates']:,}")
    feasible = Column(
        header="summaries\nthat fit",
        cell=lambda record, _: (
            format_count(record["feasible"]) if record["feasible"] is not None else "?"
        ),
    )
    reference = [REFERENCE] if settings.references == "single" else []
    oracles = [COUNT] if settings.oracles else []
    return TableSink([TOPIC, *reference, STATUS, candidates, feasible, *oracles, SECONDS])
