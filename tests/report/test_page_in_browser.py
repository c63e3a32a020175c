"""The report in a real browser: no error, nothing fetched, accessible in light and dark, prints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browsing import find_barriers, launch_chromium, open_tab
from oraclesum.corpora import demo_path, open_corpus
from oraclesum.report.page.build import build_report
from report.results import enumerated, make_results, write_lines


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launch_chromium() as started:
        yield started


@pytest.fixture(scope="module")
def page_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    made = make_results(folder, "enumerate", "evaluate", "correlate")
    failed = {"id": "bad", "status": "error", "error": "sentences[3] must be text"}
    slow = enumerated("slow", status="time_limit", upper_bound=9)
    more = write_lines(folder / "more.jsonl", failed, slow)
    page = build_report([*made.values(), more], corpus=open_corpus(demo_path()))
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.mark.parametrize("width", [1280, 390])
def test_a_report_is_accessible_and_quiet(browser: Any, page_path: Path, width: int) -> None:
    page = open_tab(browser, viewport={"width": width, "height": 900}, reduced_motion="reduce")
    said: list[str] = []
    fetched: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: fetched.append(request.url))
    page.goto(page_path.as_uri())
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert not said
    assert fetched == [page_path.as_uri()]
    # Wide things scroll inside their own box; the page itself does not.
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shown = page.locator(".plot.narrow" if width < 640 else ".plot.wide").first
    assert shown.is_visible()
    # Further rows of a long table are like its first ones, and would take axe most of its time.
    page.evaluate(
        "for (const row of document.querySelectorAll('tbody tr:nth-child(n+9)')) row.remove()"
    )
    assert find_barriers(page) == []
    assert not said
    page.context.close()


@pytest.mark.parametrize("width", [320, 390, 768])
def test_a_report_never_scrolls_sideways(browser: Any, page_path: Path, width: int) -> None:
    page = open_tab(browser, viewport={"width": width, "height": 900})
    page.goto(page_path.as_uri())
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    for font in ("sans-serif", "monospace"):
        rule = f"* {{ font-family: {font} !important; letter-spacing: 0.03em }}"
        page.add_style_tag(content=rule)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, font
    page.context.close()


def test_the_switch_goes_from_the_systems_colours_to_light_and_dark(
    browser: Any, page_path: Path
) -> None:
    page = open_tab(browser, color_scheme="light")
    page.goto(page_path.as_uri())
    button = page.get_by_role("button")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    for expected in ("Theme: light", "Theme: dark"):
        button.click()
        assert button.inner_text() == expected
    assert page.evaluate(colour) != light
    # Paper is white whatever the screen was.
    page.emulate_media(media="print")
    assert page.evaluate(colour) == "rgb(255, 255, 255)"
    page.context.close()


def test_a_link_of_the_hardest_topics_leads_to_the_topic(browser: Any, page_path: Path) -> None:
    page = open_tab(browser, reduced_motion="reduce")
    page.goto(page_path.as_uri())
    page.get_by_role("region", name="Hardest cases").get_by_role("link", name="harbour").click()
    assert page.evaluate("location.hash").startswith("#topic-")
    page.context.close()


def test_a_csv_file_can_be_downloaded(browser: Any, page_path: Path, tmp_path: Path) -> None:
    page = open_tab(browser, accept_downloads=True)
    page.goto(page_path.as_uri())
    with page.expect_download() as download:
        page.get_by_role("link", name="Download all cases as CSV").click()
    kept = tmp_path / download.value.suggested_filename
    download.value.save_as(kept)
    assert kept.name == "all-cases.csv"
    assert kept.read_text().startswith("topic,reference,objective,status")
    page.context.close()


def test_a_report_prints(browser: Any, page_path: Path) -> None:
    page = open_tab(browser)
    page.goto(page_path.as_uri())
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") >= 3
    page.context.close()
