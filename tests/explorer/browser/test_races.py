"""Answers that come late or in another order than they were asked for, and what is done then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from explorer.browser.conftest import HOSTILE_TOPIC

ANSWERS = "**/api/families"
SCORES = "**/overlap"

FRAMES = """async () => {
    for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
}"""

# Documents are packed for the address once `open()` was called.
SLOW_PACKING = """() => {
    const { arrayBuffer } = Response.prototype;
    const gate = new Promise((open) => { window.open_gate = open; });
    Response.prototype.arrayBuffer = async function () {
        await gate;
        return arrayBuffer.call(this);
    };
}"""

# Opens that gate, and returns when nothing is searched any longer.
PACK = """async () => {
    window.open_gate();
    for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
    await (await import('/page/loading.js')).load();
}"""

# The curve's answer is what `point(limit)` adds to it.
CURVE_BY_HAND = """() => {
    const { fetch } = window;
    const other = { total: 500, count: '1', status: 'complete', proven: true };
    window.fetch = (path, how) => {
        if (!path.includes('/curve')) return fetch(path, how);
        const stream = new ReadableStream({ start(events) {
            window.point = (limit) => {
                const data = { limit, hits: limit, score: limit / 500, ...other };
                const event = `event: point\\ndata: ${JSON.stringify(data)}\\n\\n`;
                events.enqueue(new TextEncoder().encode(event));
            };
        }});
        return Promise.resolve(new Response(stream));
    };
}"""


class Held:
    """Requests of a page that are not sent before they are let go."""

    def __init__(self, page: Any, pattern: str) -> None:
        self._page = page
        self._routes: list[Any] = []
        self._open = False
        page.route(pattern, self._take)

    def _take(self, route: Any) -> None:
        if self._open:
            route.continue_()
        else:
            self._routes.append(route)

    def wait(self) -> None:
        """Return when there is one."""
        while not self._routes:
            self._page.wait_for_timeout(10)  # lets the browser tell of it

    def let_go(self) -> None:
        """Send them, and return when they are answered and the answers are drawn."""
        self.wait()
        self._open = True
        for route in self._routes:
            route.continue_()
            if (response := route.request.response()) is not None:  # it was not given up
                response.finished()
        self._page.evaluate(FRAMES)


def press(page: Any, selector: str) -> None:
    """The first half of a click."""
    page.hover(selector)
    page.mouse.down()


def test_what_is_typed_while_the_numbers_of_greedy_arrive_is_kept(open_page: Any) -> None:
    page = open_page("#topic=0")
    scores = Held(page, SCORES)
    page.click("#tab-systems")
    page.focus("#own-text")
    page.keyboard.type("The harbour ")
    scores.let_go()
    page.wait_for_selector("[data-system=':greedy'] >> xpath=../.. >> text=0.")
    page.keyboard.type("reopened")
    assert page.input_value("#own-text") == "The harbour reopened"


def test_a_summary_is_overlaid_if_the_numbers_of_greedy_arrive_during_the_click(
    open_page: Any,
) -> None:
    page = open_page("#topic=0")
    scores = Held(page, SCORES)
    page.click("#tab-systems")
    page.fill("#own-text", page.inner_text("[data-sentence='5'] .text"))
    press(page, "button:has-text('Overlay it')")
    scores.let_go()
    page.mouse.up()
    page.wait_for_selector("[data-sentence='5'][data-sets='S']")


def test_a_system_is_overlaid_if_the_numbers_of_greedy_arrive_during_the_click(
    open_page: Any,
) -> None:
    page = open_page("#topic=0")
    scores = Held(page, SCORES)
    page.click("#tab-systems")
    press(page, "[data-system='topic-words']")
    scores.let_go()
    page.mouse.up()
    page.wait_for_selector("tr.chosen [data-system='topic-words']")
    page.wait_for_selector("[data-system=':greedy'] >> xpath=../.. >> text=0.")


def test_a_system_is_overlaid_by_the_space_bar_while_numbers_arrive(open_page: Any) -> None:
    page = open_page("#topic=0")
    scores = Held(page, SCORES)
    page.click("#tab-systems")
    page.focus("[data-system='topic-words']")
    page.keyboard.down(" ")
    scores.let_go()
    page.keyboard.up(" ")
    page.wait_for_selector("tr.chosen [data-system='topic-words']")


def test_the_numbers_of_greedy_are_asked_for_again_if_they_did_not_come(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.route(SCORES, lambda route: route.fulfill(status=429, body="{}"))
    with page.expect_response(SCORES):
        page.click("#tab-systems")
    page.evaluate(FRAMES)
    page.unroute(SCORES)
    page.click("#tab-oracles")
    page.click("#tab-systems")
    page.wait_for_selector("[data-system=':greedy'] >> xpath=../.. >> text=0.")


def test_a_sentence_is_picked_if_the_result_arrives_during_the_click(open_page: Any) -> None:
    page = open_page("#topic=0")
    answers = Held(page, ANSWERS)
    page.click("#set-rouge label >> nth=0")
    press(page, "[data-sentence='5'] .text")
    answers.let_go()
    page.mouse.up()
    page.wait_for_selector("#figures:has-text('ROUGE-1')")
    page.wait_for_selector("[data-sentence='5'][data-sets='P']")


def test_a_click_on_the_curve_counts_while_points_arrive(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.evaluate(CURVE_BY_HAND)
    page.click("#tab-curve")
    page.wait_for_function("() => window.point")
    page.evaluate("point(10); point(400)")
    page.locator(".chart .dot").nth(1).wait_for()
    press(page, ".chart")
    page.evaluate("point(200)")
    page.evaluate(FRAMES)
    page.mouse.up()
    page.wait_for_selector(".objective:not(:has-text('100 words'))")
    assert 150 < int(page.input_value("#set-words")) < 250


def test_a_release_that_was_not_heard_of_does_not_hold_the_result_back(open_page: Any) -> None:
    page = open_page("#topic=0")
    answers = Held(page, ANSWERS)
    page.click("#set-rouge label >> nth=0")
    press(page, "[data-sentence='5'] .text")  # really: a browser tells of moves that nobody made
    answers.let_go()
    assert "ROUGE-2" in page.inner_text("#figures")
    page.dispatch_event("body", "pointermove", {"buttons": 0})
    page.wait_for_selector("#figures:has-text('ROUGE-1')")
    page.mouse.up()


def test_a_topic_chosen_while_a_document_is_packed_stays(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.evaluate(SLOW_PACKING)
    page.click("#tab-paste")
    page.fill("#paste-text", "The harbour reopened on Tuesday. Ferries sail.")
    page.fill("#paste-reference-0", "The harbour reopened.")
    page.click("#paste-go")
    page.click("#tab-topics")
    page.click("#topics .row >> nth=3")
    page.wait_for_selector("#what:has-text('volcano')")
    page.evaluate(PACK)
    assert page.inner_text("#what strong") == "volcano"
    assert "topic=3" in page.url


def test_the_form_keeps_what_is_typed_while_its_document_is_packed(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.evaluate(SLOW_PACKING)
    page.click("#tab-paste")
    page.fill("#paste-text", "The harbour reopened on Tuesday. Ferries sail.")
    page.fill("#paste-reference-0", "The harbour reopened.")
    page.click("#paste-go")
    page.fill("#paste-reference-0", "The ferries sail.")
    page.evaluate(PACK)
    page.wait_for_selector("#what:has-text('pasted')")
    assert page.input_value("#paste-reference-0") == "The ferries sail."
    assert "reopened" in page.inner_text("#references")


def test_a_summary_of_the_document_before_is_not_laid_over_the_next(open_page: Any) -> None:
    page = open_page("#topic=0&view=systems")
    page.wait_for_selector("[data-system=':greedy'] >> xpath=../.. >> text=0.")
    page.fill("#own-text", page.inner_text("[data-sentence='5'] .text"))
    scores = Held(page, SCORES)
    page.get_by_role("button", name="Overlay it").click()
    scores.wait()
    page.evaluate("import('/page/loading.js').then((loading) => loading.openTopic(3))")
    page.wait_for_selector("#what:has-text('volcano')")
    scores.let_go()
    assert page.locator("tr.chosen").count() == 0
    assert page.locator("[data-system=':own']").count() == 0
    assert "own=" not in page.url


def test_a_summary_pasted_while_a_result_is_searched_is_measured_by_that(open_page: Any) -> None:
    page = open_page("#topic=0&view=systems")
    page.wait_for_selector("[data-system=':greedy'] >> xpath=../.. >> text=0.")
    page.fill("#own-text", page.inner_text("[data-sentence='5'] .text"))
    scores = Held(page, SCORES)
    page.get_by_role("button", name="Overlay it").click()
    scores.wait()
    page.click("#set-rouge label >> nth=0")
    page.wait_for_selector("#figures:has-text('ROUGE-1')")
    scores.let_go()
    page.wait_for_selector("tr.chosen")
    hits = page.inner_text("tr.chosen .hits")
    page.wait_for_function("() => location.hash.includes('system=%3Aown')")
    page.reload()
    page.wait_for_selector("tr.chosen")
    assert page.inner_text("tr.chosen .hits") == hits


def test_a_sentence_clicked_in_the_document_before_is_not_picked_in_the_next(
    open_page: Any,
) -> None:
    page = open_page("#topic=0")
    answers = Held(page, ANSWERS)
    page.click("#topics .row >> nth=3")
    page.click("[data-sentence='5'] .text")
    page.hover("[data-sentence='6'] .text")
    page.click("[data-sentence='6'] [data-act=required]")
    answers.let_go()
    page.wait_for_selector("#what:has-text('volcano')")
    assert page.locator("#document .badge-P").count() == 0
    assert page.is_hidden("#conditions")


def test_the_document_before_can_be_pointed_at_until_the_next_is_complete(open_page: Any) -> None:
    page = open_page("#topic=0")
    oracles = Held(page, "**/oracles?*limit=1&*")
    page.evaluate("topic => { location.hash = `#topic=${topic}&a=0&view=compare`; }", HOSTILE_TOPIC)
    oracles.wait()  # the family is there, its oracle is not
    page.hover("[data-sentence='20'] .text")
    page.wait_for_selector("#inspector:has-text('Sentence 20')")
    oracles.let_go()
    page.wait_for_selector("#document .badge-A")
    assert page.locator("#document [role=row]").count() == 2


def test_an_oracle_of_a_link_stays_in_the_address(open_page: Any) -> None:
    page = open_page("#topic=0")
    answers = Held(page, ANSWERS)
    page.evaluate("location.hash = '#topic=3&a=0'")
    answers.wait()
    page.click("#tab-compare")  # the address is written before the oracle is known
    answers.let_go()
    page.wait_for_selector("#document .badge-A")
    page.wait_for_function("() => location.hash.includes('a=0')")


def test_the_curve_is_that_of_the_settings_it_is_shown_with(open_page: Any) -> None:
    page = open_page("#topic=0")
    answers = Held(page, ANSWERS)
    page.click("#set-rouge label >> nth=0")
    page.click("#tab-curve")
    page.wait_for_selector("#curve-stop:has-text('Compute again')")
    answers.let_go()
    page.wait_for_selector("#figures:has-text('ROUGE-1')")
    page.wait_for_selector("#curve-stop:has-text('Compute again')")
    page.locator("#panel-curve summary").click()
    row = page.locator("#curve-table tbody tr >> nth=9").inner_text().split("\t")
    assert row[0] == "100"
    assert row[1] in page.inner_text("#figures")


def test_a_document_that_fails_while_the_curve_is_drawn_leaves_no_curve(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.evaluate(CURVE_BY_HAND)
    page.click("#tab-curve")
    page.wait_for_function("() => window.point")
    page.click("#tab-paste")
    page.fill("#paste-text", "The bridge is open. The harbour too.")
    page.fill("#paste-reference-0", "bridge")
    page.click("#paste-go")
    page.wait_for_selector("#headline .problem:has-text('set rouge to 1')")
    assert page.locator(".chart").count() == 0
    page.click("#curve-stop")
    assert page.inner_text("#curve-told") == "No document yet."


def test_the_slider_stays_where_it_is_while_a_result_arrives(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.evaluate(
        """async () => {
            const { emit } = await import('/page/state.js');
            const slider = document.getElementById('set-words-range');
            slider.value = 150;
            slider.dispatchEvent(new Event('input'));
            emit('family'); // the result of an earlier place of the slider
            slider.dispatchEvent(new Event('change'));
        }"""
    )
    page.wait_for_selector(".objective:has-text('at most 150 words')")


def test_of_two_files_the_latest_is_shown(open_page: Any, tmp_path: Path) -> None:
    page = open_page("#topic=0")
    for name in ("first", "second"):
        record = {"id": name, "sentences": ["The harbour reopened."], "references": ["The harbour"]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record))
    page.evaluate(
        """() => {
            const { text } = File.prototype;
            const gate = new Promise((open) => { window.open_gate = open; });
            File.prototype.text = async function () {
                if (this.name === 'first.jsonl') await gate;
                return text.call(this);
            };
        }"""
    )
    page.click("#tab-file")
    page.set_input_files("#file-input", tmp_path / "first.jsonl")
    page.set_input_files("#file-input", tmp_path / "second.jsonl")
    page.wait_for_selector("#what:has-text('second')")
    page.evaluate(PACK)
    assert page.inner_text("#file-note") == "1 record in second.jsonl"
    assert page.inner_text("#what strong") == "second"
