"""Every example of docs/corpora.md runs, on invented corpora of the names that it uses."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from cli.corpus import call
from fixtures import conferences
from fixtures.trees import Tree, write_tree
from oraclesum.corpora import LAYOUTS

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "corpora.md").read_text()
COMMANDS = re.findall(r"^    oraclesum (.*)$", PAGE, flags=re.MULTILINE)
STORY = "The river rose. Nobody was hurt.\n\n@highlight\n\nThe river rose\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    tree: Tree = {
        "corpora": {"DUC2004": conferences.duc2004()},
        "Downloads": conferences.sumrepo(),
        "cnn_stories.tgz": {"cnn": {"stories": {"a.story": STORY}}},
        **conferences.duc2004(),
        "DUC2004": conferences.duc2004(),
    }
    write_tree(tree, tmp_path)
    rows = [{"article": "The river rose.", "highlights": "The river rose ."}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "train.parquet")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_has_commands() -> None:
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_runs(command: str, home: Path) -> None:
    arguments = [word.replace("~", str(home), 1) for word in shlex.split(command)]
    done = call(*arguments)
    assert done.exit_code == 0, done.stderr


def test_the_python_example_of_the_page_runs(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)
    exec(compile(block, "docs/corpora.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == [
        "d30001 5 ('A', 'B') ['2', '65']",
        "d30002 2 ('E',) ['65']",
    ]


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_page_has_a_row_for_each_year_with_its_limit(name: str) -> None:
    (row,) = (
        line
        for line in PAGE.splitlines()
        if re.match(r"\| `(?:duc|tac)", line) and f"`{name}`" in line
    )
    if f"`{name}`" in row.split("|")[1]:
        assert f"--max-words {LAYOUTS[name].words}" in row
