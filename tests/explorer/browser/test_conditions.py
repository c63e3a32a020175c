"""Sentences that must be in, or must not: chosen by click, key and touch, and what they cost."""

from __future__ import annotations

from typing import Any

import pytest

import oraclesum
from browsing import open_tab


def find(required: list[int], forbidden: list[int], **settings: Any) -> oraclesum.OracleFamily:
    """The oracles of the first demo topic under conditions, as Python finds them."""
    topic = next(iter(oraclesum.open_corpus(oraclesum.demo_path())))
    assert isinstance(topic, oraclesum.Topic)
    assert topic.sentences is not None
    return oraclesum.enumerate_oracles(
        topic.sentences,
        topic.references,
        required=required,
        forbidden=forbidden,
        **({"max_words": 100} | settings),
    )


def cost(page: Any) -> str:
    """What the bar says once the result is there."""
    page.wait_for_selector("#cost:has-text('without conditions')")
    return str(page.inner_text("#cost"))


def wait_for_figure(page: Any, number: int, unit: str) -> None:
    page.wait_for_selector(f"#figures .figure:has-text('{unit}') .value:text-is('{number}')")


def press(page: Any, sentence: int, kind: str) -> None:
    page.hover(f"[data-sentence='{sentence}'] .text")
    page.click(f"[data-sentence='{sentence}'] [data-act={kind}]")


def test_a_click_says_what_a_sentence_costs(open_page: Any) -> None:
    page = open_page("#topic=0")
    free, bound = find([], []), find([3], [])
    press(page, 3, "required")
    lost = 100 * (free.score - bound.score)
    assert cost(page) == (
        f"Costs {lost:.2f} points: {bound.score:.5f} instead of {free.score:.5f}. "
        f"{bound.count} best sets ({free.count} without conditions)."
    )
    button = page.get_by_role("button", name="Sentence 3 must be in", exact=True)
    assert button.get_attribute("aria-pressed") == "true"
    assert page.inner_text("[data-sentence='3'] .sign").endswith("✓")
    assert page.text_content("[data-sentence='3'] .share") == "100 %"
    assert "with sentence 3" in page.inner_text(".objective")
    # The other button takes its place; there is no contradiction to be made by clicks.
    press(page, 3, "forbidden")
    page.wait_for_selector("#cost:has-text('Costs nothing')")
    assert f"{find([], [3]).count} best sets" in cost(page)
    assert page.get_attribute("[data-sentence='3'] [data-act=required]", "aria-pressed") == "false"
    # The same button again takes the condition off.
    press(page, 3, "forbidden")
    page.wait_for_selector("#conditions", state="hidden")
    wait_for_figure(page, free.count, "oracles")
    assert page.locator("#document .sign").count() == 0


def test_conditions_are_cleared_by_their_button_and_with_the_topic(open_page: Any) -> None:
    page = open_page("#topic=0&in=3.4&out=5")
    bound = find([3, 4], [5])
    assert f"{bound.score:.5f} instead of" in cost(page)
    assert page.locator("#conditions .chip-button").count() == 3
    page.get_by_role("button", name="Take the condition off sentence 4").click()
    page.wait_for_function("() => !location.hash.includes('in=3.4')")
    page.wait_for_selector(f"#cost:has-text('{find([3], [5]).score:.5f} instead of')")
    page.click("#clear-conditions")
    page.wait_for_selector("#figures:has-text('oracles')")
    assert page.locator("#conditions").is_hidden()
    page.go_back()  # a place in the history, as every other setting
    page.wait_for_selector("#conditions:visible")
    page.click("#topics .row >> nth=3")
    page.wait_for_selector("#what:has-text('volcano')")
    page.wait_for_selector("#figures:has-text('oracle')")
    assert page.locator("#conditions").is_hidden()
    assert "in=" not in page.evaluate("location.hash")
    assert page.locator("#document .sign").count() == 0


