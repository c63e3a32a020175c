"""The verb `upper-bound`: the oracle row of a paper, with greedy and the systems beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from ..options import (
    folder_options,
    limit_options,
    output_options,
    rouge_options,
    run_options,
    solve_options,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ...answers import Case, Json, WrittenRow
    from ...report.grid import Grid
    from ..output import Sink

__all__ = ["answer_case", "command"]

BIBTEX = """@inproceedings{hirao-etal-2017-enumeration,
  title = {Enumeration of Extractive Oracle Summaries},
  author = {Hirao, Tsutomu and Nishino, Masaaki and Suzuki, Jun and Nagata, Masaaki},
  booktitle = {Proceedings of the 15th Conference of the European Chapter of the Association for
    Computational Linguistics: Volume 1, Long Papers},
  year = {2017},
}

@software{oraclesum,
  title = {oraclesum: exact extractive oracle summaries under ROUGE},
  author = {{The oraclesum developers}},
  version = {VERSION},
}"""


@click.command("upper-bound", epilog="The table is described in docs/oracle-row.md.")
@click.argument("input", metavar="IN")
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
@folder_options
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
        answer_case=answer_case,
        show=Table,
        open_file=open_file,
        closing_scores=True,
        conclude=conclude,
        only_conclusion=True,
    )
    run_verb(verb, input, {"usual": DEFAULT_OBJECTIVE, **options}, folders=True)


def answer_case(case: Case, settings: Settings) -> Iterator[Json]:
    """What is known of one topic: see `bound_topic`."""
    from ...answers.record import exact, write_fraction
    from ...evaluation.panel import derive_seed
    from ...evaluation.upper_bound import bound_topic
    from ...oracles.api import solve_problem

    options = settings.make_options()
    problem = case.build_problem(settings.make_limits(), options)
    family = solve_problem(problem, settings.method, options)
    yield {
        **case.head,
        "status": "complete" if family.exact else family.status.value,
        "proven": family.proven,
        "value": write_fraction(family.value),
        "score": family.score,
        "count": exact(family.count),
        "bounds": bound_topic(
            case.sentences,
            case.references,
            problem,
            family,
            case.topic.systems,
            language=case.rouge.language,
            seed=derive_seed(settings.seed, case.id),
        ),
        "signature": case.sign(family.signature),
        **case.tail,
    }


def conclude(
    records: list[Json], settings: Settings, progress: Callable[[int, int], None]
) -> tuple[list[Json], list[str]]:
    """A record per row of the table, and the sentence for the paper."""
    from ...evaluation.upper_bound import summarise_bounds
    from ...signature import merge_signatures

    known = [record for record in records if "bounds" in record]
    if not known:
        return [], []
    signature = merge_signatures(record["signature"] for record in known)
    methods = write_methods(
        settings, len(known), sum(record["proven"] for record in known), signature
    )
    rows: list[Json] = []
    for row in summarise_bounds((record["bounds"] for record in known), seed=settings.seed):
        cells: Json = {}
        for (statistic, part), cell in row.cells.items():
            cells.setdefault(statistic, {})[part] = {
                "mean": cell.mean,
                "low": cell.low,
                "high": cell.high,
            }
        rows.append(
            {
                "kind": "row",
                "status": "complete",
                "style": row.style,
                "row": row.name,
                "topics": row.topics,
                **cells,
                "methods": methods,
                "signature": signature,
            }
        )
    return rows, []


def write_methods(settings: Settings, documents: int, proven: int, signature: str) -> str:
    """The sentence for a paper: what was maximised, how it was proven, by what."""
    from importlib.metadata import version

    from ..closing import describe_limits

    limits = describe_limits(settings)
    rouge = settings.make_rouge()
    where = {"within": "within sentences", "across": "across sentences"}[rouge.boundaries]
    every = f"all {documents:,}" if proven == documents else f"{proven:,} of {documents:,}"
    return (
        f"Oracle summaries maximise {rouge.name} (n-grams {where}, {rouge.counting} counts)"
        f"{' with ' + ' and '.join(limits) if limits else ' without a length limit'}. For {every} "
        "documents the optimum was proven by branch and bound in exact arithmetic, and all sets "
        f"that reach it were enumerated (oraclesum {version('oraclesum')}; {signature}). Scores "
        "are means over all optimal sets of a document, then over documents, with 95% bootstrap "
        "intervals over documents."
    )


class Table:
    """The sink for tables: one for each program, then the sentence and the references."""

    def __init__(self, settings: Settings, write: Callable[[str], object] | None = None) -> None:
        self._to = settings.to if settings.to != "jsonl" else "table"
        self._write = write
        self._rows: list[Json] = []
        self._errors: list[str] = []

    def write(self, row: WrittenRow) -> None:
        if row.record.get("kind") == "row":
            self._rows.append(row.record)

    def close(self) -> None:
        from importlib.metadata import version

        from rich.console import Console

        from ...report.grid_terminal import print_grid
        from ...report.markup import to_latex, to_markdown

        if not self._rows:
            return
        grids = make_grids(self._rows)
        bibtex = BIBTEX.replace("VERSION", version("oraclesum"))
        methods = self._rows[0]["methods"]
        if self._to == "table":
            console = Console(highlight=False)
            for grid in grids:
                print_grid(grid, console)
            console.print(methods, "", bibtex, sep="\n", markup=False)
            return
        if self._to == "markdown":
            parts = [*map(to_markdown, grids), methods, f"```bibtex\n{bibtex}\n```"]
        else:
            comment = "".join(f"% {line}\n" for line in bibtex.splitlines())
            parts = [*map(to_latex, grids), f"% {methods}", comment]
        (self._write or print)("\n".join(parts) + "\n")


def open_file(stream: BinaryIO, settings: Settings) -> Sink:
    """Markup into a file or a pipe, if it is asked for; else JSON lines."""
    from ..output import JsonLines

    if settings.to in ("markdown", "latex"):
        return Table(settings, lambda text: stream.write(text.encode()))
    return JsonLines(stream)


NAMES = {"r1": "R1", "r2": "R2", "rl": "RL", "rlsum": "RLsum"}
ROWS = {"oracle": "oracle", "smallest": "smallest oracle", "largest": "largest oracle"}


def make_grids(rows: list[Json]) -> list[Grid]:
    """A table for each program: F1 with its interval, then recall and precision."""
    from ...report.grid import Cell, Grid, Head
    from ...rouge.printed import STYLES

    grids = []
    for style, known in STYLES.items():
        own = [row for row in rows if row["style"] == style]
        heads = [Head(name="", right=False)]
        heads += [Head(name=name, group="F1") for name in NAMES.values()]
        for part in ("recall", "precision"):
            heads += [Head(name=name, group=part) for name in NAMES.values()]
        lines = []
        for row in own:
            cells = [Cell(value=ROWS.get(row["row"], row["row"].removeprefix("system ")))]
            for part in ("f1", "recall", "precision"):
                for name in NAMES:
                    found = row[name][part]
                    interval = {"low": found["low"], "high": found["high"]} if part == "f1" else {}
                    cells.append(Cell(value=found["mean"], style="ratio", digits=4, **interval))
            lines.append(tuple(cells))
        topics = max(row["topics"] for row in own)
        grids.append(
            Grid(
                key=f"upper-bound-{style}",
                title=f"What extracts can score, as {known.words} ({topics:,} documents)",
                heads=tuple(heads),
                rows=tuple(lines),
                rules=frozenset({sum(row["row"] in ROWS for row in own)}),
            )
        )
    return grids
