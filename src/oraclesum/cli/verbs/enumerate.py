"""The verb `enumerate`: all oracles of each topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from ..options import (
    PathName,
    choice_options,
    family_option,
    folder_options,
    limit_options,
    list_option,
    method_option,
    near_options,
    output_options,
    rouge_options,
    run_options,
    shard_format_option,
    solve_options,
    summary_option,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ...answers import Json, WrittenRow
    from ..output import Sink

__all__ = ["command"]


@click.command("enumerate", epilog="Records are described in docs/records.md.")
@click.argument("input", type=PathName(), metavar="IN")
@rouge_options
@limit_options
@choice_options
@method_option("search", "paper", "exhaustive")
@list_option(
    type=click.IntRange(min=0),
    help="Write at most N oracles of a topic. The count stays exact.",
)
@family_option(
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
@summary_option
@solve_options()
@run_options
@output_options
@folder_options
@shard_format_option
def command(input: str, summary: bool, **options: Any) -> None:
    """All oracles of each topic: the best score, the exact number of sets that reach it, the sets.

    IN is a file of JSON lines (also gzip, bzip2, xz, zstd) or Parquet, the folder or archive of a
    corpus such as DUC 2004 (docs/corpora.md), - for standard input, or demo for the built-in
    corpus. A terminal gets a table; a pipe or -o gets one JSON object per record. If -o is a folder
    (its name ends with /) it gets shards and a manifest, and --resume continues after a crash:
    docs/corpora-at-scale.md.

    \b
    A line of IN; with `text` in place of `sentences`, a document that is to be split:
      {"id": "a", "sentences": ["A cat sat.", "It rained."], "references": ["A cat sat there."]}

    \b
    Examples:
      oraclesum enumerate demo --rouge 2 --max-words 60
      oraclesum enumerate demo --objective r1-f1+r2-f1 --max-sentences 3
      oraclesum enumerate topics.jsonl --rouge 1 --remove-stopwords --max-words 100 -o out.jsonl
      oraclesum enumerate cnndm.jsonl --max-words 100 -o results/ --jobs 2 --resume
      oraclesum enumerate cnndm.jsonl --max-words 100 --summary
    """
    from ..run import Verb, run_verb

    verb = Verb(
        name="enumerate",
        make_task=Settings.make_enumeration,
        describe=lambda settings: settings.make_enumeration().describe(),
        show=show_summary if summary else show,
        conclude=conclude if summary else None,
        only_conclusion=summary,
        shows_failed=not summary,
        keep=_keep,
    )
    run_verb(verb, input, options, folders=True)


def _keep(row: WrittenRow) -> Json:
    """What the summary of a run looks at: not the sets, of which there are many."""
    signature = row.record.get("signature")
    return {
        "id": row.id,
        "status": row.status,
        "score": row.score,
        "count": row.family_count,
        "signature": signature,
    }


def conclude(
    records: list[Json], settings: Settings, progress: Callable[[int, int], None]
) -> tuple[list[Json], list[str]]:
    """One record: the mean score, the median number of oracles, how many problems ended how."""
    from collections import Counter
    from statistics import fmean, median_high, median_low

    from ...answers.record import exact
    from ...signature import merge_signatures

    solved = [record for record in records if record["status"] != "error"]
    if not solved:
        return [], ["there is no summary, as no record could be used"]
    counts = [record["count"] for record in solved]
    twice = median_low(counts) + median_high(counts)
    summary = {
        "kind": "average",
        "status": "average",
        "topics": len({record["id"] for record in solved}),
        "cases": len(solved),
        "errors": len(records) - len(solved),
        "statuses": dict(Counter(record["status"] for record in solved)),
        "mean_score": fmean(record["score"] for record in solved),
        "median_oracles": exact(twice // 2) if twice % 2 == 0 else twice / 2,
        "most_oracles": exact(max(counts)),
        "signature": merge_signatures(record["signature"] for record in solved),
    }
    return [summary], []


def show_summary(settings: Settings) -> Sink:
    """The table of a summary."""
    from ...report.numbers import format_count, format_score
    from ...report.tables import Column
    from ..screen import TableSink

    def show_statuses(record: Mapping[str, Any], _: float) -> str:
        return ", ".join(f"{count} {status}" for status, count in record["statuses"].items())

    def show_median(record: Mapping[str, Any], _: float) -> str:
        median = record["median_oracles"]
        return f"{median:,.1f}" if isinstance(median, float) else format_count(median)

    return TableSink(
        [
            Column(header="topics", cell=lambda record, _: f"{record['topics']:,}"),
            Column(header="problems", cell=lambda record, _: f"{record['cases']:,}"),
            Column(header="errors", cell=lambda record, _: f"{record['errors']:,}"),
            Column(
                header=f"mean\n{settings.make_rouge().name}",
                cell=lambda record, _: format_score(record["mean_score"]),
            ),
            Column(header="median\noracles", cell=show_median),
            Column(
                header="most\noracles", cell=lambda record, _: format_count(record["most_oracles"])
            ),
            Column(header="status", cell=show_statuses, right=False, yields=True),
        ]
    )


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
