"""The verb `merge`: the shards of a folder as one file."""

from __future__ import annotations

import sys

import click

from ..options import PathName, force_option, output_option, quiet_option

__all__ = ["command"]


@click.command("merge", epilog="Folders of shards are described in docs/corpora-at-scale.md.")
@click.argument("folder", type=PathName(), metavar="FOLDER")
@output_option(required=True, help="The file to write, .jsonl or .parquet.")
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
    from ...corpora.shown import show_name
    from ...errors import InputError
    from ...runs.merging import merge_folder
    from ...stopping import Stopped, leave

    allow_long_integers()
    shown = show_name(output)
    try:
        records = merge_folder(folder, output, partial=partial, force=force)
    except InputError as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        print(f"{shown}: writing stopped: {error.strerror}", file=sys.stderr, flush=True)
        sys.exit(1)
    except Stopped as stopped:
        leave(128 + stopped.number, f"{stopped.word}: {shown} was not written; merge again")
    if not quiet:
        print(f"{records:,} records written to {shown}", file=sys.stderr)
