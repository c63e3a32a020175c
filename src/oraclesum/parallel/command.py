"""What the command line runs: `enumerate` into a folder of shards, and the verb `merge`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from ..answers import Task
    from .engines import Engine
    from .storage import Storage

__all__ = ["command", "enumerate_to_folder"]


def enumerate_to_folder(
    input: str,
    output: str,
    *,
    make_task: Callable[[], Task],
    reading: dict[str, Any],
    wording: Callable[[str], str],
    shard_size: int,
    output_format: str,
    resume: bool,
    force: bool,
    jobs: int,
    engine: str,
    ray_address: str | None,
    progress: str,
) -> NoReturn:
    """Run `enumerate` into a folder, and leave with its exit status.

    `reading` has the keywords of `cut_corpus`; a task that cannot be made is wrong usage.
    """
    from ..answers import Answerer
    from ..stopping import Stopped
    from .cutting import cut_corpus
    from .engines import LocalEngine, RayEngine
    from .folder import Run, run_folder
    from .progress import Progress
    from .storage import open_storage

    sys.set_int_max_str_digits(0)
    maker: Engine | None = None
    storage: Storage | None = None
    try:
        task = make_task()
        corpus = cut_corpus(input, shard_size, **reading)
        storage = open_storage(output, create=True)
        shown = Progress(progress, size=corpus.size)
        maker = RayEngine(ray_address) if engine == "ray" else LocalEngine(jobs)
        run = Run(
            corpus=corpus,
            answering=Answerer(task=task, wording=wording),
            settings=task.describe(),
            storage=storage,
            format=output_format,
            shard_size=shard_size,
            resume=resume,
            force=force,
        )
        tally = run_folder(run, maker, shown)
        maker.close()
    except (InputError, MissingExtraError) as error:
        if maker is not None:
            maker.close()
        raise click.UsageError(wording(str(error))) from error
    except OSError as error:
        reason = f"writing stopped: {error.strerror or error}"
        _leave(1, f"{output}: {reason}", storage, maker)
    except Stopped as stopped:
        _leave(128 + stopped.number, f"{output}: {stopped.word}", storage, maker)
    sys.exit(1 if tally.errors else 0)


def _leave(status: int, message: str, storage: Storage | None, maker: Engine | None) -> NoReturn:
    from ..stopping import leave
    from .manifest import Manifest

    try:
        manifest = None if storage is None else Manifest.read(storage)
    except (InputError, OSError):
        manifest = None
    written = "nothing was written"
    if manifest is not None:
        written = f"{len(manifest.shards):,} shards with {manifest.tally.documents:,} documents"
        written += " are written"
    if maker is not None:
        maker.close()
    leave(status, f"{message}: {written}; run the same command with --resume to continue")


@click.command("merge", epilog="Folders of shards are described in docs/corpora-at-scale.md.")
@click.argument("folder", metavar="FOLDER")
@click.option(
    "-o", "--output", metavar="OUT", required=True, help="The file to write, .jsonl or .parquet."
)
@click.option("--force", is_flag=True, help="Overwrite OUT where it exists.")
@click.option("--partial", is_flag=True, help="Also where the run has not come to its end.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing where all is well.")
def command(folder: str, output: str, force: bool, partial: bool, quiet: bool) -> None:
    """The shards of a folder as one file, in input order; every shard's checksum is checked.

    \b
    Examples:
      oraclesum merge results -o results.jsonl
    """
    from ..stopping import Stopped, leave
    from .merging import merge_folder

    sys.set_int_max_str_digits(0)
    try:
        records = merge_folder(folder, output, partial=partial, force=force)
    except InputError as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        print(f"{output}: writing stopped: {error.strerror}", file=sys.stderr, flush=True)
        sys.exit(1)
    except Stopped as stopped:
        leave(128 + stopped.number, f"{stopped.word}: {output} was not written; merge again")
    if not quiet:
        print(f"{records:,} records written to {output}", file=sys.stderr)
