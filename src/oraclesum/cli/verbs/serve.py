"""The verb `serve`: a local web page to explore the oracles of one topic."""

from __future__ import annotations

import click

from ...errors import InputError, MissingExtraError
from ...message import name_options
from ..options import NumberRange, PathName, jobs_option, text_options, time_limit_option

__all__ = ["command"]


@click.command("serve", epilog="The JSON API is described in docs/explorer-api.md.")
@click.argument("corpus", type=PathName(), metavar="[IN]", required=False, default="demo")
@text_options
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where to listen. Anything but this machine itself needs --allow-host.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    metavar="N",
    help="0 takes a free one.",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="A further name under which the page may be opened. Can be given again.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the page in a browser.")
@time_limit_option(
    type=NumberRange(min=0, min_open=True, max=1e6),
    default=30.0,
    help="Longest search in seconds.",
)
@click.option(
    "--max-body-mb",
    type=NumberRange(min=0, min_open=True, max=1000),
    default=5.0,
    show_default=True,
    metavar="MB",
    help="Largest document that can be pasted.",
)
@jobs_option(type=click.IntRange(1, 64), default=2, help="Searches at once.")
def command(
    corpus: str,
    columns: str | None,
    split: str | None,
    clean: str | None,
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    open_browser: bool,
    time_limit: float,
    max_body_mb: float,
    jobs: int,
) -> None:
    """A web page on this machine: one topic's sentences shaded by how many oracles hold them,
    references with what is covered, all oracles to page through, systems laid over them.

    IN is whatever the other verbs read (a file of JSON lines or Parquet, the folder of a
    corpus); without it the built-in demo corpus is opened. Documents can be pasted as well. Only
    this machine can open the page unless told otherwise. Needs the extra `serve`.

    \b
    Examples:
      oraclesum serve
      oraclesum serve topics.jsonl --port 8080 --open
    """
    try:
        from ...explorer.corpus import open_served
        from ...explorer.server import find_place, run_server
        from ...explorer.setup import Setup
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in (
            "fastapi",
            "starlette",
            "uvicorn",
            "pydantic",
        ):
            raise
        raise click.UsageError(str(MissingExtraError("`oraclesum serve`", "serve"))) from error
    try:
        place = find_place(host, port)
        for name in allow_host:
            if not name or ({*name} & {*"/:@ "} and not name.startswith("[")):
                raise InputError(
                    f"--allow-host takes the name of a host, such as example.org, not {name!r}"
                )
        if not place.is_local and not allow_host:
            raise click.UsageError(
                f"--host {host} lets other machines in: say by --allow-host NAME under which name "
                "they may open the page"
            )
        setup = Setup(
            corpus=open_served(corpus, columns=columns, split=split, clean=clean),
            allow_hosts=allow_host,
            time_limit=time_limit,
            max_body_mb=max_body_mb,
            jobs=jobs,
        )
        run_server(setup, place, open_browser=open_browser)
    except InputError as error:
        raise click.UsageError(name_options(error)) from error
