"""Texts are only texts: scripts hidden in any field of a document do nothing in the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from explorer.browser.conftest import HOSTILE, HOSTILE_TOPIC, hostile_topic

VIEWS = ["oracles", "compare", "systems", "curve", "reproduce"]


def is_safe(page: Any) -> bool:
    page.wait_for_timeout(150)  # an injected picture would have had its error by now
    injected = page.locator("img[src=x], #document script, #references script").count()
    return injected == 0 and page.evaluate("window.hacked === undefined")


def test_a_hostile_topic_is_shown_as_text_in_every_view(open_page: Any) -> None:
    page = open_page(f"#topic={HOSTILE_TOPIC}&a=0&pick=1&system={quote('system ' + HOSTILE)}")
    for view in VIEWS:
        page.click(f"#tab-{view}")
        assert is_safe(page), view
    page.hover("[data-sentence='0'] .text")
    assert is_safe(page)
    assert HOSTILE in page.inner_text("#document")
    assert HOSTILE in page.inner_text("#references")
    assert HOSTILE in page.inner_text("#what")
    page.click("#tab-systems")
    assert HOSTILE in page.inner_text("#panel-systems")


def test_hostile_texts_in_every_field_do_nothing(open_page: Any) -> None:
    page = open_page()
    page.fill("#topic-search", HOSTILE)
    page.wait_for_selector("#topics-note:has-text('1 found')")
    page.fill("#set-words", "1e3")
    page.click("#tab-paste")
    page.fill("#paste-text", f"The harbour reopened {HOSTILE}. Ferries sail.")
    page.fill("#paste-reference-0", f"The harbour reopened {HOSTILE}.")
    page.click("#paste-go")
    page.wait_for_selector("#what:has-text('pasted')")
    page.hover("[data-sentence='0'] .text")
    page.click("#tab-systems")
    page.fill("#own-text", HOSTILE)
    page.get_by_role("button", name="Overlay it").click()
    page.wait_for_selector("tr.chosen")
    assert is_safe(page)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert is_safe(page)


def test_hostile_files_and_names_do_nothing(open_page: Any, tmp_path: Path) -> None:
    path = tmp_path / "<img src=x onerror=alert(1)>.jsonl"
    path.write_text(json.dumps(hostile_topic()) + "\n" + HOSTILE + "\n")
    page = open_page()
    page.click("#tab-file")
    page.set_input_files("#file-input", path)
    page.wait_for_selector("#file-error:has-text('line 2: not JSON')")
    page.wait_for_selector("#what:has-text('onerror')")
    assert is_safe(page)


def test_hostile_addresses_do_nothing(open_page: Any) -> None:
    bad = quote(HOSTILE)
    for names in (["system", "own", "lang", "pick"], ["a", "b", "view", "sort"], ["doc", "pane"]):
        page = open_page("#topic=0&" + "&".join(f"{name}={bad}" for name in names))
        assert is_safe(page), names
        assert page.inner_text("#what strong") == "harbour"


def test_hostile_errors_of_the_server_are_text(open_page: Any) -> None:
    page = open_page()
    answer = json.dumps({"error": f"wrong: {HOSTILE}", "field": None})
    page.route("**/api/families", lambda route: route.fulfill(status=422, body=answer))
    page.click("#set-rouge label >> nth=0")
    page.wait_for_selector("#headline .problem:has-text('wrong:')")
    assert is_safe(page)


def test_a_server_that_is_gone_is_told_and_tried_again(open_page: Any) -> None:
    page = open_page()
    page.route("**/api/families", lambda route: route.fulfill(status=429, body="{}"))
    page.click("#set-rouge label >> nth=0")
    page.wait_for_selector("#headline .problem")
    page.unroute("**/api/families")
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector("#figures:has-text('ROUGE-1')")
