"""The address holds the view: history, links to pasted documents, links that were cut off."""

from __future__ import annotations

from typing import Any


def figures(page: Any) -> str:
    return " ".join(page.inner_text("#figures").split())


def paste(page: Any, text: str, reference: str) -> None:
    page.click("#tab-paste")
    page.fill("#paste-text", text)
    page.fill("#paste-reference-0", reference)
    page.click("#paste-go")
    page.wait_for_selector("#what:has-text('pasted')")


def test_the_back_button_goes_back(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.click("#topics .row >> nth=3")
    page.wait_for_selector("#what:has-text('volcano')")
    page.click("#set-rouge label >> nth=0")
    page.wait_for_selector("#figures:has-text('ROUGE-1')")
    page.go_back()
    page.wait_for_selector("#figures:has-text('ROUGE-2')")
    assert page.inner_text("#what strong") == "volcano"
    page.go_back()
    page.wait_for_selector("#what:has-text('harbour')")
    page.go_forward()
    page.wait_for_selector("#what:has-text('volcano')")


def test_a_reload_keeps_oracles_system_picks_and_order(open_page: Any) -> None:
    page = open_page(
        "#topic=0&words=80&rouge=1&a=1&b=0&system=topic-words&pick=3.1&sort=length&desc=1"
    )
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.wait_for_selector("#oracles .is-a")
    assert page.input_value("#set-words") == "80"
    assert page.input_value("#sort") == "length"
    assert page.get_attribute("#descending", "aria-pressed") == "true"
    letters = set("".join(page.locator("#document .badge").all_inner_texts()))
    assert {"A", "B", "S", "P"} <= letters


def test_a_link_to_a_pasted_document_works_in_a_fresh_browser(open_page: Any) -> None:
    page = open_page()
    # Letters beyond the first plane, and such as need care in links.
    paste(
        page,
        "Der Hafen — „offen“ seit Montag 😀 & mehr. Zwei Fähren fahren.",
        "Der Hafen offen seit Montag.",
    )
    before = figures(page)
    page.click("#copy-link")
    page.wait_for_selector("#toast.shown")
    link = page.evaluate("navigator.clipboard.readText()")
    fresh = open_page(link, fresh=True)
    assert figures(fresh) == before
    assert "😀" in fresh.inner_text("[data-sentence='0'] .text")
    assert fresh.input_value("#paste-text").startswith("Der Hafen")


def test_a_link_that_was_cut_off_says_so(open_page: Any) -> None:
    page = open_page("#doc=7VRNb9swDL3vVxA-")
    assert "cut off" in page.inner_text("#headline")
    assert page.locator("#document [role=row]").count() == 0


def test_nonsense_in_the_address_is_ignored(open_page: Any) -> None:
    page = open_page(
        "#topic=0&rouge=99&words=-4&view=nowhere&a=zz&pick=1.x.999999&sort=up&within=x"
    )
    assert page.inner_text("#what strong") == "harbour"
    assert page.input_value("#set-words") == "100"
    assert page.get_attribute("#tab-oracles", "aria-selected") == "true"


def test_a_topic_that_is_not_there_is_told(open_page: Any) -> None:
    page = open_page("#topic=4000")
    page.wait_for_selector("#headline .problem")


def test_a_document_too_long_for_a_link_is_told(open_page: Any) -> None:
    page = open_page()
    page.evaluate(
        "import('/page/address.js').then((link) => { window.longest = link.LONGEST_LINK; })"
    )
    page.wait_for_function("() => window.longest > 0")
    # Random letters do not pack: 2.1 million of them are more than a link can carry.
    page.evaluate(
        """() => {
            let state = 7;
            const letter = () => (state = (state * 48271) % 2147483647) % 36;
            let text = '';
            for (let i = 0; i < 2_100_000; i++)
                text += i % 600 === 599 ? '\\n' : letter().toString(36);
            document.getElementById('paste-text').value = text + '\\nthe harbour reopened';
            document.getElementById('paste-lines').checked = true;
            document.getElementById('paste-reference-0').value = 'the harbour reopened on Tuesday';
        }"""
    )
    page.click("#tab-paste")
    page.click("#paste-go")
    page.wait_for_selector("#toast.shown:has-text('too long')")
    assert len(page.evaluate("location.hash")) < 1000
    page.click("#copy-link")
    assert "too long" in page.inner_text("#toast")
    # While the page is open, going back and forth keeps it.
    page.click("#tab-systems")
    page.go_back()
    page.wait_for_selector("#tab-oracles[aria-selected=true]")
    page.wait_for_selector("#what:has-text('pasted')")
