"""The application: routes, the page's own files, a page about the API, the guard around all."""

from __future__ import annotations

import mimetypes
import sys
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Response
from fastapi.responses import HTMLResponse
from starlette.types import ASGIApp

from ..signature import package_version
from .guard import Guard
from .replies import ApiError, tell_failures
from .routes import router
from .setup import Setup, State

__all__ = ["Explorer", "make_explorer", "write_overview"]


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
    # Counts have as many digits as they need; numbers that come in are kept short by their schema.
    sys.set_int_max_str_digits(0)
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
    api.include_router(router)
    _add_pages(api)
    guard = Guard(
        api,
        hosts=setup.allow_hosts,
        max_bytes=setup.body_bytes,
        is_closing=lambda: state.questions.closing,
    )
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


def write_overview(schema: dict[str, Any]) -> str:
    """Every route with its parameters, as HTML without style or script."""
    info = schema["info"]
    rows = []
    for path, methods in sorted(schema["paths"].items()):
        for method, route in methods.items():
            names = ", ".join(one["name"] for one in route.get("parameters", []))
            about = route.get("description") or route.get("summary", "")
            rows.append(
                f"<tr><td><code>{escape(method.upper())} {escape(path)}</code></td>"
                f"<td>{escape(names)}</td><td>{escape(about)}</td></tr>"
            )
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f"<title>{escape(info['title'])}: API</title></head>\n<body>\n"
        f"<h1>{escape(info['title'])} {escape(info['version'])}: API</h1>\n"
        f"<p>{escape(info.get('description', ''))}</p>\n"
        '<p>The whole schema: <a href="/api/openapi.json">openapi.json</a>. '
        'The page itself: <a href="/">the explorer</a>.</p>\n'
        "<table><caption>Routes</caption>\n<thead><tr><th>Route</th><th>Parameters</th>"
        "<th>What it does</th></tr></thead>\n<tbody>\n"
        + "\n".join(rows)
        + "\n</tbody></table>\n</body>\n</html>\n"
    )
