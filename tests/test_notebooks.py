"""The notebooks of `examples/` run in new kernels and give the outputs that are kept in them."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from children import run_child

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def read_outputs(path: Path) -> list[Any]:
    """What every cell shows; of a picture only that there is one, for fonts differ."""
    shown = []
    for cell in json.loads(path.read_text())["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "image/png" in data:
                assert len(data["image/png"]) > 1000
                data["image/png"] = "a picture"
            shown.append((cell["id"], output["output_type"], output.get("text"), data))
    return shown


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_the_outputs_that_are_kept_in_it(path: Path, tmp_path: Path) -> None:
    program = ROOT / "scripts" / "notebooks.py"
    done = run_child([sys.executable, program, path, "--into", tmp_path], seconds=600, text=True)
    assert done.returncode == 0, done.stderr
    kept = read_outputs(path)
    assert kept
    assert read_outputs(tmp_path / path.name) == kept


def test_what_is_printed_in_pieces_is_one_output(tmp_path: Path) -> None:
    code = "import time\nfor k in range(3):\n    print(k, flush=True)\n    time.sleep(0.2)"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbformat.write(notebook, tmp_path / "pieces.ipynb")
    program = ROOT / "scripts" / "notebooks.py"
    done = run_child([sys.executable, program, tmp_path / "pieces.ipynb"], seconds=600, text=True)
    assert done.returncode == 0, done.stderr
    (shown,) = read_outputs(tmp_path / "pieces.ipynb")
    assert shown[2] == ["0\n", "1\n", "2\n"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_clean_and_its_links_lead_somewhere(path: Path) -> None:
    notebook = json.loads(path.read_text())
    assert notebook["cells"][0]["source"][0].startswith("# ")
    for cell in notebook["cells"]:
        assert cell["metadata"] == {}
        assert cell.get("execution_count") is None
        for link in re.findall(r"\]\(([^)#]+)", "".join(cell["source"])):
            assert (path.parent / link).exists(), link


def test_the_readme_names_every_notebook() -> None:
    readme = (ROOT / "README.md").read_text()
    assert len(NOTEBOOKS) == 3
    for path in NOTEBOOKS:
        assert f"(examples/{path.name})" in readme
