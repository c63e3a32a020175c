"""The route of the live curve: points as server-sent events, as long as somebody looks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from ..errors import InputError
from .curve import find_point, order_limits
from .failure import ApiError, ClientGone
from .family_routes import Key
from .held import Held
from .replies import PROBLEMS
from .setup import State
from .strict import StrictRoute

__all__ = ["router"]

router = APIRouter(prefix="/api/families", responses=PROBLEMS, route_class=StrictRoute)

_MOST_POINTS = 400
_EVENT = {
    "type": "object",
    "properties": {
        "event": {"enum": ["point", "progress", "end", "problem"]},
        "data": {"type": "string", "description": "JSON"},
    },
    "required": ["event", "data"],
}
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Events `point` (a CurvePoint), `progress` {done, of}, then `end` {} or "
        "`problem` {error}.",
        "content": {"text/event-stream": {"schema": _EVENT}},
    }
}


@router.get("/{key}/curve", responses=_EVENTS, response_class=Response)
async def draw_curve(
    request: Request,
    key: Key,
    first: Annotated[int, Query(alias="from", ge=1, le=100_000)] = 10,
    last: Annotated[int, Query(alias="to", ge=1, le=100_000)] = 400,
    step: Annotated[int, Query(ge=1, le=100_000)] = 10,
) -> Response:
    """The best score against the limit of words, coarse at first and then finer."""
    state: State = request.app.state.explorer
    held = state.store.get(key)
    if last < first:
        raise ApiError(422, f"to ({last}) must not be below from ({first})", field="to")
    if (last - first) // step >= _MOST_POINTS:
        raise ApiError(
            422, f"the curve would have more than {_MOST_POINTS} points: raise step", field="step"
        )
    events = _make_events(state, held, request, order_limits(first, last, step))
    return StreamingResponse(events, media_type="text/event-stream")


async def _make_events(
    state: State, held: Held, request: Request, limits: list[int]
) -> AsyncIterator[bytes]:
    case, seconds = held.case, held.case.seconds
    yield _write("progress", {"done": 0, "of": len(limits)})
    for done, limit in enumerate(limits, 1):
        while True:
            try:
                work = partial(find_point, case, limit, seconds)
                point = await state.searches.run(request, work)
            except ClientGone:
                return
            except (ApiError, InputError) as error:
                if isinstance(error, ApiError) and error.status == 429:
                    await asyncio.sleep(0.2)  # the curve is in no hurry: others go first
                    continue
                yield _write("problem", {"error": str(error)})
                return
            break
        yield _write("point", point)
        yield _write("progress", {"done": done, "of": len(limits)})
    yield _write("end", {})


def _write(event: str, data: dict[str, Any]) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (event.encode(), orjson.dumps(data))
