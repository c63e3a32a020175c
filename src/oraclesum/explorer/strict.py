"""Reads request bodies as strict JSON: no NaN, no lone surrogates, no endless nesting."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import Request, Response
from fastapi.routing import APIRoute

__all__ = ["StrictRoute"]


class _StrictRequest(Request):
    async def json(self) -> Any:
        # Its JSONDecodeError is one of the standard library's, which FastAPI knows.
        return orjson.loads(await self.body())


class StrictRoute(APIRoute):
    """A route whose body is read by orjson."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            return await handle(_StrictRequest(request.scope, request.receive))

        return handle_strictly
