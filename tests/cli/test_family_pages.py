"""Every example of docs/families.md and docs/labels.md runs and prints what the page says."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from cli.corpus import call
from oraclesum.corpora import demo_path

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
LABELS = (DOCS / "labels.md").read_text()
COMMANDS = re.findall(r"^    oraclesum (.*)$", LABELS, re.MULTILINE)


def test_the_page_has_commands() -> None:
    assert len(COMMANDS) >= 4


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_runs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(demo_path(), tmp_path / "train.jsonl")
    monkeypatch.chdir(tmp_path)
    done = call(*shlex.split(command))
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize("page", ["families.md", "labels.md"])
def test_the_python_examples_print_what_the_page_says(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (DOCS / page).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    code = "".join(blocks)
    expected = re.findall(r"^ *print\(.*\)  # (.*)$", code, flags=re.MULTILINE)
    assert expected
    exec(compile(code, page, "exec"), {})
    assert capsys.readouterr().out.splitlines() == expected
