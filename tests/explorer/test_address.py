"""The address that `serve` prints answers, and from that line on a signal ends it with status 0."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence

import pytest
from click.testing import CliRunner

from children import run_child, start_child
from explorer.serving import TIMEOUT
from explorer.test_serve import end, fetch, run_serve
from oraclesum.cli import main
from oraclesum.explorer.guard import is_loopback
from oraclesum.explorer.server import Place, find_place, name_address

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def has_address(host: str) -> bool:
    """Whether one can listen there."""
    try:
        place = find_place(host, 0)
        with socket.socket(place.family, socket.SOCK_STREAM) as trial:
            trial.bind(place.address)
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    ("host", "named"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.2", "127.0.0.2"),
        ("127.1", "127.0.0.1"),
        ("localhost", "localhost"),
        ("LOCALHOST", "localhost"),
        ("::1", "[::1]"),
        ("[::1]", "[::1]"),
        ("0:0:0:0:0:0:0:1", "[0:0:0:0:0:0:0:1]"),
    ],
)
def test_this_machine_alone_needs_no_further_name(host: str, named: str) -> None:
    if not has_address(host):
        pytest.skip(f"this machine has no {host}")
    with run_serve("--host", host) as (process, address):
        assert re.fullmatch(rf"http://{re.escape(named)}:\d+/", address)
        assert json.loads(fetch(address + "api/about"))["corpus"]["name"] == "demo"
        assert end(process) == (0, "")


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_the_address_of_a_server_for_all_answers_here(host: str) -> None:
    if not has_address(host):
        pytest.skip(f"this machine has no {host}")
    with run_serve("--host", host, "--allow-host", "Foo.Example") as (process, address):
        assert json.loads(fetch(address + "api/about"))["corpus"]["name"] == "demo"
        assert end(process) == (0, "")


@pytest.mark.parametrize("host", ["0.0.0.0", "0", "::", "[::]", "192.0.2.1", "2001:db8::1"])
def test_other_addresses_need_a_name(host: str) -> None:
    result = CliRunner().invoke(main, ["serve", "--host", host])
    assert result.exit_code == 2
    assert f"--host {host} lets other machines in" in result.output


@pytest.mark.parametrize(
    ("host", "address", "allowed", "named"),
    [
        ("192.0.2.1", "192.0.2.1", ["Foo.Example"], "foo.example"),
        ("192.0.2.1", "192.0.2.1", ["x", "192.0.2.1"], "192.0.2.1"),
        ("foo.example", "192.0.2.1", ["x", "Foo.Example"], "foo.example"),
        ("my-machine", "127.0.1.1", [], "127.0.1.1"),
        ("my-machine", "192.0.2.1", ["foo.example"], "foo.example"),
    ],
)
def test_the_page_is_named_as_the_server_answers(
    host: str, address: str, allowed: Sequence[str], named: str
) -> None:
    place = Place(host=host, family=socket.AF_INET, address=(address, 0))
    assert name_address(place, 80, allowed) == f"http://{named}:80/"


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("127.9.9.9", True),
        ("[::1]", True),
        ("[::ffff:127.0.0.1]", True),
        ("[::ffff:192.0.2.1]", False),
        ("0.0.0.0", False),
        ("127.1", False),
        ("127.0.0.1.example", False),
        ("[]", False),
        ("", False),
    ],
)
def test_hosts_of_this_machine_are_told_from_others(host: str, local: bool) -> None:
    assert is_loopback(host) is local


# The command, which gets a signal as soon as the line is written, and another after its end.
SIGNALLED = """
import runpy, signal, sys
from oraclesum.explorer import server
number = signal.Signals(int(sys.argv.pop(1)))
def print_and_raise(*arguments, **options):
    print(*arguments, **options)
    signal.raise_signal(number)
server.print = print_and_raise
run = server.run_server
def run_and_raise(*arguments, **options):
    run(*arguments, **options)
    signal.raise_signal(number)
server.run_server = run_and_raise
runpy.run_module("oraclesum", run_name="__main__")
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_it_as_usual_from_the_line_on(number: signal.Signals) -> None:
    command = [sys.executable, "-c", SIGNALLED, str(int(number)), "serve", "--port", "0"]
    done = run_child(command, text=True)
    assert done.returncode == 0
    assert re.fullmatch(r"Serving on http://\S+/ \(Ctrl-C ends it\)\n", done.stderr)


# The command, which gets a signal once it hears them and before it has said so.
EARLY = """
import runpy, signal, sys
import uvicorn
number = signal.Signals(int(sys.argv.pop(1)))
startup = uvicorn.Server.startup
async def raise_and_start(*arguments, **options):
    signal.raise_signal(number)
    await startup(*arguments, **options)
uvicorn.Server.startup = raise_and_start
runpy.run_module("oraclesum", run_name="__main__")
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_before_the_line_ends_it_as_every_verb(number: signal.Signals) -> None:
    command = [sys.executable, "-c", EARLY, str(int(number)), "serve", "--port", "0"]
    done = run_child(command, text=True)
    assert done.returncode == 128 + number
    assert "Serving on" not in done.stderr
    assert "nothing was written" in done.stderr


def test_a_signal_at_the_sight_of_the_line_ends_it_as_usual() -> None:
    command = [sys.executable, "-m", "oraclesum", "serve", "--port", "0"]
    for k in range(21):
        number = SIGNALS[k % 3]
        with start_child(command, seconds=TIMEOUT, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            assert process.stderr.readline().startswith("Serving on")
            assert end(process, number) == (0, "")


def test_the_browser_is_opened_at_the_address_that_is_printed() -> None:
    program = (
        "import runpy, webbrowser, sys\n"
        "webbrowser.open = lambda address: print('opened', address, file=sys.stderr, flush=True)\n"
        "runpy.run_module('oraclesum', run_name='__main__')\n"
    )
    options = ["--port", "0", "--open", "--host", "0.0.0.0", "--allow-host", "foo.example"]
    with start_child(
        [sys.executable, "-c", program, "serve", *options],
        seconds=TIMEOUT,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        address = process.stderr.readline().split()[2]
        assert process.stderr.readline() == f"opened {address}\n"
        assert b"<html" in fetch(address)
        assert end(process) == (0, "")
