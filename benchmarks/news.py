"""Real articles, end to end: the command beside a plain-Python greedy, two jobs beside one, and
`evaluate` beside `enumerate`, start-up included.

    python benchmarks/news.py ARTICLES [--repeats K] [--json FILE]

ARTICLES is a file of JSON lines, also gzipped, with `sentences` and `references`. Every figure is
given on the clock and in processor seconds; on a machine with other work the second is the one to
compare, and a second job cannot be seen on the clock. Start-up is a seventh of a run over 3,000
articles, so one job and two are compared on ten times as many as well.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from statistics import median

import orjson

from corpus import Measured, measure_greedy, rate

_EVALUATED = 2000
_MORE = 10  # times the articles, under other ids
_SYSTEMS = "lead,random,frequency"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("articles", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    # As pip installs it: without this, an editable install may compile itself at every start.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    data = arguments.articles.read_bytes()
    lines = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).splitlines(keepends=True)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        every, more, some, given = (
            folder / f"{part}.jsonl" for part in ("every", "more", "some", "given")
        )
        every.write_bytes(b"".join(lines))
        more.write_bytes(b"".join(name(line, k) for k in range(_MORE) for line in lines))
        some.write_bytes(b"".join(lines[:_EVALUATED]))
        given.write_bytes(b"".join(map(add_systems, lines[:_EVALUATED])))
        few = min(_EVALUATED, len(lines))
        # In turn, as the machine's speed changes with time.
        rounds = [
            {
                "greedy": measure_greedy(every, len(lines)),
                "one job": measure("enumerate", every, len(lines)),
                "two jobs": measure("enumerate", every, len(lines), "--jobs", "2"),
                "more, one job": measure("enumerate", more, _MORE * len(lines)),
                "more, two jobs": measure("enumerate", more, _MORE * len(lines), "--jobs", "2"),
                "enumerate": measure("enumerate", some, few),
                "evaluate, given systems": measure("evaluate", given, few),
                "evaluate, own systems": measure("evaluate", some, few, "--systems", _SYSTEMS),
            }
            for _ in range(arguments.repeats)
        ]
    ratios = {
        **{
            f"{what}one core / greedy": median(
                rate(r[f"{what}one job"]) / rate(r["greedy"]) for r in rounds
            )
            for what in ("", "more, ")
        },
        **{
            f"{what}two jobs / one, clock": median(
                r[f"{what}one job"].seconds / r[f"{what}two jobs"].seconds for r in rounds
            )
            for what in ("", "more, ")
        },
        **{
            f"{what} / enumerate": median(
                r[what].cpu_seconds / r["enumerate"].cpu_seconds for r in rounds
            )
            for what in ("evaluate, given systems", "evaluate, own systems")
        },
    }
    for what, ratio in ratios.items():
        print(f"{what:40}{ratio:.2f}")
    if arguments.json:
        runs = [asdict(each) for one in rounds for each in one.values()]
        found = {"runs": runs, "ratios": ratios, "load": os.getloadavg()[0]}
        arguments.json.write_text(json.dumps(found, indent=1) + "\n")


def name(line: bytes, copy: int) -> bytes:
    """The record under another id."""
    record = orjson.loads(line)
    record["id"] = f"{copy}-{record['id']}"
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)


def add_systems(line: bytes) -> bytes:
    """The record with three systems: sentences by their numbers, twice, and as text."""
    record = orjson.loads(line)
    sentences = record["sentences"]
    record["systems"] = {
        "first": list(range(min(3, len(sentences)))),
        "every other": list(range(0, min(6, len(sentences)), 2)),
        "text": sentences[1:4],
    }
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)


def measure(verb: str, lines: Path, count: int, *options: str) -> Measured:
    """The command into one file, from its start to its end."""
    command = [sys.executable, "-m", "oraclesum", verb, str(lines), "--max-words", "100", "--quiet"]
    command += ["--force", "-o", str(lines.with_suffix(".out")), *options]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
    seconds = time.perf_counter() - started
    assert done.returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    what = " ".join([verb, *options])
    measured = Measured(what=what[:28], documents=count, seconds=seconds, cpu_seconds=used)
    measured.show()
    return measured


if __name__ == "__main__":
    main()
