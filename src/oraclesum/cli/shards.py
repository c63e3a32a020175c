"""The options of a run into a folder of shards, and the way to the shell that does it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import click

from .options import stack_options
from .settings import Settings
from .wording import name_options

__all__ = ["folder_options", "names_folder", "run_to_folder", "take_folder_options"]

_NAMES = ("shard_size", "output_format", "resume", "engine", "ray_address", "progress")
_SHARD_SIZE = 1000

folder_options = stack_options(
    click.option(
        "--shard-size",
        type=click.IntRange(1, 10**9),
        metavar="N",
        help=f"OUT is a folder of files with N input records each. [default: {_SHARD_SIZE}]",
    ),
    click.option(
        "--output-format",
        type=click.Choice(["jsonl", "parquet"]),
        help="OUT is a folder of such files. [default: jsonl]",
    ),
    click.option("--resume", is_flag=True, help="Go on with the run that the folder OUT holds."),
    click.option(
        "--engine",
        type=click.Choice(["local", "ray"]),
        help="Make shards in --jobs processes here, or on a Ray cluster. [default: local]",
    ),
    click.option(
        "--ray-address",
        metavar="HOST:PORT",
        help="The Ray cluster, or auto. Default: one of this machine alone.",
    ),
    click.option(
        "--progress",
        type=click.Choice(["auto", "json"]),
        help="Of a run into a folder: json writes one JSON object per line. [default: auto]",
    ),
)


def take_folder_options(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of this file out of `options`."""
    return {name: options.pop(name) for name in _NAMES}


def names_folder(output: str | None, folder: dict[str, Any]) -> bool:
    """Whether the output is a folder of shards; a usage error where the options contradict that."""
    given = [f"--{name.replace('_', '-')}" for name, value in folder.items() if value]
    if output is None or output == "-":
        if given:
            raise click.UsageError(f"{given[0]} needs a folder to write to: -o FOLDER/")
        return False
    return bool(given) or output.endswith("/") or "://" in output or Path(output).is_dir()


def run_to_folder(
    input: str,
    output: str,
    settings: Settings,
    folder: dict[str, Any],
    *,
    force: bool,
    quiet: bool,
    jobs: int,
) -> None:
    """Run `enumerate` into a folder and leave."""
    if force and folder["resume"]:
        raise click.UsageError("--force throws away what --resume would go on with")
    if Path(output).is_file():
        raise click.UsageError(f"{output}: is a file; shards need a folder")
    # Shells do not import each other: this one is known by its address alone.
    import_module("oraclesum.parallel.command").enumerate_to_folder(
        input,
        output,
        make_task=settings.make_task,
        reading={
            "format": settings.format,
            "also": settings.also,
            "length": settings.reference_length,
            "task": settings.task,
            "record_bytes": settings.record_bytes,
            "language": settings.language or "en",
        },
        wording=name_options,
        shard_size=folder["shard_size"] or _SHARD_SIZE,
        output_format=folder["output_format"] or "jsonl",
        resume=folder["resume"],
        force=force,
        jobs=jobs,
        engine=folder["engine"] or "local",
        ray_address=folder["ray_address"],
        progress="none" if quiet else folder["progress"] or "auto",
    )
