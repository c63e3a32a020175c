"""The verb `upper-bound`: the oracle row of a paper, with greedy and the systems beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from ..options import (
    PathName,
    limit_options,
    output_options,
    rouge_options,
    run_options,
    solve_options,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ...answers import Json, WrittenRow
    from ...evaluation.upper_bound import UpperBoundTask
    from ..output import Sink

__all__ = ["command"]


@click.command("upper-bound", epilog="The table is described in docs/oracle-row.md.")
@click.argument("input", type=PathName(), metavar="IN")
@rouge_options
@limit_options
@click.option(
    "--to",
    type=click.Choice(["table", "json", "markdown", "latex"]),
    default="table",
    show_default=True,
    help="How the table is written. A pipe or -o gets JSON lines instead of table.",
)
@solve_options()
@run_options
@output_options
def command(input: str, **options: Any) -> None:
    """What extraction could reach: ROUGE of the oracles, of greedy and of the systems of IN.

    The oracles maximise --objective (r1-f1+r2-f1 if none is given), and the optimum is proven. The
    table shows their ROUGE-1, -2, -L and -Lsum as rouge_score and as ROUGE-1.5.5 print them: the
    mean over all oracles of a document, the smallest and the largest of them, then means over
    documents with 95% bootstrap intervals; and the sentence and the references for a paper.

    \b
    Examples:
      oraclesum upper-bound demo --max-sentences 3
      oraclesum upper-bound test.jsonl --objective rouge-score --max-sentences 3 --to latex -o t.tex
    """
    from ...labels import DEFAULT_OBJECTIVE
    from ..run import Verb, run_verb

    verb = Verb(
        name="upper-bound",
        make_task=make_task,
        show=Table,
        open_file=open_file,
        closing_scores=True,
        conclude=conclude,
        only_conclusion=True,
    )
    run_verb(verb, input, {"usual": DEFAULT_OBJECTIVE, **options})


def make_task(settings: Settings) -> UpperBoundTask:
    """What is asked of every record."""
    from ...evaluation.upper_bound import UpperBoundTask

    return UpperBoundTask(enumeration=settings.make_enumeration())


def conclude(
    records: list[Json], settings: Settings, progress: Callable[[int, int], None]
) -> tuple[list[Json], list[str]]:
    """A record per row of the table, each with the sentence for the paper."""
    from ...report.oracle_row import make_upper_bound

    found = make_upper_bound(records, settings.make_enumeration())
    return ([] if found is None else found.to_records()), []


class Table:
    """The sink for everything but JSON lines: written once all rows are there."""

    def __init__(self, settings: Settings, stream: BinaryIO | None = None) -> None:
        self._to = settings.to
        self._stream = stream
        self._rows: list[Json] = []
        self._errors: list[str] = []

    def write(self, row: WrittenRow) -> None:
        if row.record.get("kind") == "row":
            self._rows.append(row.record)
        elif row.status == "error":
            self._errors.append(row.record["error"])

    def close(self) -> None:
        import shutil

        from ...report.oracle_row import read_upper_bound

        if not self._rows:
            return
        found = read_upper_bound(self._rows, self._errors)
        if self._to == "markdown":
            text = found.to_markdown()
        elif self._to == "latex":
            text = found.to_latex()
        elif self._to == "json":
            text = found.to_json()
        else:
            text = found.to_text(shutil.get_terminal_size().columns)
        if self._stream is None:
            print(text, end="")
        else:
            self._stream.write(text.encode())


def open_file(stream: BinaryIO, settings: Settings) -> Sink:
    """What was asked for into a file or a pipe; JSON lines instead of a table."""
    from ..output import JsonLines

    return JsonLines(stream) if settings.to in ("table", "jsonl") else Table(settings, stream)
