"""Every command of docs/report.md runs, one after the other."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from cli.corpus import call

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "report.md"


def test_the_commands_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^    oraclesum (.*)$", PAGE.read_text(), re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        done = call(*shlex.split(command))
        assert done.exit_code == 0, done.stderr
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")
