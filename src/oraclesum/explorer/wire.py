"""Requests as they come over the wire: what would take long to parse is not parsed at all."""

from __future__ import annotations

import re

import h11

__all__ = ["MAX_HEADER_BYTES", "MAX_HEADER_LINES", "BoundedConnection"]

MAX_HEADER_BYTES = 1 << 15
"""Of the headers of a request, from its first line to the blank one."""

MAX_HEADER_LINES = 100
"""Of the same."""

_BLANK_LINE = re.compile(rb"\n\r?\n")


class BoundedConnection(h11.Connection):
    """h11's side of a server that takes bodies of a declared length, and few header lines.

    h11 parses all that has come, a quarter of a megabyte say, before anybody else has a turn. In
    chunks of a byte, or as headers of one, that takes a second.

    `Transfer-Encoding` makes it deaf: the request is given on, for the guard to refuse (411), and
    all that follows is dropped. Of headers that are too long nothing is given on.
    """

    is_deaf = False
    is_too_long = False

    def __init__(self) -> None:
        super().__init__(h11.SERVER, MAX_HEADER_BYTES)

    def receive_data(self, data: bytes) -> None:
        """Add to what is to be parsed."""
        if not self.is_deaf:
            super().receive_data(data)

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next part of a request; RemoteProtocolError also if its headers are too long."""
        if self.is_deaf:
            return h11.NEED_DATA
        if self.their_state is h11.IDLE and self._has_long_headers():
            self.is_too_long = True
            raise h11.RemoteProtocolError("the headers are too long", error_status_hint=431)
        event = super().next_event()
        if isinstance(event, h11.Request):
            self.is_deaf = any(name == b"transfer-encoding" for name, _ in event.headers)
        return event

    def _has_long_headers(self) -> bool:
        headers = self.trailing_data[0][: MAX_HEADER_BYTES + 1]
        if end := _BLANK_LINE.search(headers):
            headers = headers[: end.end()]
        return len(headers) > MAX_HEADER_BYTES or headers.count(b"\n") > MAX_HEADER_LINES
