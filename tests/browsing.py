"""A real Chromium for the tests of pages: slow pages get time, and it is gone at the end."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

__all__ = ["TIMEOUT", "launch_chromium", "open_tab"]

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


@contextmanager
def launch_chromium() -> Iterator[Any]:
    """Debian's Chromium, or another that is installed; the test skips if there is none.

    Use it in fixtures of a module's scope: while Playwright's synchronous interface is open, no
    other test of the same process could run an event loop of its own.
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
