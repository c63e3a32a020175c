"""The verb `merge`: the shards of a folder as one file."""

from __future__ import annotations

import sys

import click

from ..options import PathName, force_option, output_option, quiet_option

__all__ = ["command"]


@click.command("merge", epilog="Folders of shards are described in docs/corpora-at-scale.md.")
@click.argument("folder", type=PathName(), metavar="FOLDER")
@output_option(required=True, help="The file to write, .jsonl or .parquet; - for standard output.")
@force_option()
@click.option("--partial", is_flag=True, help="Also if the run has not come to its end.")
@quiet_option()
def command(folder: str, output: str, force: bool, partial: bool, quiet: bool) -> None:
    """The shards of a folder as one file, in input order; every shard's checksum is checked.

    \b
    Examples:
      oraclesum merge results -o results.jsonl
    """
    from ...answers.record import allow_long_integers
    from ...errors import InputError
    from ...runs.merging import merge_folder
    from ...stopping import Stopped, leave
    from ...streams import stop_writing
    from ..output import name_output, refuse_ending, refuse_input

    allow_long_integers()
    shown = name_output(output)
    try:
        refuse_ending(output, "parquet")
        if output == "-":
            refuse_input(output, [folder])
        records = merge_folder(folder, output, partial=partial, force=force)
    except InputError as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        stop_writing(shown, error)
    except Stopped as stopped:
        written = "not all records were" if output == "-" else "nothing was"
        leave(128 + stopped.number, f"{stopped.word}: {written} written to {shown}; merge again")
    if not quiet:
        print(f"{records:,} records written to {shown}", file=sys.stderr)
