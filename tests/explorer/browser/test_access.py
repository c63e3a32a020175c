"""Accessibility in a real browser: axe-core on every view, and nothing cut off on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from browsing import find_barriers

VIEWS = {
    "oracles": "#topic=0&a=0&b=2&in=3&out=5.8",
    "compare": "#topic=0&a=0&b=2&view=compare",
    "systems": "#topic=0&view=systems&system=topic-words&pick=1.2",
    "curve": "#topic=0&view=curve&by=sentences",
    "reproduce": "#topic=0&view=reproduce",
}
PANES = ["source", "document", "references", "analysis"]


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious_in_any_view(open_page: Any, view: str) -> None:
    page = open_page(VIEWS[view])
    if view == "curve":
        page.wait_for_selector("#curve-stop:has-text('Compute again')")
        page.click("#panel-curve summary")
    assert find_barriers(page) == []
    page.hover("[data-sentence='4'] .text")
    assert find_barriers(page) == []


def test_axe_finds_nothing_serious_in_forms_errors_and_help(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.click("#tab-paste")
    page.click("#paste-go")
    page.fill("#set-words", "0")
    page.press("#set-words", "Enter")
    page.click("#more-toggle")
    page.select_option("#set-keep", "points")
    page.fill("#set-within", "-1")
    page.press("#set-within", "Enter")
    assert find_barriers(page) == []
    page.click("#tab-file")
    assert find_barriers(page) == []
    page.click("#help")
    assert find_barriers(page) == []


def test_axe_finds_nothing_serious_in_a_result_of_earlier_settings(open_page: Any) -> None:
    page = open_page("#topic=0&view=reproduce")
    page.evaluate("document.body.classList.add('is-stale')")
    assert page.is_visible(".earlier")
    assert find_barriers(page) == []


def test_axe_finds_nothing_serious_on_a_phone(open_page: Any) -> None:
    page = open_page("#topic=0&a=0&b=2&system=topic-words&in=3&out=5", wide=390)
    for pane in PANES:
        page.click(f"#pane-nav [data-pane={pane}]")
        assert find_barriers(page) == []


# Which fonts there are is the machine's choice: letters may be a good deal wider than ours.
LETTERS = {
    "own": "",
    "wide": "* { font-family: monospace !important; letter-spacing: 0.03em !important }",
    "large": "html { font-size: 18px !important } * { font-family: serif !important }",
}
SET_LETTERS = """(rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [sheet];
}"""


@pytest.mark.parametrize(
    "wide",
    [
        320,
        pytest.param(390, marks=pytest.mark.wide),
        768,
        1024,
        pytest.param(1280, marks=pytest.mark.wide),
    ],
)
def test_nothing_scrolls_sideways_or_is_cut_off(open_page: Any, wide: int) -> None:
    chosen = "in=0.3&out=1.2.4.5.6.7.8.9.10.11.12.13&below=0.01"
    page = open_page(f"#topic=0&a=0&b=2&system=topic-words&{chosen}", wide=wide, high=844)
    # How long the search takes is the machine's choice too.
    page.evaluate("document.querySelector('.took').textContent = ' in 1234.5 s'")
    narrow = wide <= 900
    places = [*(f"#pane-nav [data-pane={pane}]" for pane in PANES if narrow)]
    places += [f"#tab-{view}" for view in VIEWS]
    for letters, rules in LETTERS.items():
        page.evaluate(SET_LETTERS, rules)
        if narrow:
            page.click("#settings-toggle")
            look(page, f"settings, {letters}")
        if page.is_hidden("#more"):
            page.click("#more-toggle")
        if narrow:
            look(page, f"all settings, {letters}")
            page.click("#settings-toggle")
        for place in places:
            page.click(place)
            look(page, f"{place}, {letters}")


@pytest.mark.parametrize("wide", [320, 1280])
def test_a_long_message_beside_a_setting_stays_on_the_page(open_page: Any, wide: int) -> None:
    page = open_page("#topic=0", wide=wide, high=844)
    if page.is_visible("#settings-toggle"):
        page.click("#settings-toggle")
    for field in ("objective", "max_words", "max_sentences", "language", "reference", "within"):
        page.evaluate(
            """async (field) => {
                const { clearErrors, showError } = await import('/page/settings.js');
                clearErrors();
                showError(field, 'a long message about what is wrong '.repeat(8));
            }""",
            field,
        )
        assert page.is_visible(f"#error-{field}")
        look(page, f"the message beside {field}")


def test_a_long_message_about_the_search_stays_on_the_page(open_page: Any) -> None:
    page = open_page("#topic=0&lang=nonsense", wide=1280, high=844)
    page.wait_for_selector(".problem")
    look(page, "the message about the language")


def look(page: Any, place: str) -> None:
    found = page.evaluate(
        """() => {
            const apart = '.visually-hidden, pre, dialog, .toast, .skip, .virtual-inner';
            const beyond = [];
            for (const node of document.querySelectorAll('body *')) {
                if (node.closest(apart)) continue;
                const box = node.getBoundingClientRect();
                if (box.width && box.height && (box.right > innerWidth + 1 || box.left < -1))
                    beyond.push(`${node.tagName} ${node.getAttribute('class')} ${box.right}`);
            }
            return {wide: document.documentElement.scrollWidth - innerWidth, beyond};
        }"""
    )
    assert found["wide"] <= 0, place
    assert found["beyond"] == [], place


PLACES = """() => [...document.querySelectorAll('.pane, .sentence, .reference')].map((node) => {
    const box = node.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height].join(' ');
})"""


def test_pointing_at_sentences_moves_nothing(open_page: Any) -> None:
    page = open_page("#topic=0&a=0")
    before = page.evaluate(PLACES)
    for sentence in (0, 3, 4):
        page.hover(f"[data-sentence='{sentence}'] .side")
        page.wait_for_selector(f"#inspector:has-text('Sentence {sentence}')")
        assert page.evaluate(PLACES) == before


def test_the_page_says_its_results_to_screen_readers(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.wait_for_selector(
        "#announcer:has-text('8 oracles, ROUGE-2 recall 0.37173')", state="attached"
    )
    for landmark in ("main", "aside", "header.top", "section#headline", "section#pane-references"):
        assert page.locator(landmark).count() == 1
    option = page.locator("[data-sentence='5']").inner_text()
    assert "core: in every oracle" in option
