"""Sets near the best and n-grams across sentences: chosen in the page, and rightly named."""

from __future__ import annotations

from typing import Any

import pytest

import oraclesum

F1 = "#topic=0&objective=r1-f1%2Br2-f1&words=any&sentences=3"


def find(rouge: oraclesum.Rouge | str, **settings: Any) -> oraclesum.OracleFamily:
    """A family of the first demo topic, as Python finds it."""
    topic = next(iter(oraclesum.open_corpus(oraclesum.demo_path())))
    assert isinstance(topic, oraclesum.Topic)
    assert topic.sentences is not None
    return oraclesum.enumerate_oracles(topic.sentences, topic.references, rouge=rouge, **settings)


def wait_for_figure(page: Any, number: int, unit: str) -> None:
    page.wait_for_selector(f"#figures .figure:has-text('{unit}') .value:text-is('{number}')")


def test_sets_within_points_are_counted_and_named(open_page: Any) -> None:
    page = open_page("#topic=0")
    page.click("#more-toggle")
    page.select_option("#set-keep", "points")  # one point, to begin with
    family = find(oraclesum.Rouge(n=2), max_words=100, within="0.01")
    wait_for_figure(page, family.count, "sets within 1 point of the best")
    told = page.get_attribute("[data-sentence='0'] .side", "title")
    assert told == f"in {family.inclusion_counts[0]} of 12 sets within 1 point of the best"
    assert "oracle" not in page.inner_text("#headline").replace("oraclesum:", "")
    assert page.inner_text("#oracles-note").startswith("Sets within 1 point of the best; ★")
    page.locator("#oracles .best").nth(7).wait_for()  # rows come after the headline
    assert page.locator("#oracles .best").count() == 8
    assert page.get_by_role("spinbutton", name="How many points below the best").is_visible()
    page.fill("#set-within", "2.5")
    page.press("#set-within", "Enter")
    wider = find(oraclesum.Rouge(n=2), max_words=100, within="0.025")
    wait_for_figure(page, wider.count, "sets within 2.5 points of the best")
    assert "below=0.025" in page.url
    page.reload()
    wait_for_figure(page, wider.count, "sets within 2.5 points of the best")
    assert page.input_value("#set-within") == "2.5"  # what is in use is open
    page.select_option("#set-keep", "best")
    wait_for_figure(page, 8, "oracles")
    assert page.locator("#set-within").is_hidden()


SORTED = """() => {
    const cells = [...document.querySelectorAll("#oracles .row .hits")].map(one => one.innerText);
    const scores = cells.map(text => parseFloat(text.replace("★ ", "")));
    const falls = scores.every((score, at) => at === 0 || score <= scores[at - 1]);
    return cells.length > 5 && falls && cells;
}"""


def test_the_best_sets_by_number_have_scores_in_the_list(open_page: Any) -> None:
    page = open_page(F1)
    page.click("#more-toggle")
    page.select_option("#set-keep", "top")
    page.fill("#set-within", "5")
    page.press("#set-within", "Enter")
    family = find("r1-f1+r2-f1", max_sentences=3, top=5)
    wait_for_figure(page, family.count, "best sets · top 5 with ties")
    page.select_option("#sort", "hits")
    # Read in one step: the list of the old order may go at any moment.
    cells = page.wait_for_function(SORTED).json_value()
    assert cells[0] == f"★ {family.score:.5f}"
    assert "★" not in cells[-1]
    assert page.inner_text("#column-hits") == "score"


def test_hits_below_the_best_are_for_recall_alone(open_page: Any) -> None:
    page = open_page("#topic=0&within=6")
    wait_for_figure(page, find("r2-recall", max_words=100, within_hits=6).count, "within 6 hits")
    assert page.input_value("#set-keep") == "hits"
    page.select_option("#set-boundaries", "across")  # the same distance, in points
    across = oraclesum.Rouge("r2-recall", boundaries="across")
    family = find(across, max_words=100, within="6/191")
    wait_for_figure(page, family.count, "sets within 3.14136 points of the best")
    assert page.is_disabled("#set-keep [value=hits]")


def test_ngrams_across_sentences_are_chosen_in_the_page(open_page: Any) -> None:
    page = open_page("#topic=0&a=0")
    page.click("#more-toggle")
    page.select_option("#set-boundaries", "across")
    family = find(oraclesum.Rouge("r2-recall", boundaries="across"), max_words=100)
    page.wait_for_selector(f"#figures:has-text('ROUGE-2 recall · {family.hits} of 191')")
    wait_for_figure(page, family.count, "oracle")
    assert "n-grams across sentences" in page.inner_text(".objective")
    page.keyboard.press("j")
    page.wait_for_selector("#inspector:has-text('hits of ROUGE-2')")
    # What the page counts itself stays inside sentences, so it does not say how far the best is.
    assert "to the oracle" not in page.inner_text("#inspector")
    page.reload()
    page.wait_for_selector("#more:visible")
    assert page.input_value("#set-boundaries") == "across"


@pytest.mark.parametrize(
    ("kind", "wrong"), [("points", "0"), ("points", "101"), ("hits", "1.5"), ("top", "")]
)
def test_a_number_that_cannot_be_used_is_told_beside_its_field(
    open_page: Any, kind: str, wrong: str
) -> None:
    page = open_page("#topic=0")
    page.click("#more-toggle")
    page.select_option("#set-keep", kind)
    page.fill("#set-within", wrong)
    page.press("#set-within", "Enter")
    page.wait_for_selector("#error-within:has-text('Give a')")
    assert page.get_attribute("#set-within", "aria-invalid") == "true"
    page.select_option("#set-keep", "best")
    page.wait_for_selector("#error-within", state="hidden")


def test_two_ways_of_keeping_sets_in_one_link_are_refused_plainly(open_page: Any) -> None:
    page = open_page("#topic=0&top=3&below=0.01")
    page.wait_for_selector("#headline .problem:has-text('set only one of')")
    page.select_option("#set-keep", "best")
    wait_for_figure(page, 8, "oracles")


@pytest.mark.parametrize("wide", [320, 390])
def test_scores_in_the_list_are_not_cut_off_on_a_phone(open_page: Any, wide: int) -> None:
    page = open_page(f"{F1}&below=0.01&pane=analysis", wide=wide, high=844)
    row = page.wait_for_selector("#oracles .row .best")
    assert row.bounding_box()["x"] + row.bounding_box()["width"] <= wide
    assert row.evaluate("(cell) => cell.scrollWidth <= cell.clientWidth + 1")
