"""Runs notebooks in new kernels and writes them without anything that changes from run to run.

`python scripts/notebooks.py` refreshes all of `examples/`; with names it runs those, with `--into
FOLDER` it writes them there and leaves the originals alone.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SECONDS = 300  # for one cell; far more than any takes


def run_notebook(path: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of a new kernel, started in an empty folder."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        # Sockets in a folder: ports could be taken by another run between choosing and opening.
        sockets = {"transport": "ipc", "ip": f"{folder}/kernel"}
        client = NotebookClient(
            notebook,
            config=Config(ConnectionFileMixin=sockets),
            kernel_name="python3",
            timeout=SECONDS,
            startup_timeout=SECONDS,
            record_timing=False,
            coalesce_streams=True,  # what is printed comes in as many pieces as the machine is slow
            resources={"metadata": {"path": folder}},
        )
        client.execute()
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = None
    return notebook


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--into", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # or every kernel warns of its debugger
    for path in options.notebooks or sorted(EXAMPLES.glob("*.ipynb")):
        notebook = run_notebook(path)
        nbformat.write(notebook, (options.into or path.parent) / path.name)


if __name__ == "__main__":
    main()
