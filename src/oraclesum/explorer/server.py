"""Runs the application under uvicorn: a socket, signals, and a quick end."""

from __future__ import annotations

import socket
import sys
import webbrowser
from types import FrameType

import uvicorn

from ..errors import InputError
from .app import Explorer, make_explorer
from .log import limit_log
from .protocol import make_protocol
from .setup import Setup

__all__ = ["configure", "run_server"]


class _Server(uvicorn.Server):
    """Stops all searches the moment it is told to end; then nothing is left to wait for."""

    def __init__(self, config: uvicorn.Config, explorer: Explorer) -> None:
        super().__init__(config)
        self._explorer = explorer

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._explorer.state.stop()
        super().handle_exit(sig, frame)


def run_server(setup: Setup, host: str, port: int, *, open_browser: bool) -> None:
    """Serve until Ctrl-C. An InputError where the address cannot be had."""
    explorer = make_explorer(setup)
    with _listen(host, port) as listener:
        address = _name_address(host, listener.getsockname()[1])
        limit_log()
        print(f"Serving on {address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
        if open_browser:
            webbrowser.open(address)
        try:
            _Server(configure(explorer), explorer).run(sockets=[listener])
        except KeyboardInterrupt:
            pass  # the usual end
        finally:
            explorer.state.close()


def configure(explorer: Explorer) -> uvicorn.Config:
    """How uvicorn is to run the application."""
    setup = explorer.state.setup
    return uvicorn.Config(
        explorer.app,
        http=make_protocol(
            max_connections=setup.max_connections,
            header_seconds=setup.header_seconds,
            stall_seconds=setup.stall_seconds,
        ),
        ws="none",
        lifespan="off",
        log_config=None,  # see log.py
        access_log=False,
        proxy_headers=False,  # whoever asks must not say who they are
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,
    )


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise InputError(f"the host {host!r} is not known: {error}") from error
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise InputError(
            f"{host}:{port} cannot be had: {error.strerror}; choose another --port"
        ) from error
    return listener


def _name_address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
