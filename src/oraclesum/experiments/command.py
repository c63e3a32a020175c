"""The verb `reproduce`: every table of the paper for a corpus."""

from __future__ import annotations

from typing import Any

import click

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

_OURS = "lead,random,frequency,centroid,concept-coverage"


def _split_systems(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    names = () if value == "none" else tuple(part.strip() for part in value.split(","))
    for name in names:
        if name not in _OURS.split(","):
            raise click.BadParameter(f"{name!r} is not one of {_OURS}, or none")
    return tuple(dict.fromkeys(names))


def _split_objectives(_: click.Context, __: click.Parameter, value: str) -> tuple[str, ...]:
    from ..errors import InputError
    from ..rouge import Rouge

    names = () if value == "none" else tuple(part.strip() for part in value.split(","))
    for name in names:
        try:
            Rouge(name)
        except InputError as error:
            raise click.BadParameter(str(error)) from None
    return tuple(dict.fromkeys(names))


@click.command("reproduce", epilog="A full run is shown in docs/reproduction.md.")
@click.argument("input", metavar="IN")
@click.option("-o", "--output", metavar="FOLDER", help="Keep results and tables in this folder.")
@click.option("--force", is_flag=True, help="Measure anew what the folder contains.")
@click.option(
    "--max-words",
    type=click.IntRange(min=1),
    metavar="N",
    help="Longest summary in words. Default: that of the DUC or TAC task.",
)
@click.option(
    "--max-sentences", type=click.IntRange(min=1), metavar="N", help="The same in sentences."
)
@click.option("--max-bytes", type=click.IntRange(min=1), metavar="N", help="The same in bytes.")
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
@click.option(
    "--format",
    default="auto",
    show_default=True,
    metavar="NAME",
    help="Of IN: jsonl, json, csv, tsv, parquet, arrow, txt, summeval, realsumm, stories, "
    "duc2001 to duc2007, tac2008 to tac2011.",
)
@click.option(
    "--also",
    multiple=True,
    metavar="PATH",
    help="A further folder or archive of the same corpus. Can be given again.",
)
@click.option(
    "--reference-length",
    metavar="N",
    help="Which references, if a year of DUC has several lengths.",
)
@click.option("--human", metavar="NAME", help="Which human score, if topics have several.")
@click.option("--language", metavar="CODE", help="Language of all topics, e.g. en, fr, de.")
@click.option(
    "--systems",
    default=_OURS,
    show_default=True,
    metavar="NAMES",
    callback=_split_systems,
    help="Our own systems to run beside those of the corpus; none for none.",
)
@click.option(
    "--baseline-time-limit",
    type=click.FloatRange(min=0),
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
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="S",
    help="Seconds per search under an objective: for the optima, and for each near-optimal count.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="Seconds per problem for the search; by default it runs to the end.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.8,
    show_default=True,
    metavar="X",
    help="Similarity from which text counts as a document sentence.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="How many times one random oracle is drawn.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of everything that is drawn at random.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    metavar="N",
    help="Topics worked on at once, each in a process of its own.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress and no messages.")
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
    from .reproduce import reproduce

    reproduce(**options)
