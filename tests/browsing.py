"""A real Chromium for the tests of pages: slow pages get time, and it is gone at the end."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

__all__ = ["TIMEOUT", "find_barriers", "launch_chromium", "open_beside", "open_tab"]

TIMEOUT = 300
"""Seconds after which a page counts as hung; far more than anything takes."""

_ARGUMENTS = [
    "--no-sandbox",  # containers of a build have no user namespaces
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

_ABOUT_COLOURS = ["color-contrast", "link-in-text-block"]


@contextmanager
def launch_chromium() -> Iterator[Any]:
    """Debian's Chromium, or another that is installed; the test skips if there is none.

    Use it in fixtures of a module's or package's scope: while Playwright's synchronous interface is
    open, no other test of the same process could run an event loop of its own.
    """
    sync_api = pytest.importorskip("playwright.sync_api")
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip("no Chromium is installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=_ARGUMENTS, timeout=TIMEOUT * 1000
        )
        yield browser
        browser.close()


def open_tab(browser: Any, **how: Any) -> Any:
    """A page in a context of its own; `how` has the keywords of a context of Playwright."""
    page = browser.new_context(**how).new_page()
    page.set_default_timeout(TIMEOUT * 1000)
    return page


def open_beside(page: Any) -> Any:
    """A further page in the context of another, with which it shares storage and cache."""
    other = page.context.new_page()
    other.set_default_timeout(TIMEOUT * 1000)
    return other


def find_barriers(page: Any) -> list[tuple[str, ...]]:
    """What axe-core finds serious or critical in a page, in light and in dark colours.

    In dark colours only the rules about colours are tried: the others would look at the same
    elements again.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    barriers = []
    for scheme, only in (("light", {}), ("dark", {"runOnly": _ABOUT_COLOURS})):
        page.emulate_media(color_scheme=scheme)
        results = axe.run(page, options={"resultTypes": ["violations"], **only}).response
        for found in results["violations"]:
            if found["impact"] in ("serious", "critical"):
                first = found["nodes"][0]
                barriers.append((scheme, found["id"], first["html"][:200], first["failureSummary"]))
        passed = {found["id"] for found in results["passes"]}
        assert "color-contrast" in passed  # axe did look
        assert only or len(passed) > 15
    page.emulate_media(color_scheme="light")
    return barriers
