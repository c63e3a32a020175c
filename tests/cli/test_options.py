"""Options of the command line: each is spelled once, and all verbs that share one read it alike."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

import oraclesum
from cli.corpus import call

PACKAGE = Path(oraclesum.__file__).parent
# One name for different things, each in verbs of its own: a list of N, files, other choices.
DIFFERENT = {"--rouge": "correlate.py", "--summary": "score.py", "--to": "upper_bound.py"}


def test_every_option_is_declared_once() -> None:
    places = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            parts = [node.func, *node.args]
            if not any(ast.unparse(part) == "click.option" for part in parts[:2]):
                continue
            names = [part.value for part in parts if isinstance(part, ast.Constant)]
            for name in names:
                if name.startswith("--") and DIFFERENT.get(name) != path.name:
                    places[name].append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert len(places) > 60
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (["--max-words", "0"], "--max-words must be at least 1, not 0"),
        (["--max-words", "9", "--max-bytes", "9"], "set one length limit: --max-words"),
        (["--max-words", "9", "--language", "x_"], "unknown language 'x_'"),
        (["--systems", "lead,lexrank"], "'lexrank' is not one of lead, random"),
    ],
)
def test_reproduce_refuses_wrong_settings_before_it_reads_anything(
    wrong: list[str], reason: str
) -> None:
    result = call("reproduce", "no-such-corpus", *wrong)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert "no-such-corpus" not in result.stderr


@pytest.mark.parametrize("verb", ["evaluate", "reproduce"])
@pytest.mark.parametrize("names", ["all", "none", "lead, random"])
def test_every_verb_with_systems_of_ours_takes_the_same_names(verb: str, names: str) -> None:
    result = call(verb, "no-such-corpus", "--max-words", "9", "--systems", names)
    assert result.exit_code == 2
    assert "no-such-corpus" in result.stderr  # the names were taken
