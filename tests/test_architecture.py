"""The pages for developers: what they name exists, and the walk of a record is as short as said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["docs/architecture.md", "CONTRIBUTING.md"]
FOLDERS = ("src", "kernel", "bindings", "tests", "benchmarks", "docs")
FILES = [
    "/" + path.relative_to(ROOT).as_posix() + ("/" if path.is_dir() else "")
    for folder in FOLDERS
    for path in (ROOT / folder, *(ROOT / folder).rglob("*"))
    if "__pycache__" not in path.parts
]
NAMED = re.compile(r"`([\w./*-]+(?:\.(?:py|cpp|hpp|css|js|md|conf)|/))`")
ELSEWHERE = ("build/", "include/", "src/", "FOLDER/")  # made by a build, or in several places


def exists(name: str) -> bool:
    """Whether a file or folder of the project is called so, from whichever folder it is named."""
    pattern = re.compile("/" + re.escape(name).replace(r"\*", "[^/]*") + "$")
    return (ROOT / name).exists() or any(map(pattern.search, FILES))


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_for_developers_names_exists(page: str) -> None:
    named = dict.fromkeys(NAMED.findall((ROOT / page).read_text()))
    assert len(named) > 20
    placeholders = [name for name in named if "NAME" in name]
    missing = [name for name in named if name not in (*placeholders, *ELSEWHERE)]
    assert [name for name in missing if not exists(name)] == []


def test_one_record_is_followed_through_at_most_15_files() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    walk = page.partition("through these 15 files:")[2].partition("Beside this way:")[0]
    named = set(re.findall(r"`([\w/]+\.py)`", walk))
    assert len(named) == 15
    assert [name for name in named if not (ROOT / "src" / "oraclesum" / name).exists()] == []
