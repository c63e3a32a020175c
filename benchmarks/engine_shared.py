"""The engine on instances with known answers, beside HiGHS, CP-SAT and the paper's method.

Every row is one instance. Ours is the whole family on one thread, from `Instance` to the complete
family: `api` through `enumerate_instance` (sets re-scored from scratch included), `kernel` the
kernel's call alone. HiGHS finds one oracle (method `ilp`, model writing included).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from engine_timing import search_kernel, time_call
from oraclesum.instances import Instance
from oraclesum.oracles import enumerate_instance, find_in_instance

Row = dict[str, Any]


def run_shared(
    folder: Path,
    *,
    runs: int,
    own_limit: float,
    highs_limit: float,
    cp_sat_limit: float,
    cp_sat_every: int,
    paper_limit: float,
) -> list[Row]:
    """One row an instance; a limit of 0 leaves that method out."""
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    cp_sat = _start_cp_sat(cp_sat_limit) if cp_sat_limit > 0 else None
    rows = []
    for number, known in enumerate(truth):
        path = folder / f"{known['id']}.json"
        instance = Instance.read(path)
        row = _run_ours(instance, known, runs=runs, limit=own_limit)
        if highs_limit > 0:
            row |= _run_highs(instance, highs_limit)
        if paper_limit > 0:
            row |= _run_paper(instance, paper_limit)
        if cp_sat is not None and number % cp_sat_every == 0:
            row |= _ask_cp_sat(cp_sat, path)
        rows.append(row)
        print(_describe(row), file=sys.stderr, flush=True)
    if cp_sat is not None:
        cp_sat.communicate()
    return rows


def _run_ours(instance: Instance, known: dict[str, Any], *, runs: int, limit: float) -> Row:
    api = time_call(lambda: enumerate_instance(instance, time_limit=limit), runs)
    kernel = time_call(lambda: search_kernel(instance, time_limit=limit), runs)
    one = time_call(lambda: search_kernel(instance, time_limit=limit, collect=False), runs)
    family = api.answer
    finished = family.status in ("complete", "list_limit")
    agrees = family.hits == family.upper_bound == known["hits"]
    if known["count"] is not None:
        agrees = agrees and finished and family.count == known["count"]
    return {
        "id": instance.id,
        "sentences": instance.n_sentences,
        "hits": family.hits,
        "count": family.count if finished else None,
        "status": str(family.status),
        "agrees": agrees,
        "nodes": family.checked,
        "diagram": kernel.answer.family.nodes if kernel.answer.family else None,
        "api_s": api.seconds,
        "api_cpu": api.cpu,
        "kernel_s": kernel.seconds,
        "kernel_cpu": kernel.cpu,
        "one_s": one.seconds,
    }


def _run_highs(instance: Instance, limit: float) -> Row:
    timed = time_call(lambda: find_in_instance(instance, method="ilp", time_limit=limit), 1)
    return {"highs_s": timed.seconds, "highs_cpu": timed.cpu, "highs_proven": timed.answer.proven}


def _run_paper(instance: Instance, limit: float) -> Row:
    timed = time_call(
        lambda: enumerate_instance(instance, method="paper", time_limit=limit, max_list=1000), 1
    )
    return {
        "paper_s": timed.seconds,
        "paper_nodes": timed.answer.checked,
        "paper_finished": timed.answer.status in ("complete", "list_limit"),
    }


def _start_cp_sat(limit: float) -> subprocess.Popen[str]:
    program = Path(__file__).with_name("engine_cp_sat.py")
    return subprocess.Popen(
        [sys.executable, str(program), str(limit)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _ask_cp_sat(process: subprocess.Popen[str], path: Path) -> Row:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{path}\n")
    process.stdin.flush()
    return {f"cp_sat_{key}": value for key, value in json.loads(process.stdout.readline()).items()}


def _describe(row: Row) -> str:
    parts = [f"{row['id']:48} {row['count'] or '?':>12} sets {row['nodes']:8} nodes"]
    parts.append(f"ours {1e3 * row['api_s']:9.2f} ms (kernel {1e3 * row['kernel_s']:9.2f})")
    if "highs_s" in row:
        parts.append(f"HiGHS {1e3 * row['highs_s']:8.0f} ms")
    if "paper_s" in row:
        parts.append(
            f"paper {row['paper_s']:5.2f} s{'' if row['paper_finished'] else ' (stopped)'}"
        )
    if "cp_sat_s" in row:
        stopped = "" if row["cp_sat_finished"] else " (stopped)"
        parts.append(f"CP-SAT {row['cp_sat_s']:5.2f} s{stopped}")
    return "  ".join(parts) + ("" if row["agrees"] else "  DIFFERS FROM THE KNOWN ANSWER")
