"""Records of `enumerate` for tests, without anything being solved."""

from __future__ import annotations

from typing import Any

from oraclesum.answers import FamilyRecord

__all__ = ["make_record"]


def make_record(**changes: Any) -> FamilyRecord:
    """A record of a document of three sentences with two oracles."""
    fields: dict[str, Any] = {
        "id": "d",
        "status": "complete",
        "hits": 3,
        "total": 4,
        "value": "3/4",
        "score": 0.75,
        "count": 2,
        "oracles": [[0, 1], [2]],
        "inclusion": [0.5, 0.5, 0.5],
        "upper_bound": 3,
        "checked": 7,
        "method": "search",
        "signature": "oraclesum:0|rouge:2",
    }
    return FamilyRecord(**{**fields, **changes})
