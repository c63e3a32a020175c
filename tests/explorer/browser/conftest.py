"""A real Chromium in front of a real server, for the tests of the explorer's page."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browsing import launch_chromium, open_beside, open_tab
from children import start_child


def many_oracles(sentences: int) -> dict[str, object]:
    """A topic of sentences worth the same: every choice that fills the limit is an oracle."""
    texts = [f"alpha{i} beta{i} gamma{i}." for i in range(sentences)]
    return {"id": f"equal-{sentences}", "sentences": texts, "references": [" ".join(texts)]}


HOSTILE = "<img src=x onerror=\"window.hacked='yes'\"><script>window.hacked='yes'</script>"


def hostile_topic() -> dict[str, object]:
    return {
        "id": f"id {HOSTILE}",
        "sentences": [f"The harbour reopened on Tuesday {HOSTILE}.", f"{HOSTILE} ferries resume."],
        "references": [f"The harbour reopened on Tuesday {HOSTILE}. Ferries resume."],
        "systems": {f"system {HOSTILE}": [0]},
    }


@pytest.fixture(scope="package")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo corpus, and topics with thousands and billions of oracles, and a hostile one."""
    from oraclesum import demo_path

    path = tmp_path_factory.mktemp("corpus") / "topics.jsonl"
    topics = [many_oracles(16), many_oracles(40), hostile_topic()]
    lines = [json.dumps(topic) for topic in topics]
    path.write_text(demo_path().read_text() + "\n".join(lines) + "\n")
    return path


THOUSANDS, BILLIONS, HOSTILE_TOPIC = 6, 7, 8  # places of the three in the corpus


@pytest.fixture(scope="package")
def address(corpus: Path) -> Iterator[str]:
    """Where `oraclesum serve` listens."""
    pytest.importorskip("fastapi")
    command = [sys.executable, "-m", "oraclesum", "serve", str(corpus), "--port", "0"]
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    # It serves all tests of this folder, whatever they take together.
    with start_child(
        command, seconds=3600, stderr=subprocess.PIPE, text=True, env=environment
    ) as server:
        assert server.stderr is not None
        told = server.stderr.readline()
        found = re.search(r"http://\S+/", told)
        assert found, told + server.stderr.read()
        yield found.group().rstrip("/")
        server.send_signal(signal.SIGINT)
        assert server.stderr.read() == ""  # nothing went wrong behind the page's back


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """A browser for the tests of this folder."""
    with launch_chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def window(chromium: Any, address: str) -> Any:
    """A tab on the server, in the window whose further tabs are the pages of the tests.

    A page in a window of its own takes twice as long to open: Chromium starts further processes,
    and fetches and compiles all scripts again.
    """
    page = open_tab(
        chromium, reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"]
    )
    page.goto(f"{address}/page/mark.svg")
    return page


Open = Callable[..., Any]


@pytest.fixture
def open_page(chromium: Any, window: Any, address: str) -> Iterator[Open]:
    """Opens the page in a tab; no error may reach the console unless expected.

    With `fresh`, in a window of its own, which shares nothing with other pages: needed if the page
    is to store something.
    """
    pages = []
    complaints: list[str] = []

    def open_page(
        fragment: str = "",
        *,
        wide: int = 1440,
        high: int = 900,
        dark: bool = False,
        fresh: bool = False,
    ) -> Any:
        page = open_tab(chromium) if fresh else open_beside(window)
        pages.append(page)
        page.set_viewport_size({"width": wide, "height": high})
        page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complain(message))
        page.goto(fragment if fragment.startswith("http") else f"{address}/{fragment}")
        page.wait_for_selector("body[data-ready]")
        return page

    def complain(message: Any) -> None:
        # Chromium reports every refused request as an error; what the page tells is tested.
        if message.type in ("error", "warning") and "status of 4" not in message.text:
            complaints.append(message.text)

    yield open_page
    for page in pages:
        (page if page.context == window.context else page.context).close()
    assert complaints == []
    assert window.evaluate("localStorage.length") == 0  # or the next test would find it
