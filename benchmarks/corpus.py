"""Documents per second from text to families, beside a plain-Python greedy, in one run.

    python benchmarks/corpus.py [--documents N] [--sizes 1000,10000,100000] [--json FILE]

Every figure is given on the clock and in processor seconds; on a machine with other work the second
is the one to compare. A run is the command itself, from its start to its end.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from corpus_shapes import generate, select_greedily


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One run."""

    what: str
    documents: int
    seconds: float
    cpu_seconds: float
    peak_mb: float | None = None  # of all processes together

    def show(self) -> None:
        memory = "" if self.peak_mb is None else f"{self.peak_mb:8.0f} MB"
        print(
            f"{self.what:28}{self.documents:9,} documents {self.seconds:8.2f} s "
            f"{self.documents / self.seconds:9,.0f}/s {self.cpu_seconds:8.2f} s of processors "
            f"{self.documents / self.cpu_seconds:9,.0f}/s {memory}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    results: list[Measured] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = write_corpus(folder, arguments.documents)
        results.append(measure_greedy(lines, min(arguments.documents, 1000)))
        count, out = arguments.documents, folder / "out"
        results += [measure_folder(lines, out, jobs, count) for jobs in (1, 2)]
        results.append(measure_folder(lines, out, 1, count, "--output-format", "parquet"))
        first = measure_first_result(lines)
        print(f"{'start to first result':28}{first:.2f} s")
        sizes = map(int, arguments.sizes.split(","))
        results += [measure_folder(write_corpus(folder, size), out, 2, size) for size in sizes]
    greedy, one, two = results[:3]
    ratios = {
        "one core / greedy": rate(one) / rate(greedy),
        "two cores / one, clock": one.seconds / two.seconds,
    }
    for what, ratio in ratios.items():
        print(f"{what:28}{ratio:.2f}")
    if arguments.json:
        data: dict[str, Any] = {
            "runs": [asdict(result) for result in results],
            "first_result_seconds": first,
            "ratios": ratios,
            "load": os.getloadavg()[0],
        }
        arguments.json.write_text(json.dumps(data, indent=1) + "\n")


def rate(measured: Measured) -> float:
    return measured.documents / measured.cpu_seconds


def write_corpus(folder: Path, count: int) -> Path:
    path = folder / f"{count}.jsonl"
    with path.open("wb") as stream:
        for record in generate(count):
            stream.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
    return path


def measure_greedy(lines: Path, count: int) -> Measured:
    """The greedy over JSON lines into JSON lines, in this process."""
    started, before = time.perf_counter(), time.process_time()
    with lines.open("rb") as source, (lines.parent / "greedy.jsonl").open("wb") as target:
        for _, line in zip(range(count), source, strict=False):
            record = orjson.loads(line)
            chosen = select_greedily(record["sentences"], record["references"][0])
            target.write(orjson.dumps({"id": record["id"], "oracle": chosen}) + b"\n")
    measured = Measured(
        what="greedy, plain Python",
        documents=count,
        seconds=time.perf_counter() - started,
        cpu_seconds=time.process_time() - before,
    )
    measured.show()
    return measured


def measure_folder(lines: Path, out: Path, jobs: int, count: int, *options: str) -> Measured:
    """The command into a folder of shards."""
    command = [sys.executable, "-m", "oraclesum", "enumerate", str(lines), "-o", f"{out}/"]
    command += ["--max-words", "100", "--jobs", str(jobs), "--force", "--quiet", *options]
    before = _cpu_of_children()
    started = time.perf_counter()
    process = subprocess.Popen(command)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, _memory_of_tree(process.pid))
        time.sleep(0.05)
    seconds = time.perf_counter() - started
    assert process.returncode == 0
    measured = Measured(
        what=" ".join(
            ["exact, all oracles,", f"{jobs} job{'s' if jobs > 1 else ''}", *options[1:]]
        ),
        documents=count,
        seconds=seconds,
        cpu_seconds=_cpu_of_children() - before,
        peak_mb=peak / 1e6,
    )
    measured.show()
    return measured


def measure_first_result(lines: Path) -> float:
    """Seconds from the start of the command to its first record in a pipe."""
    command = [sys.executable, "-m", "oraclesum", "enumerate", str(lines), "--max-words", "100"]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.readline()
        seconds = time.perf_counter() - started
        process.kill()
    return seconds


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _memory_of_tree(root: int) -> float:
    """Resident bytes of a process and its children."""
    total = 0.0
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        try:
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        except (OSError, IndexError):
            continue  # it has ended
        waiting.extend(map(int, children))
    return total


if __name__ == "__main__":
    main()
