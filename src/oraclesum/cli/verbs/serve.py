"""The verb `serve`, which the explorer brings along."""

from __future__ import annotations

from ...explorer.command import command

__all__ = ["command"]