def test_a_link_brings_conditions_and_their_cost_back(open_page: Any) -> None:
    settings = {"max_words": None, "max_sentences": 3}
    free = find([], [], rouge="r1-f1+r2-f1", **settings)
    bound = find([1], [12], rouge="r1-f1+r2-f1", **settings)
    page = open_page("#topic=0&objective=r1-f1%2Br2-f1&words=any&sentences=3&in=1&out=12")
    told = f"{bound.score:.5f} instead of {free.score:.5f}. {bound.count} best set"
    page.wait_for_selector(f"#cost:has-text('{told}')")
    page.reload()
    page.wait_for_selector(f"#cost:has-text('{told}')")
    page.click("#tab-reproduce")
    assert "required=[1]" in page.inner_text("pre >> nth=1")


def test_conditions_are_made_by_keys_alone(open_page: Any) -> None:
    page = open_page("#topic=0")
    for key in ("g", "ArrowDown", "ArrowDown", "ArrowDown", "i"):
        page.keyboard.press(key)
    page.wait_for_selector("[data-sentence='3'].required")
    assert "Costs" in cost(page)
    page.wait_for_selector("#announcer:has-text('Costs')", state="attached")
    # The focus is where it was, and Tab reaches the buttons of this sentence.
    where = "() => document.activeElement.closest('[data-sentence]').dataset.sentence"
    assert page.evaluate(where) == "3"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    name = "() => document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(name) == "Sentence 3 must not be in"
    page.keyboard.press("Enter")
    page.wait_for_selector("#cost:has-text('Costs nothing')")
    assert page.evaluate(name) == "Sentence 3 must not be in"
    page.keyboard.press("x")
    page.wait_for_selector("#conditions", state="hidden")
    assert page.locator("#document .badge-P").count() == 0  # nothing was picked on the way


def test_conditions_are_made_by_touch(chromium: Any, address: str) -> None:
    page = open_tab(
        chromium, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page.goto(f"{address}/#topic=0")
    page.wait_for_selector("body[data-ready]")
    button = page.get_by_role("button", name="Sentence 1 must be in", exact=True)
    box = button.bounding_box()
    assert box["width"] >= 24
    assert box["height"] >= 24
    button.tap()
    assert "Costs" in cost(page)
    page.tap("#clear-conditions")
    page.wait_for_selector("#conditions", state="hidden")
    page.context.close()


def test_the_sentence_that_was_clicked_stays_under_the_pointer(open_page: Any) -> None:
    page = open_page("#topic=0")
    before = page.locator("[data-sentence='3']").bounding_box()
    press(page, 3, "required")
    cost(page)
    assert page.locator("[data-sentence='3']").bounding_box()["y"] == pytest.approx(
        before["y"], abs=1
    )


def test_a_link_with_conditions_begins_at_the_first_sentence(open_page: Any) -> None:
    page = open_page("#topic=0&in=3&out=5")
    cost(page)
    assert page.evaluate("() => document.getElementById('document-scroll').scrollTop") == 0


@pytest.mark.parametrize(
    ("fragment", "told"),
    [
        ("in=3.4&words=20", "The 2 sentences that must be in would take 34 words"),
        ("in=1.2.3&sentences=2", "would take 3 sentences, and the limit is 2"),
        ("out=" + ".".join(map(str, range(27))), "shares an n-gram with a reference: forbid less"),
    ],
)
def test_what_cannot_be_met_is_told_plainly(open_page: Any, fragment: str, told: str) -> None:
    page = open_page(f"#topic=0&{fragment}")
    page.wait_for_selector("#told:has-text('No set of sentences meets your conditions')")
    assert page.inner_text("#cost").startswith("Cannot be met.")
    assert told in page.inner_text("#cost")
    page.click("#clear-conditions")
    page.wait_for_selector("#figures:has-text('oracle')")


def test_a_contradiction_in_a_link_is_told_and_can_be_cleared(open_page: Any) -> None:
    page = open_page("#topic=0&in=3&out=3")
    page.wait_for_selector("#headline .problem:has-text('both required and forbidden')")
    assert "No document yet" not in page.inner_text("#document")
    page.click("#clear-conditions")
    wait_for_figure(page, 8, "oracles")
    assert page.locator(".problem").count() == 0


def test_a_distance_in_hits_goes_along_as_a_fraction(open_page: Any) -> None:
    page = open_page("#topic=0&within=6")
    press(page, 3, "required")
    family = find([3], [], within="6/191")
    wait_for_figure(page, family.count, "sets within 3.14136 points of the best")
