"""A real server on a free port for tests, in a thread of its own, and what clients need."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn

from browsing import TIMEOUT
from oraclesum.explorer.app import Explorer, make_explorer
from oraclesum.explorer.server import configure
from oraclesum.explorer.setup import Setup

__all__ = ["HARD", "PASTED", "TIMEOUT", "Served", "read_events", "send_post", "serve", "wait_for"]

PASTED: dict[str, Any] = {
    "sentences": [
        "The harbour of Port Ellery reopened on Tuesday.",
        "Divers cleared sixty boulders from the channel.",
        "The town council met on Monday.",
        "The harbour reopened after divers cleared the channel.",
    ],
    "references": [["Port Ellery's harbour reopened on Tuesday.", "Divers cleared the channel."]],
}


class Served:
    """A running server."""

    def __init__(self, explorer: Explorer, server: uvicorn.Server, port: int) -> None:
        self.explorer = explorer
        self.port = port
        self._server = server
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=TIMEOUT)

    def post(self, document: dict[str, Any], **settings: Any) -> dict[str, Any]:
        """The view of a document's family."""
        answer = self.client.post(
            "/api/families", json={"document": document, "settings": settings}
        )
        assert answer.status_code == 200, answer.text
        view: dict[str, Any] = answer.json()
        return view

    def get(self, path: str, **query: Any) -> Any:
        """The JSON of a successful answer."""
        answer = self.client.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refuse(self, status: int, method: str, path: str, **request: Any) -> dict[str, Any]:
        """What the server says where it must not do as asked."""
        answer = self.client.request(method, path, **request)
        assert answer.status_code == status, (answer.status_code, answer.text)
        problem: dict[str, Any] = answer.json()
        assert sorted(problem) == ["error", "field"]
        assert problem["error"]
        return problem

    def connect(self) -> socket.socket:
        """A bare connection, for what a well-behaved client would not send."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT)

    def knows(self, connection: socket.socket) -> bool:
        """Whether the server has accepted a connection and not dropped it."""
        return self.find(connection) is not None

    def find(self, connection: socket.socket) -> Any:
        """The server's side of a connection; None if it was not accepted yet, or dropped."""
        open_ones = list(self._server.server_state.connections)
        return next((one for one in open_ones if one.client == connection.getsockname()), None)

    def ask_raw(self, request: bytes) -> bytes:
        """Everything the server answers to some bytes, until it hangs up."""
        with self.connect() as connection:
            connection.sendall(request)
            answer = b""
            while part := connection.recv(65536):
                answer += part
            return answer

    @property
    def load(self) -> dict[str, int]:
        """How busy the server says it is."""
        load: dict[str, int] = self.get("/api/about")["load"]
        return load


@contextmanager
def serve(**choices: Any) -> Iterator[Served]:
    """A server with the given setup, stopped at the end."""
    explorer = make_explorer(Setup(**choices))
    server = uvicorn.Server(configure(explorer))
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    served = Served(explorer, server, listener.getsockname()[1])
    try:
        wait_for(lambda: server.started)
        yield served
    finally:
        served.client.close()
        explorer.state.close()
        server.should_exit = True
        thread.join()
        listener.close()


def wait_for(happened: Callable[[], bool], seconds: float = TIMEOUT) -> None:
    """Return as soon as it has happened; fail where it never does."""
    give_up = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < give_up, "it never happened"
        time.sleep(0.01)


def send_post(served: Served, content: Any) -> socket.socket:
    """A connection on which a question was sent and no answer was waited for."""
    body = json.dumps(content).encode()
    connection = served.connect()
    connection.sendall(
        b"POST /api/families HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    )
    return connection


def _make_hard() -> dict[str, Any]:
    """A document whose search takes seconds under recall; under sums of F1 nobody saw it end."""
    draw = random.Random(1)
    words = [f"w{k}" for k in range(400)]
    weights = [1 / (k + 1) for k in range(400)]
    sentences = [" ".join(draw.choices(words, weights, k=draw.randint(8, 30))) for _ in range(400)]
    references = [" ".join(draw.choices(words, weights, k=300)) for _ in range(4)]
    return {"sentences": sentences, "references": references}


HARD = {
    "document": _make_hard(),
    "settings": {"objective": "r1-f1+r2-f1", "max_words": 250},
}


def read_events(text: str) -> list[tuple[str, Any]]:
    """Server-sent events as (name, data)."""
    events = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        assert name.startswith("event: ")
        assert data.startswith("data: ")
        events.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return events
