"""What the page shows when things go badly: no oracle, no answer, a search that takes long."""

from __future__ import annotations

from typing import Any

# The search never ends, until the page gives it up.
NEVER_ANSWER = """() => {
    window.trueFetch = window.fetch;
    window.fetch = (path, options) => path.endsWith('/api/families')
        ? new Promise((_, reject) => options.signal.addEventListener('abort',
            () => reject(new DOMException('given up', 'AbortError'))))
        : window.trueFetch(path, options);
}"""


def test_a_document_without_overlap_has_no_oracle_and_says_why(open_page: Any) -> None:
    page = open_page()
    page.click("#tab-paste")
    page.fill("#paste-text", "Alpha beta gamma. Delta epsilon zeta.")
    page.fill("#paste-reference-0", "One two three four.")
    page.click("#paste-go")
    page.wait_for_selector("#told:has-text('There is no oracle')")
    assert page.inner_text("#figures").startswith("0\noracles")
    assert page.inner_text("#oracles-note") == "There is no oracle to list."
    for view in ("compare", "systems", "curve", "reproduce", "oracles"):
        page.click(f"#tab-{view}")
    page.keyboard.press("j")
    assert page.locator(".is-a").count() == 0


def test_a_long_search_can_be_cancelled_and_begun_again(open_page: Any) -> None:
    page = open_page()
    page.evaluate(NEVER_ANSWER)
    page.click("#set-rouge label >> nth=0")
    page.click("#cancel")
    page.wait_for_selector("#headline .problem:has-text('cancelled')")
    assert "settings before" in page.inner_text("#headline")
    page.evaluate("() => { window.fetch = window.trueFetch; }")
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector("#figures:has-text('ROUGE-1')")
    assert page.locator("#cancel").is_hidden()


def test_a_newer_setting_takes_the_place_of_an_unfinished_search(open_page: Any) -> None:
    page = open_page()
    page.evaluate(NEVER_ANSWER)
    page.click("#set-rouge label >> nth=0")
    page.evaluate("() => { window.fetch = window.trueFetch; }")
    page.click("#set-rouge label >> nth=2")
    page.wait_for_selector("#figures:has-text('ROUGE-3')")
    assert page.locator("#busy").is_hidden()


def test_the_slider_ends_where_it_was_let_go(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.focus("#set-words-range")
    for _ in range(25):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector(".objective:has-text('at most 125 words')")
    assert page.input_value("#set-words") == "125"
    page.wait_for_function("() => location.hash.includes('words=125')")


def test_a_family_that_the_server_let_go_is_searched_again(open_page: Any, address: str) -> None:
    page = open_page("#topic=0")
    page.evaluate(
        """async () => {
            const { loaded } = await import('/page/state.js');
            await fetch(`/api/families/${loaded.family.key}`, { method: 'DELETE' });
        }"""
    )
    page.click("#tab-systems")
    page.fill("#own-text", page.inner_text("[data-sentence='5'] .text"))
    page.get_by_role("button", name="Overlay it").click()
    page.wait_for_selector("[data-sentence='5'][data-sets='S']")


def test_a_summary_waits_for_the_search_that_takes_the_place_of_its_own(open_page: Any) -> None:
    page = open_page("#topic=0")
    text = page.inner_text("[data-sentence='5'] .text")
    sentences = page.evaluate(
        """async (text) => {
            const { loaded } = await import('/page/state.js');
            const { load, takeSummary } = await import('/page/loading.js');
            const { fetch } = window;
            window.fetch = async (url, how) => {  // so that searches are under way for a while
                if (how?.method === 'POST' && url.endsWith('/api/families')) {
                    await new Promise((go) => setTimeout(go, 300));
                    how.signal.throwIfAborted();
                }
                return fetch(url, how);
            };
            await fetch(`/api/families/${loaded.family.key}`, { method: 'DELETE' });
            const taken = takeSummary(text);
            await new Promise((go) => setTimeout(go, 150));
            load();  // the list of oracles, say, has found it gone too
            await taken;
            await load();
            return loaded.ownSystem.sentences;
        }""",
        text,
    )
    assert sentences == [5]


def test_a_language_without_stop_words_takes_the_setting_along(open_page: Any) -> None:
    page = open_page("#topic=0&stop=1")
    page.select_option("#set-language", "fr")
    page.wait_for_selector(".objective:has-text('French')")
    assert not page.is_checked("#set-stop")
    assert page.is_disabled("#set-stop")
    assert "stop=1" not in page.evaluate("location.hash")


def test_one_reference_alone_can_be_chosen(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.select_option("#set-reference", "1")
    page.wait_for_selector("#figures:has-text('of 67')")
    assert (
        page.locator("#references .reference").nth(0).get_attribute("aria-label") == "Reference 1"
    )
    assert page.locator("#references .unused").count() == 2
    assert page.locator("#references .unused mark").count() == 0


def test_a_pasted_document_that_fails_is_the_one_that_settings_are_tried_on(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.click("#tab-paste")
    page.fill("#paste-text", "The bridge is open. The harbour too.")
    page.fill("#paste-reference-0", "bridge")
    page.click("#paste-go")
    page.wait_for_selector("#headline .problem:has-text('set rouge to 1')")
    assert page.locator(".sentence").count() == 0
    page.click("#set-rouge label >> nth=0")
    page.wait_for_selector("#figures:has-text('1 of 1')")
    assert page.inner_text("#paste-error") == ""
    assert page.locator(".problem").count() == 0


def test_a_visit_to_another_language_gives_the_choice_of_words_back(open_page: Any) -> None:
    page = open_page("#topic=0&rouge=1&stop=1")
    for code, kept in (("de", (False, True)), ("ja", (False, False)), ("en", (True, True))):
        page.select_option("#set-language", code)
        page.wait_for_function("() => !document.body.classList.contains('is-busy')")
        assert (page.is_checked("#set-stop"), page.is_checked("#set-stem")) == kept
        said = page.inner_text("#hint-words")
        assert (said == "") == (code == "en")


def test_a_result_of_earlier_settings_is_marked_and_not_shared(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.evaluate(NEVER_ANSWER)
    page.click("#set-rouge label >> nth=0")
    page.wait_for_selector("#told .earlier:visible")
    assert page.locator("#told .good").is_hidden()
    assert page.is_disabled("#copy-link")
    page.keyboard.press("j")
    page.wait_for_selector("[data-sets='A']")
    page.wait_for_timeout(300)
    assert "a=" not in page.evaluate("location.hash")


def test_sets_below_the_best_are_not_called_oracles(open_page: Any) -> None:
    page = open_page("#topic=0&within=6")
    told = page.inner_text("#headline")
    assert "sets within 6 hits of the best" in told
    assert "in every set" in told
    assert "oracle " not in told
