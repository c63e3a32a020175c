"""Every example of the README runs, and Python examples print what their comments say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from children import run_child

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
SETUP = "python3 -m venv "


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    # A block has many commands.
    return run_child(command, seconds=1000, cwd=folder, env=environment, text=True)


def test_the_readme_has_examples_of_each_kind() -> None:
    assert len(blocks("sh")) >= 3
    assert blocks("python")


def test_the_two_setup_lines_stand_in_the_readme_once_each() -> None:
    setup = [line for block in blocks("sh") for line in block.splitlines() if SETUP in line]
    assert len(setup) == 2
    main, test = setup
    assert main.endswith(" .venv/bin/oraclesum enumerate demo --rouge 2 --max-words 60")
    assert test.endswith(" .venv/bin/pytest -n 2")


def test_the_main_job_of_the_readme_succeeds(tmp_path: Path) -> None:
    line = next(line for block in blocks("sh") for line in block.splitlines() if SETUP in line)
    done = run(["bash", "-c", line.rsplit(" && ", 1)[1].removeprefix(".venv/bin/")], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"status":"complete"') == 6


def test_shell_examples_run_one_after_the_other(tmp_path: Path) -> None:
    for block in blocks("sh"):
        if SETUP in block:
            continue  # the checks run these lines word for word
        done = run(["bash", "-euo", "pipefail", "-c", block], tmp_path)
        assert done.returncode == 0, f"{block}\n{done.stderr}"
        assert done.stdout or "-o " in block


@pytest.mark.parametrize("block", blocks("python"))
def test_python_examples_print_what_their_comments_say(block: str, tmp_path: Path) -> None:
    done = run([sys.executable, "-W", "error", "-c", block], tmp_path)
    assert done.returncode == 0, done.stderr
    expected = re.findall(r"^ *print\(.*\)  # (.*)$", block, flags=re.MULTILINE)
    assert expected
    assert done.stdout.splitlines() == expected


def test_links_to_files_lead_somewhere() -> None:
    papers = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    for paper in papers:
        for target in re.findall(r"\]\(([^)#]+)\)", paper.read_text()):
            if "://" not in target:
                assert (paper.parent / target).exists(), f"{paper.name}: {target}"
