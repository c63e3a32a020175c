"""Cards for notebooks: complete in themselves, safe, never an error, never slow."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

import oraclesum
from oraclesum.card import Card, draw_safely
from oraclesum.evaluation.correlation import Correlation
from oraclesum.evaluation.panel import prepare_summaries, score_panel
from oraclesum.evaluation.significance import Difference
from oraclesum.oracles.store import ListedStore

SENTENCES = ["The cat sat on the mat.", "Dogs bark at night.", "A cat sat on a warm mat."]
REFERENCES = ["The cat sat on the warm mat.", "A cat sat. Dogs bark."]


class Nesting(HTMLParser):
    """Fails where tags do not nest, and keeps their names."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert not any(name.startswith("on") for name, _ in attrs)
        self.seen.add(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def show(result: Any) -> str:
    """The card of a result, checked."""
    html = result._repr_html_()
    assert isinstance(html, str)
    nesting = Nesting()
    nesting.feed(html)
    assert not nesting.open
    assert nesting.seen <= {"div", "span", "b", "code", "svg", "g", "title", "rect", "path"}
    assert "http" not in html
    return html


def family(**changes: Any) -> oraclesum.OracleFamily:
    return oraclesum.enumerate_oracles(SENTENCES, REFERENCES, **{"max_words": 11, **changes})


def test_a_family_shows_score_count_status_inclusion_oracles_and_signature() -> None:
    found = family()
    html = show(found)
    assert f"{found.score:.5f}" in html
    assert f"{found.count} oracle" in html
    assert found.status.words in html
    for k, share in enumerate(found.inclusion):
        assert f"<title>sentence {k}: in {share:.1%} of the oracles</title>" in html
    assert "{" + ", ".join(map(str, next(iter(found)))) + "}" in html
    assert found.signature.replace("<", "&lt;") in html


def test_bars_are_numbered_and_nodes_are_explained() -> None:
    html = show(family())
    assert f">{len(SENTENCES) - 1}</span>" in html
    assert ">0</span>" in html
    assert 'title="partial summaries that the search looked into"' in html


def test_every_result_has_a_card() -> None:
    found = family()
    overlap = oraclesum.evaluate([0], found)
    assert f"F {overlap.f_measure:.4f}" in show(overlap)
    oracle = oraclesum.find_oracle(SENTENCES, REFERENCES, max_words=11)
    assert "proven best" in show(oracle)
    rouge = oraclesum.Rouge()
    assert "recall" in show(oraclesum.score(SENTENCES[:1], REFERENCES, rouge))
    for row in oraclesum.compare(SENTENCES, REFERENCES, max_words=11, methods=["search", "greedy"]):
        assert f"Method {row.method}" in show(row)
    summaries = prepare_summaries({"second": SENTENCES[1:2]}, SENTENCES)
    scored = score_panel(summaries, REFERENCES, rouge, found, draws=3)
    assert "of the best score" in show(scored["second"])
    correlation = Correlation(
        measure="ROUGE-2",
        level="system",
        coefficient="pearson",
        value=0.5,
        low=-0.1,
        high=0.9,
        interval="draws",
        topics=3,
        systems=4,
    )
    assert "0.500" in show(correlation)
    difference = Difference(
        first="a",
        second="<b>",
        level="summary",
        coefficient="kendall",
        difference=-0.25,
        williams=None,
        williams_holm=None,
        permutation=0.5,
        permutation_holm=0.5,
    )
    assert "a less &lt;b&gt;" in show(difference)
    assert "&lt; 0.0001" in show(replace(difference, williams=1e-9, williams_holm=1e-9))


@pytest.mark.filterwarnings("ignore::oraclesum.NoOverlapWarning")
def test_a_family_without_an_oracle_has_a_card() -> None:
    html = show(oraclesum.enumerate_oracles(["x y"], ["a b c"], max_words=9))
    assert "no sentence that fits shares an n-gram" in html
    assert "0 oracles" in html


def test_text_is_escaped() -> None:
    html = Card(kind="<i>", value="<i>", note="<i>", facts=[("<i>", "<i>")], lines=["<i>"]).render()
    assert "<i>" not in html
    assert html.count("&lt;i&gt;") == 6


def test_a_family_that_would_take_long_is_shown_without_its_bars(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # 127,000 nodes and counts of 119 digits: still quick, so the limit is lowered.
    monkeypatch.setattr("oraclesum.oracles.cards._LIGHT", 1_000_000)
    sentences = ["x y " + "z " * (k % 7) for k in range(400)]
    large = oraclesum.enumerate_oracles(sentences, ["x y q r s t"], max_words=900)
    html = show(large)
    assert "<svg" not in html
    assert "inclusion is not drawn" in html
    assert re.search(r"8\.84e\+118 oracles", html)
    assert "inclusion" not in vars(large)


def test_a_long_list_is_not_counted_for_a_card() -> None:
    store = ListedStore([(k,) for k in range(200_000)], 200_000)
    assert store.effort > 15_000_000
    assert store.inclusion_by_size
    assert store.effort == 0


def test_a_long_document_is_one_path() -> None:
    html = Card(kind="k", value="v", strip=[0.5, 0.0] * 1000).render()
    assert html.count("<path") == 1
    assert "<rect" not in html
    assert len(html) < 40_000


def test_what_cannot_be_drawn_falls_back_to_plain_text() -> None:
    def fail() -> Card:
        raise RuntimeError("no")

    assert draw_safely(fail) is None


@pytest.mark.parametrize(
    ("rouge", "name"),
    [(None, "ROUGE-2 recall"), ("r1-f1+r2-f1", "r1-f1+r2-f1"), ("rlsum-f1", "ROUGE-Lsum F1")],
)
def test_cards_name_the_statistic_whatever_is_maximised(rouge: str | None, name: str) -> None:
    found = family(rouge=rouge)
    oracle = oraclesum.find_oracle(SENTENCES, REFERENCES, rouge=rouge, max_words=11)
    rows = oraclesum.compare(SENTENCES, REFERENCES, rouge=rouge, max_words=11)
    scored = [row for row in rows if row.score is not None]
    for result in (found, oracle, *scored):
        assert f"{name} {result.score:.5f}" in show(result)
    for row in rows:
        if row.score is None:
            assert "not available" in show(row)
    unfinished = oraclesum.find_oracle(
        SENTENCES, REFERENCES, rouge=rouge, max_words=11, method="greedy"
    )
    assert "at most" in show(unfinished)


def test_the_card_of_a_score_names_its_statistic() -> None:
    scored = oraclesum.score(SENTENCES[:1], REFERENCES, oraclesum.Rouge(n=1))
    assert f"ROUGE-1 recall {scored.recall:.5f}" in show(scored)
