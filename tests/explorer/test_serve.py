"""The verb `serve` as it is typed: starts, answers, ends at once, and says what is wrong."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result

from children import run_child, start_child
from explorer.serving import HARD, TIMEOUT, wait_for
from oraclesum.cli import main
from oraclesum.explorer.app import make_explorer
from oraclesum.explorer.server import _Server, configure
from oraclesum.explorer.setup import Setup


@contextmanager
def run_serve(
    *arguments: str,
    program: Sequence[str] = ("-m", "oraclesum"),
    ignored: Sequence[signal.Signals] = (),
    **how: Any,
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The real command, or a program that runs it, and the address that it says."""
    command = [sys.executable, *program, "serve", "--port", "0", *arguments]
    with start_child(
        command, seconds=TIMEOUT, ignored=ignored, stderr=subprocess.PIPE, text=True, **how
    ) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.fullmatch(r"Serving on (http://\S+/) \(Ctrl-C ends it\)\n", said)
        assert found, said + process.stderr.read()
        yield process, found[1]


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=TIMEOUT) as answer:
        content: bytes = answer.read()
        return content


def end(process: subprocess.Popen[str], number: signal.Signals = signal.SIGINT) -> tuple[int, str]:
    process.send_signal(number)
    status = process.wait()
    assert process.stderr is not None
    return status, process.stderr.read()


def test_the_command_serves_the_demo_and_ends_by_ctrl_c() -> None:
    with run_serve() as (process, address):
        assert b"<html" in fetch(address)
        assert json.loads(fetch(address + "api/about"))["corpus"] == {"name": "demo", "topics": 6}
        assert end(process) == (0, "")


def test_it_ends_quietly_if_a_client_reads_nothing() -> None:
    with run_serve() as (process, address):
        port = int(address.rstrip("/").rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 500)
            # Many answers later, this one has to wait until somebody reads.
            assert client.recv(1)
            assert end(process) == (0, "")


def test_it_ends_quietly_after_families_and_curves_that_were_left() -> None:
    with run_serve() as (process, address):
        with httpx.Client(base_url=address, timeout=TIMEOUT) as client:
            for objective in (None, "r1-f1+r2-f1"):
                question = {"document": {"topic": 0}, "settings": {"objective": objective}}
                view = client.post("api/families", json=question).json()
                curve = f"api/families/{view['key']}/curve?from=1&to=300&step=1"
                with client.stream("GET", curve) as answer:
                    next(answer.iter_lines())
        assert end(process) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_search_as_well(number: signal.Signals, tmp_path: Path) -> None:
    corpus = tmp_path / "hard.jsonl"
    corpus.write_text(json.dumps(HARD["document"]))
    with run_serve(str(corpus), "--time-limit", "600") as (process, address):
        port = int(address.rstrip("/").rpartition(":")[2])
        body = b'{"document":{"topic":0},"settings":{"rouge":1,"max_words":250}}'
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(
                b"POST /api/families HTTP/1.1\r\nHost: localhost\r\n"
                b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                % (len(body), body)
            )
            wait_for(lambda: json.loads(fetch(address + "api/about"))["load"]["running"] == 1)
            status, said = end(process, number)
        assert status == 0
        assert "Traceback" not in said


# The command, with a search that hears nothing until its standard input is closed.
DEAF = """
import runpy, sys
from oraclesum.explorer import routes
solve = routes.solve
def wait_and_solve(case, stop):
    sys.stdin.read()
    return solve(case, stop)
routes.solve = wait_and_solve
runpy.run_module("oraclesum", run_name="__main__")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_step_that_cannot_be_stopped_keeps_neither_who_waits_for_it_nor_the_process(
    number: signal.Signals,
) -> None:
    settings = [{"max_words": 50 + k} for k in range(3)]  # one of them waits for the others
    with (
        run_serve("--jobs", "2", program=("-c", DEAF), stdin=subprocess.PIPE) as (process, address),
        httpx.Client(base_url=address, timeout=TIMEOUT) as client,
        ThreadPoolExecutor() as pool,
    ):
        asked = [
            pool.submit(
                client.post, "api/families", json={"document": {"topic": 0}, "settings": one}
            )
            for one in settings
        ]
        load = {"running": 2, "waiting": 1, "stored": 0}
        wait_for(lambda: json.loads(fetch(address + "api/about"))["load"] == load)
        process.send_signal(number)
        for one in asked:
            answer = one.result()
            assert answer.status_code == 503
            assert answer.json() == {"error": "the server is shutting down", "field": None}
        assert process.wait() == 0  # though its standard input is still open
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_that_was_ignored_at_the_start_does_not_end_it(number: signal.Signals) -> None:
    with run_serve(ignored=[number]) as (process, address):
        fetch(address)  # it hears signals by now
        process.send_signal(number)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)
        assert b"<html" in fetch(address)
        assert end(process, signal.SIGTERM) == (0, "")


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["serve", *arguments])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--host", "0.0.0.0"], "--allow-host"),
        (["nowhere.jsonl"], "nowhere.jsonl"),
        (["-"], "standard input"),
        (["--host", "no.such.host.invalid", "--allow-host", "x"], "is not known"),
        (["--port", "70000"], "70000"),
        (["--jobs", "0"], "jobs"),
    ],
)
def test_wrong_usage_is_said(arguments: list[str], message: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = call("--port", str(taken.getsockname()[1]))
    assert result.exit_code == 2
    assert "choose another --port" in result.output


def test_a_missing_extra_is_named() -> None:
    program = (
        "import sys\n"
        "sys.modules['fastapi'] = None\n"
        "sys.argv = ['oraclesum', 'serve']\n"
        "from oraclesum.cli import main\n"
        "main()\n"
    )
    done = run_child([sys.executable, "-c", program], text=True)
    assert done.returncode == 2
    assert "pip install 'oraclesum[serve]'" in done.stderr


def test_help_loads_no_web_framework() -> None:
    program = (
        "import sys\n"
        "sys.argv = ['oraclesum', 'serve', '--help']\n"
        "from oraclesum.cli import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    print(*sorted({'fastapi', 'pydantic', 'starlette', 'uvicorn'} & set(sys.modules)))\n"
    )
    done = run_child([sys.executable, "-c", program], text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == ""
    assert "oraclesum serve topics.jsonl" in done.stdout


def test_a_signal_that_came_during_an_import_ends_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    explorer = make_explorer(Setup())
    server = _Server(configure(explorer), explorer, lambda: None)
    monkeypatch.setattr("oraclesum.stopping._State.heard", signal.SIGTERM)
    monkeypatch.setattr("oraclesum.stopping._State.raised", False)  # a run in this process sets it
    with server.capture_signals():
        assert server.should_exit
    explorer.state.close()


def test_a_second_signal_does_not_wait_for_clients_that_do_not_read() -> None:
    explorer = make_explorer(Setup())
    server = _Server(configure(explorer), explorer, lambda: None)
    server.handle_exit(signal.SIGINT, None)
    server.handle_exit(signal.SIGINT, None)
    assert server.should_exit
    assert not server.force_exit  # by which uvicorn cuts no client off
    explorer.state.close()
