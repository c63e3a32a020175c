"""The figures that the paper printed, by year of DUC."""

from __future__ import annotations

import json
import re
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from ..frozen import dataclass

__all__ = ["YEARS", "Published", "find_year", "load_published"]

YEARS = tuple(map(str, range(2001, 2008)))

_IN_A_PATH = re.compile(r"duc[^a-z0-9]*(?:20)?(0[1-7])(?![0-9])", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Published:
    """What the paper printed about one corpus; nothing where the corpus is not one of its own."""

    year: str | None = None
    figures: dict[str, Any] = field(default_factory=dict)

    def get(self, *path: str) -> Any:
        """A figure by its path in published.json, or None."""
        found: Any = self.figures
        for name in path:
            if not isinstance(found, dict) or name not in found:
                return None
            found = found[name]
        return found


@cache
def _read() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Path(__file__).with_name("published.json").read_text())
    return data


def load_published(year: str | None) -> Published:
    """The figures of a year (2001 to 2007); none for None."""
    if year is None:
        return Published()
    return Published(year=year, figures=_read()["years"][year])


def find_year(name: str) -> str | None:
    """The year of DUC that the name of a file or folder speaks of, if it does."""
    found = _IN_A_PATH.findall(name)
    return f"20{found[-1]}" if found else None
