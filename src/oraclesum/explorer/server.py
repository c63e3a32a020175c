"""Runs the application under uvicorn: bounded connections, a bounded log, and a quick end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import signal
import socket
import sys
import threading
import webbrowser
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from ipaddress import ip_address
from types import FrameType
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..errors import InputError
from ..frozen import dataclass
from ..stopping import SIGNALS, Stopped, find_unraised, finish, leave
from .app import Explorer, make_explorer
from .guard import HEADERS, is_loopback
from .setup import Setup
from .wire import MAX_HEADER_BYTES, MAX_HEADER_LINES, BoundedConnection

__all__ = [
    "Place",
    "configure",
    "find_place",
    "limit_log",
    "make_protocol",
    "name_address",
    "run_server",
]

_LOGGERS = ("uvicorn", "oraclesum.explorer", "asyncio")
_FIRST = 10
_MAX_LETTERS = 10_000
_BYTES_AHEAD = 1 << 14  # of an answer, that the system takes and the client has no room for
_COLLECT_SECONDS = 0.5
_LARGE = 1 << 20  # bytes of an answer that nobody read
_MAX_AHEAD = 1 << 16  # bytes of further requests that are read before an answer is complete
_END_SECONDS = 1.0  # that work has to hear that the server ends
_GUARD = b"".join(b"%s: %s\r\n" % header for header in HEADERS)
_CLOSE = (
    b"content-type: application/json\r\ncache-control: no-store\r\n"
    b"connection: close\r\n" + _GUARD + b"content-length: %d\r\n\r\n%s"
)


class _Server(uvicorn.Server):
    """Stops all searches the moment it is told to end; then nothing is left to wait for.

    It says by `announce` that it has started, once it hears signals: whoever reads that and sends
    one ends it in the usual way.
    """

    def __init__(
        self, config: uvicorn.Config, explorer: Explorer, announce: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._explorer = explorer
        self._announce = announce
        self.announced = False
        self.heard: int | None = None  # the first signal

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Hear every signal that stops the command, and none that was ignored at its start.

        uvicorn knows nothing of SIGHUP, whose usual handler would raise in the midst of an answer.
        """
        heard = SIGNALS if threading.current_thread() is threading.main_thread() else ()
        before = {
            number: signal.signal(number, self.handle_exit)
            for number in heard
            if signal.getsignal(number) is not signal.SIG_IGN
        }
        # One that came during an import did not raise there, and is nobody's by now.
        if (waiting := find_unraised()) is not None:
            self.handle_exit(waiting, None)
        try:
            yield
        finally:
            if self.announced:
                finish()  # a further one finds the usual handlers, and changes nothing
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._explorer.state.stop()
        self.heard = self.heard or sig
        # And no more if it comes again: forced to end, uvicorn cuts nobody off, and then waits for
        # clients that do not read.
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self.announced = True
            self._announce()


