"""The page of findings: its generated blocks, its pictures, and the record of what made them.

Every part of the findings is a module `findings_NAME.py` with two functions:

    run(folder: Path, progress: Progress) -> None       # measures; writes CSV files and pictures
    describe(folder: Path) -> dict[str, str]             # blocks of Markdown by name, from the CSV

`folder` is benchmarks/results/findings; a part calls its files by its own name (objectives-….csv).
`progress` is called with a line of text. `run` is resumable: it leaves alone what is there under
the same signature (`is_current`, `sign`). A block stands in docs/findings.md between the lines

    <!-- begin NAME -->
    <!-- end NAME -->

and is replaced whole by `fill_page`; a sentence that quotes a figure belongs into a block.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "findings"
PAGE = ROOT / "docs" / "findings.md"
PICTURES = ROOT / "docs" / "pictures" / "findings"

Progress = Callable[[str], None]

_SIGNATURES = "signatures.json"  # what each part was made with
# Readable on white and distinct for most colour-blind readers (Okabe and Ito).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555")


def fill_page(blocks: Mapping[str, str], page: Path = PAGE) -> None:
    """Replace each block of the page that is named; a name without a place is an error."""
    text = page.read_text(encoding="utf-8")
    for name, content in blocks.items():
        text, found = _block(name).subn(
            lambda match, content=content: f"{match[1]}\n{content.strip()}\n\n{match[3]}", text
        )
        if found != 1:
            raise ValueError(f"{page.name}: {found} places for the block {name!r}, not 1")
    page.write_text(text, encoding="utf-8")


def read_block(name: str, page: Path = PAGE) -> str:
    """What a block of the page says now."""
    found = _block(name).search(page.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{page.name}: no block {name!r}")
    return found[2].strip()


def _block(name: str) -> re.Pattern[str]:
    begin, end = (re.escape(f"<!-- {word} {name} -->") for word in ("begin", "end"))
    return re.compile(rf"^({begin}\n)(.*?)^({end})$", flags=re.DOTALL | re.MULTILINE)


def write_rows(path: Path, heads: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """A table of results: floats to six decimals, what is not known or missing left empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, heads, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _round(value) for name, value in row.items()} for row in rows)


def _round(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return "" if math.isnan(value) else f"{value:.6f}"


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table; none if it is not there."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """A table of Markdown; the first `left` columns stand to the left."""
    marks = [":---" if k < left else "---:" for k in range(len(heads))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, marks, *rows])


def save_figure(figure: Any, name: str) -> Path:
    """Write a figure of matplotlib as SVG, the same bytes for the same figure, on white."""
    import matplotlib

    PICTURES.mkdir(parents=True, exist_ok=True)
    path = PICTURES / f"{name}.svg"
    with matplotlib.rc_context({"svg.hashsalt": "oraclesum", "svg.fonttype": "path"}):
        figure.savefig(
            path, facecolor="white", bbox_inches="tight", metadata={"Date": None, "Creator": None}
        )
    return path


def is_current(folder: Path, part: str, signature: str, files: Iterable[Path] = ()) -> bool:
    """Whether a part was made with this signature and its files are there."""
    recorded = read_signatures(folder).get(part, {}).get("signature")
    return recorded == signature and all(file.exists() for file in files)


def sign(folder: Path, part: str, signature: str, packages: Iterable[str] = ()) -> None:
    """Record what a part was made with: its signature, and versions of what it relies on."""
    every = read_signatures(folder)
    every[part] = {"signature": signature, "versions": dict(_find_versions(packages))}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _SIGNATURES).write_text(json.dumps(every, indent=1, sort_keys=True) + "\n")


def read_signatures(folder: Path) -> dict[str, Any]:
    """The record of all parts."""
    path = folder / _SIGNATURES
    return json.loads(path.read_text()) if path.exists() else {}


def _find_versions(packages: Iterable[str]) -> Iterable[tuple[str, str]]:
    for name in ("oraclesum", "numpy", "scipy", *packages):
        try:
            yield name, version(name)
        except PackageNotFoundError:
            yield name, "not installed"
