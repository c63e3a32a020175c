"""Results of every kind to make reports from, as the verbs write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cli.corpus import call

__all__ = ["EVIL", "SIGNATURE", "enumerated", "make_results", "stopped", "unmet", "write_lines"]

SIGNATURE = (
    "oraclesum:0.1.0|rouge:2|stem:porter-1.5.5|stop:no|lang:en|tok:rouge-1.5.5|"
    "ngrams:reference-across,summary-within|limit:words<=60|family:all"
)
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&"


def make_results(folder: Path, *verbs: str) -> dict[str, Path]:
    """The demo corpus answered by some verbs: verb to its output."""
    made = {}
    for verb in verbs:
        options = {
            "enumerate": ["--max-words", "60"],
            "shards": ["--max-words", "60", "--output-format", "parquet"],
            "evaluate": ["--max-words", "60", "--systems", "lead,random", "--draws", "5"],
            "correlate": ["--max-words", "60", "--human", "coverage", "--draws", "5"],
            "compare": ["--max-words", "60", "--methods", "search,greedy"],
            "reproduce": ["--max-words", "60", "--human", "coverage", "--draws", "5"],
        }[verb]
        if verb == "reproduce":
            options += ["--baseline-time-limit", "0"]
        name = folder / (verb if verb in ("shards", "reproduce") else f"{verb}.jsonl")
        done = call(verb.replace("shards", "enumerate"), "demo", *options, "-q", "-o", name)
        assert done.exit_code == 0, done.stderr
        made[verb] = name
    return made


def write_lines(path: Path, *records: dict[str, Any]) -> Path:
    """Records as a file of JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def enumerated(name: str = "one", **changes: Any) -> dict[str, Any]:
    """A record of `enumerate`."""
    return {
        "id": name,
        "status": "complete",
        "hits": 3,
        "total": 10,
        "score": 0.3,
        "count": 2,
        "oracles": [[0, 2], [1, 2]],
        "inclusion": [0.5, 0.5, 1.0, 0.0],
        "upper_bound": 3,
        "checked": 7,
        "method": "search",
        "signature": SIGNATURE,
        **changes,
    }


def stopped(name: str = "slow", **changes: Any) -> dict[str, Any]:
    """A record of `enumerate` of a search that was stopped after it had met one set."""
    found = {
        "status": "time_limit",
        "count": 1,
        "oracles": [[1]],
        "inclusion": [0.0, 1.0, 0.0, 0.0],
    }
    return enumerated(name, **{**found, "upper_bound": 9, **changes})


def unmet(name: str = "none", status: str = "time_limit") -> dict[str, Any]:
    """The same of one that was stopped before it met any set."""
    nothing = {"hits": 0, "score": 0.0, "count": 0, "oracles": [], "inclusion": [0.0] * 4}
    return stopped(name, **nothing, status=status)
