"""The verb `labels`: sentence labels for training, hard and soft, in the shapes that it reads."""

from __future__ import annotations

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
    solve_options,
)
from ..settings import Settings

if TYPE_CHECKING:
    from ..output import Sink

__all__ = ["command"]


@click.command("labels", epilog="Shapes and fields are described in docs/labels.md.")
@click.argument("input", type=PathName(), metavar="IN")
@rouge_options
@limit_options
@choice_options
@method_option("search", "paper", "exhaustive")
@click.option(
    "--choose",
    type=click.Choice(["first", "lead", "random", "all"]),
    default="first",
    show_default=True,
    help="The oracle of the hard labels: the first, the one nearest to the lead summary, one "
    "drawn by --seed, or all of them, one record each.",
)
@list_option(type=click.IntRange(min=1), help="With --choose all, at most N oracles of a topic.")
@near_options
@click.option(
    "--temperature",
    type=float,
    metavar="T",
    help="With --within-hits, --within or --top: a set that is d below the best (in hits, else in "
    "score) weighs exp(-d/T). Default: all the same.",
)
@family_option(
    help="All oracles, or only those that lose score with any sentence left out. "
    "[default: minimal for recall, else all]",
)
@click.option(
    "--to",
    type=click.Choice(["jsonl", "parquet", "presumm", "hetersumgraph", "matchsum"]),
    default="jsonl",
    show_default=True,
    help="What the output is for.",
)
@solve_options()
@run_options
@output_options
@folder_options
def command(input: str, **options: Any) -> None:
    """Labels of the sentences of each topic: 0 or 1 after one oracle, and shares in all oracles.

    Labels maximise r1-f1+r2-f1 unless --objective or --rouge says otherwise. Label lists have one
    element per sentence of the record, in its order. IN is what `enumerate` takes. A terminal gets
    a table; a pipe or -o gets the data.

    \b
    Examples:
      oraclesum labels demo --max-sentences 3
      oraclesum labels train.jsonl --objective presumm --to presumm -o train.0.json
      oraclesum labels train.jsonl --max-sentences 3 --top 20 --temperature 0.01 \\
        --to parquet -o train.parquet
    """
    from ...errors import InputError
    from ...labels import DEFAULT_OBJECTIVE
    from ...message import name_options
    from ..output import open_label_file
    from ..run import Verb, run_verb

    try:
        _check(options)
    except InputError as error:
        raise click.UsageError(name_options(error)) from error
    verb = Verb(
        name="labels",
        make_task=Settings.make_labelling,
        describe=lambda settings: settings.make_labelling().describe(),
        show=show,
        open_file=open_label_file,
        notes=_warn_of_recall,
    )
    run_verb(verb, input, {"usual": DEFAULT_OBJECTIVE, **options}, folders=True)


def _warn_of_recall(settings: Settings) -> list[str]:
    """What to keep in mind about labels that recall gives."""
    if not settings.make_rouge().needs_limit or settings.max_sentences is None:
        return []
    return [
        "recall under a limit of sentences prefers long sentences; without --rouge, labels "
        "maximise r1-f1+r2-f1, which is what training code usually does"
    ]


def _check(options: dict[str, Any]) -> None:
    names = ("choose", "list", "within_hits", "within", "top", "temperature", "seed")
    Settings(**{name: options[name] for name in names}).make_label_settings()


def show(settings: Settings) -> Sink:
    """The table: one line per oracle that was chosen."""
    from ...report.numbers import format_indices
    from ...report.tables import Column
    from ..screen import COUNT, HITS, REFERENCE, SECONDS, STATUS, TOPIC, TableSink, score_column

    chosen = Column(
        header="labelled 1",
        cell=lambda record, _: format_indices(record["oracle_ids"]),
        right=False,
        yields=True,
    )
    reference = [REFERENCE] if settings.references == "single" else []
    rouge = settings.make_rouge()
    hits = [HITS] if rouge.has_hits else []
    columns = [TOPIC, *reference, STATUS, score_column(rouge.name), *hits, COUNT, SECONDS, chosen]
    return TableSink(columns)
