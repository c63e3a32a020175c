"""The verb `reproduce`, which the experiments bring along."""

from __future__ import annotations

from ...experiments.command import command

__all__ = ["command"]
