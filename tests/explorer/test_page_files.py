"""The page's own files: explained in their first line, and without ways to inject markup."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import oraclesum

PAGE = Path(oraclesum.__file__).parent / "explorer" / "page"
SCRIPTS = sorted(PAGE.glob("*.js"))
SHEETS = sorted(PAGE.glob("*.css"))


def test_there_are_files_to_look_at() -> None:
    assert len(SCRIPTS) > 15
    assert len(SHEETS) > 3
    assert (PAGE / "index.html").exists()


@pytest.mark.parametrize("path", [*SCRIPTS, *SHEETS], ids=lambda path: path.name)
def test_a_file_says_what_it_is_for(path: Path) -> None:
    assert re.match(r"(// |/\* ).{20,}", path.read_text())


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_can_turn_text_into_markup(path: Path) -> None:
    ways = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser"
    assert not re.search(ways, path.read_text())


def test_the_page_has_no_inline_script_or_style_and_loads_nothing_from_elsewhere() -> None:
    text = (PAGE / "index.html").read_text()
    assert not re.search(r"<style|style=|\son\w+=|javascript:", text)
    assert re.findall(r"<script[^>]*>", text) == ['<script type="module" src="/page/main.js">']
    for path in [PAGE / "index.html", *SCRIPTS, *SHEETS]:
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", path.read_text()), path.name


def test_every_file_that_is_named_exists() -> None:
    named = re.findall(r"/page/([\w.]+)", (PAGE / "index.html").read_text())
    for path in SCRIPTS:
        named += re.findall(r'from "\./([\w.]+)"', path.read_text())
    assert len(named) > 40
    assert {name for name in named if not (PAGE / name).exists()} == set()
