"""The application: routes, the page's own files, and the guard around all of it."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import FastAPI, Response
from fastapi.responses import HTMLResponse
from starlette.types import ASGIApp

from ..signature import package_version
from . import corpus_routes, curve_routes, family_routes
from .failure import ApiError
from .guard import Guard
from .overview import write_overview
from .replies import tell_failures
from .setup import Setup, State

__all__ = ["Explorer", "make_explorer"]

_PAGE = Path(__file__).with_name("page")
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class Explorer:
    """The guarded application, and the state behind it."""

    def __init__(self, app: ASGIApp, api: FastAPI, state: State) -> None:
        self.app = app
        self.api = api
        self.state = state


def make_explorer(setup: Setup) -> Explorer:
    """Wire everything."""
    state = State(setup=setup)
    api = FastAPI(
        title="oraclesum",
        version=package_version(),
        description="Exact extractive oracle summaries under ROUGE-n: all of them, to explore.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # both would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    api.state.explorer = state
    tell_failures(api)
    for router in (corpus_routes.router, family_routes.router, curve_routes.router):
        api.include_router(router)
    _add_pages(api)
    guard = Guard(api, hosts=setup.allow_hosts, most_bytes=setup.body_bytes)
    return Explorer(guard, api, state)


def _add_pages(api: FastAPI) -> None:
    # A list taken at the start: a name that is not in it leads nowhere, whatever it looks like.
    files = {
        path.relative_to(_PAGE).as_posix(): path
        for path in sorted(_PAGE.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }

    def serve(name: str) -> Response:
        if name not in files:
            raise ApiError(404, "there is no such file")
        path = files[name]
        kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
        headers = {"Cache-Control": "no-cache"}
        return Response(path.read_bytes(), 200, headers, media_type=kind or "text/plain")

    @api.get("/", include_in_schema=False)
    def show_page() -> Response:
        return serve("index.html")

    @api.get("/page/{name:path}", include_in_schema=False)
    def show_file(name: str) -> Response:
        return serve(name)

    @api.get("/favicon.ico", include_in_schema=False)
    def show_icon() -> Response:
        return serve("favicon.ico") if "favicon.ico" in files else Response(status_code=204)

    @api.get("/api", include_in_schema=False)
    def show_overview() -> Response:
        return HTMLResponse(write_overview(api.openapi()))
