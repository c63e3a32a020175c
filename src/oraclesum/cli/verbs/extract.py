"""The verb `extract`: one oracle of each topic as text, with the ROUGE-1.5.5 of that text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ..options import (
    limit_options,
    method_option,
    output_options,
    rouge_options,
    run_options,
    solve_options,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ..cases import Case
    from ..work import Row

__all__ = ["answer_case", "command"]


@click.command("extract", epilog="Records are described in docs/records.md.")
@click.argument("input", metavar="IN")
@rouge_options
@limit_options
@method_option("search", "ilp", "paper", "exhaustive", "greedy", "genetic", "pairwise")
@solve_options()
@run_options
@output_options
def command(
    input: str, output: str | None, force: bool, quiet: bool, jobs: int, **options: Any
) -> None:
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
    from ..run import Job, run_job

    run_job(
        Job(
            answer_case=answer_case,
            show=Reader,
            settings=Settings(**options),
            input=input,
            output=output,
            force=force,
            quiet=quiet,
            jobs=jobs,
        )
    )


def answer_case(case: Case, settings: Settings) -> Iterator[dict[str, Any]]:
    """The record of one case: the oracle, what was proven, its text and the ROUGE of that text."""
    from ...oracles.api import find_in_instance
    from ...rouge import score
    from ..numbers import exact

    instance = case.build_instance(settings)
    oracle = find_in_instance(
        instance,
        method=settings.method,
        time_limit=settings.time_limit,
        threads=settings.threads,
        seed=settings.seed,
    )
    summary = [case.sentences[i] for i in oracle.sentences]
    rouge = score(summary, case.references, case.rouge)
    yield {
        **case.head,
        "status": oracle.status,
        "proven": oracle.proven,
        "hits": oracle.hits,
        "total": oracle.total,
        "score": oracle.score,
        "oracle": list(oracle.sentences),
        "summary": summary,
        "rouge": {
            "hits": rouge.hits,
            "reference_total": rouge.reference_total,
            "summary_total": rouge.summary_total,
            "recall": rouge.recall,
            "precision": rouge.precision,
            "f1": rouge.f1,
        },
        "upper_bound": oracle.upper_bound,
        "checked": exact(oracle.checked),
        "method": settings.method,
        "signature": case.sign(oracle.signature),
        **case.tail,
    }


class Reader:
    """The sink for a terminal: each summary under a heading, with the sentences' indices."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._rows: list[Row] = []

    def write(self, row: Row) -> None:
        self._rows.append(row)

    def close(self) -> None:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        from ...report.tables import format_status

        console = Console(highlight=False)
        for record in (row.record for row in self._rows):
            title = Text(str(record["id"]), style="bold")
            if "reference" in record:
                title.append(f", reference {record['reference']}")
            if record["status"] == "error":
                console.print(title, format_status(record), "\n")
                continue
            n, rouge = self._settings.rouge, record["rouge"]
            proof = (
                Text("proven best", "green")
                if record["proven"]
                else Text("not proven best", "yellow")
            )
            title.append(
                f"  {record['hits']}/{record['total']} = {record['score']:.5f}  ", "default"
            )
            console.print(title + proof)
            body = Table.grid(padding=(0, 1))
            body.add_column(justify="right", style="cyan", min_width=5)
            body.add_column()
            for i, sentence in zip(record["oracle"], record["summary"], strict=True):
                body.add_row(str(i), Text(sentence))
            console.print(body)
            text = f"R {rouge['recall']:.5f}  P {rouge['precision']:.5f}  F {rouge['f1']:.5f}"
            console.print(Text(f"      ROUGE-{n} of this text: {text}", style="dim"), "")
