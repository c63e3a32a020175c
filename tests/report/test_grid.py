"""Typed cells and the formats they are shown in."""

from __future__ import annotations

import math

import pytest

from oraclesum.report.grid import Cell, Grid, Head, show_power
from oraclesum.report.markup import to_csv, to_latex, to_markdown


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (Cell(value=0.4271, style="ratio"), ".427"),
        (Cell(value=1.0, style="ratio"), "1.000"),
        (Cell(value=-0.12345, style="ratio"), "-.123"),
        (Cell(value=0.5, style="ratio", low=0.25, high=0.75), ".500 [.250, .750]"),
        (Cell(value=math.nan, style="ratio"), "-"),
        (Cell(value=7.5, style="count"), "7.5"),
        (Cell(value=18273.5, style="count"), "18,273.5"),
        (Cell(value=5.48e36, style="power"), "5.48\N{MULTIPLICATION SIGN}10^36"),
        (Cell(value=819, style="power"), "819"),
        (Cell(value=12.5, style="seconds", at_least=True), "≥ 12.50"),
        (Cell(value=1 / 1001, style="ratio", digits=4, at_most=True), "< .0010"),
        (Cell(value=28 / 1001, style="ratio", digits=4, at_most=True), "< .0280"),
        (Cell(value="ID10"), "ID10"),
        (Cell(), "-"),
    ],
)
def test_a_cell_shows_as_its_style_says(cell: Cell, text: str) -> None:
    assert cell.show() == text


def test_powers_of_integers_beyond_floats_are_exact() -> None:
    assert show_power(10**400) == ("1.00", 400)
    assert show_power(9_999_999) == ("1.00", 7)
    assert show_power(12_345) == ("1.23", 4)


GRID = Grid(
    key="odd",
    title="50% of A&B_C",
    heads=(
        Head(name="name", right=False),
        Head(name="ours", group="R|1"),
        Head(name="paper", group="R|1"),
    ),
    rows=(
        (Cell(value="a_b|c"), Cell(value=2.5e9, style="power", best=True), Cell()),
        (
            Cell(value="<d>"),
            Cell(value=1, style="count"),
            Cell(value=0.5, style="ratio", low=0.4, high=0.6),
        ),
    ),
    notes=("A *note*.",),
    rules=frozenset({1}),
)


def test_markdown_escapes_what_would_break_a_table() -> None:
    text = to_markdown(GRID)
    assert r"| a\_b\|c | **2.50" in text
    assert "10<sup>9</sup>**" in text
    assert r"\<d\>" in text
    assert r"A \*note\*." in text


def test_latex_escapes_and_groups() -> None:
    text = to_latex(GRID)
    assert r"50\% of A\&B\_C" in text
    assert r"\multicolumn{2}{c}{R\textbar{}1}" in text
    assert r"\cmidrule(lr){2-3}" in text
    assert r"\textbf{$2.50\times 10^{9}$}" in text
    assert text.count(r"\midrule") == 2


def test_latex_numbers_tables_itself() -> None:
    grid = Grid(
        key="k",
        title="Table 7: how many",
        heads=(Head(name="r"),),
        rows=((Cell(value=-0.5, style="ratio"),),),
    )
    text = to_latex(grid)
    assert r"\caption{How many (Table 7 of the paper).}" in text
    assert "$-$.500" in text


def test_csv_has_bare_values_and_columns_for_intervals() -> None:
    assert to_csv(GRID).splitlines() == [
        "name,R|1 ours,R|1 paper,R|1 paper low,R|1 paper high",
        "a_b|c,2500000000.0,,,",
        "<d>,1,0.5,0.4,0.6",
    ]


def test_csv_marks_lower_bounds_in_a_column_of_their_own() -> None:
    rows = tuple((Cell(value=k, style="count", at_least=k == 2),) for k in (1, 2))
    grid = Grid(key="k", title="t", heads=(Head(name="oracles"),), rows=rows)
    assert to_csv(grid).splitlines() == ["oracles,oracles bound", "1,", "2,lower"]
