"""The page without a mouse: everything can be reached, seen and done by keys."""

from __future__ import annotations

from typing import Any


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.className"))


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_first_tab_skips_to_the_document(open_page: Any) -> None:
    page = open_page()
    press(page, "Tab")
    assert focused(page) == "skip"
    press(page, "Enter")
    assert page.evaluate("document.activeElement.dataset.sentence") == "0"
    assert "topic" not in page.inner_text("#what")


def test_the_story_by_keys_alone(open_page: Any) -> None:
    page = open_page()
    press(page, "/")
    assert focused(page) == "topic-search"
    page.keyboard.type("night")
    page.wait_for_selector("#topics-note:has-text('1 found')")
    press(page, "Tab")
    assert focused(page) == "topics"
    press(page, "Enter")
    page.wait_for_selector("#what:has-text('night-train')")

    press(page, "g", "ArrowDown", "ArrowDown")
    assert page.evaluate("document.activeElement.dataset.sentence") == "2"
    page.wait_for_selector("#inspector:has-text('Sentence 2')")
    press(page, "Space")
    page.wait_for_selector("[data-sentence='2'][data-sets='P']")

    press(page, "o")
    assert focused(page) == "oracles"
    press(page, "ArrowDown")
    page.wait_for_selector("#oracles .is-a")
    active = page.get_attribute("#oracles", "aria-activedescendant")
    assert page.get_attribute(f"#{active}", "aria-selected") == "true"
    page.wait_for_selector("#announcer:has-text('Oracle A: number 1')", state="attached")
    press(page, "b", "ArrowDown")
    page.wait_for_selector("#oracles .is-b")

    press(page, "2")
    assert focused(page) == "tab-compare"
    page.wait_for_selector(".thirds")
    press(page, "ArrowRight")
    assert focused(page) == "tab-systems"
    press(page, "Tab", "Tab")
    assert page.evaluate("document.activeElement.dataset.system") == ":greedy"
    press(page, "Enter")
    page.wait_for_selector("tr.chosen")
    assert page.evaluate("document.activeElement.dataset.system") == ":greedy"

    press(page, "]")
    page.wait_for_selector(".objective:has-text('110 words')")
    press(page, "Escape")
    page.wait_for_function("() => !document.querySelector('#document .badge')")


def test_help_lists_the_keys_and_gives_the_focus_back(open_page: Any) -> None:
    page = open_page()
    page.focus("#help")
    press(page, "Enter")
    page.wait_for_selector("#guide[open]")
    assert "next / previous oracle" in page.inner_text("#guide")
    press(page, "Escape")
    page.wait_for_function("() => !document.querySelector('#guide').open")
    assert focused(page) == "help"


def test_single_keys_can_be_turned_off(open_page: Any) -> None:
    page = open_page(fresh=True)
    page.click("#help")
    page.uncheck("#single-keys")
    press(page, "Escape")
    press(page, "?")
    assert not page.evaluate("document.getElementById('guide').open")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    press(page, "j")
    assert page.locator(".is-a").count() == 0


def test_letters_typed_into_fields_are_letters(open_page: Any) -> None:
    page = open_page()
    page.click("#tab-paste")
    page.focus("#paste-text")
    page.keyboard.type("jk?1b")
    assert page.input_value("#paste-text") == "jk?1b"
    assert not page.evaluate("document.getElementById('guide').open")
    assert page.locator(".is-a").count() == 0


def test_whatever_has_the_focus_can_be_seen(open_page: Any) -> None:
    page = open_page("#topic=0&view=systems")
    seen = []
    for _ in range(60):
        press(page, "Tab")
        state = page.evaluate(
            """() => {
                const node = document.activeElement;
                if (node === document.body) return null;
                const ringed = [node, node.closest('label') ?? node];
                const box = ringed[1].getBoundingClientRect();
                return {
                    name: node.id || node.className || node.tagName,
                    ring: ringed.some((one) => getComputedStyle(one).outlineStyle !== 'none'),
                    inside: box.width > 0 && box.left < innerWidth && box.top < innerHeight,
                };
            }"""
        )
        if state is None:
            break
        seen.append(state["name"])
        assert state["ring"], state
        assert state["inside"], state
    assert {"copy-link", "set-words", "topic-search", "topics", "tab-systems"} <= set(seen)


def test_the_theme_is_switched_and_kept(open_page: Any) -> None:
    page = open_page(fresh=True)
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    press(page, "t")
    dark = page.evaluate(ground)
    assert light != dark
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate(ground) == dark
