"""The door: which requests are let in at all, how much they may bring, what every answer says."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

import orjson
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HEADERS", "Guard", "is_loopback"]

HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]
"""What every answer says about itself."""

_PORT = re.compile(r"[0-9]{1,5}")
_LARGEST_PORT = 65_535
_CHANGING = {"POST", "PUT", "PATCH", "DELETE"}
_DRAIN_SECONDS = 3.0
_BODY_SECONDS = 60.0
_LOOK_SECONDS = 0.1  # between two looks whether the server is told to end


def is_loopback(host: str) -> bool:
    """Whether a host, as it stands in a Host header, can only be this machine."""
    try:
        if not host.startswith("["):
            return host == "localhost" or IPv4Address(host).is_loopback
        address = IPv6Address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    if address.scope_id is not None or not host.endswith("]"):
        return False
    return (address.ipv4_mapped or address).is_loopback


class Guard:
    """Checks host, origin, content type and size before the application sees a request."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str],
        max_bytes: int,
        is_closing: Callable[[], bool] = lambda: False,
    ) -> None:
        self._app = app
        self._is_closing = is_closing
        self._hosts = {host.lower() for host in hosts}
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message.get("headers", [])}
                message["headers"] = [
                    *message.get("headers", []),
                    *(header for header in HEADERS if header[0] not in own),
                ]
                if b"cache-control" not in own:
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        refused = self._refuse(scope)
        if refused is not None:
            status, error = refused
            await _answer(status, error, receive, send_guarded)
            return
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                body = await self._read(receive)
        except _ClosingError:
            await _answer(503, "the server is shutting down", None, send_guarded)
            return
        except TimeoutError:
            await _answer(408, "the body took too long to arrive", receive, send_guarded)
            return
        if body is None:
            await _answer(413, self._too_large(), receive, send_guarded)
            return
        given = False

        async def receive_again() -> Message:
            nonlocal given
            if not given:
                given = True
                return {"type": "http.request", "body": body, "more_body": False}
            return await receive()

        await self._app(scope, receive_again, send_guarded)

    def _refuse(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._answers_to(_strip_port(hosts[0])):
            return 421, (
                "this server does not answer under this name: open it as localhost, "
                "or start it with --allow-host"
            )
        if _is_foreign(headers, hosts[0], scope):
            return 403, "requests from other sites are refused: open the page of this server itself"
        if "transfer-encoding" in headers:  # nothing of it is read (`BoundedConnection`)
            return 411, "the body must say its Content-Length, and not come in chunks"
        if scope["method"] in _CHANGING and scope["method"] != "DELETE":
            kinds = headers.getlist("content-type")
            kind, _, parameters = (kinds[0] if len(kinds) == 1 else "").partition(";")
            if kind.strip().lower() != "application/json":
                return 415, "the content type must be application/json"
            if not set(_find_charsets(parameters)) <= {"utf-8", "utf8"}:
                return 415, "the body must be in UTF-8: name no other charset in the content type"
            if headers.get("content-encoding", "identity").lower() != "identity":
                return 415, "the body must not be compressed"
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return 400, "the content length is not a number"
        digits = length.lstrip("0")
        if len(digits) > 18 or int(digits or "0") > self._max_bytes:
            return 413, self._too_large()
        return None

    def _answers_to(self, name: str) -> bool:
        return name in self._hosts or is_loopback(name)

    def _too_large(self) -> str:
        size = f"{self._max_bytes / 2**20:g} MB"
        return f"the body is larger than {size}: send less, or start serve with --max-body-mb"

    async def _read(self, receive: Receive) -> bytes | None:
        """The whole body, or None as soon as it is too large; what was read is then let go."""
        parts: list[bytes] = []
        size = 0
        while True:
            message = await self._hear(receive)
            if message["type"] != "http.request":
                return b""  # gone before all was said; the application hears of it again
            part = message.get("body", b"")
            size += len(part)
            if size > self._max_bytes:
                return None
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)

    async def _hear(self, receive: Receive) -> Message:
        """The next message. Raises _ClosingError if the server is told to end before it comes."""
        coming = asyncio.ensure_future(receive())
        try:
            while not (await asyncio.wait([coming], timeout=_LOOK_SECONDS))[0]:
                if self._is_closing():
                    raise _ClosingError
            return coming.result()
        finally:
            coming.cancel()


class _ClosingError(Exception):
    """The server is told to end while a body is still arriving."""


def _strip_port(host: str) -> str:
    """The name alone; all of it, which is nobody's name, if what follows can be no port."""
    name, colon, port = host.rpartition(":")
    if colon and _PORT.fullmatch(port) and 0 < int(port) <= _LARGEST_PORT:
        return name.lower()
    return host.lower()


def _find_charsets(parameters: str) -> Iterator[str]:
    """Each charset among the parameters of a content type, in lower case."""
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            yield value.strip().strip('"').lower()


def _is_foreign(headers: Headers, host: str, scope: Scope) -> bool:
    """Whether another site's page makes the browser ask; programs send neither header."""
    sites = {site.lower() for site in headers.getlist("sec-fetch-site")}
    if not sites <= {"same-origin", "none"} and (
        scope["method"] in _CHANGING or scope["path"].startswith("/api")
    ):
        return True
    if scope["method"] not in _CHANGING:
        return False
    origins = headers.getlist("origin")
    if not origins:
        return False
    try:
        origin = urlsplit(origins[0])
    except ValueError:
        return True
    return (
        len(origins) > 1
        or origin.scheme not in ("http", "https")
        or origin.netloc.lower() != host.lower()
    )


async def _answer(status: int, error: str, receive: Receive | None, send: Send) -> None:
    """Refuse at once, then let the client finish what it sends: it may only read after that.

    Without `receive`, the end does not wait for that.
    """
    body = orjson.dumps({"error": error, "field": None})
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while receive is not None:
                message = await receive()
                if message["type"] != "http.request" or not message.get("more_body", False):
                    break
    await send({"type": "http.response.body", "body": b"", "more_body": False})
