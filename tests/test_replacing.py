"""Files that appear when they are complete: nothing else is left, whenever it ends."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from oraclesum.replacing import open_whole


@pytest.mark.parametrize("moment", ["fchmod", "write", "rename"])
def test_nothing_is_left_of_a_file_that_was_interrupted(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"older")

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    if moment == "fchmod":
        monkeypatch.setattr(os, "fchmod", interrupt)
    elif moment == "rename":
        monkeypatch.setattr(Path, "replace", interrupt)

    def write() -> None:
        with open_whole(path) as stream:
            stream.write(b"newer")
            if moment == "write":
                interrupt()

    with pytest.raises(KeyboardInterrupt):
        write()
    assert [one.name for one in tmp_path.iterdir()] == ["out"]
    assert path.read_bytes() == b"older"
