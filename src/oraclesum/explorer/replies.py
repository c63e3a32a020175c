"""How requests are read strictly and answers are written: JSON, files, and what went wrong."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from ..errors import InputError
from ..message import Setting, spell
from .schema import Problem, Settings

__all__ = [
    "PROBLEMS",
    "ApiError",
    "ClientGone",
    "StrictRoute",
    "refuse_unread",
    "reply_file",
    "reply_json",
    "tell_failures",
]


class ApiError(Exception):
    """An answer other than success; `field` names the part of the request that is to blame."""

    def __init__(
        self,
        status: int,
        error: str,
        *,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(error)
        self.status = status
        self.error = error
        self.field = field
        self.headers = dict(headers or {})


class ClientGone(Exception):  # noqa: N818 - nobody is left to whom it would be an error
    """The browser has gone away; the work for it was stopped."""


_log = logging.getLogger("oraclesum.explorer")

PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "not JSON"},
    403: {"model": Problem, "description": "asked by another site"},
    404: {"model": Problem, "description": "no such topic, family or page"},
    405: {"model": Problem, "description": "no such method here"},
    408: {"model": Problem, "description": "the body took too long"},
    410: {"model": Problem, "description": "no longer stored: post the document again"},
    411: {"model": Problem, "description": "the body comes in chunks, without its length"},
    413: {"model": Problem, "description": "the body is too large"},
    415: {"model": Problem, "description": "the content type is not application/json"},
    421: {"model": Problem, "description": "asked under a name that is not allowed"},
    422: {"model": Problem, "description": "cannot be used; says why and what to do"},
    429: {"model": Problem, "description": "too much at once; Retry-After says when"},
    431: {"model": Problem, "description": "the headers are too long"},
    503: {"model": Problem, "description": "shutting down"},
}
"""What can go wrong anywhere, for the schema."""

_OTHER_NAMES = {"n": "rouge"}  # of settings, in questions
_PART = 1 << 18  # bytes of an answer that are sent at a time
_MAX_UNREAD = 256 << 20
_LARGE = 1 << 20
_CLIENT_GONE = 499  # as others log it; nobody reads the answer


class _Reply(Response):
    """An answer that is sent part by part, as its client reads it.

    Sent at once, it would be in memory three times until then. What all clients have still to read
    is known, so that no more large answers are begun than there is room for.
    """

    unread: ClassVar[int] = 0  # bytes of all answers that are being sent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        size = len(self.body)
        _Reply.unread += size
        start = {"type": "http.response.start", "status": self.status_code}
        try:
            await send({**start, "headers": self.raw_headers})
            for place in range(0, size or 1, _PART):
                part = bytes(memoryview(self.body)[place : place + _PART])
                more = place + _PART < size
                await send({"type": "http.response.body", "body": part, "more_body": more})
                await asyncio.sleep(0)  # a client that has left is seen, and nothing more written
        finally:
            self.body = b""  # whoever still knows this answer keeps no megabytes
            _Reply.unread -= size


def refuse_unread(size: int = _LARGE) -> None:
    """Raise ApiError if clients have as much to read as the server keeps in memory for them.

    Answers of less than a mebibyte are always sent.
    """
    if size >= _LARGE and _Reply.unread > _MAX_UNREAD:
        raise ApiError(
            429,
            "other clients have large answers to read: try again in a moment",
            headers={"Retry-After": "5"},
        )


def reply_json(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """JSON that is never taken for anything else."""
    body = content if isinstance(content, bytes) else orjson.dumps(content)
    refuse_unread(len(body))
    return _Reply(body, status, headers, media_type="application/json")


def reply_file(body: bytes, name: str) -> Response:
    """JSON lines to be saved under that name, which holds plain characters only."""
    refuse_unread(len(body))
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return _Reply(body, 200, headers, media_type="application/x-ndjson")


def tell_failures(app: FastAPI) -> None:
    """Have every failure answered in one shape."""

    @app.exception_handler(ApiError)
    async def tell_error(_: Request, error: ApiError) -> Response:
        return _tell(error.status, error.error, error.field, error.headers)

    @app.exception_handler(InputError)
    async def tell_input(_: Request, error: InputError) -> Response:
        names = (_OTHER_NAMES.get(name, name) for name in error.settings)
        known = [name for name in names if name in Settings.model_fields]
        # A message that begins with a setting is about it; others are named as what to use instead.
        sure = len(known) == 1 or (known and str(error).startswith(f"{known[0]} "))
        return _tell(422, spell(error, _as_field), f"settings.{known[0]}" if sure else None)

    @app.exception_handler(RequestValidationError)
    async def tell_invalid(_: Request, error: RequestValidationError) -> Response:
        return _tell(*_explain(error))

    @app.exception_handler(HTTPException)
    async def tell_http(_: Request, error: HTTPException) -> Response:
        return _tell(error.status_code, str(error.detail), None, dict(error.headers or {}))

    @app.exception_handler(ClientGone)
    async def tell_nobody(_: Request, __: ClientGone) -> Response:
        return Response(status_code=_CLIENT_GONE)

    @app.exception_handler(MemoryError)
    async def tell_memory(_: Request, __: MemoryError) -> Response:
        return _tell(503, "out of memory: use a tighter limit, or a shorter document")

    @app.exception_handler(Exception)
    async def tell_bug(_: Request, error: Exception) -> Response:
        _log.error("internal error", exc_info=error)
        return _tell(500, "internal error, please report it; the server's output says more")


def _as_field(setting: Setting) -> str:
    """A setting as a question names it; some can be set elsewhere only."""
    named = replace(setting, name=_OTHER_NAMES.get(setting.name, setting.name))
    here = named.name in Settings.model_fields
    return str(named) if here else f"{named} (from Python)"


def _tell(
    status: int, error: str, field: str | None = None, headers: dict[str, str] | None = None
) -> Response:
    safe = error.encode("utf-8", "replace").decode()
    return reply_json({"error": safe, "field": field}, status, headers)


def _explain(error: RequestValidationError) -> tuple[int, str, str | None]:
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return 400, f"the body is not JSON: {first['ctx']['error']}", None
    # ("body", "document", "(text)", "references", 0): tags of alternatives are no fields.
    parts = [str(part) for part in first["loc"][1:] if not str(part).startswith("(")]
    field = ".".join(parts) or None
    message = first["msg"][:1].lower() + first["msg"][1:]
    return 422, f"{field or 'the body'}: {message}", field


class _StrictRequest(Request):
    async def json(self) -> Any:
        # Its JSONDecodeError is one of the standard library's, which FastAPI knows.
        return orjson.loads(await self.body())


class StrictRoute(APIRoute):
    """A route whose body is read by orjson, and that takes no query parameter it does not know."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        known = {field.alias for field in self.dependant.query_params}

        async def handle_strictly(request: Request) -> Response:
            for name in request.query_params:
                if name not in known:
                    wanted = (
                        f"known: {', '.join(sorted(known))}" if known else "there are none here"
                    )
                    raise ApiError(422, f"unknown query parameter {name!r}; {wanted}", field=name)
            strict = _StrictRequest(request.scope, request.receive)
            # To FastAPI an empty body is a field that is missing (422).
            if self.body_field is not None and not await strict.body():
                raise ApiError(400, "the body is not JSON: it is empty")
            return await handle(strict)

        return handle_strictly
