"""The verb `score`: ROUGE of system summaries, from records or from plain files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ..options import folder_options, output_options, rouge_options, run_options
from ..settings import Settings

if TYPE_CHECKING:
    from ...answers import Case, WrittenRow
    from ...answers.record import Record
    from ...corpora import Topic
    from ...report.tables import Column

__all__ = ["answer_case", "command"]

SCORES = ("recall", "precision", "f1")


@click.command("score", epilog="Records are described in docs/records.md.")
@click.argument("input", metavar="[IN]", required=False)
@click.option(
    "--summary",
    multiple=True,
    metavar="FILE",
    help="A summary to score: plain text, one sentence per line. Can be given again.",
)
@click.option(
    "--reference",
    multiple=True,
    metavar="FILE",
    help="A reference of those summaries. Can be given again.",
)
@rouge_options
@click.option(
    "--aggregate",
    type=click.Choice(["average", "best"]),
    default="average",
    show_default=True,
    help="Over several references: ROUGE's -f A or -f B.",
)
@click.option(
    "--across-sentences/--within-sentences",
    default=True,
    show_default=True,
    help="Whether n-grams run across sentences, as in ROUGE-1.5.5.",
)
@run_options
@output_options
@folder_options
def command(
    input: str | None,
    summary: tuple[str, ...],
    reference: tuple[str, ...],
    **options: Any,
) -> None:
    """ROUGE-N of summaries, equal to ROUGE-1.5.5 in hits and both totals.

    Scores the `systems` of each record of IN (a file of JSON lines, - for standard input, or
    demo); or --summary files against --reference files. A system of a record is a list of indices
    into its sentences, a list of sentences, or one text.

    \b
    Examples:
      oraclesum score demo --rouge 2
      oraclesum score --summary mine.txt --reference a.txt --reference b.txt --rouge 1
    """
    from ..run import Verb, run_verb

    if (input is None) == (not summary and not reference):
        raise click.UsageError("give IN, or --summary and --reference files, and not both")
    if bool(summary) != bool(reference):
        raise click.UsageError("--summary and --reference need each other")
    verb = Verb(name="score", answer_case=answer_case, show=Systems, needs_limit=False)
    topics = None if input is not None else lambda: [_read_files(summary, reference)]
    run_verb(verb, input, options, topics, folders=True)


def _read_files(summaries: tuple[str, ...], references: tuple[str, ...]) -> Topic:
    from ...corpora import Topic, read_lines

    return Topic(
        id="files",
        sentences=(),
        references=tuple(read_lines(name) for name in references),
        systems={name: read_lines(name) for name in summaries},
        file=summaries[0],
        line=1,
    )


def answer_case(case: Case, settings: Settings) -> Iterator[Record]:
    """One record per system of the case."""
    from ...answers.record import ScoreRecord
    from ...errors import InputError
    from ...rouge import score

    flaws = list(case.report_flaws("systems"))
    yield from flaws
    if not case.topic.systems and not flaws:
        raise InputError("the record has no `systems` to score")
    for name, system in case.topic.systems.items():
        summary = (system,) if isinstance(system, str) else system
        texts = [case.sentences[part] if isinstance(part, int) else part for part in summary]
        result = score(
            texts,
            case.references,
            case.rouge,
            aggregate=settings.aggregate,
            across_sentences=settings.across_sentences,
        )
        yield ScoreRecord(
            **case.head,
            system=name,
            status="complete",
            hits=result.hits,
            reference_total=result.reference_total,
            summary_total=result.summary_total,
            recall=result.recall,
            precision=result.precision,
            f1=result.f1,
            signature=result.signature,
        )


class Systems:
    """The sink for a terminal: a line per topic and system, then the means of each system."""

    def __init__(self, settings: Settings) -> None:
        from ...report.tables import Column, RecordTable
        from ..screen import HITS, SCORED, TOPIC, TableSink

        system = Column(
            header="system", cell=lambda record, _: record["system"], right=False, yields=True
        )
        scores = [_score_column(name) for name in SCORES]
        totals = [_total_column(name) for name in ("reference_total", "summary_total")]
        self._table = TableSink([TOPIC, system, SCORED, *scores, HITS, *totals])
        self._means = RecordTable([system, *(_score_column(name, "mean\n") for name in SCORES)])
        self._scores: dict[str, list[tuple[float, ...]]] = {}

    def write(self, row: WrittenRow) -> None:
        self._table.write(row)
        if row.record["status"] != "error":
            scores = tuple(row.record[name] for name in SCORES)
            self._scores.setdefault(row.record["system"], []).append(scores)

    def close(self) -> None:
        from statistics import fmean

        self._table.close()
        if all(len(rows) == 1 for rows in self._scores.values()):
            return
        for system, rows in self._scores.items():
            means = map(fmean, zip(*rows, strict=True))
            self._means.add({"system": system, **dict(zip(SCORES, means, strict=True))}, 0.0)
        self._means.print()


def _score_column(name: str, prefix: str = "") -> Column:
    from ...report.tables import Column, format_score

    return Column(header=prefix + name, cell=lambda record, _: format_score(record[name]))


def _total_column(name: str) -> Column:
    from ...report.tables import Column

    return Column(header=name.replace("_", "\n"), cell=lambda record, _: f"{record[name]:,}")
