"""Every number and picture of docs/findings.md, from the shared corpora in one command.

    python benchmarks/findings.py                       # all parts: 13 minutes on two idle cores
    python benchmarks/findings.py --force               # measure anew what is there
    python benchmarks/findings.py objectives --most 5 --folder /tmp/trial     # a trial of one part

The corpora are in the shared data folder (ORACLESUM_SHARED, or `shared` beside the project). What
is there under the same signature is not measured again, and an interrupted run goes on where it
ended. Writes benchmarks/results/findings/*.csv and signatures.json, docs/pictures/findings/*.svg
and the blocks of docs/findings.md; a trial writes into its folder and prints the blocks.
"""

from __future__ import annotations

import argparse
import importlib
import shutil
import sys
import time
from pathlib import Path

import findings_page
from findings_page import RESULTS, ROOT, fill_page

PARTS = ("objectives", "agreement", "training")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="default: all")
    parser.add_argument("--force", action="store_true", help="measure anew what is there")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--most", type=int, metavar="N", help="topics of a corpus, of objectives")
    parser.add_argument("--folder", type=Path, metavar="PATH", help="of a trial: no page is filled")
    options = parser.parse_args()
    parts = options.parts or PARTS
    folder = options.folder or RESULTS
    if options.folder:
        findings_page.PICTURES = options.folder
    if options.force:
        clear(folder)
    started = time.monotonic()

    def progress(text: str) -> None:
        seconds = int(time.monotonic() - started)
        print(f"[{seconds // 60:3d}:{seconds % 60:02d}] {text}", file=sys.stderr, flush=True)

    blocks: dict[str, str] = {}
    for name in parts:
        part = importlib.import_module(f"findings_{name}")
        if name == "objectives":
            part.run(folder, progress, most=options.most, jobs=options.jobs)
        else:
            part.run(folder, progress)
        blocks |= part.describe(folder)
    if options.folder:
        for name, text in blocks.items():
            print(f"\n<!-- {name} -->\n{text}")
    else:
        fill_page(blocks)
    progress("done")


def clear(folder: Path) -> None:
    """Forget what was measured, so that everything is measured on this code."""
    shutil.rmtree(ROOT / "build" / "findings", ignore_errors=True)
    (folder / "signatures.json").unlink(missing_ok=True)


if __name__ == "__main__":
    main()
