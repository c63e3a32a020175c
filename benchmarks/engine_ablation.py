"""What each part of the engine buys: the same instances with one part switched off at a time.

The switches are arguments of the kernel's search in builds that have them; SWITCHES names them.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from engine_timing import search_kernel, time_call
from oraclesum.instances import Instance

SWITCHES: dict[str, dict[str, Any]] = {}  # name of a part -> arguments that turn it off


def run_ablation(folder: Path, *, every: int, limit: float, runs: int) -> list[dict[str, Any]]:
    """One row a switch, the full method first; a run beyond the limit counts as long as that."""
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    instances = [Instance.read(folder / f"{known['id']}.json") for known in truth[::every]]
    rows: list[dict[str, Any]] = []
    full: list[float] = []
    for name, switches in {"nothing": {}, **SWITCHES}.items():
        seconds, nodes, finished = [], [], 0
        for instance in instances:
            timed = time_call(
                lambda instance=instance, switches=switches: search_kernel(
                    instance, time_limit=limit, **switches
                ),
                runs,
            )
            seconds.append(timed.seconds)
            nodes.append(timed.answer.nodes)
            finished += timed.answer.family is not None
        full = full or seconds
        ratios = [slow / base for slow, base in zip(seconds, full, strict=True)]
        rows.append(
            {
                "name": name,
                "instances": len(instances),
                "finished": finished,
                "median_ms": 1e3 * statistics.median(seconds),
                "sum_s": sum(seconds),
                "nodes": round(statistics.median(nodes)),
                "ratio": statistics.median(ratios),
            }
        )
    return rows
