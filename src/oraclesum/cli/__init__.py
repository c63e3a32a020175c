"""Shell: the command `oraclesum`."""

from .entry import main

__all__ = ["main"]
