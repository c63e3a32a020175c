"""The verb `extract`: one oracle of each topic as text, with the ROUGE-1.5.5 of that text."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from ..options import (
    PathName,
    choice_options,
    folder_options,
    limit_options,
    method_option,
    output_options,
    rouge_options,
    run_options,
    solve_options,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ...answers import Case, WrittenRow
    from ...answers.record import ExtractRecord

__all__ = ["answer_case", "command"]


@click.command("extract", epilog="Records are described in docs/records.md.")
@click.argument("input", type=PathName(), metavar="IN")
@rouge_options
@limit_options
@choice_options
@method_option("search", "ilp", "paper", "exhaustive", "greedy", "genetic", "pairwise")
@solve_options()
@run_options
@output_options
@folder_options
def command(input: str, **options: Any) -> None:
    """One oracle of each topic as text, in document order, with its true ROUGE-1.5.5.

    The objective counts summary n-grams inside sentences; `rouge` in the output is what ROUGE-1.5.5
    says of the finished text, where n-grams also run across its sentences. IN is a file of JSON
    lines, - for standard input, or demo. A terminal gets the summaries to read; a pipe or -o gets
    one JSON object per record.

    \b
    Examples:
      oraclesum extract demo --rouge 2 --max-words 60
      oraclesum extract topics.jsonl --method greedy --max-sentences 3 -o greedy.jsonl
    """
    from ..run import Verb, run_verb

    verb = Verb(name="extract", answer_case=answer_case, show=Reader)
    run_verb(verb, input, options, folders=True)


def answer_case(case: Case, settings: Settings) -> Iterator[ExtractRecord]:
    """The record of one case: the oracle, what was proven, its text and the ROUGE of that text."""
    from ...answers.record import ExtractRecord, write_fraction, write_rouge
    from ...notices import collect_warnings
    from ...oracles.api import find_in_problem
    from ...rouge import score

    started = time.monotonic()
    options = settings.make_options()
    problem = case.build_problem(settings.make_limits(), options)
    oracle = find_in_problem(problem, settings.method, options.left_since(started))
    summary = [case.sentences[i] for i in oracle.indices]
    # That an empty summary has no tokens is not said: why it is empty has been.
    with nullcontext() if summary else collect_warnings():
        rouge = score(summary, case.references, case.rouge)
    yield ExtractRecord(
        **case.head,
        status=oracle.status.value,
        proven=oracle.proven,
        hits=oracle.hits,
        total=oracle.total,
        value=write_fraction(oracle.value),
        score=oracle.score,
        oracle=list(oracle.indices),
        summary=summary,
        rouge=write_rouge(rouge),
        upper_bound=oracle.upper_bound,
        # With several threads it would differ from run to run.
        checked=oracle.checked if settings.threads == 1 else None,
        method=settings.method,
        signature=case.sign(oracle.signature),
        **case.tail,
    )


class Reader:
    """The sink for a terminal: the summaries to read, shown when the run has ended."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._rows: list[WrittenRow] = []

    def write(self, row: WrittenRow) -> None:
        self._rows.append(row)

    def close(self) -> None:
        from rich.console import Console

        from ...report.tables import print_summary

        console = Console(highlight=False)
        for row in self._rows:
            rouge = self._settings.make_rouge()
            print_summary(console, row.record, rouge.name, rouge.size)
