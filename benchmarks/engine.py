"""Benchmarks of the enumeration engine, recorded in results/engine.json and results/engine.md.

    python benchmarks/engine.py [shared] [documents] [growth] [listing] [ablation] [--shared FOLDER]

Without names everything but the ablation is run. Each part replaces only its own section of the
record. `shared`, `growth` and `listing` need the shared data folder (ORACLESUM_SHARED, or `shared`
beside the project); `documents` is drawn from a seed. The other methods take long: --cp-sat-limit
and --paper-limit are seconds per instance, 0 leaves a method out, --cp-sat-every k asks CP-SAT for
every k-th instance only.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine_ablation import run_ablation
from engine_documents import run_documents
from engine_growth import run_growth
from engine_listing import run_listing
from engine_report import write_page
from engine_shared import run_shared
from engine_timing import describe_machine

HERE = Path(__file__).resolve().parent
PARTS = ("shared", "documents", "growth", "listing", "ablation")


def main() -> None:
    """Measure what was asked for and rewrite the record."""
    options = _read_options()
    if hasattr(os, "sched_setaffinity"):  # one core, so that no run is moved to a cold one
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    path = results / "engine.json"
    record: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    for part in options.parts or PARTS[:-1]:
        run, settings = _choose(part, options)
        machine = describe_machine()
        record[part] = {"machine": machine, "settings": settings, "rows": run(**settings)}
        path.write_text(json.dumps(record, indent=1) + "\n")
    page = write_page(record)
    (results / "engine.md").write_text(page)
    print(page.partition("\n## Instances")[0])


def _choose(
    part: str, options: argparse.Namespace
) -> tuple[Callable[..., list[dict[str, Any]]], dict[str, Any]]:
    """The measurement and its settings, which are recorded."""
    shared = Path(options.shared)
    if part == "documents":
        return run_documents, {"each": options.documents, "seed": options.seed}
    if part == "growth":
        settings = {"topics": options.topics, "runs": options.runs, "limit": 10.0}
        return lambda **chosen: run_growth(shared / "data", **chosen), settings
    instances = shared / "instances"
    if part == "listing":
        settings = {"most": options.most, "time_limit": 60.0}
        return lambda **chosen: run_listing(instances, **chosen), settings
    if part == "ablation":
        settings = {
            "every": options.ablation_every,
            "limit": options.ablation_limit,
            "runs": options.runs,
        }
        return lambda **chosen: run_ablation(instances, **chosen), settings
    settings = {
        "runs": options.runs,
        "own_limit": options.own_limit,
        "highs_limit": options.highs_limit,
        "cp_sat_limit": options.cp_sat_limit,
        "cp_sat_every": options.cp_sat_every,
        "paper_limit": options.paper_limit,
    }
    return lambda **chosen: run_shared(instances, **chosen), settings


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="default: all but ablation")
    default = os.environ.get("ORACLESUM_SHARED", str(HERE.parents[1] / "shared"))
    parser.add_argument("--shared", default=default, help="the shared data folder")
    parser.add_argument("--runs", type=int, default=3, help="of each of our own calls")
    parser.add_argument("--own-limit", type=float, default=60.0, help="seconds, for our search")
    parser.add_argument("--highs-limit", type=float, default=60.0, help="seconds, for HiGHS")
    parser.add_argument("--cp-sat-limit", type=float, default=60.0, help="seconds, for CP-SAT")
    parser.add_argument("--cp-sat-every", type=int, default=1, help="ask for every k-th instance")
    parser.add_argument("--paper-limit", type=float, default=60.0, help="seconds, for `paper`")
    parser.add_argument("--documents", type=int, default=1000, help="documents of each size")
    parser.add_argument("--topics", type=int, default=10, help="topics of each corpus, for growth")
    parser.add_argument("--most", type=int, default=2_000_000, help="sets to list of a family")
    parser.add_argument("--ablation-every", type=int, default=4, help="every k-th instance")
    parser.add_argument("--ablation-limit", type=float, default=5.0, help="seconds for one run")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
