"""Where the shared data folder is, for tests that need it; they skip where it is absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared(*parts: str) -> Path:
    """A path inside the shared data folder; skips the calling test where it does not exist."""
    base = Path(os.environ.get("ORACLESUM_SHARED", ROOT.parent / "shared"))
    path = base.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"shared data not found: {'/'.join(parts)}")
    return path
