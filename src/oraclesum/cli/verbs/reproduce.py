"""The verb `reproduce`: every table of the paper for a corpus."""

from __future__ import annotations

from typing import Any

import click

from ..options import (
    OUR_SYSTEMS,
    NumberRange,
    PathName,
    draw_option,
    force_option,
    format_option,
    human_option,
    jobs_option,
    language_option,
    max_length_options,
    output_option,
    parts_options,
    quiet_option,
    seed_option,
    systems_option,
    threshold_option,
    time_limit_option,
)

__all__ = ["OBJECTIVES", "command"]

OBJECTIVES = (
    "r1-recall",
    "r2-recall",
    "r1-f1",
    "r2-f1",
    "r1-f1+r2-f1",
    "rlsum-f1",
    "r1-f1+r2-f1+rlsum-f1",
)


def _split_objectives(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    from ...errors import InputError
    from ...rouge import Rouge

    names = () if value == "none" else tuple(part.strip() for part in value.split(","))
    for name in names:
        try:
            Rouge(name)
        except InputError as error:
            raise click.BadParameter(str(error)) from None
    return tuple(dict.fromkeys(names))


@click.command("reproduce", epilog="A full run is shown in docs/reproduction.md.")
@click.argument("input", type=PathName(), metavar="IN")
@output_option(type=PathName(), metavar="FOLDER", help="Keep results and tables in this folder.")
@force_option(help="Measure anew, and overwrite what the folder contains.")
@max_length_options("Give one, or none for the length of the DUC or TAC task.")
@click.option(
    "--published",
    type=click.Choice(["auto", "none", *map(str, range(2001, 2008))]),
    default="auto",
    show_default=True,
    help="Year of DUC whose published figures stand beside ours; auto: as IN is recognised.",
)
@click.option(
    "--tables",
    type=click.Choice(["terminal", "markdown", "latex", "csv"]),
    help="How tables are printed. Default: terminal, or markdown into a pipe.",
)
@format_option
@parts_options
@human_option()
@language_option(help="Language of all topics, e.g. en, fr, de.")
@systems_option(
    default=",".join(OUR_SYSTEMS),
    show_default=True,
    help="Our own systems to run beside those of the corpus; none for none.",
)
@click.option(
    "--baseline-time-limit",
    type=NumberRange(min=0),
    default=10.0,
    show_default=True,
    metavar="S",
    help="Seconds per problem for the paper's method and the ILP; 0 leaves them out.",
)
@click.option(
    "--objectives",
    default=",".join(OBJECTIVES),
    show_default=True,
    metavar="NAMES",
    callback=_split_objectives,
    help="What the tables of objectives compare; none for none.",
)
@click.option(
    "--objective-time-limit",
    type=NumberRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="S",
    help="Seconds per search under an objective: for the optima, and for each near-optimal count.",
)
@time_limit_option(help="Seconds per problem for the search; by default it runs to the end.")
@threshold_option
@draw_option
@seed_option(help="Seed of everything that is drawn at random.")
@jobs_option()
@quiet_option(help="No progress and no messages.")
def command(**options: Any) -> None:
    """Tables 1 to 7 and the times of the paper for a corpus, and tables of other objectives.

    Published figures stand beside ours. Settings are the paper's: Porter stems, ROUGE-1 without
    stop words, ROUGE-2 with them; all references of a topic together (multi) and each alone
    (single). With -o, every topic is kept when it is done, and a run that was interrupted goes on
    where it ended; the tables are written as Markdown, LaTeX (booktabs) and CSV. IN is a file of
    JSON lines or Parquet, a folder or archive of DUC or TAC as distributed, - for standard input,
    or demo.

    \b
    Examples:
      oraclesum reproduce demo --max-words 60 --human responsiveness
      oraclesum reproduce DUC2004 --also sumrepo_duc2004.tar.gz -o duc2004 --jobs 4
      oraclesum reproduce topics.jsonl --max-words 100 -o tables --jobs 4
    """
    from ...experiments.reproduce import reproduce

    reproduce(**options)
