"""Throughput of tokenising and stemming beside rouge_score, in one run on one core.

    python benchmarks/text_throughput.py [--megabytes 1] [--runs 7] [--save NAME]

What is timed, from Python str each time, texts of one sentence each:
- rouge_score: `tokenizers.DefaultTokenizer(use_stemmer=True).tokenize(text)` for every text (a list
  of str each). Its stemmer keeps no memory between words.
- oraclesum, numbered: the path that scores and instances take; all texts go to the kernel in one
  call, which tokenises, stems and numbers every token and gives the count of each text back.
- oraclesum, listed: the same with a Python list of str for every text, as rouge_score gives it.
- the numbered path by the rules of other programs (`--tokens`), and by each of them
  `enumerate_corpus` under r1-f1+r2-f1 with at most three sentences, as ratios to ROUGE-1.5.5's.
Seconds are CPU seconds of this process: a busy machine tells no wall-clock time.
The text is drawn from a Zipfian vocabulary of made-up words with English suffixes (seeded), or,
with --data, read from a JSON-lines corpus with `sentences` and `references` (.gz too). Medians over
--runs, all on one input.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rouge_score.tokenizers import DefaultTokenizer

from oraclesum import Rouge, enumerate_corpus
from oraclesum.text import Analyser

RULES = ("rouge-1.5.5", "rouge-score", "presumm", "memsum", "whitespace")
STEMMED = ("rouge-1.5.5", "rouge-score")

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


def read_documents(path: Path) -> list[dict]:
    """The records of a JSON-lines corpus."""
    content = path.read_bytes()
    text = gzip.decompress(content) if path.suffix == ".gz" else content
    return [json.loads(line) for line in text.splitlines()]


def cut_documents(texts: list[str]) -> list[dict]:
    """Drawn sentences as documents of 30, with a reference from every tenth of them."""
    starts = range(0, len(texts), 30)
    return [
        {"sentences": texts[at : at + 30], "references": [" ".join(texts[at : at + 30 : 10])]}
        for at in starts
    ]


def time_rounds(
    works: dict[str, Callable[[], int]], runs: int
) -> tuple[dict[str, float], dict[str, int]]:
    """Median seconds and tokens of each; they take turns, so that a busy moment hits all alike."""
    tokens = {name: work() for name, work in works.items()}
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            start = time.process_time()
            work()
            seconds[name].append(time.process_time() - start)
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


def compare_rules(texts: list[str], documents: list[dict], runs: int) -> list[dict]:
    """What each program's rules for tokens cost beside those of ROUGE-1.5.5."""

    def count(name: str) -> int:
        return sum(Analyser(tokenizer=name, stem=name in STEMMED).count_tokens(texts))

    def enumerate_all(name: str) -> int:
        rouge = Rouge("r1-f1+r2-f1", tokenizer=name, stem=name in STEMMED)
        return sum(1 for _ in enumerate_corpus(documents, rouge=rouge, max_sentences=3))

    tokens, _ = time_rounds({name: partial(count, name) for name in RULES}, runs)
    whole, _ = time_rounds({name: partial(enumerate_all, name) for name in RULES}, runs)
    return [
        {
            "rules": name,
            "tokens_seconds": round(tokens[name], 5),
            "tokens_ratio": round(tokens[name] / tokens[RULES[0]], 2),
            "labels_seconds": round(whole[name], 5),
            "labels_ratio": round(whole[name] / whole[RULES[0]], 2),
        }
        for name in RULES
    ]


def main() -> None:
    """Measure, print, and with --save keep the result beside this program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=1.0)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, help="a JSON-lines corpus instead of drawn text")
    parser.add_argument("--documents", type=int, help="only so many of --data")
    parser.add_argument("--save", metavar="NAME", help="keep as results/NAME.json")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    if options.data:
        documents = read_documents(options.data)[: options.documents]
        texts = [sentence for document in documents for sentence in document["sentences"]]
    else:
        texts = draw_texts(options.megabytes, options.seed)
        documents = cut_documents(texts)
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
    rules = compare_rules(texts, documents, options.runs)
    for row in rules:
        print(
            f"tokens of {row['rules']:12} {row['tokens_ratio']:6.2f} times the seconds of "
            f"{RULES[0]} for tokens alone, {row['labels_ratio']:5.2f} for all of enumerate_corpus"
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
            "rules": rules,
        }
        (folder / f"{options.save}.json").write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
