"""The published figures as they were typed in, checked where the paper's own text repeats them."""

from __future__ import annotations

import pytest

from oraclesum.experiments.published import YEARS, find_year, load_published


@pytest.mark.parametrize("year", YEARS)
def test_a_year_has_the_figures_of_tables_one_two_five_and_seven(year: str) -> None:
    published = load_published(year)
    assert published.get("statistics", "length") == (100 if year < "2005" else 250)
    for n in ("1", "2"):
        oracle, greedy = (published.get("scores", name, n) for name in ("oracle_multi", "greedy"))
        assert published.get("scores", "peer", n) < greedy < oracle
        assert oracle < published.get("scores", "oracle_single", n)
        for kind in ("single", "multi"):
            assert 0.5 < published.get("multiple_rate", kind, n) < 1
        assert published.get("checked", n) < published.get("feasible", n)


def test_the_slip_in_table_five_is_mended() -> None:
    assert load_published("2007").get("multiple_rate", "multi", "2") == 0.711


def test_sentences_of_the_text_agree_with_the_tables() -> None:
    duc04 = load_published("2004")
    # "RegSum achieved the best ROUGE-1 = 0.331, ICSISumm the best result with ROUGE-2 = 0.098."
    systems = duc04.get("systems")
    assert max(systems, key=lambda name: systems[name]["1"]) == "RegSum"
    assert max(systems, key=lambda name: systems[name]["2"]) == "ICSISumm"
    # "Peers 65 and 67 in Table 2."
    assert duc04.get("best_peer") == {"1": "67", "2": "65"}
    # "F-measure (R1) (single-M) achieved the best Spearman's rho."
    table = duc04.get("correlations")
    assert max(table, key=lambda name: table[name]["spearman"][0]) == "F-measure (R1) (single-M)"
    # The differences are of the order 10^7 to 10^30 with ROUGE-1 and 10^4 to 10^17 with ROUGE-2.
    for n, smallest, largest in (("1", 1e7, 1e31), ("2", 1e3, 1e18)):
        for year in YEARS:
            published = load_published(year)
            ratio = published.get("feasible", n) / published.get("checked", n)
            assert smallest < ratio < largest


@pytest.mark.parametrize(
    ("name", "year"),
    [
        ("DUC2004", "2004"),
        ("/data/duc-2007/main", "2007"),
        ("corpora/duc05.tar.gz", "2005"),
        ("duc2003/copy_of_DUC_2002.jsonl", "2002"),
        ("duc2010", None),
        ("multiling2011_english.jsonl", None),
        ("product2004", None),
    ],
)
def test_the_year_is_read_from_the_name(name: str, year: str | None) -> None:
    assert find_year(name) == year


def test_another_corpus_has_no_published_figures() -> None:
    assert load_published(None).get("scores", "peer", "1") is None
