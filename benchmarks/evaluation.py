"""CPU seconds of `evaluate` beside `enumerate` on the same documents, and of `correlate`.

    python benchmarks/evaluation.py [--news FILE] [--judged FILE] [--documents N] [--runs N]

Without files, the demo corpus is repeated under other names.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path

import oraclesum.corpora

DEMO = Path(oraclesum.corpora.__file__).with_name("demo.jsonl")
SYSTEMS = "lead,random,frequency"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--news", type=Path, help="JSON lines; default: the demo corpus, repeated")
    parser.add_argument("--judged", type=Path, help="the same with systems and human scores")
    parser.add_argument("--human", default=None, help="which human score of --judged")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=3, help="the smallest time counts")
    options = parser.parse_args()
    human = options.human or ("relevance" if options.judged else "responsiveness")
    with tempfile.TemporaryDirectory() as folder:
        news, judged = Path(folder, "news.jsonl"), Path(folder, "judged.jsonl")
        write_records(news, options.news or DEMO, options.documents)
        write_records(judged, options.judged or DEMO, 100)
        out = ["--force", "-q", "-o", str(Path(folder, "out.jsonl"))]
        length = ["--max-words", "100"]
        seconds: dict[str, float] = {}
        for _ in range(options.runs):
            for name, arguments in {
                "enumerate": ["enumerate", str(news), "--rouge", "2"],
                "evaluate": ["evaluate", str(news), "--rouge", "2", "--systems", SYSTEMS],
                "correlate": ["correlate", str(judged), "--human", human],
            }.items():
                took = measure([*arguments, *length, *out])
                seconds[name] = min(took, seconds.get(name, took))
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    print(f"{'command':<12}{'CPU seconds':>12}{'ratio':>8}")
    for name, took in seconds.items():
        ratio = f"{took / seconds['enumerate']:.1f}" if name == "evaluate" else ""
        print(f"{name:<12}{took:>12.2f}{ratio:>8}")


def write_records(path: Path, source: Path, most: int) -> None:
    """The first records of a file, from the start again under other names if it has too few."""
    with path.open("w", encoding="utf-8") as out:
        for record in islice(repeat_records(source.read_text("utf-8").splitlines()), most):
            out.write(json.dumps(record) + "\n")


def repeat_records(lines: Iterable[str]) -> Iterator[dict[str, object]]:
    """The records again and again, each time with another id."""
    records = [json.loads(line) for line in lines]
    for turn in count():
        for record in records:
            yield {**record, "id": f"{record['id']}-{turn}"}


def measure(arguments: list[str]) -> float:
    """User and system seconds of one run of the command."""
    before = os.times()
    command = [sys.executable, "-m", "oraclesum", *arguments]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


if __name__ == "__main__":
    main()
