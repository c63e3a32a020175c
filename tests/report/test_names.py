"""Names where there is little room."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from oraclesum.report.names import break_name, fit_names, longest_piece, shorten_names


def test_our_prefix_goes_first_and_names_stay_different() -> None:
    names = ["oraclesum/lead", "oraclesum/concept-coverage", "peer"]
    assert list(shorten_names(names, 16).values()) == ["lead", "concept-coverage", "peer"]


def test_a_name_that_would_be_shared_stays_whole() -> None:
    shown = shorten_names(["lead", "oraclesum/lead", "oraclesum/random"], 16)
    assert shown == {
        "lead": "lead",
        "oraclesum/lead": "oraclesum/lead",
        "oraclesum/random": "random",
    }


def test_long_names_keep_both_ends() -> None:
    names = ["a-very-long-system-name-1", "a-very-long-system-name-2"]
    shown = shorten_names(names, 12)
    assert len(set(shown.values())) == 2
    assert all(len(text) == 12 and "…" in text for text in shown.values())


@pytest.mark.parametrize(
    ("text", "width", "broken"),
    [
        ("first-sentences", 10, "first-\nsentences"),
        ("oraclesum/concept-coverage", 12, "oraclesum/\nconcept-\ncoverage"),
        ("F-measure (R1) (single-M)", 16, "F-measure (R1)\n(single-M)"),
        ("ROUGE-1", 3, "ROUGE-1"),
        ("greedy with oracles", 30, "greedy with oracles"),
        ("", 5, ""),
    ],
)
def test_names_are_broken_between_words_only(text: str, width: int, broken: str) -> None:
    assert break_name(text, width) == broken
    assert max(map(len, broken.split("\n"))) <= max(width, longest_piece(text))


LONG = [f"a-long-name-of-a-system-{kind}-with-an-end" for kind in ("one", "two", "three", "four")]


@pytest.mark.parametrize(
    "names",
    [
        LONG,
        ["same-start-0001", "same-start-0002", "same-start-0003"],
        ["same-start-1-same-end", "same-start-2-same-end"],
        ["x" * 40 + str(n) + "y" * 40 for n in range(120)],
        ["日本語の長い名前一番", "日本語の長い名前二番", "日本語"],
        ["abcdef", "abcdefg", "abcdefgh"],
        ["ab…gh", "abcdefgh", "abxxxxgh"],
    ],
)
@pytest.mark.parametrize("width", [6, 8, 16, 30])
def test_names_that_are_cut_to_fit_stay_different(names: list[str], width: int) -> None:
    shown = fit_names([*names, *names], width)
    assert set(shown) == set(names)
    assert len(set(shown.values())) == len(names)
    assert all(cell_len(text) <= width for text in shown.values())
    assert all(shown[name] == name for name in names if cell_len(name) <= width)


@given(st.lists(st.text("ab…~1日", max_size=30), max_size=30), st.integers(6, 20))
def test_any_names_that_are_cut_to_fit_stay_different(names: list[str], width: int) -> None:
    shown = fit_names(names, width)
    assert len(set(shown.values())) == len(set(names))
    assert all(cell_len(text) <= width for text in shown.values())
