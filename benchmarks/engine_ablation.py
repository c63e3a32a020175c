"""What each part of the engine buys: the same instances with one part switched off at a time.

A part that is off changes no answer, only the time; that is checked here as well.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from engine_timing import search_kernel, time_call
from oraclesum.instances import Instance

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
    instances = [Instance.read(folder / f"{known['id']}.json") for known in truth[::every]]
    rows: list[dict[str, Any]] = []
    full: list[float] = []
    answers: dict[str, int] = {}
    for name, without in SWITCHES.items():
        seconds, nodes, finished = [], [], 0
        for instance in instances:
            timed = time_call(
                lambda instance=instance, without=without: search_kernel(
                    instance, time_limit=limit, without=without
                ),
                runs,
            )
            seconds.append(timed.seconds)
            nodes.append(timed.answer.nodes)
            if timed.answer.family is not None:
                finished += 1
                if answers.setdefault(instance.id, timed.answer.family.count) != (
                    timed.answer.family.count
                ):
                    raise RuntimeError(f"{instance.id}: another count without {name}")
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
