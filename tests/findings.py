"""The modules of benchmarks/ that make the page of findings, for tests; and what the page says."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from shared import ROOT

RESULTS = ROOT / "benchmarks" / "results" / "findings"


def load(name: str) -> ModuleType:
    """A module of benchmarks/, which is no package: its modules find each other by name."""
    folder = str(ROOT / "benchmarks")
    sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(folder)


def read_page(name: str) -> str:
    """What a block of the page says."""
    return str(load("findings_page").read_block(name))
