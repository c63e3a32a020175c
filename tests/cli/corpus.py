"""Small corpora for the tests of the command line, and ways to run it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from children import run_child
from oraclesum.cli import main

__all__ = ["GOOD", "call", "jsonl", "records", "run_process"]

GOOD: dict[str, Any] = {
    "id": "cats",
    "sentences": ["The cat sat on the mat.", "Dogs bark at night.", "A cat sat on a warm mat."],
    "references": ["The cat sat on the warm mat.", ["A cat sat.", "Dogs bark."]],
    "systems": {"first": [0], "texts": ["A cat sat on a warm mat."], "text": "Dogs bark at night."},
}


def jsonl(*rows: Any) -> bytes:
    """Lines of a corpus; bytes stand for themselves."""
    lines = (row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)
    return b"".join(line + b"\n" for line in lines)


def call(*arguments: str | Path, data: bytes | None = None) -> Result:
    """The command in this process, with pipes for its streams."""
    return CliRunner().invoke(main, [str(a) for a in arguments], input=data)


def records(output: str | bytes) -> list[dict[str, Any]]:
    """The output records of a run."""
    return [json.loads(line) for line in output.splitlines()]


def run_process(*arguments: str | Path, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return run_child([sys.executable, "-m", "oraclesum", *arguments], data=data)


_LITTLE_ROOM = (
    "import os, resource as r, sys; "
    "r.setrlimit(r.RLIMIT_FSIZE, (int(sys.argv[1]), r.RLIM_INFINITY)); "
    "os.execv(sys.executable, [sys.executable, '-m', 'oraclesum', *sys.argv[2:]])"
)


def run_with_room(room: int, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """The command where no file can have more bytes than this, as on a full disk."""
    return run_child([sys.executable, "-c", _LITTLE_ROOM, str(room), *arguments])
