"""Where the built-in demo corpus is."""

from __future__ import annotations

from pathlib import Path

__all__ = ["demo_path"]


def demo_path() -> Path:
    """The demo corpus that ships with the package, as JSON lines."""
    return Path(__file__).with_name("demo.jsonl")
