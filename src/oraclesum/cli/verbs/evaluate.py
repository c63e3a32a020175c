"""The verb `evaluate`: system summaries against all oracles of each topic."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..options import (
    PathName,
    alignment_options,
    draw_option,
    folder_options,
    limit_options,
    output_options,
    rouge_options,
    run_options,
    solve_options,
    summary_option,
    systems_option,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ...answers import WrittenRow

__all__ = ["command"]


@click.command("evaluate", epilog="Records are described in docs/evaluation.md.")
@click.argument("input", type=PathName(), metavar="IN")
@rouge_options
@limit_options
@systems_option()
@alignment_options
@draw_option
@summary_option
@solve_options()
@run_options
@output_options
@folder_options
def command(input: str, summary: bool, **options: Any) -> None:
    """Systems against all oracles: ROUGE, P, R and F, the share of the best score, what was missed.

    P, R and F are averages over every oracle, exact also if there are too many to list; beside
    them stands F against one oracle drawn at random, with its 95% interval. The share compares the
    summary with the oracle, both counted inside sentences. A system of a record is a list of
    indices, a list of sentences or one text; text is aligned to the document's sentences, and what
    could not be aligned is in the output. Averages per system come last.

    \b
    Examples:
      oraclesum evaluate demo --rouge 2 --max-words 60 --systems lead,concept-coverage
      oraclesum evaluate topics.jsonl --references single --max-words 100 -o scores.jsonl
      oraclesum evaluate demo --max-words 60 --summary
    """
    from ..evaluating import EvaluationTask
    from ..run import Verb, run_verb

    verb = Verb(
        name="evaluate",
        make_task=EvaluationTask.make,
        show=Evaluated,
        closing_scores=False,
        conclude=conclude,
        only_conclusion=summary,
        shows_failed=not summary,
    )
    run_verb(verb, input, options, folders=True)


def conclude(
    records: list[dict[str, Any]], settings: Settings, progress: Callable[[int, int], None]
) -> tuple[list[dict[str, Any]], list[str]]:
    """The averages, and what to keep in mind about them."""
    from ...evaluation.averages import (
        average_systems,
        count_partial,
        note_lengths,
        note_partial,
    )

    averages = average_systems(records, seed=settings.seed)
    notes = []
    if (note := note_partial(*count_partial(records))) is not None:
        notes.append(note)
    if (note := note_lengths({row["system"]: row["words"] for row in averages})) is not None:
        notes.append(note)
    parts = [part for r in records if "alignment" in r for part in r["alignment"]["unaligned"]]
    if parts:
        notes.append(
            f"{len(parts)} pieces of summaries are no sentence of their document (threshold "
            f"{settings.threshold:g}); they count for ROUGE and not for P, R and F; each is listed "
            "in the output under `alignment.unaligned`"
        )
    return averages, notes


class Evaluated:
    """The sink for a terminal: a line per topic and system, then the averages."""

    def __init__(self, settings: Settings) -> None:
        from ...report.evaluated import EvaluationTable

        self._table = EvaluationTable(
            settings.make_rouge().size, with_reference=settings.references == "single"
        )

    def write(self, row: WrittenRow) -> None:
        self._table.add(row.record, row.seconds)

    def close(self) -> None:
        self._table.print()
