"""The page of findings: what its blocks say is what the recorded results say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from shared import ROOT


@pytest.fixture(scope="module")
def page() -> ModuleType:
    return load("findings_page")


def load(name: str) -> ModuleType:
    """A module of benchmarks/, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
