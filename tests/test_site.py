"""The pages of the site have a place, links that fit and examples that run; other files agree."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import oraclesum
from cli.corpus import call
from oraclesum.cli.entry import VERBS
from oraclesum.corpora import demo_path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
ROW = (DOCS / "oracle-row.md").read_text()


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("site_hooks", DOCS / "site" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_has_one_place_in_the_navigation(hooks: ModuleType) -> None:
    nav = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2]
    placed = re.findall(r": (\S+\.md)$", nav, flags=re.MULTILINE)
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert sorted(placed) == sorted(pages | set(hooks.PAGES.values()))


def test_links_out_of_the_pages_lead_to_pages_of_the_site(hooks: ModuleType) -> None:
    def rewrite(link: str, source: str, page: str) -> str:
        rewritten = hooks.rewrite_links(link, source, page)
        assert isinstance(rewritten, str)
        return rewritten

    assert rewrite("[a](../CONTRIBUTING.md#b)", "docs/x.md", "x.md") == "[a](contributing.md#b)"
    assert rewrite("[a](docs/engine.md)", "CHANGELOG.md", "changelog.md") == "[a](engine.md)"
    result = "benchmarks/results/engine.md"
    assert rewrite(f"[a](../{result})", "docs/x.md", "x.md") == "[a](results/engine.md)"
    assert rewrite("[a](../LICENSE)", "docs/x.md", "x.md") == "a"
    for kept in ("[a](https://x.org/y)", "[a](missing.md)", "```\n[a](../LICENSE)\n```"):
        assert rewrite(kept, "docs/x.md", "x.md") == kept


def test_a_notebook_becomes_a_page_with_its_outputs(hooks: ModuleType) -> None:
    text = hooks.notebook_as_markdown((ROOT / "examples" / "explore.ipynb").read_text())
    assert text.startswith("# One document, explored\n")
    assert "```python\nfamily = oraclesum.enumerate_oracles(" in text
    assert "```text\n33 sentences, 3 references\n```" in text
    assert 'src="data:image/png;base64,' in text
    link = "[evaluate your system](evaluate.ipynb)"
    moved = hooks.rewrite_links(link, "examples/labels.ipynb", "examples/labels.md")
    assert moved == "[evaluate your system](evaluate.md)"


def test_the_command_reference_has_every_verb_and_option(hooks: ModuleType) -> None:
    text = hooks.describe_verbs()
    assert re.findall(r"^## (.*)$", text, flags=re.MULTILINE) == list(VERBS)
    assert "`--max-words N`\n:   Longest summary in words." in text
    assert "\b" not in text


def test_the_python_reference_has_every_public_name() -> None:
    named = re.findall(r"^::: oraclesum\.(\w+)$", (DOCS / "api.md").read_text(), re.MULTILINE)
    assert sorted(named) == sorted(oraclesum.__all__)


@pytest.mark.parametrize("command", re.findall(r"^    oraclesum (.*)$", ROW, re.MULTILINE))
def test_a_command_of_the_page_on_the_oracle_row_runs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(demo_path(), tmp_path / "test.jsonl")
    monkeypatch.chdir(tmp_path)
    done = call(*shlex.split(command))
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize("page", ["index.md", "oracle-row.md"])
def test_the_python_of_a_page_prints_what_it_says(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (DOCS / page).read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    exec(compile(code, page, "exec"), {})
    expected = re.findall(r"^print\(.*\)  # (.*)$", code, flags=re.MULTILINE)
    assert expected
    assert capsys.readouterr().out.splitlines() == expected


def test_the_commands_of_the_start_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (DOCS / "index.md").read_text()
    (record,) = re.findall(r"^\{.*\}$", text, flags=re.MULTILINE)
    (tmp_path / "topics.jsonl").write_text(record + "\n")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^oraclesum (.*)$", text, flags=re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        assert call(*shlex.split(command)).exit_code == 0


def test_the_citation_names_the_version_of_the_package() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == citation["preferred-citation"]["version"] == version
    assert f"version = {{{version}}}" in (ROOT / "README.md").read_text()


def test_the_targets_of_the_contributing_page_exist() -> None:
    named = set(re.findall(r"`make (\w+)`", (ROOT / "CONTRIBUTING.md").read_text()))
    targets = set(re.findall(r"^(\w+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"setup", "test", "quick", "bench", "site"} <= named <= targets


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda p: p.name)
def test_templates_and_workflows_can_be_read(path: Path) -> None:
    assert yaml.safe_load(path.read_text())
