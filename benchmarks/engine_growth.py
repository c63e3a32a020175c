"""How the engine's time grows with the document: topics joined and cut, 250 words, 3-4 references.

A topic's own sentences come first, then those of the following topics, as many as asked for; the
references stay the topic's. So the limit and the references are fixed and the rest is ballast.
"""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import Any

from engine_timing import search_kernel, time_call
from oraclesum import Limits, Rouge, build_instance

SIZES = (100, 200, 400, 800, 900, 1600, 3200)
CORPORA = ("multiling2011_english.jsonl", "squality_plot_train.jsonl")
WORDS = 250


def run_growth(folder: Path, *, topics: int, runs: int, limit: float) -> list[dict[str, Any]]:
    """One row a corpus, n-gram length and size; runs beyond the limit count as long as that."""
    rows = []
    for corpus in CORPORA:
        lines = (folder / corpus).read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines]
        reach = sum(len(record["sentences"]) for record in records)
        for n in (1, 2):
            for size in SIZES:
                if size > reach:
                    continue
                measured = [
                    _measure(records, first, n, size, runs, limit)
                    for first in range(min(topics, len(records)))
                ]
                rows.append(_sum_up(corpus.split("_")[0], n, size, measured))
    return rows


def _measure(
    records: list[dict[str, Any]], first: int, n: int, size: int, runs: int, limit: float
) -> dict[str, Any]:
    sentences: list[str] = []
    for record in records[first:] + records[:first]:
        sentences += record["sentences"]
        if len(sentences) >= size:
            break
    instance = build_instance(
        sentences[:size], records[first]["references"], Rouge(n=n), Limits(max_words=WORDS)
    )
    timed = time_call(lambda: search_kernel(instance, time_limit=limit), runs)
    found = timed.answer
    return {
        "sentences": instance.n_sentences,
        "candidates": len(instance.candidates),
        "seconds": timed.seconds,
        "cpu": timed.cpu,
        "nodes": found.nodes,
        "finished": found.family is not None,
        "count": found.family.count if found.family is not None else None,
    }


def _sum_up(corpus: str, n: int, size: int, measured: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = [row["seconds"] for row in measured]
    counts = [row["count"] for row in measured if row["finished"]]
    return {
        "corpus": corpus,
        "n": n,
        "asked": size,
        "sentences": round(statistics.median(row["sentences"] for row in measured)),
        "candidates": round(statistics.median(row["candidates"] for row in measured)),
        "topics": len(measured),
        "finished": len(counts),
        "median_ms": 1e3 * statistics.median(seconds),
        "median_cpu_ms": 1e3 * statistics.median(row["cpu"] for row in measured),
        "max_ms": 1e3 * max(seconds),
        "nodes": round(statistics.median(row["nodes"] for row in measured)),
        "oracles": statistics.median_low(counts) if counts else None,
    }


def fit_exponent(rows: list[dict[str, Any]]) -> float:
    """Slope of log CPU seconds over log sentences: 1 is linear growth."""
    x = [math.log(row["sentences"]) for row in rows]
    y = [math.log(row["median_cpu_ms"]) for row in rows]
    return statistics.linear_regression(x, y).slope
