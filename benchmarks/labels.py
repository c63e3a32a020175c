"""Labels of a corpus beside the usual greedy's: how good by rouge_score, and how many a second.

    python benchmarks/labels.py CORPUS.jsonl.gz [--documents N]

Both run as commands of their own, start-up included, on one core: `oraclesum labels CORPUS
--objective r1-f1+r2-f1 --max-sentences 3`, and the usual greedy heuristic in plain Python, written
from its published rule. Writes benchmarks/results/labels.md.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 3
OBJECTIVE = "r1-f1+r2-f1"
_CLEAN = re.compile(r"[^a-zA-Z0-9 ]")


def read_documents(path: Path) -> list[dict]:
    content = path.read_bytes()
    text = gzip.decompress(content) if path.suffix == ".gz" else content
    return [json.loads(line) for line in text.splitlines()]


def label_greedily(path: Path, output: Path) -> None:
    """The usual greedy: distinct n-grams of cleaned words, the best sentence while one helps."""
    with output.open("w") as file:
        for record in read_documents(path):
            reference = record["references"][0]
            text = reference if isinstance(reference, str) else " ".join(reference)
            model = _CLEAN.sub("", text.lower()).split()
            wanted = [_ngrams(model, n) for n in (1, 2)]
            found = []
            for sentence in record["sentences"]:
                words = _CLEAN.sub("", sentence.lower()).split()
                found.append([_ngrams(words, n) for n in (1, 2)])
            chosen: list[int] = []
            best = 0.0
            for _ in range(3):
                now, place = best, -1
                for i in range(len(found)):
                    if i in chosen:
                        continue
                    score = 0.0
                    for level in (0, 1):
                        union: set = set().union(*(found[k][level] for k in (*chosen, i)))
                        common = len(union & wanted[level])
                        precision = common / len(union) if union else 0.0
                        recall = common / len(wanted[level]) if wanted[level] else 0.0
                        score += 2 * precision * recall / (precision + recall + 1e-8)
                    if score > now:
                        now, place = score, i
                if place < 0:
                    break
                chosen.append(place)
                best = now
            print(json.dumps({"id": record["id"], "oracle_ids": sorted(chosen)}), file=file)


def _ngrams(words: list[str], n: int) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}


def time_command(command: list[str]) -> float:
    """Seconds of CPU of a command and its children: a busy machine tells no wall-clock time."""
    before = os.times()
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - started
    after = os.times()
    used = after.children_user - before.children_user
    used += after.children_system - before.children_system
    return min(used, wall)


def score_all(documents: list[dict], chosen: dict[str, list[int]]) -> list[tuple[float, ...]]:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=True)
    rows = []
    for record in documents:
        reference = record["references"][0]
        text = reference if isinstance(reference, str) else "\n".join(reference)
        summary = "\n".join(record["sentences"][i] for i in chosen[record["id"]])
        found = scorer.score(text, summary)
        rows.append(tuple(each.fmeasure for each in found.values()))
    return rows


def value_all(documents: list[dict], chosen: dict[str, list[int]]) -> list[object]:
    """The exact value of each set under the objective."""
    from oraclesum import Rouge
    from oraclesum.oracles.objective import score_text

    rouge = Rouge(OBJECTIVE)
    return [
        score_text(
            [record["sentences"][i] for i in chosen[record["id"]]],
            record["references"][:1],
            rouge,
        )
        for record in documents
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=None)
    parser.add_argument("--greedy", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.greedy is not None:
        label_greedily(options.corpus, options.greedy)
        return
    documents = read_documents(options.corpus)[: options.documents]
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.jsonl")
        corpus.write_text(
            "".join(json.dumps({**d, "references": d["references"][:1]}) + "\n" for d in documents)
        )
        ours, greedy = Path(folder, "ours.jsonl"), Path(folder, "greedy.jsonl")
        command = [sys.executable, "-m", "oraclesum", "labels", str(corpus), "--force", "-q"]
        command += ["--objective", OBJECTIVE, "--max-sentences", "3", "-o", str(ours)]
        peer = [sys.executable, __file__, str(corpus), "--greedy", str(greedy)]
        times: dict[str, list[float]] = {"ours": [], "greedy": []}
        for _ in range(RUNS):  # by turns, so that both meet the same machine
            times["ours"].append(time_command(command))
            times["greedy"].append(time_command(peer))
        sets = {
            name: {
                record["id"]: record["oracle_ids"]
                for record in map(json.loads, path.read_text().splitlines())
            }
            for name, path in (("ours", ours), ("greedy", greedy))
        }
        proven = sum('"status":"complete"' in line for line in ours.read_text().splitlines())
    scores = {name: score_all(documents, chosen) for name, chosen in sets.items()}
    values = {name: value_all(documents, chosen) for name, chosen in sets.items()}
    pairs = list(zip(values["ours"], values["greedy"], strict=True))
    lines = [
        f"# Labels of {len(documents):,} documents ({options.corpus.name})",
        "",
        f"One core, start-up included, median of {RUNS} runs by turns (seconds of CPU).",
        "",
        "| labels | documents a second | R1 | R2 | RLsum (F1 by rouge_score) | mean value |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, shown in (
        ("ours", f"oraclesum, {OBJECTIVE}, at most 3"),
        ("greedy", "the usual greedy"),
    ):
        means = [statistics.fmean(column) for column in zip(*scores[name], strict=True)]
        mean = statistics.fmean(float(value) for value in values[name])  # type: ignore[arg-type]
        speed = len(documents) / statistics.median(times[name])
        shown_means = " | ".join(f"{each:.4f}" for each in means)
        lines.append(f"| {shown} | {speed:,.0f} | {shown_means} | {mean:.4f} |")
    ratio = statistics.median(times["greedy"]) / statistics.median(times["ours"])
    lines += [
        "",
        f"Ours gives {ratio:.1f} times the documents a second. Proven: {proven:,} of "
        f"{len(documents):,}. The value under the objective is higher on "
        f"{sum(a > b for a, b in pairs):,} documents, equal on {sum(a == b for a, b in pairs):,}, "  # type: ignore[operator]
        f"lower on {sum(a < b for a, b in pairs):,}.",  # type: ignore[operator]
    ]
    text = "\n".join(lines) + "\n"
    print(text)
    Path(__file__).with_name("results").joinpath("labels.md").write_text(text)


if __name__ == "__main__":
    main()
