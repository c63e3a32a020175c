"""How fast large families are listed, in lexicographic order, and how much memory that takes."""

from __future__ import annotations

import json
import resource
import time
from itertools import islice
from pathlib import Path
from typing import Any

from engine_timing import search_kernel
from oraclesum.instances import Instance
from oraclesum.oracles import enumerate_instance
from oraclesum.oracles.bounds import ask

LARGE = 100_000


def run_listing(folder: Path, *, most: int, time_limit: float) -> list[dict[str, Any]]:
    """One row for each shared instance with a large family: its first `most` sets as tuples."""
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    rows = []
    for known in truth:
        if known["count"] is not None and known["count"] < LARGE:
            continue
        instance = Instance.read(folder / f"{known['id']}.json")
        family = enumerate_instance(instance, max_list=most, time_limit=time_limit)
        if family.status not in ("complete", "list_limit"):
            continue
        start = time.perf_counter()
        next(iter(family))
        first = time.perf_counter() - start
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        cpu_start, start = time.process_time(), time.perf_counter()
        listed = sum(1 for _ in islice(family, most))
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
        kernel, kernel_cpu = _list_in_kernel(instance, listed)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        rows.append(
            {
                "id": instance.id,
                "count": family.count,
                "listed": listed,
                "first_ms": 1e3 * first,
                "seconds": seconds,
                "cpu": cpu,
                "per_second": listed / seconds,
                "per_cpu_second": listed / cpu,
                "kernel_per_second": kernel,
                "kernel_per_cpu_second": kernel_cpu,
                "more_memory_mb": (after - before) / 1024,
            }
        )
    return rows


def _list_in_kernel(instance: Instance, most: int) -> tuple[float, float]:
    """Sets a second, and a second of CPU, where no Python tuple is made of them."""
    found = search_kernel(instance)
    if found.family is None:
        return float("nan"), float("nan")
    lister = found.family.list_from([])
    cpu_start, start = time.process_time(), time.perf_counter()
    listed = 0
    while listed < most and (part := ask(lister.skip_part)):
        listed += part
    return listed / (time.perf_counter() - start), listed / (time.process_time() - cpu_start)
