"""Evaluations and correlations as they look on terminals wide and narrow."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.console import Console

from cli.corpus import GOOD, call, jsonl, records
from oraclesum.report.correlated import print_correlations
from oraclesum.report.evaluated import EvaluationTable
from oraclesum.report.grid import Cell, Grid, Head
from oraclesum.report.grid_terminal import print_grid


def make_console(width: int) -> tuple[Console, io.StringIO]:
    stream = io.StringIO()
    return Console(file=stream, width=width, highlight=False), stream


def correlation(measure: str, value: float, level: str) -> dict[str, Any]:
    return {
        "kind": "correlation",
        "measure": measure,
        "level": level,
        "coefficient": "pearson",
        "value": value,
        "low": value - 0.1,
        "high": value + 0.1,
        "interval": "draws" if measure.endswith("S") else "topics and systems",
        "human": "grade",
        "topics": 10,
        "systems": 8,
    }


def difference(p: float) -> dict[str, Any]:
    return {
        "kind": "difference",
        "level": "system",
        "coefficient": "pearson",
        "first": "one",
        "second": "other",
        "difference": 0.25,
        "williams_holm": p,
        "permutation_holm": 0.4,
    }


def test_correlations_show_both_levels_and_what_differs() -> None:
    console, stream = make_console(100)
    rows = [correlation(m, 0.5, level) for level in ("system", "summary") for m in ("M", "S")]
    print_correlations([*rows, difference(0.01)], console)
    text = stream.getvalue()
    assert "Across systems (averages over topics): grade, 8 systems, 10 topics" in text
    assert "Across the summaries of a topic" in text
    assert ".500 [.400, .600]" in text
    assert "Pairs of measures that differ at 0.05" in text
    assert ".0100" in text


def test_correlations_say_so_where_nothing_differs() -> None:
    console, stream = make_console(100)
    print_correlations([correlation("M", 0.5, "system"), difference(0.2)], console)
    assert "No two measures differ at 0.05" in stream.getvalue()


@pytest.mark.parametrize("width", [120, 60, 40])
def test_no_number_is_cut_on_a_narrow_terminal(width: int) -> None:
    head = [Head(name="measure", right=False), *(Head(name=f"r{k}") for k in range(3))]
    cell = Cell(value=0.123, style="ratio", low=-0.456, high=0.789)
    grid = Grid(
        key="g", title="t", heads=tuple(head), rows=((Cell(value="ROUGE-1"), cell, cell, cell),)
    )
    console, stream = make_console(width)
    print_grid(grid, console)
    text = stream.getvalue()
    for number in (".123", "-.456", ".789"):
        assert text.count(number) == 3
    assert "…" not in text


def test_evaluations_show_rows_and_averages() -> None:
    console, stream = make_console(140)
    table = EvaluationTable(2, with_reference=False, console=console)
    rows = records(call("evaluate", "-", "--max-words", "8", data=jsonl(GOOD)).stdout)
    for row in rows:
        table.add(row, 0.0)
    table.print()
    text = stream.getvalue()
    assert text.count("texts") == 2
    assert "Averages over 1 topic" in text
    for header in ("share", "F one", "words", "missed"):
        assert header in text
    assert f"{rows[1]['rouge']['recall']:.3f}".removeprefix("0") in text


def test_evaluations_fit_a_terminal_of_eighty_columns() -> None:
    console, stream = make_console(80)
    table = EvaluationTable(2, with_reference=False, console=console)
    for row in records(call("evaluate", "demo", "--max-words", "60").stdout):
        table.add(row, 0.0)
    table.print()
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert not re.search(r"\.\d*…", "".join(lines)), "a score was cut"
