"""Connections that send slowly, read nothing, or are too many: the others notice nothing."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest
from uvicorn.server import ServerState

from explorer.serving import HARD, TIMEOUT, send_post, serve, wait_for
from oraclesum.explorer import replies, server
from oraclesum.explorer.app import make_explorer
from oraclesum.explorer.server import configure, limit_log
from oraclesum.explorer.setup import Setup

GET = b"GET /api/topics HTTP/1.1\r\nHost: localhost\r\n"


def read_all(connection: socket.socket) -> bytes:
    """What the server sends until it hangs up, politely or not."""
    answer = b""
    with suppress(ConnectionError):
        while part := connection.recv(65536):
            answer += part
    return answer


def drip(connection: socket.socket, data: bytes) -> bool:
    """Send byte by byte, with pauses; whether the server hung up on that."""
    connection.settimeout(0.02)
    for k in range(len(data)):
        try:
            connection.sendall(data[k : k + 1])
            connection.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            continue
        except ConnectionError:
            return True
        return True  # an end, or an answer where there was no question yet
    return False


def test_headers_that_come_byte_by_byte_are_dropped() -> None:
    with serve(header_seconds=0.5) as served, served.connect() as connection:
        assert drip(connection, GET + b"X-Slow: " + b"a" * 30_000)
        connection.settimeout(TIMEOUT)
        assert read_all(connection).startswith(b"HTTP/1.1 408 ")
        assert served.get("/api/topics") == {"total": 0, "topics": []}


def test_a_connection_that_says_nothing_is_dropped() -> None:
    with serve(header_seconds=0.2) as served, served.connect() as connection:
        assert b"took too long" in read_all(connection)


def test_the_time_for_headers_begins_anew_with_each_request() -> None:
    # The first two requests must be complete in time, on a busy machine too.
    with serve(header_seconds=4) as served, served.connect() as connection:
        for rest in (4.5, 0):  # between requests a connection may rest for longer
            connection.sendall(GET + b"\r\n")
            answer = b""
            while b'"topics":[]}' not in answer:
                answer += connection.recv(65536)
            assert answer.startswith(b"HTTP/1.1 200 ")
            time.sleep(rest)
        assert drip(connection, GET + b"X-Slow: " + b"a" * 30_000)
        connection.settimeout(TIMEOUT)
        assert read_all(connection).startswith(b"HTTP/1.1 408 ")


def test_half_a_request_behind_a_whole_one_has_as_long_as_any() -> None:
    with serve(header_seconds=0.5) as served, served.connect() as connection:
        connection.sendall(GET + b"\r\nGET /api")
        answer = read_all(connection)  # without a limit of ours it took 30 s, and was no answer
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert b"HTTP/1.1 408 " in answer


def test_a_slow_answer_is_not_taken_for_slow_headers() -> None:
    with serve(header_seconds=4, time_limit=600) as served, served.connect() as connection:
        body = b'{"document": {"sentences": ["a b"], "references": ["a b"]}}'
        head = b"POST /api/families HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        head += b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
        connection.sendall(head)
        time.sleep(4.5)  # the body has a limit of its own
        connection.sendall(body)
        assert read_all(connection).startswith(b"HTTP/1.1 200 ")


def test_one_connection_more_takes_the_place_of_the_oldest_idle_one() -> None:
    with serve(max_connections=5, header_seconds=600) as served, ExitStack() as stack:
        idle = []
        for _ in range(5):
            idle.append(stack.enter_context(served.connect()))
            wait_for(lambda: served.knows(idle[-1]))
        idle[0].sendall(GET)
        answer = served.ask_raw(GET + b"Connection: close\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert read_all(idle[0]) == b""  # the oldest, in the middle of its headers
        idle[4].sendall(GET + b"Connection: close\r\n\r\n")
        assert read_all(idle[4]).startswith(b"HTTP/1.1 200 ")


def test_connections_beyond_the_limit_are_refused_if_all_others_wait_for_answers() -> None:
    with (
        serve(max_connections=3, header_seconds=4, time_limit=600) as served,
        ExitStack() as stack,
    ):
        busy = []
        for _ in range(3):
            connection = stack.enter_context(send_post(served, HARD))
            busy.append(connection)
            wait_for(lambda: served.knows(busy[-1]) and not served.find(busy[-1]).is_idle())
        assert b"too many connections" in served.ask_raw(b"")
        busy[0].close()
        wait_for(lambda: b"headers took too long" in served.ask_raw(b""))


def test_a_request_whose_body_has_not_come_keeps_no_other_out() -> None:
    upload = b"POST /api/families HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with serve(max_connections=3, header_seconds=600) as served, ExitStack() as stack:
        uploads = []
        for _ in range(3):
            connection = stack.enter_context(served.connect())
            uploads.append(connection)
            connection.sendall(upload + b"Content-Length: 9\r\nExpect: 100-continue\r\n\r\n")
            assert connection.recv(65536).startswith(b"HTTP/1.1 100 ")  # its body is waited for
        answer = served.ask_raw(GET + b"Connection: close\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert read_all(uploads[0]) == b""  # the oldest made room
        uploads[2].sendall(b"{        ")
        assert uploads[2].recv(65536).startswith(b"HTTP/1.1 400 ")


def test_a_client_that_reads_nothing_of_its_answer_is_dropped() -> None:
    sentences = [f"{'word ' * 400}{k}" for k in range(400)]
    document = {"sentences": sentences, "references": ["word"]}
    with serve(stall_seconds=0.3) as served:
        view = served.post(document, max_words=500, rouge=1)
        path = f"/api/families/{view['key']}/input"
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", served.port))
            connection.settimeout(TIMEOUT)
            wait_for(lambda: served.knows(connection))
            # Asked for often enough that no buffer of the system holds it all.
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 40)
            wait_for(lambda: not served.knows(connection))
            assert len(read_all(connection)) < 40 * sum(map(len, sentences))
        assert served.get("/api/topics")["total"] == 0


def test_a_client_that_still_reads_its_answer_is_not_idle() -> None:
    sentences = [f"{'word ' * 8000}{k}" for k in range(400)]
    document = {"sentences": sentences, "references": ["word"]}
    with serve(max_connections=2, max_body_mb=20) as served, ExitStack() as stack:
        key = served.post(document, max_words=9000, rouge=1)["key"]
        reader = stack.enter_context(served.connect())
        request = f"GET /api/families/{key}/input HTTP/1.1\r\nHost: localhost\r\n"
        reader.sendall(f"{request}Connection: close\r\n\r\n".encode())
        start = reader.recv(65536)
        side = served.find(reader)
        # There is more than any buffer of the system holds.
        wait_for(lambda: bool(side.transport.get_write_buffer_size()))
        for _ in range(4):
            other = stack.enter_context(served.connect())
            wait_for(lambda other=other: served.knows(other))  # type: ignore[misc]
        assert len(start + read_all(reader)) > sum(map(len, sentences))


def test_no_large_answer_is_begun_while_others_are_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replies, "_MAX_UNREAD", 1 << 20)
    sentences = [f"{'word ' * 8000}{k}" for k in range(400)]
    document = {"sentences": sentences, "references": ["word"]}
    with serve(max_body_mb=20) as served:
        key = served.post(document, max_words=9000, rouge=1)["key"]
        with served.connect() as reader:
            reader.sendall(
                f"GET /api/families/{key}/input HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            )
            assert reader.recv(1000)  # it has been heard, and there is more than buffers hold
            side = served.find(reader)
            wait_for(lambda: bool(side.transport.get_write_buffer_size()))
            for path in ("/oracles", "/download", "/input"):
                problem = served.refuse(429, "GET", f"/api/families/{key}{path}")
                assert "other clients have large answers to read" in problem["error"]
            question = {"document": document, "settings": {"max_words": 9000, "rouge": 1}}
            served.refuse(429, "POST", "/api/families", json=question)  # whose view is as large
            assert served.client.get("/api/about").status_code == 200
        wait_for(lambda: served.client.get(f"/api/families/{key}/oracles").status_code == 200)


class Unread(asyncio.Transport):
    """A connection whose client does not read the last bytes of its answer."""

    def __init__(self) -> None:
        super().__init__()
        self.aborted = asyncio.Event()

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 100

    def abort(self) -> None:
        self.aborted.set()


def test_a_client_that_does_not_read_the_end_of_its_answer_is_dropped() -> None:
    async def leave_unread() -> None:
        config = configure(make_explorer(Setup(stall_seconds=0.01)))
        config.load()
        connection = config.http_protocol_class(config, ServerState(), {})  # type: ignore[call-arg]
        transport = Unread()
        connection.connection_made(transport)
        connection.on_response_complete()  # type: ignore[attr-defined]
        await asyncio.wait_for(transport.aborted.wait(), TIMEOUT)
        connection.connection_lost(OSError())

    asyncio.run(leave_unread())


@pytest.fixture
def quiet_loggers() -> Iterator[None]:
    names = ("uvicorn", "oraclesum.explorer", "asyncio")
    before = [
        (each := logging.getLogger(n), each.handlers, each.level, each.propagate) for n in names
    ]
    yield
    for logger, handlers, level, propagate in before:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


@pytest.mark.usefixtures("quiet_loggers")
def test_the_log_grows_with_the_logarithm_of_what_there_is_to_complain_about(
    capsys: pytest.CaptureFixture[str],
) -> None:
    limit_log()
    with serve() as served:
        for _ in range(120):
            assert served.ask_raw(b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    log = capsys.readouterr().err
    assert log.count("Invalid HTTP request received") == 11
    assert "(100 times so far" in log
    logging.getLogger("oraclesum.explorer").error("x" * 100_000)
    assert len(capsys.readouterr().err) < 11_000


@pytest.mark.usefixtures("quiet_loggers")
def test_chunks_that_are_no_http_are_refused_once_and_without_a_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    limit_log()
    start = b"POST /api/families HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with serve() as served:
        assert served.ask_raw(start + b"nonsense\r\n").startswith(b"HTTP/1.1 411 ")
        with served.connect() as connection:
            connection.sendall(start)
            refusal = connection.recv(12)  # it stands before the body has come
            connection.sendall(b"nonsense\r\n")
            assert refusal == b"HTTP/1.1 411"
            assert b"HTTP" not in read_all(connection)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("quiet_loggers")
@pytest.mark.parametrize("begun", [False, True])
def test_what_follows_a_last_request_is_refused_once_and_without_a_traceback(
    begun: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    limit_log()
    body = json.dumps(HARD)
    last = "POST /api/families HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    last += f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    with serve(time_limit=600) as served:
        if begun:
            key = served.post(HARD["document"], rouge=1, max_words=20)["key"]
            last = f"GET /api/families/{key}/curve?from=250 HTTP/1.1\r\nHost: localhost\r\n"
            last += "Connection: close\r\n\r\n"
        with served.connect() as connection:
            connection.sendall(last.encode())
            wait_for(lambda: served.load["running"] == 1)
            start = connection.recv(65536) if begun else b""
            connection.sendall(b"nonsense\r\n")
            answer = start + read_all(connection)
        wait_for(lambda: served.load["running"] == 0)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert answer.startswith(b"HTTP/1.1 200 " if begun else b"HTTP/1.1 400 ")
    if not begun:
        assert answer.endswith(b'{"error":"Invalid HTTP request received.","field":null}')
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "long",
    [
        b"a:b\r\n" * 99,
        b"a:b\n" * 9000,
        b"a:b\r\n" + b" c\r\n" * 9000,
        b"a:%s\r\n" % (b"b" * 33_000),
    ],
)
def test_long_headers_are_refused_before_they_are_parsed(
    long: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[object] = []
    monkeypatch.setattr("h11._readers._decode_header_lines", parsed.append)
    with serve() as served:
        for request in (GET + long + b"\r\n", GET + long):
            with served.connect() as connection:
                with suppress(ConnectionError):  # refused before all of it was sent
                    connection.sendall(request)
                answer = read_all(connection)
            assert answer.startswith(b"HTTP/1.1 431 ")
            assert b"at most 100 lines and 32 KiB" in answer
    assert parsed == []


GUARDS = [
    b"x-content-type-options: nosniff",
    b"content-security-policy: default-src 'none';",
    b"referrer-policy: no-referrer",
    b"cross-origin-resource-policy: same-origin",
    b"cross-origin-opener-policy: same-origin",
    b"x-frame-options: DENY",
    b"cache-control: no-store",
]


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [(b"nonsense\r\n\r\n", 400), (GET, 408), (GET + b"a:b\r\n" * 101 + b"\r\n", 431)],
)
def test_what_is_refused_before_it_is_a_request_is_guarded_too(
    request_bytes: bytes, status: int
) -> None:
    with serve(header_seconds=0.5 if status == 408 else 600) as served:
        answer = served.ask_raw(request_bytes)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert [guard for guard in GUARDS if guard not in answer] == []
    head, body = answer.split(b"\r\n\r\n")
    assert b"content-length: %d" % len(body) in head
    assert sorted(json.loads(body)) == ["error", "field"]


def test_a_connection_too_many_is_refused_with_the_same_guards() -> None:
    with serve(max_connections=0) as served:
        answer = served.ask_raw(b"")
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert [guard for guard in GUARDS if guard not in answer] == []


def test_headers_of_some_length_are_answered_also_in_pieces() -> None:
    few = b"a:b\r\n" * 95 + b"b:%s\r\n" % (b"b" * 30_000)
    request = GET + few + b"\r\n"
    last = GET + few + b"Connection: close\r\n\r\n"
    with serve() as served, served.connect() as connection:
        connection.sendall(request * 3 + last[:20_000])  # the lines of each count for themselves
        wait_for(lambda: served.knows(connection))
        side = served.find(connection)
        wait_for(lambda: len(side.conn.trailing_data[0]) == 20_000)
        connection.sendall(last[20_000:])
        assert read_all(connection).count(b"HTTP/1.1 200 ") == 4


@pytest.mark.usefixtures("quiet_loggers")
def test_a_request_to_speak_another_protocol_is_answered_as_any_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    limit_log()
    upgrade = b"Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    with serve() as served:
        answer = served.ask_raw(GET + upgrade + b"Sec-WebSocket-Key: AAAA\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(b'{"total":0,"topics":[]}')
    assert capsys.readouterr().err == ""


def test_after_large_answers_that_nobody_read_memory_is_looked_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    collected: list[None] = []
    monkeypatch.setattr(server.gc, "collect", lambda: collected.append(None))
    waiting: list[Callable[[], None]] = []

    class Loop:
        def call_later(self, _: float, work: Callable[[], None]) -> None:
            waiting.append(work)

    collector = server._Collector()
    for _ in range(2):
        for _ in range(3):
            collector.collect_soon(Loop())  # type: ignore[arg-type]  # what it needs of a loop
        assert len(waiting) == 1
        waiting.pop()()
    assert len(collected) == 2


def test_an_answer_that_was_sent_is_kept_by_nobody() -> None:
    sentences = [f"{'word ' * 8000}{k}" for k in range(400)]
    gc.collect()
    gc.disable()  # nothing may wait for a look at what refers to itself
    try:
        with serve(max_body_mb=20) as served:
            document = {"sentences": sentences, "references": ["word"]}
            key = served.post(document, max_words=9000, rouge=1)["key"]
            for _ in range(3):
                assert len(served.client.get(f"/api/families/{key}/input").content) > 10_000_000
            large = [one for one in gc.get_objects() if isinstance(one, replies._Reply)]
            assert all(len(one.body) < 10_000_000 for one in large)
        assert replies._Reply.unread == 0
    finally:
        gc.enable()
