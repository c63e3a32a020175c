"""Names where there is little room."""

from __future__ import annotations

import pytest

from oraclesum.report.names import break_name, longest_piece, shorten_names


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
