"""The verb `report`: results as one HTML file to look at, to print and to hand on."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from ..options import (
    PathName,
    collection_options,
    force_option,
    format_option,
    human_option,
    output_option,
    quiet_option,
    record_bytes_option,
)
from ..settings import Settings

__all__ = ["command"]

_OF_CORPUS = ("format", "also", "reference_length", "task")  # options that say how it is read


@click.command("report", epilog="What a report shows is described in docs/report.md.")
@click.argument("results", type=PathName(), metavar="RESULTS...", nargs=-1, required=True)
@output_option(help="The HTML file to write.")
@click.option(
    "--corpus",
    type=PathName(),
    metavar="IN",
    help="The corpus that the results are of, as the other verbs read it: adds the texts, "
    "greedy summaries and what else follows from them.",
)
@format_option
@collection_options
@record_bytes_option
@click.option("--title", metavar="TEXT", help="The heading of the report.")
@click.option(
    "--topics",
    type=click.IntRange(min=0),
    default=60,
    show_default=True,
    metavar="N",
    help="Sections for the N hardest topics; tables and charts are of all.",
)
@human_option(help="The human score that systems are shown with, of several.")
@force_option()
@quiet_option()
def command(
    results: tuple[str, ...],
    output: str | None,
    corpus: str | None,
    title: str | None,
    topics: int,
    human: str | None,
    force: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Results as one HTML file with charts, tables and a section per topic.

    RESULTS are what `enumerate`, `evaluate`, `correlate` and `compare` wrote with -o (JSON lines or
    Parquet), a folder of shards, or the folder of `reproduce`; several are shown together. The file
    needs no network and no server, is readable in light, dark and print, and contains the numbers
    behind each chart as CSV. Equal results give an equal file.

    \b
    Examples:
      oraclesum report oracles.jsonl -o report.html
      oraclesum report oracles.jsonl scores.jsonl --corpus topics.jsonl -o report.html
    """
    from ...answers.record import allow_long_integers
    from ...corpora import open_items
    from ...errors import InputError, MissingExtraError
    from ...message import Setting, as_option, name_options, show_name
    from ...stopping import Stopped, deferred, finish, interruptible, leave
    from ...streams import drop_output, stop_writing
    from ..output import name_output, open_output, refuse_input, refuse_overwriting

    try:
        from ...report.page.build import build_report
    except ModuleNotFoundError as error:
        if error.name != "pydantic":
            raise
        raise click.UsageError(str(MissingExtraError("a report", "report"))) from error

    if output is None and sys.stdout.isatty():
        raise click.UsageError("a report is a file to open in a browser: give its name by -o")
    settings = Settings(**options)
    given = [name for name in _OF_CORPUS if getattr(settings, name) != getattr(Settings, name)]
    if corpus is None and given:
        option = as_option(Setting(given[0]))
        raise click.UsageError(f"{option} says how a corpus is read: give that by --corpus")
    allow_long_integers()
    try:
        # Before the work, not after it.
        refuse_input(output, (*results, *([corpus] if corpus else []), *settings.also))
        if output not in (None, "-"):
            refuse_overwriting(Path(str(output)), force)
        with ExitStack() as stack:
            items = None
            if corpus is not None:
                opened = open_items(corpus, settings.make_reading())
                items = stack.enter_context(opened).parse()
            page = build_report(
                [Path(name) for name in results],
                corpus=items,
                title=title,
                topics=topics,
                human=human,
                record_bytes=settings.record_bytes,
                warn=lambda text: print(
                    f"{show_name(corpus)}: {text}", file=sys.stderr, flush=True
                ),
            )
        with deferred():
            out = open_output(output, force=force, whole=True)
            try:
                with out as stream, interruptible():
                    assert stream is not None  # a terminal was turned away above
                    stream.write(page.encode("utf-8", "replace"))
                    stream.flush()
            except Stopped as stopped:
                if output not in (None, "-"):
                    raise  # there is no file, or the older one
                drop_output()  # or the message would wait for whoever reads
                where = name_output(output)
                leave(128 + stopped.number, f"{stopped.word}: not all was written to {where}")
            finish()
    except (InputError, MissingExtraError) as error:
        raise click.UsageError(name_options(error)) from error
    except OSError as error:
        stop_writing(name_output(output), error)
    if not quiet and output not in (None, "-"):
        size = f"{len(page) / 1e6:.1f} MB"
        print(f"{name_output(output)}: {size}; open it in a browser", file=sys.stderr)
