"""Documents per second from text to families, beside a plain-Python greedy, in one run.

    python benchmarks/corpus.py [--documents N] [--repeats K] [--data FOLDER] [--json FILE]

Every figure is given on the clock and in processor seconds; on a machine with other work the second
is the one to compare. A run is the command itself, from its start to its end.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from corpus_shapes import generate, select_greedily

_REAL = 1000  # documents of a real corpus, after repeating it


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
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--data", type=Path, help="a folder of real corpora, JSON lines")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    results: list[Measured] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        count, out = arguments.documents, folder / "out"
        sizes = [int(size) for size in arguments.sizes.split(",")]
        whole = write_corpus(folder, max(count, *sizes))
        lines = take_head(whole, count)
        rounds = []
        for _ in range(arguments.repeats):  # in turn, as the machine's speed changes with time
            rounds.append(
                [
                    measure_greedy(lines, min(count, 2000)),
                    measure_folder(lines, out, 1, count),
                    measure_folder(lines, out, 2, count),
                ]
            )
            results += rounds[-1]
        results.append(measure_folder(lines, out, 2, count, "--output-format", "parquet"))
        firsts = {
            "first result in a pipe": median(
                measure_first_result(lines) for _ in range(2 * arguments.repeats + 1)
            ),
            "first shard in a folder": median(
                measure_first_shard(lines, out) for _ in range(2 * arguments.repeats + 1)
            ),
        }
        for what, seconds in firsts.items():
            print(f"{what:28}{seconds:.2f} s", flush=True)
        for size in sizes:
            results.append(measure_folder(take_head(whole, size), out, 2, size))
        if arguments.data:
            results += measure_real(arguments.data, folder)
    ratios = {
        "one core / greedy": median(rate(one) / rate(greedy) for greedy, one, _ in rounds),
        "two cores / one, clock": median(one.seconds / two.seconds for _, one, two in rounds),
    }
    for what, ratio in ratios.items():
        print(f"{what:28}{ratio:.2f}")
    if arguments.json:
        data: dict[str, Any] = {
            "runs": [asdict(result) for result in results],
            "seconds_to": firsts,
            "ratios": ratios,
            "load": os.getloadavg()[0],
        }
        arguments.json.write_text(json.dumps(data, indent=1) + "\n")


def measure_real(data: Path, folder: Path) -> list[Measured]:
    """Real corpora beside the greedy, each repeated so that the start of a process is little."""
    results = []
    for path in sorted(data.glob("*.jsonl")):
        records = [orjson.loads(line) for line in path.read_bytes().splitlines()]
        repeated = folder / path.name
        with repeated.open("wb") as stream:
            for number in range(_REAL):
                record = records[number % len(records)]
                named = {**record, "id": f"{record['id']}-{number}", "systems": None}
                stream.write(orjson.dumps(named, option=orjson.OPT_APPEND_NEWLINE))
        few = min(_REAL, 2 * len(records))
        results.append(measure_greedy(repeated, few, f"greedy, {path.stem}"))
        out = folder / path.stem
        results.append(measure_folder(repeated, out, 1, _REAL, what=f"exact, {path.stem}"))
        repeated.unlink()
    return results


def rate(measured: Measured) -> float:
    return measured.documents / measured.cpu_seconds


def write_corpus(folder: Path, count: int) -> Path:
    path = folder / f"{count}.jsonl"
    with path.open("wb") as stream:
        for record in generate(count):
            stream.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
    return path


def take_head(whole: Path, count: int) -> Path:
    """A file of the first records of a corpus."""
    path = whole.with_name(f"first-{count}.jsonl")
    with whole.open("rb") as source, path.open("wb") as target:
        target.writelines(islice(source, count))
    return path


def measure_greedy(lines: Path, count: int, what: str = "greedy, plain Python") -> Measured:
    """The greedy over JSON lines into JSON lines, in this process; of each the first reference."""
    started, before = time.perf_counter(), time.process_time()
    with lines.open("rb") as source, (lines.parent / "greedy.jsonl").open("wb") as sink:
        for _, line in zip(range(count), source, strict=False):
            record = orjson.loads(line)
            reference = record["references"][0]
            sentences = [reference] if isinstance(reference, str) else reference
            chosen = select_greedily(record["sentences"], sentences)
            sink.write(orjson.dumps({"id": record["id"], "oracle": chosen}) + b"\n")
    measured = Measured(
        what=what,
        documents=count,
        seconds=time.perf_counter() - started,
        cpu_seconds=time.process_time() - before,
    )
    measured.show()
    return measured


def measure_folder(
    lines: Path, out: Path, jobs: int, count: int, *options: str, what: str | None = None
) -> Measured:
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
        what=what
        or " ".join(["exact, all oracles,", f"{jobs} job{'s' if jobs > 1 else ''}", *options[1:]]),
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


def measure_first_shard(lines: Path, out: Path) -> float:
    """Seconds from the start of the command to the first shard that is whole in its folder."""
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "oraclesum", "enumerate", str(lines), "-o", f"{out}/"]
    command += ["--max-words", "100", "--jobs", "2", "--quiet"]
    started = time.perf_counter()
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while not (out.exists() and any(out.glob("part-*"))):
            time.sleep(0.001)
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
