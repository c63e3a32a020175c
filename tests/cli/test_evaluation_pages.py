"""Every example of docs/evaluation.md and docs/reproduction.md runs."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from cli.corpus import call
from fixtures import conferences
from fixtures.trees import write_tree
from oraclesum.corpora import demo_path

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
PAGES = ("evaluation.md", "reproduction.md")
COMMANDS = [
    command
    for page in PAGES
    for command in re.findall(r"^    oraclesum (.*)$", (DOCS / page).read_text(), re.MULTILINE)
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a corpus of every name that the pages use."""
    write_tree({"DUC2004": conferences.duc2004(), **conferences.sumrepo()}, tmp_path)
    topics = [json.loads(line) for line in demo_path().read_text().splitlines()[:2]]
    for topic in topics:
        # Few sentences: the limits of the pages are for longer texts than those of the demo.
        topic["sentences"] = topic["sentences"][:8]
        topic["doc_ids"] = topic["doc_ids"][:8]
        topic["systems"] = {"one": [0, 1], "other": [2, 3]}
        topic["human"] = {"one": {"grade": 3}, "other": {"grade": 2}}
    for name in re.findall(r"\S+\.jsonl", " ".join(COMMANDS)):
        (tmp_path / name).write_text("".join(json.dumps(topic) + "\n" for topic in topics))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_pages_have_commands() -> None:
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("home")
def test_a_command_of_the_pages_runs(command: str) -> None:
    done = call(*shlex.split(command))
    assert done.exit_code == 0, done.stderr


def test_the_python_example_prints_what_the_page_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = (DOCS / "evaluation.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, flags=re.DOTALL | re.MULTILINE)
    (expected,) = re.findall(r"^prints\n\n```\n(.*?)^```$", page, flags=re.DOTALL | re.MULTILINE)
    exec(compile(block, "docs/evaluation.md", "exec"), {})
    assert capsys.readouterr().out == expected
