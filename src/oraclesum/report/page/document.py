"""The page around the sections: head, contents, style, the switch between light and dark."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files

__all__ = ["Section", "render_document"]

# Characters that HTML does not allow, whatever was in the texts.
_CONTROLS = {code: "\N{REPLACEMENT CHARACTER}" for code in range(32) if chr(code) not in "\t\n\r"}


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the report with its own heading."""

    key: str
    title: str
    body: str


def render_document(title: str, lead: str, sections: Sequence[Section], version: str) -> str:
    """The whole file: nothing in it is fetched from anywhere."""
    style, script = _read("style.css"), _read("page.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    # The browser itself is told to fetch nothing, and to run this one script only.
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        f"form-action 'none'; script-src 'sha256-{digest}'"
    )
    contents = "".join(
        f'<li><a href="#{section.key}">{escape(section.title)}</a></li>' for section in sections
    )
    body = "".join(
        f'<section id="{section.key}"><h2>{escape(section.title)}</h2>\n{section.body}</section>\n'
        for section in sections
    )
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="generator" content="oraclesum {escape(version, quote=True)}">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#main">To the report</a>
<header><div><p class="eyebrow">Oracle report</p><h1>{escape(title)}</h1><p class="lead">\
{escape(lead)}</p></div><button id="theme" type="button" hidden>Theme: auto</button></header>
<div class="columns">
<nav aria-label="Contents"><ol>{contents}</ol></nav>
<main id="main" tabindex="-1">
{body}</main>
</div>
<footer><p>Made by oraclesum {escape(version)}. This file needs no network: charts, tables and CSV \
files are inside it.</p></footer>
<script>{script}</script>
</body>
</html>
"""
    return page.translate(_CONTROLS)


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
