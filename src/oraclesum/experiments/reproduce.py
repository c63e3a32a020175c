"""A reproduction from a corpus to its tables: read, measure, print, write."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..corpora import Topic
from ..errors import InputError
from ..evaluation.agreement import choose_human
from ..instances.limits import LENGTHS
from ..message import as_option, show_name, spell
from ..replacing import open_whole
from ..report.grid import Grid
from ..report.markup import to_csv, to_latex_document, to_markdown
from ..runs.progress import Progress
from ..stopping import Stopped, deferred, explain_failure, finish, leave
from ..streams import drop_output, flush_output, stop_writing
from .cache import claim_folder, find_results
from .corpus import Corpus, read_corpus
from .published import Published, load_published
from .results import Results
from .run import run_experiment
from .settings import Experiment
from .tables import KEYS, build_tables

__all__ = ["reproduce"]

# What the paper correlates with (DUC 2001-2004), and what later years had in its place.
_USUAL_SCORES = ("coverage", "responsiveness", "content_responsiveness")
_TEXTS = ("tables.md", "tables.tex")
_FILES = (*_TEXTS, *(f"{key}.csv" for key in KEYS))


def reproduce(
    *,
    input: str,
    format: str,
    also: tuple[str, ...],
    reference_length: str | None,
    output: str | None,
    force: bool,
    published: str,
    tables: str | None,
    human: str | None,
    jobs: int,
    quiet: bool,
    **settings: Any,
) -> None:
    """What the verb does; the options are its own."""
    sys.set_int_max_str_digits(0)  # numbers of summaries can be longer than Python prints unasked
    folder = None if output is None else Path(output)
    before = None if folder is None else find_results(folder)
    printing = False
    try:
        if (
            folder is not None
            and Path(input).is_dir()
            and folder.resolve().is_relative_to(Path(input).resolve())
        ):
            raise InputError(f"{show_name(folder)}: is inside the input; choose another place")
        # Settings that cannot be used are refused before anything is read.
        limited = any(settings[name] is not None for name in LENGTHS)
        experiment = Experiment(**settings) if limited else None
        corpus = read_corpus(
            input,
            format=format,
            also=also,
            reference_length=reference_length,
            language=settings["language"],
        )
        figures = _choose_published(published, corpus)
        if experiment is None:  # the length of the task
            words = corpus.words or figures.get("statistics", "length")
            experiment = Experiment(**{**settings, "max_words": words})
        human = _choose_human(corpus.topics, human, figures)
        with claim_folder(folder, _FILES, force=force):
            with Progress("none" if quiet else "auto") as progress:

                def report(done: int, total: int, text: str) -> None:
                    if text and not quiet:
                        progress.say(text)
                    progress.show_steps(done, total, "topics measured")

                for message in () if quiet else corpus.messages:
                    progress.say(message)
                measured = run_experiment(
                    corpus.topics,
                    experiment,
                    folder=folder,
                    force=force,
                    jobs=jobs,
                    report=report,
                )
            results = Results(
                corpus=corpus.name,
                measured=measured,
                experiment=experiment,
                published=figures,
                human=human,
            )
            if not results.topics:
                raise InputError(f"no topic could be measured; the first: {results.errors[0]}")
            grids = build_tables(results)
            printing = True
            _print(grids, results, tables or ("terminal" if sys.stdout.isatty() else "markdown"))
            if folder is not None:
                _write(grids, results, folder)
            finish()
    except InputError as error:
        raise click.UsageError(spell(error, as_option)) from error
    except Stopped as stopped:
        drop_output()  # or the message would wait for whoever reads the tables
        begun = folder is not None and find_results(folder) != before
        kept = _say_kept(folder, force, printing, begun)
        leave(128 + stopped.number, f"{stopped.word}: {kept}")
    except OSError as error:
        stop_writing("standard output" if folder is None else show_name(folder), error)
    if folder is not None and not quiet:
        print(f"tables and results are in {show_name(folder)}", file=sys.stderr, flush=True)
    sys.exit(1 if results.errors or corpus.messages else 0)


def _say_kept(folder: Path | None, force: bool, printing: bool, begun: bool) -> str:
    """What is left of a run that was stopped; `begun`: it has results of its own in the folder."""
    if folder is None:
        written = "not all tables were printed" if printing else "nothing was written"
        return f"{written}; with -o FOLDER a run can be continued"
    if force and not begun:
        return f"{show_name(folder)} is as it was; run the same command again"
    again = "without --force " if force else "again "
    return f"{show_name(folder)} keeps what is done; run the same command {again}to continue"


def _choose_published(wanted: str, corpus: Corpus) -> Published:
    if wanted == "none":
        return load_published(None)
    return load_published(corpus.year if wanted == "auto" else wanted)


def _choose_human(topics: Sequence[Topic], wanted: str | None, figures: Published) -> str | None:
    """The human score of Table 6, settled before hours are spent; None if nobody judged."""
    judged = [{"human": topic.human} for topic in topics if topic.human]
    if not judged:
        return None
    if wanted is None and figures.year is not None:
        names = {name for topic in judged for each in topic["human"].values() for name in each}
        wanted = next((name for name in _USUAL_SCORES if name in names), None)
    return choose_human(judged, wanted)


def _print(grids: list[Grid], results: Results, tables: str) -> None:
    try:
        _print_grids(grids, results, tables)
    except OSError as error:
        stop_writing("standard output", error)
    flush_output()  # the tables are seen, whatever becomes of the files


def _print_grids(grids: list[Grid], results: Results, tables: str) -> None:
    if tables == "terminal":
        from rich.console import Console

        from ..report.grid_terminal import print_grid

        console = Console(highlight=False)
        for grid in grids:
            print_grid(grid, console)
    elif tables == "markdown":
        print(_join_markdown(grids, results), end="")
    elif tables == "latex":
        print(to_latex_document(grids), end="")
    else:
        for grid in grids:
            print(f"# {grid.title}\n{to_csv(grid)}")


def _join_markdown(grids: list[Grid], results: Results) -> str:
    heading = f"## {results.corpus}, at most {results.experiment.length}\n"
    signature = f"`{results.experiment.signature}`\n"
    return "\n".join([heading, *map(to_markdown, grids), signature])


def _write(grids: list[Grid], results: Results, folder: Path) -> None:
    texts = [_join_markdown(grids, results), to_latex_document(grids), *map(to_csv, grids)]
    names = [*_TEXTS, *(f"{grid.key}.csv" for grid in grids)]
    try:
        for name, text in zip(names, texts, strict=True):
            with deferred(), open_whole(folder / name) as stream:
                stream.write(text.encode())
    except InputError as error:  # usage was right, and there are results
        leave(*explain_failure(str(error)))
