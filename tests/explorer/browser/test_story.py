"""The whole story in a real browser: paste, point, page, overlay, limit, reload, download."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import oraclesum

SENTENCES = [
    "The harbour reopened on Tuesday after the storm.",
    "Ships may use a single lane in daylight.",
    "The repair will cost 14 million euros, the port said.",
    "Ferries resume on Thursday.",
]
REFERENCES = [
    "The harbour reopened on Tuesday. Repairs will cost 14 million euros.",
    "The port reopened after the storm. Ferries resume on Thursday.",
]


# The curve's answer never comes, until the page gives up waiting for it.
NEVER_ANSWER = """() => {
    window.trueFetch = window.fetch;
    window.fetch = (path, options) => path.includes('/curve')
        ? new Promise((_, reject) => options.signal.addEventListener('abort',
            () => reject(new DOMException('given up', 'AbortError'))))
        : window.trueFetch(path, options);
}"""


def paste_document(page: Any, *, words: int = 15) -> None:
    page.click("#tab-paste")
    page.fill("#paste-text", "\n".join(SENTENCES))
    page.check("#paste-lines")
    page.fill("#paste-reference-0", REFERENCES[0])
    page.click("text=+ Reference")
    page.fill("#paste-reference-1", REFERENCES[1])
    page.click("#paste-go")
    page.wait_for_selector("#what:has-text('pasted')")
    page.fill("#set-words", str(words))
    page.press("#set-words", "Enter")
    page.wait_for_selector(".objective:has-text('15 words')")


def figures(page: Any) -> str:
    return " ".join(page.inner_text("#figures").split())


def test_a_pasted_document_goes_all_the_way(open_page: Any, tmp_path: Path) -> None:
    page = open_page()
    paste_document(page)
    # The example of the README: 9 hits of 19, two oracles, one sentence in both.
    assert figures(page).startswith("2 oracles 0.47368 ROUGE-2 recall · 9 of 19 1 in every oracle")
    assert "Proven optimum" in page.inner_text("#told")
    assert page.inner_text("#document [data-sentence='3'] .share") == "100 %"
    assert page.locator("#document [data-sentence='3'] .core-mark").count() == 1

    # Pointing at a sentence shows what it covers, there and in the references.
    page.hover("[data-sentence='3'] .text")
    page.wait_for_selector("#inspector:has-text('Sentence 3')")
    assert page.inner_text("[data-sentence='3'] mark.point") == "Ferries resume on Thursday"
    assert page.inner_text("#references mark.point") == "Ferries resume on Thursday"

    # Walking through the oracles overlays them; two are compared.
    page.focus("#oracles")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("[data-sentence='0'][data-sets='A']")
    page.click("#keep-b")
    page.keyboard.press("j")
    page.wait_for_selector("[data-sentence='2'][data-sets='A']")
    assert page.get_attribute("[data-sentence='3']", "data-sets") == "AB"
    page.click("#tab-compare")
    thirds = page.locator(".third")
    assert [thirds.nth(i).locator("li .number").inner_text() for i in range(3)] == ["2", "3", "0"]
    assert "The harbour" in page.inner_text(".chips >> nth=1")

    # A pasted system is overlaid with its P, R and F against all oracles.
    page.click("#tab-systems")
    page.fill("#own-text", f"{SENTENCES[0]}\n{SENTENCES[1]}")
    page.get_by_role("button", name="Overlay it").click()
    page.wait_for_selector("tr.chosen")
    row = " ".join(page.inner_text("tr.chosen").split())
    assert re.match(r"S pasted summary too long: \d+ of \d+ w 0\.250 0\.250 ", row), row
    assert page.get_attribute("[data-sentence='1']", "data-sets") == "S"

    # Changing the limit changes everything.
    page.fill("#set-words", "30")
    page.press("#set-words", "Enter")
    page.wait_for_selector(".objective:has-text('30 words')")
    assert figures(page).startswith("1 oracle ")
    assert page.get_attribute("[data-sentence='1']", "data-sets") == "S"

    # Reloading gives the same view.
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert figures(page).startswith("1 oracle ")
    assert page.input_value("#set-words") == "30"
    assert page.get_attribute("#tab-systems", "aria-selected") == "true"
    assert page.get_attribute("[data-sentence='1']", "data-sets") == "S"

    # The download is the record that `oraclesum enumerate` writes.
    with page.expect_download() as waiting:
        page.click("#download")
    path = tmp_path / "record.jsonl"
    waiting.value.save_as(path)
    record = json.loads(path.read_text())
    assert record["oracles"] == [[0, 2, 3]]
    assert record["status"] == "complete"


def test_a_topic_of_the_corpus_is_there_at_once(open_page: Any) -> None:
    page = open_page()
    assert page.inner_text("#what strong") == "harbour"
    assert page.locator("#document [role=row]").count() == 27
    page.fill("#topic-search", "volc")
    page.wait_for_selector("#topics-note:has-text('1 found')")
    page.click("#topics .row")
    page.wait_for_selector("#what:has-text('volcano')")
    assert page.locator("#topics .chosen .name").inner_text() == "volcano"


def test_what_is_highlighted_adds_up_to_the_score(open_page: Any) -> None:
    page = open_page("#topic=0&a=0")
    page.wait_for_selector("[data-sets='A']")
    told = page.locator("#references h3 span").all_inner_texts()
    assert sum(int(text.split()[0]) for text in told) == 71
    assert sum(int(text.split()[2]) for text in told) == 191
    page.wait_for_selector("#inspector:has-text('71 of 191')")
    assert "optimal" in page.inner_text("#inspector")


def test_sentences_picked_by_hand_are_scored_beside_the_oracle(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.click("[data-sentence='1'] .text")
    page.click("[data-sentence='5'] .text")
    page.mouse.move(5, 5)
    page.wait_for_selector("#inspector:has-text('2 sentences')")
    assert "hits" in page.inner_text("#inspector")
    assert page.get_attribute("[data-sentence='5']", "aria-selected") == "true"
    page.hover("[data-sentence='5'] .text")
    page.wait_for_selector("#inspector:has-text('P without it')")


def test_the_curve_is_drawn_and_sets_the_limit(open_page: Any) -> None:
    page = open_page("#topic=0&view=curve")
    page.wait_for_selector("#curve-stop:has-text('Compute again')")
    assert page.locator(".chart .dot").count() == 40
    assert page.locator("#curve-table tbody tr").count() == 40
    page.locator("#panel-curve summary").click()
    page.click("#curve-table button >> nth=19")
    page.wait_for_selector(".objective:has-text('200 words')")
    assert page.input_value("#set-words") == "200"
    box = page.locator(".chart").bounding_box()
    page.locator(".chart").click(position={"x": box["width"] * 0.3, "y": 60})
    page.wait_for_function(
        "() => !document.querySelector('.objective').textContent.includes('200')"
    )
    assert 60 < int(page.input_value("#set-words")) < 140
    assert page.locator(".chart .dot").count() == 40  # kept, not computed again


@pytest.mark.parametrize("objective", ["", "r1-f1+r2-f1"])
def test_the_curve_over_sentences_is_drawn_and_sets_that_limit(
    open_page: Any, objective: str
) -> None:
    page = open_page("#topic=0&view=curve")
    page.select_option("#set-objective", objective)
    # Or the curve of the objective before could be drawn first.
    page.wait_for_selector(f"#figures:has-text('{objective or 'ROUGE-2'}')")
    page.get_by_role("radio", name="sentences").check()
    page.wait_for_selector("#curve-told:has-text('At most 100 words everywhere')")
    assert page.locator(".chart .dot").count() == 20
    page.locator("#panel-curve summary").click()
    topic = next(iter(oraclesum.open_corpus(oraclesum.demo_path())))
    assert isinstance(topic, oraclesum.Topic)
    assert topic.sentences is not None
    rouge = oraclesum.Rouge(objective) if objective else oraclesum.Rouge(n=2)
    for limit in (1, 3, 20):
        family = oraclesum.enumerate_oracles(
            topic.sentences, topic.references, rouge=rouge, max_words=100, max_sentences=limit
        )
        row = page.locator(f"#curve-table tbody tr >> nth={limit - 1}").inner_text().split("\t")
        assert (row[0], row[1], row[3]) == (str(limit), f"{family.score:.5f}", str(family.count))
    page.click("#curve-table button >> nth=2")
    page.wait_for_selector(".objective:has-text('100 words and 3 sentences')")
    assert page.input_value("#set-sentences") == "3"
    assert page.locator(".chart .dot").count() == 20  # kept, not computed again
    assert page.text_content(".limit-label") == "3 sentences"
    page.reload()
    page.wait_for_selector("#curve-told:has-text('At most 100 words everywhere')")
    assert page.get_by_role("radio", name="sentences").is_checked()
    page.get_by_role("radio", name="words").check()
    page.wait_for_selector("#curve-told:has-text('At most 3 sentences everywhere')")
    assert page.locator(".chart .dot").count() == 40


def test_the_curve_leaves_limits_out_that_conditions_cannot_meet(open_page: Any) -> None:
    page = open_page("#topic=0&view=curve&by=sentences&in=1.2.3")
    page.wait_for_selector("#curve-stop:has-text('Compute again')")
    assert page.locator(".chart .dot").count() == 18
    page.locator("#panel-curve summary").click()
    assert page.locator("#curve-table tr:has-text('no set')").count() == 2


def test_the_curve_can_be_stopped(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.evaluate(NEVER_ANSWER)
    page.click("#tab-curve")
    page.wait_for_selector("#curve-told:has-text('Computing')")
    page.click("#curve-stop")
    page.wait_for_selector("#curve-told:has-text('Stopped')")
    page.evaluate("() => { window.fetch = window.trueFetch; }")
    page.click("#curve-stop")
    page.wait_for_selector("#curve-told:has-text('Click the chart')")


def test_commands_are_shown_and_copied(open_page: Any) -> None:
    page = open_page("#topic=0&view=reproduce&words=60")
    shell = page.inner_text("pre >> nth=0")
    assert "oraclesum enumerate " in shell
    assert "--max-words 60" in shell
    page.click(".code button >> nth=0")
    page.wait_for_selector("#toast.shown")
    assert page.evaluate("navigator.clipboard.readText()") == shell


@pytest.mark.parametrize("lines", [1, 3])
def test_a_file_is_read_in_the_browser(open_page: Any, tmp_path: Path, lines: int) -> None:
    path = tmp_path / "mine.jsonl"
    record = {"sentences": SENTENCES, "references": REFERENCES}
    path.write_text("".join(json.dumps({"id": f"mine-{i}", **record}) + "\n" for i in range(lines)))
    page = open_page()
    page.click("#tab-file")
    page.set_input_files("#file-input", path)
    if lines > 1:
        page.wait_for_selector(f"#file-note:has-text('{lines} records')")
        assert page.locator("#records button").count() == lines
        page.click("#records button >> nth=1")
    page.wait_for_selector(f"#what:has-text('mine-{1 if lines > 1 else 0}')")
    assert page.locator("#document [role=row]").count() == len(SENTENCES)


def test_bad_lines_of_a_file_are_named(open_page: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"sentences": ["a b"], "references": ["a b"]}\nnot json\n{"text": "a"}\n')
    page = open_page()
    page.click("#tab-file")
    page.set_input_files("#file-input", path)
    page.wait_for_selector("#file-error:has-text('2 records cannot be used')")
    assert "line 2: not JSON" in page.inner_text("#file-error")
    page.wait_for_selector("#what:has-text('line 1')")  # the good one is opened


def test_errors_stand_beside_their_field(open_page: Any) -> None:
    page = open_page()
    page.click("#tab-paste")
    page.click("#paste-go")
    assert page.inner_text("#paste-text-error") == "Paste the text of the document."
    assert page.inner_text("#paste-references-error") == "Paste at least one reference summary."
    page.fill("#set-words", "0")
    page.press("#set-words", "Enter")
    assert "whole number" in page.inner_text("#error-max_words")
    assert page.get_attribute("#set-words", "aria-invalid") == "true"
    page.fill("#set-words", "50")
    page.press("#set-words", "Enter")
    page.wait_for_selector(".objective:has-text('50 words')")
    assert page.inner_text("#error-max_words") == ""


def test_an_objective_and_a_limit_in_sentences_are_chosen_in_the_page(open_page: Any) -> None:
    page = open_page()
    paste_document(page)
    page.fill("#set-sentences", "3")
    page.press("#set-sentences", "Enter")
    page.wait_for_selector(".objective:has-text('15 words and 3 sentences')")
    page.select_option("#set-objective", "r1-f1+r2-f1")
    page.wait_for_selector("#figures:has-text('r1-f1+r2-f1')")
    assert page.is_disabled("#set-keep [value=hits]")
    page.fill("#set-words", "")
    page.press("#set-words", "Enter")
    # The example of the README: one set of three sentences, and its exact value.
    page.wait_for_selector("#figures:has-text('724/1235')")
    assert figures(page).startswith("1 oracle 0.58623 r1-f1+r2-f1 · 724/1235")
    assert "objective=r1-f1%2Br2-f1" in page.url
    page.reload()
    page.wait_for_selector("#figures:has-text('724/1235')")
    assert page.input_value("#set-objective") == "r1-f1+r2-f1"
    page.click("#tab-systems")
    page.wait_for_selector("#panel-systems tbody tr .gap:has-text('0')")
    page.fill("#set-sentences", "")
    page.press("#set-sentences", "Enter")
    page.wait_for_selector(".objective:has-text('Every set of sentences with the best')")
    page.select_option("#set-objective", "")  # recall needs a limit
    page.wait_for_selector(".objective:has-text('at most 100 words with the best ROUGE-2 recall')")