def run_server(setup: Setup, place: Place, *, open_browser: bool) -> None:
    """Serve until a signal. Raises InputError if the place cannot be used.

    A signal that comes before the address was printed raises Stopped.
    """
    explorer = make_explorer(setup)
    with _listen(place) as listener:
        address = name_address(place, listener.getsockname()[1], setup.allow_hosts)
        limit_log()

        def announce() -> None:
            print(f"Serving on {address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
            if open_browser:  # some wait until it is closed
                threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()

        server = _Server(configure(explorer), explorer, announce)
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            if not server.announced:
                raise
        finally:
            explorer.state.close()
        if not server.announced and server.heard is not None:
            raise Stopped(server.heard)
    # Python would wait at its end for a step that cannot be stopped, and nobody else does.
    if not explorer.state.has_ended(_END_SECONDS):
        leave(0)


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
        log_config=None,  # see limit_log
        access_log=False,
        proxy_headers=False,  # whoever asks must not say who they are
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,
    )


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where to listen: a host as it was given, and the address that it stands for."""

    host: str  # in lower case, without brackets
    family: socket.AddressFamily
    address: tuple[Any, ...]  # of a socket: the IP address in text, the port, …

    @property
    def is_local(self) -> bool:
        """Whether no other machine can reach it."""
        return is_loopback(_write_host(self.address[0]))


def find_place(host: str, port: int) -> Place:
    """The place of a host: a name, or an address however it is written. InputError if none is."""
    plain = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        family, _, _, _, address = socket.getaddrinfo(
            plain, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise InputError(f"the host {host!r} is not known: {error}") from error
    return Place(host=plain.lower(), family=family, address=address)


def name_address(place: Place, port: int, allow_hosts: Iterable[str]) -> str:
    """The address of the page, under a name that the server answers to."""
    allowed = tuple(host.lower() for host in allow_hosts)
    here = place.address[0]
    if ip_address(here).is_unspecified:  # every address of this machine, and none to ask for
        here = "::1" if place.family == socket.AF_INET6 else "127.0.0.1"
    names = (_write_host(place.host), _write_host(here), *allowed)
    name = next((name for name in names if name in allowed or is_loopback(name)), names[0])
    return f"http://{name}:{port}/"


def _write_host(host: str) -> str:
    """As it stands in an address of the web and in a Host header."""
    return f"[{host}]" if ":" in host else host


def _listen(place: Place) -> socket.socket:
    listener = socket.socket(place.family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place.address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise InputError(
            f"{_write_host(place.host)}:{place.address[1]} cannot be used: {error.strerror}; "
            f"choose another {'--host' if error.errno == errno.EADDRNOTAVAIL else '--port'}"
        ) from error
    return listener


def make_protocol(
    *, max_connections: int, header_seconds: float, stall_seconds: float
) -> type[asyncio.Protocol]:
    """A protocol class for uvicorn with limits that it lacks: connections, headers, slow readers.

    `max_connections` may be open. One more takes the place of the oldest that has no complete
    request to be answered or answer to be read, and is refused (503) if all have. Headers must be
    complete `header_seconds` after the connection was made, or after the first byte that follows an
    answer (408). A client that reads nothing of an answer for `stall_seconds` is dropped, and so is
    one that has sent over 64 KiB of further requests and waits as long for an answer. What is slow
    to parse is not parsed (`BoundedConnection`).
    """

    collector = _Collector()

    class BoundedProtocol(H11Protocol):
        _header_timer: asyncio.TimerHandle | None = None
        _stall_timer: asyncio.TimerHandle | None = None
        _ahead_timer: asyncio.TimerHandle | None = None
        made = 0.0  # on the clock of the loop
        _unread = 0  # bytes of an answer that the client had not taken when we last looked

        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            self.conn: BoundedConnection = BoundedConnection()

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
            super().connection_made(transport)
            self.made = self.loop.time()
            _show_reading(transport)
            if len(self.connections) > max_connections and not self._drop_idle():
                self._refuse(b"503 Service Unavailable", b"too many connections are open")
                return
            self._time_headers()

        def _drop_idle(self) -> bool:
            """Make room for this connection; whether there was one to drop."""
            # The others are few, and only looked through if there are too many.
            idle = [
                other
                for other in self.connections
                if isinstance(other, BoundedProtocol) and other is not self and other.is_idle()
            ]
            if not idle:
                return False
            oldest = min(idle, key=lambda other: other.made)
            self.connections.discard(oldest)
            oldest.transport.abort()
            return True

        def is_idle(self) -> bool:
            """Whether no complete request waits for an answer here, and no answer is being read."""
            asked = not self._is_answered() and self.conn.their_state is not h11.SEND_BODY
            return not asked and not self.transport.get_write_buffer_size()

        def _is_answered(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return  # refused, and still talking
            super().data_received(data)
            self._time_headers()

        def handle_events(self) -> None:
            """Read on behind a request that is being answered: else nobody sees its client leave.

            uvicorn stops reading as soon as a byte of the next request has come.
            """
            super().handle_events()
            if self._is_answered() or not self.flow.read_paused:
                return
            if self.conn.their_state is h11.SEND_BODY:
                return  # there is more of its body than was taken in so far
            if len(self.conn.trailing_data[0]) <= _MAX_AHEAD:
                self.flow.resume_reading()
            elif self._ahead_timer is None:
                self._ahead_timer = self.loop.call_later(stall_seconds, self.transport.abort)

        def _cancel_ahead(self) -> None:
            if self._ahead_timer is not None:
                self._ahead_timer.cancel()
                self._ahead_timer = None

        def _unsupported_upgrade_warning(self) -> None:
            """Say nothing: a request to speak another protocol is answered as any other."""

        def _time_headers(self) -> None:
            """Let the time run while headers are incomplete; further bytes do not extend it."""
            if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
                self._cancel_headers()
            elif self._header_timer is None:
                self._header_timer = self.loop.call_later(header_seconds, self._give_up_headers)

        def _cancel_headers(self) -> None:
            if self._header_timer is not None:
                self._header_timer.cancel()
                self._header_timer = None

        def _give_up_headers(self) -> None:
            self._header_timer = None
            self._refuse(b"408 Request Timeout", b"the headers took too long to arrive")

        def _refuse(self, status: bytes, reason: bytes) -> None:
            if self.transport.is_closing():
                return
            body = b'{"error":"%s","field":null}' % reason
            self.transport.write(b"HTTP/1.1 " + status + b"\r\n" + _CLOSE % (len(body), body))
            self.transport.close()

        def send_400_response(self, msg: str) -> None:
            """Answer what is no HTTP, unless an answer has begun; further ones go nowhere."""
            begun = self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE)
            if self.cycle is not None and not self.cycle.response_complete:
                self.cycle.disconnected = True  # the body of a request that is being answered
                self.cycle.message_event.set()
            if begun:
                self.transport.close()
            elif self.conn.is_too_long:
                self._refuse(
                    b"431 Request Header Fields Too Large",
                    b"the headers are too long: at most %d lines and %d KiB are read"
                    % (MAX_HEADER_LINES, MAX_HEADER_BYTES >> 10),
                )
            else:
                self._refuse(b"400 Bad Request", msg.encode())

        def pause_writing(self) -> None:
            super().pause_writing()
            self._watch_reader()

        def resume_writing(self) -> None:
            super().resume_writing()
            self._cancel_stall()
            if self._is_answered():
                self._watch_reader()  # the rest has to be read as well

        def on_response_complete(self) -> None:
            self._cancel_ahead()
            self._watch_reader()
            super().on_response_complete()
            if self.conn.trailing_data[0]:
                self._time_headers()  # a part of the next request has come already

        def _watch_reader(self) -> None:
            self._cancel_stall()
            self._unread = self.transport.get_write_buffer_size()
            if self._unread:
                self._stall_timer = self.loop.call_later(stall_seconds, self._check_reader)

        def _check_reader(self) -> None:
            if self.transport.get_write_buffer_size() < self._unread:
                self._watch_reader()  # slow, but reading
            elif self._is_answered() or self.flow.write_paused:
                self.transport.abort()  # nothing was added to it meanwhile

        def _cancel_stall(self) -> None:
            if self._stall_timer is not None:
                self._stall_timer.cancel()
                self._stall_timer = None

        def connection_lost(self, exc: Exception | None) -> None:
            self._cancel_headers()
            self._cancel_stall()
            self._cancel_ahead()
            # Its own timer holds a connection that broke until it fires.
            self._unset_keepalive_if_required()
            super().connection_lost(exc)
            if self._unread > _LARGE:
                collector.collect_soon(self.loop)

    return BoundedProtocol


class _Collector:
    """Lets Python look for what refers to itself, soon after a large answer was left.

    Such a connection keeps megabytes until then, and by itself Python looks almost never here.
    """

    _due = False

    def collect_soon(self, loop: asyncio.AbstractEventLoop) -> None:
        """Collect once for all connections that are lost in the next moments."""
        if not self._due:
            self._due = True
            loop.call_later(_COLLECT_SECONDS, self._collect)

    def _collect(self) -> None:
        self._due = False
        gc.collect()


def _show_reading(transport: asyncio.Transport) -> None:
    """Let the system take few bytes ahead of the client: with megabytes, nobody sees it read."""
    connection = transport.get_extra_info("socket")
    if connection is not None and hasattr(socket, "TCP_NOTSENT_LOWAT"):
        with contextlib.suppress(OSError):  # not every system has it
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _BYTES_AHEAD)


class _Sparing(logging.Filter):
    """Lets each place in the code speak ten times, then the 100th time, the 1,000th and so on.

    Anybody who can connect can make the server complain (about what is no HTTP, say), as often as
    they like: what is written then grows with the logarithm of that.
    """

    def __init__(self) -> None:
        super().__init__()
        self._times: Counter[tuple[str, int]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        place = (record.pathname, record.lineno)
        self._times[place] += 1
        times = self._times[place]
        if times <= _FIRST:
            return True
        if str(times).strip("0") != "1":
            return False
        record.msg = f"{record.getMessage()} ({times:,} times so far; said less and less often)"
        record.args = ()
        return True


class _Short(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        if len(text) <= _MAX_LETTERS:
            return text
        half = _MAX_LETTERS // 2
        return f"{text[:half]}\n… {len(text) - 2 * half:,} letters left out …\n{text[-half:]}"


def _is_news(record: logging.LogRecord) -> bool:
    """Whether it is more than that the server has ended without a client who does not read."""
    kind = record.exc_info[0] if record.exc_info else None
    ended = kind is not None and issubclass(kind, asyncio.CancelledError)
    return not ended and not str(record.msg).startswith("Cancel %s running task(s)")


def limit_log() -> None:
    """Have warnings and errors of the server, and of what it stands on, written within bounds."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Short("%(levelname)s: %(message)s"))
    handler.addFilter(_is_news)
    handler.addFilter(_Sparing())
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.WARNING)
        logger.propagate = False
