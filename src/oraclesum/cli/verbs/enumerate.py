"""The verb `enumerate`: all oracles of each topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..options import (
    folder_options,
    limit_options,
    method_option,
    near_options,
    output_options,
    rouge_options,
    run_options,
    shard_format_option,
    solve_options,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ..output import Sink

__all__ = ["command"]


@click.command("enumerate", epilog="Records are described in docs/records.md.")
@click.argument("input", metavar="IN")
@rouge_options
@limit_options
@method_option("search", "paper", "exhaustive")
@click.option(
    "--list",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Write at most N oracles of a topic. The count stays exact.",
)
@click.option(
    "--family",
    type=click.Choice(["all", "minimal"]),
    default="all",
    show_default=True,
    help="All oracles, or only those that lose hits with any sentence left out.",
)
@near_options
@click.option(
    "--seconds",
    is_flag=True,
    help="Write how long each record took, for `report`. No two runs then write the same.",
)
@solve_options()
@run_options
@output_options
@folder_options
@shard_format_option
def command(input: str, **options: Any) -> None:
    """All oracles of each topic: the best score, the exact number of sets that reach it, the sets.

    IN is a file of JSON lines (also gzipped) or Parquet, the folder or archive of a corpus such as
    DUC 2004 (docs/corpora.md), - for standard input, or demo for the built-in corpus. A terminal
    gets a table; a pipe or -o gets one JSON object per record. If -o is a folder (say, ends with /)
    it gets shards and a manifest, and --resume continues after a crash: docs/corpora-at-scale.md.

    \b
    Examples:
      oraclesum enumerate demo --rouge 2 --max-words 60
      oraclesum enumerate demo --objective r1-f1+r2-f1 --max-sentences 3
      oraclesum enumerate topics.jsonl --rouge 1 --remove-stopwords --max-words 100 -o out.jsonl
      oraclesum enumerate cnndm.jsonl --max-words 100 -o results/ --jobs 2 --resume
    """
    from ..run import Verb, run_verb

    verb = Verb(
        name="enumerate",
        make_task=Settings.make_enumeration,
        describe=lambda settings: settings.make_enumeration().describe(),
        show=show,
    )
    run_verb(verb, input, options, folders=True)


def show(settings: Settings) -> Sink:
    """The table: one line per case, with the first oracle as an example."""
    from ...report.numbers import format_indices
    from ...report.tables import Column
    from ..screen import (
        COUNT,
        HITS,
        REFERENCE,
        SECONDS,
        STATUS,
        TOPIC,
        TOTAL,
        TableSink,
        score_column,
    )

    first = Column(
        header="first\noracle",
        cell=lambda record, _: format_indices(record["oracles"][0]) if record["oracles"] else "",
        right=False,
        yields=True,
    )
    reference = [REFERENCE] if settings.references == "single" else []
    rouge = settings.make_rouge()
    score = score_column(rouge.name)
    hits = [HITS, TOTAL] if rouge.has_hits else []  # other objectives have neither
    return TableSink([TOPIC, *reference, STATUS, score, *hits, COUNT, SECONDS, first])
