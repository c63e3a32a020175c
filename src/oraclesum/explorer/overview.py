"""A plain page about the API, made from its schema."""

from __future__ import annotations

from html import escape
from typing import Any

__all__ = ["write_overview"]


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
