"""The verb `score`: ROUGE of system summaries, from records or from plain files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ..options import PathName, folder_options, output_options, rouge_options, run_options
from ..settings import Settings

if TYPE_CHECKING:
    from ...answers import Case, Json, WrittenRow
    from ...answers.record import Record
    from ...corpora import Topic
    from ...report.tables import Column

__all__ = ["answer_case", "command"]

SCORES = ("recall", "precision", "f1")


@click.command("score", epilog="Records are described in docs/records.md.")
@click.argument("input", type=PathName(), metavar="[IN]", required=False)
@click.option(
    "--summary",
    type=PathName(),
    multiple=True,
    metavar="FILE",
    help="A summary to score: plain text, one sentence per line. Can be given again.",
)
@click.option(
    "--reference",
    type=PathName(),
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
    """ROUGE of summaries: recall, precision and F1 of ROUGE-1, -2, -L and -Lsum in one run.

    ROUGE-N of --rouge (default 2) also with its hits and totals, equal to ROUGE-1.5.5 in every
    count. With --tokens rouge-score all numbers are those of rouge_score (several references: the
    best one); else those of ROUGE-1.5.5, whose ROUGE-L is called Lsum here. Means come last.

    Scores the `systems` of each record of IN (a file of JSON lines, - for standard input, or
    demo); or --summary files against --reference files. A system of a record is a list of indices
    into its sentences, a list of sentences, or one text.

    \b
    Examples:
      oraclesum score demo
      oraclesum score systems.jsonl --tokens rouge-score -o scores.jsonl
      oraclesum score --summary mine.txt --reference a.txt --reference b.txt --rouge 1
    """
    from ..run import Verb, run_verb

    if (input is None) == (not summary and not reference):
        raise click.UsageError("give IN, or --summary and --reference files, and not both")
    if bool(summary) != bool(reference):
        raise click.UsageError("--summary and --reference need each other")
    verb = Verb(
        name="score", answer_case=answer_case, show=Systems, needs_limit=False, conclude=conclude
    )
    topics = (
        None
        if input is not None
        else lambda: [_read_files(summary, reference, options["record_bytes"])]
    )
    run_verb(verb, input, options, topics, files=(*summary, *reference), folders=True)


def _read_files(
    summaries: tuple[str, ...], references: tuple[str, ...], record_bytes: int
) -> Topic:
    from functools import partial

    from ...corpora import Topic, read_lines
    from ...message import show_name

    read = partial(read_lines, record_bytes=record_bytes)

    return Topic(
        id="files",
        sentences=(),
        references=tuple(map(read, references)),
        systems={show_name(name): read(name) for name in summaries},
        file=summaries[0],
        line=1,
    )


def answer_case(case: Case, settings: Settings) -> Iterator[Record]:
    """One record per system of the case."""
    from ...answers.record import ScoreRecord
    from ...errors import InputError
    from ...rouge import score
    from ...rouge.printed import PrintedScorer

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
        pooled = settings.aggregate == "average" and settings.tokens != "rouge-score"
        scorer = PrintedScorer(
            texts,
            case.references,
            "rouge-1.5.5" if pooled else "rouge-score",
            analyser=case.rouge.analyser,
        )
        all_scores: dict[str, Any] = {
            statistic: {"recall": each.recall, "precision": each.precision, "f1": each.f1}
            for statistic, each in scorer.score().items()
        }
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
            **all_scores,
            signature=case.sign_score(result.signature),
            **case.found_language,
        )


def conclude(
    records: list[Json], settings: Settings, progress: Callable[[int, int], None]
) -> tuple[list[Json], list[str]]:
    """The means of each system over its topics."""
    from statistics import fmean

    from ...rouge.printed import STATISTICS
    from ...signature import merge_signatures

    by_system: dict[str, list[Json]] = {}
    for record in records:
        if record["status"] != "error":
            by_system.setdefault(record["system"], []).append(record)
    return [
        {
            "kind": "average",
            "status": "average",
            "system": system,
            "topics": len(rows),
            **{name: fmean(row[name] for row in rows) for name in SCORES},
            **{
                statistic: {part: fmean(row[statistic][part] for row in rows) for part in SCORES}
                for statistic in STATISTICS
            },
            "signature": merge_signatures(row["signature"] for row in rows),
        }
        for system, rows in by_system.items()
    ], []


class Systems:
    """The sink for a terminal: a line per topic and system, then the means of each system."""

    def __init__(self, settings: Settings) -> None:
        from ...report.tables import Column, RecordTable
        from ..screen import SCORED, TOPIC, TableSink

        system = Column(
            header="system",
            cell=lambda record, _: record["system"],
            right=False,
            yields=True,
            names=True,
        )
        columns = [_score_column(name, part) for name in SHOWN for part in SCORES]
        rouge = settings.make_rouge()
        if rouge.size > 2:
            columns += [_score_column(f"r{rouge.size}", part) for part in SCORES]
        self._table = TableSink([TOPIC, system, SCORED, *columns])
        self._means = RecordTable([system, *columns])

    def write(self, row: WrittenRow) -> None:
        if row.record["status"] == "average":
            self._means.add(row.record, 0.0)
        else:
            self._table.write(row)

    def close(self) -> None:
        from rich.console import Console

        self._table.close()
        Console(highlight=False).print("Means over topics", style="bold")
        self._means.print()


SHOWN = {"r1": "R1", "r2": "R2", "rl": "RL", "rlsum": "RLsum"}
_LETTERS = {"recall": "R", "precision": "P", "f1": "F1"}


def _score_column(name: str, part: str) -> Column:
    from ...report.numbers import format_score
    from ...report.tables import Column

    def show(record: Mapping[str, Any], _: float) -> str:
        return format_score(record[name][part] if name in SHOWN else record[part])

    title = SHOWN.get(name, name.upper())
    return Column(header=f"{title}\n{_LETTERS[part]}", cell=show, optional=part != "f1")
