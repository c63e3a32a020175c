"""The examples of docs/corpora-at-scale.md run, on an invented corpus of the name that it uses."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from oraclesum.cli import main
from runs.documents import make_documents, write_lines

PAGE = Path(__file__).resolve().parents[2] / "docs" / "corpora-at-scale.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def test_the_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_lines(tmp_path / "cnndm.jsonl", make_documents(5))
    monkeypatch.chdir(tmp_path)
    for line in blocks("")[0].splitlines():
        result = CliRunner().invoke(main, shlex.split(line)[1:])
        assert result.exit_code == 0, result.output
    assert len((tmp_path / "results.jsonl").read_text().splitlines()) == 5
    for block in blocks("python"):
        capsys.readouterr()
        exec(compile(block, str(PAGE), "exec"), {})
        assert len(capsys.readouterr().out.splitlines()) == 5


def test_the_page_names_every_option_of_a_folder() -> None:
    text = PAGE.read_text()
    options = CliRunner().invoke(main, ["enumerate", "--help"]).output
    for name in ("shard-size", "output-format", "resume", "engine", "ray-address", "progress"):
        assert f"--{name}" in options
        assert f"--{name}" in text
