"""Connections within bounds: how many there are, how long headers and answers may take.

uvicorn limits the time of an idle connection only after its first request, and neither the time
that headers take nor the number of connections. A few lines in its protocol class do.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["make_protocol"]

_CLOSE = b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s"


def make_protocol(
    *, max_connections: int, header_seconds: float, stall_seconds: float
) -> type[asyncio.Protocol]:
    """A protocol class for uvicorn with these limits.

    `max_connections` may be open. One more takes the place of the oldest that has no request to be
    answered, and is refused (503) if all have. Headers must be complete `header_seconds` after the
    connection was made, or after the first byte that follows an answer (408). A client that reads
    nothing of an answer for `stall_seconds` is dropped.
    """

    class BoundedProtocol(H11Protocol):
        _header_timer: asyncio.TimerHandle | None = None
        _stall_timer: asyncio.TimerHandle | None = None
        made = 0.0  # on the clock of the loop
        _unread = 0  # bytes of an answer that the client had not taken when we last looked

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
            super().connection_made(transport)
            self.made = self.loop.time()
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
            """Whether nobody waits for an answer here."""
            return self.cycle is None or self.cycle.response_complete

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return  # refused, and still talking
            super().data_received(data)
            self._time_headers()

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

        def pause_writing(self) -> None:
            super().pause_writing()
            self._watch_reader()

        def resume_writing(self) -> None:
            super().resume_writing()
            self._cancel_stall()

        def _watch_reader(self) -> None:
            self._cancel_stall()
            self._unread = self.transport.get_write_buffer_size()
            self._stall_timer = self.loop.call_later(stall_seconds, self._check_reader)

        def _check_reader(self) -> None:
            if self.transport.get_write_buffer_size() < self._unread:
                self._watch_reader()  # slow, but reading
            else:
                self.transport.abort()

        def _cancel_stall(self) -> None:
            if self._stall_timer is not None:
                self._stall_timer.cancel()
                self._stall_timer = None

        def connection_lost(self, exc: Exception | None) -> None:
            self._cancel_headers()
            self._cancel_stall()
            # Its own timer holds a connection that broke until it fires.
            self._unset_keepalive_if_required()
            super().connection_lost(exc)

    return BoundedProtocol
