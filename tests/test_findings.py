"""The page of findings: what its blocks say is what the recorded results say."""

from __future__ import annotations

import dataclasses
import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from findings import load
from oraclesum.corpora import demo_path
from shared import ROOT


@pytest.fixture(scope="module")
def page() -> ModuleType:
    return load("findings_page")


@pytest.fixture(scope="module")
def objectives() -> ModuleType:
    return load("findings_objectives")


def test_a_block_is_replaced_whole_and_nothing_else_is(page: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text(
        "# A\n<!-- begin x -->\nold\n<!-- end x -->\nB\n<!-- begin y -->\n<!-- end y -->\n"
    )
    page.fill_page({"x": r"new \1", "y": "more"}, file)
    assert page.read_block("x", file) == r"new \1"
    assert page.read_block("y", file) == "more"
    once = file.read_text()
    page.fill_page({"x": r"new \1", "y": "more"}, file)
    assert file.read_text() == once
    assert once.startswith("# A\n<!-- begin x -->\n")
    assert "\nB\n" in once


def test_a_block_without_a_place_is_an_error(page: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("# A\n")
    with pytest.raises(ValueError, match="0 places for the block 'x'"):
        page.fill_page({"x": "new"}, file)


def test_a_part_is_current_under_its_own_signature_only(page: ModuleType, tmp_path: Path) -> None:
    made = tmp_path / "a.csv"
    page.sign(tmp_path, "a", "one")
    assert not page.is_current(tmp_path, "a", "one", [made])
    made.write_text("")
    assert page.is_current(tmp_path, "a", "one", [made])
    assert not page.is_current(tmp_path, "a", "two", [made])
    assert page.read_signatures(tmp_path)["a"]["versions"]["oraclesum"]


def test_the_page_says_what_the_results_say(page: ModuleType, objectives: ModuleType) -> None:
    for name, text in objectives.describe(page.RESULTS).items():
        if name != "versions":  # of all parts, each of which signs in its own time
            assert page.read_block(name) == text.strip(), name


def test_every_picture_of_the_page_is_there(page: ModuleType) -> None:
    pictures = re.findall(r"!\[[^\]]+\]\((pictures/[^)]+)\)", page.PAGE.read_text())
    assert len(pictures) >= 5
    for picture in pictures:
        assert (ROOT / "docs" / picture).read_text().lstrip().startswith("<?xml")


def test_a_corpus_replaces_its_own_rows_only(objectives: ModuleType, tmp_path: Path) -> None:
    from oraclesum.report.grid import Cell, make_grid

    def make(value: float, *, bound: bool = False) -> object:
        cells = (Cell(value="r1-f1"), Cell(value=value, style="ratio", at_least=bound))
        return make_grid("x", "X", ("objective", "optimum"), [cells])

    path = tmp_path / "objectives-x.csv"
    objectives.add_rows(path, "SummEval", make(0.5))
    objectives.add_rows(path, "CNN/DM", make(0.25, bound=True))
    objectives.add_rows(path, "SummEval", make(0.75))
    rows = objectives.read_rows(path)
    assert [(row["corpus"], row["optimum"]) for row in rows] == [
        ("CNN/DM", "0.25"),
        ("SummEval", "0.75"),
    ]
    table = objectives.Table(tmp_path, "x", "objective")
    assert table.show("CNN/DM", "r1-f1", "optimum") == "≥ 0.250"
    assert table.show("SummEval", "r1-f1", "optimum") == "0.750"


def test_findings_of_a_small_corpus_are_made_once_and_described(
    page: ModuleType, objectives: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    shutil.copy(demo_path(), tmp_path / "data" / "demo.jsonl")
    source = objectives.Source(
        name="demo", file="demo.jsonl", kind="news", limit={"max_words": 60}, seconds=60, sample=4
    )
    monkeypatch.setattr(objectives, "SOURCES", (source,))
    monkeypatch.setattr(objectives, "SCRATCH", tmp_path / "scratch")
    monkeypatch.setattr(page, "PICTURES", tmp_path / "pictures")
    monkeypatch.setenv("ORACLESUM_SHARED", str(tmp_path))
    folder, said = tmp_path / "results", []
    objectives.run(folder, said.append, jobs=1)
    assert said[-1] == "objectives: demo, 4 of 4 topics"
    blocks = objectives.describe(folder)
    assert "| demo | news | 4 |" in blocks["corpora"]
    assert "sample:4" in blocks["versions"]
    signed = [objectives.sign_source(source, tmp_path / "data", most) for most in (None, 4, 9, 2)]
    assert signed[0] == signed[1] == signed[2] != signed[3]
    whole = dataclasses.replace(source, sample=None)
    assert "sample:all" in objectives.sign_source(whole, tmp_path / "data", 6)
    pictures = {path.name: path.read_bytes() for path in (tmp_path / "pictures").iterdir()}
    objectives.run(folder, said.append, jobs=1)
    assert said[-1] == "objectives: demo is there already"
    assert objectives.describe(folder) == blocks
    (folder / "signatures.json").unlink()  # as after an interruption
    objectives.run(folder, said.append, jobs=1)
    assert "objectives: demo, 4 of 4 topics 4 topics were measured before" in said
    assert objectives.describe(folder) == blocks
    for name, content in pictures.items():  # the same figures are the same bytes
        assert (tmp_path / "pictures" / name).read_bytes() == content
