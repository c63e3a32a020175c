"""Reads requests strictly: JSON without NaN, lone surrogates or endless nesting; known names."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import Request, Response
from fastapi.routing import APIRoute

from .failure import ApiError

__all__ = ["StrictRoute"]


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
            return await handle(_StrictRequest(request.scope, request.receive))

        return handle_strictly
