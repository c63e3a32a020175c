"""Every example that `--help` shows runs, and no command in the documentation is left untested."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from cli.corpus import call
from fixtures import conferences
from fixtures.trees import write_tree
from oraclesum.cli import main
from oraclesum.cli.entry import VERBS
from oraclesum.corpora import FORMATS, LAYOUTS, demo_path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
CONTEXT = click.Context(main)

# The test that runs the examples of a page. `commands.md` is made from --help, which runs here.
RUN_BY = {
    "corpora-at-scale.md": "tests/runs/test_page.py",
    "corpora.md": "tests/cli/test_corpora_page.py",
    "evaluation.md": "tests/cli/test_evaluation_pages.py",
    "explorer-api.md": "tests/explorer/test_api_page.py",
    "families.md": "tests/cli/test_family_pages.py",
    "index.md": "tests/test_site.py",
    "labels.md": "tests/cli/test_family_pages.py",
    "languages.md": "tests/text/test_detection.py",
    "oracle-row.md": "tests/test_site.py",
    "report.md": "tests/cli/test_report_page.py",
    "reproduction.md": "tests/cli/test_evaluation_pages.py",
}
SERVES = {"serve"}  # runs until it is stopped: tests/explorer/


def get_verb(name: str) -> click.Command:
    verb = main.get_command(CONTEXT, name)
    assert verb is not None, f"there is no verb {name}"
    return verb


def list_examples() -> list[str]:
    found = []
    for name in VERBS:
        if name not in SERVES:
            text = re.sub(r"\\\n\s*", "", get_verb(name).help or "")
            found += re.findall(r"^\s+oraclesum (.*)$", text, flags=re.MULTILINE)
    return found


EXAMPLES = list_examples()


READERS = [
    name
    for name in VERBS
    if any(one.name == "format" and one.metavar == "NAME" for one in get_verb(name).params)
]


@pytest.mark.parametrize("verb", READERS)
def test_help_names_every_format_that_is_no_year_of_duc(verb: str) -> None:
    [option] = [one for one in get_verb(verb).params if one.name == "format"]
    assert isinstance(option, click.Option)
    assert option.help is not None
    named = set(re.findall(r"[a-z]+", option.help))
    assert {one for one in FORMATS if one not in LAYOUTS} - {"auto"} <= named


def test_the_record_that_help_shows_can_be_enumerated(tmp_path: Path) -> None:
    [line] = re.findall(r"^\s+(\{.*\})$", get_verb("enumerate").help or "", flags=re.MULTILINE)
    (tmp_path / "in.jsonl").write_text(line)
    result = call("enumerate", str(tmp_path / "in.jsonl"), "--max-words", "5")
    assert json.loads(result.stdout)["oracles"] == [[0]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of every name that the examples use."""
    write_tree({"DUC2004": conferences.duc2004(), **conferences.sumrepo()}, tmp_path)
    topics: list[dict[str, Any]] = [
        json.loads(line) for line in demo_path().read_text().splitlines()[:2]
    ]
    for topic in topics:
        # Few sentences: the limits are for longer texts than those of the demo.
        topic["sentences"], topic["doc_ids"] = topic["sentences"][:8], topic["doc_ids"][:8]
        topic["systems"] = {"one": [0, 1], "other": [2, 3]}
        topic["human"] = {"one": {"grade": 3}, "other": {"grade": 2}}
    lines = "".join(json.dumps(topic) + "\n" for topic in topics)
    for name in ("topics", "cnndm", "systems", "train", "test"):
        (tmp_path / f"{name}.jsonl").write_text(lines)
    for name in ("mine", "a", "b"):
        (tmp_path / f"{name}.txt").write_text("The river rose.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make_results() -> None:
    """What `report` and `merge` start from."""
    for line in (
        "enumerate topics.jsonl --max-words 60 -q -o oracles.jsonl",
        "evaluate topics.jsonl --max-words 60 -q -o scores.jsonl",
        "enumerate topics.jsonl --max-words 60 -q -o results/",
    ):
        assert call(*shlex.split(line)).exit_code == 0


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.usefixtures("home")
def test_an_example_of_help_runs(example: str) -> None:
    if example.startswith(("report", "merge")):
        make_results()
    done = call(*shlex.split(example))
    assert done.exit_code == 0, done.stderr


def test_every_verb_has_an_example() -> None:
    shown = {example.split()[0] for example in EXAMPLES}
    assert shown == set(VERBS) - SERVES


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("*.md")))
def test_the_examples_of_a_page_are_run_by_a_test(page: str) -> None:
    text = (DOCS / page).read_text()
    commands = re.findall(r"^    oraclesum (\S+)", text, flags=re.MULTILINE)
    if set(commands) - SERVES or "```python\n" in text or "```sh\n" in text:
        assert page in RUN_BY, "no test runs the examples of this page"
        assert page in (ROOT / RUN_BY[page]).read_text()


@pytest.mark.parametrize(
    "path", [*sorted(DOCS.glob("*.md")), ROOT / "README.md"], ids=lambda path: path.name
)
def test_a_command_in_the_text_names_a_verb_and_options_that_exist(path: Path) -> None:
    for command in re.findall(r"`oraclesum ([a-z][^`]*)`", path.read_text()):
        verb, *words = command.split()
        known = {name for option in get_verb(verb).params for name in option.opts}
        known |= {name for option in get_verb(verb).params for name in option.secondary_opts}
        given = {word.partition("=")[0] for word in words if word.startswith("-") and word != "-"}
        assert given <= {*known, "--help"}, command
