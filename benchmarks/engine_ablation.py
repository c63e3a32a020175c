"""What each part of the engine buys: the same instances with one part switched off at a time.

A part that is off changes no answer, only the time; that is checked here as well.
"""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine_timing import search_kernel, time_call
from oraclesum.instances import Instance


@dataclass(frozen=True, kw_only=True)
class _Run:
    seconds: float  # of CPU
    nodes: int
    count: int | None  # None: stopped by the limit


SWITCHES: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "multipliers re-optimised at every node": ("reoptimise",),
    "fixing by reduced cost": ("fix",),
    "remembered sub-problems": ("remember",),
    "dives and exchanges for the first incumbent": ("dive",),
    "branching on the class that the relaxation splits": ("relaxed_order",),
    "branching in the fixed order": ("ranked_order",),
    "re-optimising, fixing and remembering": ("reoptimise", "fix", "remember"),
}


def run_ablation(folder: Path, *, every: int, limit: float, runs: int) -> list[dict[str, Any]]:
    """One row a switch, the full method first; a run beyond the limit counts as long as that."""
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    names = [known["id"] for known in truth[::every]]
    measured: dict[str, list[_Run]] = {name: [] for name in SWITCHES}
    for name in names:
        instance = Instance.read(folder / f"{name}.json")
        counts = set()
        for switch, without in SWITCHES.items():  # in turn, so that a busy moment hits all alike
            run = _measure(instance, without, limit, runs)
            measured[switch].append(run)
            if run.count is not None:
                counts.add(run.count)
        if len(counts) > 1:
            raise RuntimeError(f"{name}: a part that is off changed the count: {sorted(counts)}")
    full = measured["nothing"]
    return [_sum_up(switch, rows, full) for switch, rows in measured.items()]


def _measure(instance: Instance, without: tuple[str, ...], limit: float, runs: int) -> _Run:
    timed = time_call(lambda: search_kernel(instance, time_limit=limit, without=without), runs)
    family = timed.answer.family
    return _Run(
        seconds=timed.cpu,
        nodes=timed.answer.nodes,
        count=None if family is None else family.count,
    )


def _sum_up(switch: str, rows: list[_Run], full: list[_Run]) -> dict[str, Any]:
    ratios = [slow.seconds / base.seconds for slow, base in zip(rows, full, strict=True)]
    return {
        "name": switch,
        "instances": len(rows),
        "finished": sum(row.count is not None for row in rows),
        "median_ms": 1e3 * statistics.median(row.seconds for row in rows),
        "sum_s": sum(row.seconds for row in rows),
        "nodes": round(statistics.median(row.nodes for row in rows)),
        "ratio": statistics.median(ratios),
        "worst": max(ratios),
    }
