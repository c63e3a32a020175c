"""Throughput of tokenising and stemming beside rouge_score, in one run on one core.

    python benchmarks/text_throughput.py [--megabytes 1] [--runs 7] [--save NAME]

What is timed, from Python str each time, texts of one sentence each:
- rouge_score: `tokenizers.DefaultTokenizer(use_stemmer=True).tokenize(text)` for every text (a list
  of str each). Its stemmer keeps no memory between words.
- oraclesum, numbered: the path that scores and instances take; all texts go to the kernel in one
  call, which tokenises, stems and numbers every token and gives the count of each text back.
- oraclesum, listed: the same with a Python list of str for every text, as rouge_score gives it.
The text is drawn from a Zipfian vocabulary of made-up words with English suffixes (seeded), or,
with --data, read from a JSON-lines corpus with `sentences`. Medians over --runs, all on one input.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from rouge_score.tokenizers import DefaultTokenizer

from oraclesum.text import Analyser

SUFFIXES = ["", "", "", "s", "ed", "ing", "er", "ation", "ness", "ment", "ly", "al", "ical", "ity"]
LETTERS = "etaoinshrdlucmfwypvbgk"


def draw_texts(megabytes: float, seed: int) -> list[str]:
    """Sentences of words drawn by Zipf's law from 30,000 made-up words."""
    rng = random.Random(seed)
    words = [
        "".join(rng.choices(LETTERS, k=rng.randint(2, 8))) + rng.choice(SUFFIXES)
        for _ in range(30_000)
    ]
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(words))))
    texts, size = [], 0
    while size < megabytes * 1e6:
        drawn = rng.choices(words, cum_weights=weights, k=rng.randint(8, 35))
        drawn[0] = drawn[0].title()
        text = " ".join(drawn).replace(" ", ", ", 1) + "."
        texts.append(text)
        size += len(text) + 1
    return texts


def read_texts(path: Path) -> list[str]:
    """All sentences of a JSON-lines corpus."""
    with path.open(encoding="utf-8") as lines:
        return [sentence for line in lines for sentence in json.loads(line)["sentences"]]


def time_rounds(
    works: dict[str, Callable[[], int]], runs: int
) -> tuple[dict[str, float], dict[str, int]]:
    """Median seconds and tokens of each; they take turns, so that a busy moment hits all alike."""
    tokens = {name: work() for name, work in works.items()}
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in seconds.items()}, tokens


def describe_machine() -> dict[str, str]:
    """What the numbers were measured on."""
    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return {
        "cpu": model,
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def main() -> None:
    """Measure, print, and with --save keep the result beside this program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=1.0)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, help="a JSON-lines corpus instead of drawn text")
    parser.add_argument("--save", metavar="NAME", help="keep as results/NAME.json")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    texts = (
        read_texts(options.data) if options.data else draw_texts(options.megabytes, options.seed)
    )
    size = sum(len(text.encode()) for text in texts)
    theirs, ours = DefaultTokenizer(use_stemmer=True), Analyser(stem=True)
    works: dict[str, Callable[[], int]] = {
        "rouge_score": lambda: sum(len(theirs.tokenize(text)) for text in texts),
        "oraclesum, numbered": lambda: sum(ours.count_tokens(texts)),
        "oraclesum, listed": lambda: sum(len(tokens) for tokens in ours.tokens_of(texts)),
    }
    seconds, tokens = time_rounds(works, options.runs)
    rows = [
        {
            "name": name,
            "seconds": round(taken, 5),
            "megabytes_per_second": round(size / taken / 1e6, 2),
            "tokens_per_second": round(tokens[name] / taken),
            "ratio": round(seconds["rouge_score"] / taken, 1),
        }
        for name, taken in seconds.items()
    ]
    for row in rows:
        print(
            f"{row['name']:22} {row['megabytes_per_second']:9.2f} MB/s "
            f"{row['tokens_per_second']:13,} tokens/s {row['ratio']:8.1f}x"
        )
    if options.save:
        folder = Path(__file__).parent / "results"
        folder.mkdir(exist_ok=True)
        result = {
            "text": options.data.name if options.data else f"zipf, seed {options.seed}",
            "texts": len(texts),
            "bytes": size,
            "runs": options.runs,
            "machine": describe_machine(),
            "rows": rows,
        }
        (folder / f"{options.save}.json").write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
