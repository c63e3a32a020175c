"""Tables on a terminal: alignment, narrow terminals, numbers of any size."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from oraclesum.report.numbers import format_count
from oraclesum.report.tables import Column, RecordTable, format_status, print_summary

TOPIC = Column(header="topic", cell=lambda record, _: record["id"], right=False, yields=True)
STATUS = Column(header="status", cell=format_status, right=False, hidden_if={"complete"})
HITS = Column(header="hits\nfound", cell=lambda record, _: f"{record['hits']:,}")


def render(rows: list[dict[str, object]], width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    table = RecordTable([TOPIC, STATUS, HITS], console)
    for row in rows:
        table.add(row, 0.0)
    table.print()
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_columns_align_and_a_column_that_says_nothing_is_left_out() -> None:
    rows = [{"id": "a", "status": "complete", "hits": 7}]
    rows += [{"id": "a long name", "status": "complete", "hits": 12345}]
    assert render(rows, 80) == [
        "               hits",
        "topic         found",
        "────────────────────",
        "a                 7",
        "a long name  12,345",
        "",
    ]


def test_an_error_keeps_its_place_and_shows_the_status_column() -> None:
    rows = [{"id": "a", "status": "complete", "hits": 7}, {"id": "b", "status": "error"}]
    lines = render(rows, 80)
    assert lines[3].split() == ["a", "complete", "7"]
    assert lines[4].split() == ["b", "error"]


def test_a_narrow_terminal_cuts_only_what_may_be_cut() -> None:
    rows = [{"id": "a very long name of a topic", "status": "complete", "hits": 1234567890}]
    assert render(rows, 25)[3] == "a very l…  1,234,567,890"


def test_names_in_wide_characters_stay_aligned() -> None:
    rows = [{"id": "日本語", "status": "complete", "hits": 1}]
    rows += [{"id": "abcdef", "status": "complete", "hits": 2}]
    lines = render(rows, 40)
    assert lines[3] == "日本語      1"
    assert lines[4] == "abcdef      2"


def test_no_rows_print_nothing() -> None:
    assert render([], 40) == []


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "0"),
        (1234567, "1,234,567"),
        (10**15 - 1, "999,999,999,999,999"),
        (str(548 * 10**34), "5.48e+36"),
    ],
)
def test_counts_have_separators_and_huge_ones_a_power_of_ten(count: int | str, shown: str) -> None:
    assert format_count(count) == shown


def test_a_summary_shows_sentences_as_they_are_written() -> None:
    console = Console(file=io.StringIO(), width=40, highlight=False)
    record = {
        "id": "t",
        "status": "complete",
        "proven": True,
        "hits": 1,
        "total": 2,
        "score": 0.5,
        "oracle": [3],
        "summary": ["[bold]Not markup[/bold] but text that goes on."],
        "rouge": {"recall": 0.5, "precision": 0.25, "f1": 1 / 3},
    }
    print_summary(console, record, "R2", 2)
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert [line.rstrip() for line in lines[:3]] == [
        "t  R2 1/2 = 0.50000  proven best",
        "    3 [bold]Not markup[/bold] but text",
        "      that goes on.",
    ]


def test_a_count_too_long_to_read_is_rounded() -> None:
    assert format_count(1926775234936498494581) == "1.93e+21"
    assert format_count(9_999_999_999_999_999) == "1.00e+16"
    assert format_count(str(2 * 10**400 + 1)) == "2.00e+400"
    assert format_count(999_999_999_999_999) == "999,999,999,999,999"
