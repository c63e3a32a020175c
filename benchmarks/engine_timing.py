"""How the engine's benchmarks run and time one call, and what they ran on."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from oraclesum import _kernel
from oraclesum.instances import Instance

MAX_MEMORY = 1 << 30


@dataclass(frozen=True, kw_only=True)
class Timed:
    """What a call gave last, and the median of its times over the runs."""

    answer: Any
    seconds: float  # by the clock
    cpu: float  # of this process, all its threads: what a busy machine moves least


def time_call(call: Callable[[], Any], runs: int) -> Timed:
    """Run so many times; an answer that takes over two seconds is not asked for again."""
    seconds: list[float] = []
    cpu: list[float] = []
    answer = None
    for _ in range(runs):
        cpu_start, start = time.process_time(), time.perf_counter()
        answer = call()
        seconds.append(time.perf_counter() - start)
        cpu.append(time.process_time() - cpu_start)
        if seconds[-1] > 2:
            break
    return Timed(answer=answer, seconds=statistics.median(seconds), cpu=statistics.median(cpu))


def search_kernel(
    instance: Instance,
    *,
    time_limit: float | None = None,
    collect: bool = True,
    without: Sequence[str] = (),
) -> _kernel.Found:
    """The kernel's search alone: presolve, proof, diagram and count. A call costs a microsecond.

    `without` names parts of the method to switch off, for the ablation.
    """
    return _kernel.search(
        instance.native, 0, False, collect, 1, time_limit, MAX_MEMORY, 0, list(without), None
    )


def describe_machine() -> dict[str, str]:
    """What the numbers were measured on."""
    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    compiler = subprocess.run(["c++", "--version"], capture_output=True, text=True, check=False)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "cpu": model,
        "cores": str(os.cpu_count()),
        "load before the run": f"{load:.1f}",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "compiler": (compiler.stdout.splitlines() or ["unknown"])[0],
        **{name: _version(name) for name in ("oraclesum", "highspy", "ortools")},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def quantile(values: list[float], share: float) -> float:
    """The value below which so large a share lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
