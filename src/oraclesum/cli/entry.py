"""The command itself: knows the verbs by name and loads one when it is called: --help is quick."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from ..stopping import Stopped, interruptible, leave
from ..streams import drop_output, stop_writing

__all__ = ["main"]

VERBS: Mapping[str, str] = {
    "enumerate": "All oracles of each topic: optimum, exact number, sets, inclusion.",
    "extract": "One oracle of each topic as text, with its true ROUGE-1.5.5.",
    "score": "ROUGE of system summaries, equal to ROUGE-1.5.5 in every count.",
    "count": "How many summaries fit the limit, and how many of them are oracles.",
    "compare": "The methods side by side on the same topics.",
    "labels": "Sentence labels for training, hard and soft, as training code reads them.",
    "evaluate": "Systems against all oracles: ROUGE, P, R, F, share of the best, what was missed.",
    "upper-bound": "The oracle row of a paper: ROUGE of the oracles, of greedy, of the systems.",
    "correlate": "How well ROUGE and F-measures agree with human scores, and which agrees better.",
    "report": "Results as one HTML file: charts, tables, a section per topic; no network needed.",
    "merge": "The shards of a folder that a verb wrote by `-o FOLDER/`, as one file.",
    "serve": "A local web page to explore the oracles of a topic, and its JSON API.",
    "reproduce": "Every table of the paper for a corpus, beside the published figures.",
}


class LazyGroup(click.Group):
    """A group whose verbs live in one module each, imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module = cmd_name.replace("-", "_")
        command = import_module(f".verbs.{module}", __package__).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb of the command line; one that is not known gets the near ones."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0].lower(), VERBS, n=2, cutoff=0.5)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"There is no verb {args[0]!r}.{hint} Verbs: {', '.join(VERBS)}.")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb; it can be stopped by a signal from here on, which click does not see."""
        wants_help = not {*ctx.help_option_names}.isdisjoint(ctx.args)  # which click takes away
        try:
            with interruptible():
                return super().invoke(ctx)
        except BrokenPipeError as error:
            stop_writing("standard output", error)
        except MemoryError:
            leave(1, "out of memory: reading or answering stopped here, the rest is lost")
        except Stopped as stopped:
            drop_output()
            # A verb that has written something says so itself; of its help, a part may be written.
            done = "" if wants_help else ": nothing was written"
            leave(128 + stopped.number, stopped.word + done)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        # importlib.metadata is slow to import; only --version pays for it.
        from importlib.metadata import version

        click.echo(f"oraclesum {version('oraclesum')}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    subcommand_metavar="VERB [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`oraclesum VERB --help` explains a verb and has an example.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Exact extractive oracle summaries under ROUGE: proven, enumerated, counted.

    An oracle is a set of sentences of a document that no other set within the length limit beats,
    scored against summaries written by people (the references). A topic, one record of the input,
    is a document with its references.

    \b
    Try it on the built-in corpus:
      oraclesum enumerate demo --rouge 2 --max-words 60

    Data goes to standard output or -o, messages to standard error. The exit status is 0,
    1 if some records failed (the rest are written), or 2 for wrong usage.
    """
