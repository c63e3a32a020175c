"""Evaluations and correlations as they look on terminals wide and narrow."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
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


def test_p_at_the_floor_of_a_test_is_shown_as_a_bound() -> None:
    console, stream = make_console(100)
    at_floor = {**difference(0.01), "permutation_holm": 1 / 1001, "permutation_bound": True}
    print_correlations([correlation("M", 0.5, "system"), at_floor], console)
    assert "< .0010" in stream.getvalue()


def test_no_p_is_shown_as_zero() -> None:
    console, stream = make_console(100)
    print_correlations([correlation("M", 0.5, "system"), difference(1e-9)], console)
    assert "< .0001" in stream.getvalue()
    assert ".0000" not in stream.getvalue()


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


def show_evaluation(width: int, rows: list[dict[str, Any]], *, single: bool = False) -> str:
    console, stream = make_console(width)
    table = EvaluationTable(2, with_reference=single, console=console)
    for row in rows:
        table.add(row, 0.0)
    table.print()
    return stream.getvalue()


@pytest.mark.parametrize("references", ["multi", "single"])
@pytest.mark.parametrize("limit", [(), ("--time-limit", "0.0000001")])
def test_eighty_columns_cut_no_number_and_tell_our_systems_apart(
    references: str, limit: tuple[str, ...]
) -> None:
    options = ("--max-words", "60", "--systems", "all", "--references", references, *limit)
    rows = records(call("evaluate", "demo", *options).stdout)
    text = show_evaluation(80, rows, single=references == "single")
    assert max(map(len, text.splitlines())) <= 80
    assert not re.search(r"[.\d]…", text), "a number was cut"
    average = text.partition("Averages")[2]
    for name in ("lead", "random", "frequency", "centroid", "concept-coverage"):
        assert re.search(rf"^{name} ", average, re.MULTILINE), name
    assert "shown without oraclesum/" in text
    assert "No room for:" in text


def test_a_wide_terminal_shows_whole_names_and_every_column() -> None:
    rows = records(call("evaluate", "demo", "--max-words", "60", "--systems", "all").stdout)
    text = show_evaluation(160, rows)
    assert "oraclesum/concept-coverage" in text
    assert "No room for" not in text
    assert "core" in text


def test_evaluations_say_how_many_cases_were_stopped() -> None:
    rows = records(call("evaluate", "demo", "--max-words", "60").stdout)
    assert "Time ran out" not in show_evaluation(100, rows)
    for row in rows:
        if row["id" if "id" in row else "system"] == rows[0]["id"]:
            row["status"] = "time_limit"
            row["missed_core"] = None
    text = " ".join(show_evaluation(100, rows).split())
    assert "P, R, F: against all oracles found." in text
    assert "Time ran out in 1 of 6 cases" in text


def test_a_value_stands_beside_the_first_line_of_its_name() -> None:
    console, stream = make_console(34)
    cell = Cell(value=0.123, style="ratio", low=-0.456, high=0.789)
    names = ("F-measure (R1) (single-M)", "oraclesum/concept-coverage")
    grid = Grid(
        key="g",
        title="t",
        heads=(Head(name="measure", right=False), Head(name="r")),
        rows=tuple((Cell(value=name), cell) for name in names),
    )
    print_grid(grid, console)
    lines = [line.split() for line in stream.getvalue().splitlines()]
    assert ["F-measure", "(R1)", ".123"] in lines
    assert ["oraclesum/concept-", ".123"] in lines or ["oraclesum/", ".123"] in lines


def test_columns_without_room_go_into_a_second_table() -> None:
    heads = [Head(name="system", right=False)]
    heads += [Head(name=f"{n}{k}", group=f"ROUGE-{n}") for n in (1, 2) for k in "PRF"]
    row = (Cell(value="first-sentences"), *(Cell(value=0.5, style="ratio") for _ in range(6)))
    console, stream = make_console(38)
    print_grid(Grid(key="g", title="t", heads=tuple(heads), rows=(row,)), console)
    text = stream.getvalue()
    assert text.count("first-sentences") == 2
    assert text.count(".500") == 6
    assert max(map(len, text.splitlines())) <= 38
    first, second = text.split("first-sentences")[:2]
    assert "1F" in first
    assert "2P" in second


SYSTEMS = [f"transformer-large-pretrained-on-news-{k}-steps-checkpoint" for k in (100, 200, 3000)]
NAMED = [
    {
        **GOOD,
        "id": f"cnn-dailymail-test-document-{k}-part",
        "systems": {name: [0] for name in SYSTEMS},
    }
    for k in (1, 2)
]


@pytest.mark.parametrize("width", [120, 80, 40])
def test_long_names_of_systems_and_topics_stay_different_and_no_number_is_cut(width: int) -> None:
    rows = records(call("evaluate", "-", "--max-words", "8", data=jsonl(*NAMED)).stdout)
    text = show_evaluation(width, rows)
    lines = [line for line in text.splitlines() if re.search(r" \.\d{3} ", line)]
    table, averages = lines[:6], lines[6:]
    assert len({line.split()[0] for line in table}) == 2
    assert len({line.split()[1] for line in table}) == 3
    assert len({line.split()[0] for line in averages}) == 3
    assert not re.search(r"[.\d]…$|\.\d*…", "\n".join(lines), re.MULTILINE), "a number was cut"


@pytest.mark.parametrize("verb", ["enumerate", "score"])
@pytest.mark.parametrize("width", [80, 40])
def test_tables_of_records_tell_long_names_apart(
    verb: str,
    width: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    from oraclesum.cli import main

    (tmp_path / "in.jsonl").write_bytes(jsonl(*NAMED))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(width))
    limit = [] if verb == "score" else ["--max-words", "8"]
    with pytest.raises(SystemExit):
        main([verb, str(tmp_path / "in.jsonl"), *limit, "-q"])
    shown = capsys.readouterr().out
    lines = [line for line in shown.splitlines() if re.search(r"\d\.\d{3}", line)]
    places = (0, 1) if verb == "score" else (0,)
    rows = lines[:6] if verb == "score" else lines
    for place in places:
        assert len({line.split()[place] for line in rows}) == (2, 3)[place], shown
    if verb == "score":
        assert len({line.split()[0] for line in lines[6:]}) == 3, shown
