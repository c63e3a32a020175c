"""Objectives beside their peers, recorded in results/objectives.json and results/objectives.md.

    python benchmarks/objectives.py                            # the full run: under 25 minutes
    python benchmarks/objectives.py three --documents 200 --cp-sat 3     # one setting, a sample

Settings: `three` (R1-F1 + R2-F1, at most 3 sentences), `sets` (the same, n-grams as sets),
`free` (no limit), `lsum` (with RLsum-F1, at most 3), `stories` (at most 10 of the 275-801
sentences of a story), `single` (one ratio at a time), `ablation` (parts of the method switched
off). Each replaces only its own section of the record. The documents are in the shared data folder
(ORACLESUM_SHARED, or `shared` beside the project).

All contenders get the words as numbers and are timed from there, on one core: ours to the complete
family of best sets with its count, greedy to its one set, brute force and CP-SAT to the best value
and the number of sets that have it. Values and numbers are compared wherever two contenders prove
them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine_timing import describe_machine
from objectives_peers import (
    Document,
    Result,
    select_greedily,
    start_brute_force,
    start_cp_sat,
)
from objectives_report import write_page
from oraclesum import Rouge, _kernel
from oraclesum.rouge.objective import describe_terms
from oraclesum.text import Numbering

HERE = Path(__file__).resolve().parent
CORPORA = {  # name: file, language
    "news": ("cnndm_news_3000.jsonl.gz", "en"),
    "squality": ("squality_plot_train.jsonl", "en"),
    "clscisumm": ("clscisumm2018_train.jsonl", "en"),
    "multiling2011": ("multiling2011_english.jsonl", "en"),
}
SETTINGS = ("three", "sets", "free", "lsum", "stories", "single", "ablation")
PARTS: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "greedy start": ("start",),
    "bounds of single ratios": ("bounds",),
    "few sets told without a search": ("scan",),
    "sentences that lose alone leave": ("losers",),
    "multipliers re-optimised at every node": ("reoptimise",),
    "fixing by reduced cost": ("fix",),
    "remembered sub-problems": ("remember",),
}
MAX_MEMORY = 1 << 30
_NO_LIMITS = _kernel.QuestionLimits(None, None, MAX_MEMORY)
Row = dict[str, Any]


class Bench:
    """The contenders, the documents, and what was asked for."""

    def __init__(self, options: argparse.Namespace, stack: ExitStack) -> None:
        self.options = options
        self._stack = stack
        self._documents: dict[str, list[Document]] = {}
        self._peers: dict[str, Any] = {}

    def documents(self, corpus: str) -> list[Document]:
        """Of a corpus, as word numbers."""
        if corpus not in self._documents:
            file, language = CORPORA[corpus]
            path = Path(self.options.shared, "data", file)
            data = path.read_bytes()
            if path.suffix == ".gz":
                data = gzip.decompress(data)
            lines = data.splitlines()[: self.options.documents]
            records = [json.loads(line) for line in lines]
            analyser = Rouge(language=language).analyser
            self._documents[corpus] = [_number(record, analyser) for record in records]
        return self._documents[corpus]

    def peer(self, name: str, start: Callable[[float], Any], limit: float) -> Any:
        """A peer's program, started once."""
        if name not in self._peers:
            self._peers[name] = self._stack.enter_context(start(limit))
        return self._peers[name]

    def beside(
        self,
        corpus: str,
        objective: str,
        most: int | None,
        *,
        limit: float | None = None,
        counting: str = "clipped",
        greedy: bool = True,
        brute: bool = False,
        cp_sat: Sequence[int] = (),
        first: int | None = None,
    ) -> list[Row]:
        """Each document by every contender in turn, so that a busy moment hits all alike."""
        documents = self.documents(corpus)[:first]
        asked = self.options.cp_sat if cp_sat else 0
        step = max(1, len(documents) // asked) if asked else 0
        results: dict[str, list[tuple[Document, Result]]] = {}
        for at, document in enumerate(documents):
            own = solve(document, objective, most, limit=limit, counting=counting)
            found = {"ours": own}
            if greedy:
                found["greedy"] = select_greedily(document, most)
                _judge_greedy(document, objective, counting, found["greedy"], own)
            if brute and self.options.brute_limit > 0:
                peer = self.peer("brute", start_brute_force, self.options.brute_limit)
                found["brute force"] = peer.solve(document)
            if step and at % step == 0 and at // step < asked:
                peer = self.peer("cp_sat", start_cp_sat, self.options.cp_sat_limit)
                found["CP-SAT"] = peer.solve(document, cp_sat, most)
            for name, result in found.items():
                _compare(document, name, result, own)
                results.setdefault(name, []).append((document, result))
        head = {"corpus": corpus, "objective": objective, "most": most, "counting": counting}
        return [{**head, **_sum_up(name, rows)} for name, rows in results.items()]


def solve(
    document: Document,
    objective: str,
    most: int | None,
    *,
    limit: float | None = None,
    counting: str = "clipped",
    without: Sequence[str] = (),
) -> Result:
    """Ours, from words to the family, its count included."""
    rouge = Rouge(objective, counting=counting)
    terms = describe_terms(rouge.terms)
    start = time.perf_counter()
    measure = _kernel.Measure(
        document.sentences, document.references, terms, False, counting == "sets", False
    )
    n = len(document.sentences)
    found = measure.maximise(
        [] if most is None else [(0, most, [1] * n)],
        [],
        [],
        [],
        (0, 1),
        0,
        False,
        True,
        1,
        limit,
        MAX_MEMORY,
        0,
        list(without),
        None,
    )
    count = found.family.count if found.family is not None else None
    seconds = time.perf_counter() - start
    return Result(
        seconds=seconds,
        proven=found.collected,
        value=_value(rouge, measure, document, found.tallies),
        count=count,
        selected=found.best,
        more={
            "nodes": found.nodes,
            "upper": sum((Fraction(a, b) for a, b in found.upper), Fraction(0)),
        },
    )


def _value(
    rouge: Rouge, measure: _kernel.Measure, document: Document, tallies: Sequence[tuple[int, int]]
) -> Fraction:
    if not tallies:  # no set overlaps with a reference
        return Fraction(0)
    return sum(
        (
            term.value(hits, total, size * len(document.references))
            for term, total, (hits, size) in zip(rouge.terms, measure.totals, tallies, strict=True)
        ),
        Fraction(0),
    )


def _judge_greedy(
    document: Document, objective: str, counting: str, greedy: Result, own: Result
) -> None:
    """What its set is worth under the objective itself."""
    rouge = Rouge(objective, counting=counting)
    measure = _kernel.Measure(
        document.sentences,
        document.references,
        describe_terms(rouge.terms),
        False,
        counting == "sets",
        False,
    )
    greedy.value = _value(rouge, measure, document, measure.count([greedy.selected], _NO_LIMITS)[0])
    if own.proven and own.value:
        greedy.more["share"] = greedy.value / own.value


def _compare(document: Document, name: str, result: Result, own: Result) -> None:
    if name in ("ours", "greedy") or not (result.proven and own.proven):
        return
    if (result.value, result.count) != (own.value, own.count):
        raise RuntimeError(
            f"{document.name}: {name} says {result.value} for {result.count} sets, "
            f"ours {own.value} for {own.count}"
        )


def _number(record: dict[str, Any], analyser: Any) -> Document:
    numbering = Numbering()
    references = []
    sentences = [numbering.number(tokens) for tokens in analyser.tokens_of(record["sentences"])]
    for given in record["references"]:
        parts = [line for line in given.split("\n") if line] if isinstance(given, str) else given
        references.append([numbering.number(tokens) for tokens in analyser.tokens_of(parts)])
    return Document(name=record["id"], sentences=sentences, references=references)


def _sum_up(name: str, rows: list[tuple[Document, Result]]) -> Row:
    seconds = sorted(result.seconds for _, result in rows)
    summary: Row = {
        "contender": name,
        "documents": len(rows),
        "proven": sum(result.proven for _, result in rows),
        "p50_ms": 1e3 * seconds[len(seconds) // 2],
        "p90_ms": 1e3 * seconds[min(len(seconds) - 1, int(0.9 * len(seconds)))],
        "max_ms": 1e3 * seconds[-1],
        "sum_s": sum(seconds),
    }
    if name == "ours":
        worst = max(rows, key=lambda row: row[1].seconds)
        summary["slowest"] = f"{worst[0].name}, {len(worst[0].sentences)} sentences"
        summary["several"] = sum((result.count or 0) > 1 for _, result in rows)
        gaps = [r.more["upper"] / r.value - 1 for _, r in rows if not r.proven and r.value]
        if gaps:
            summary["widest_gap"] = float(max(gaps))
    shares = [result.more["share"] for _, result in rows if "share" in result.more]
    if shares:
        summary["best"] = sum(share == 1 for share in shares) / len(shares)
        summary["share"] = float(sum(shares) / len(shares))
    return summary


def run_three(bench: Bench) -> list[Row]:
    return [
        row
        for corpus in CORPORA
        for row in bench.beside(corpus, "r1-f1+r2-f1", 3, limit=10, brute=True, cp_sat=(1, 2))
    ]


def run_sets(bench: Bench) -> list[Row]:
    return [
        row
        for corpus in CORPORA
        for row in bench.beside(corpus, "r1-f1+r2-f1", 3, limit=10, counting="sets")
    ]


def run_free(bench: Bench) -> list[Row]:
    rows = []
    for corpus in CORPORA:
        first = 5 if corpus == "squality" else None  # best sets of 60 sentences: out of reach
        rows += bench.beside(corpus, "r1-f1+r2-f1", None, limit=10, first=first)
    return rows


def run_lsum(bench: Bench) -> list[Row]:
    return [
        row
        for corpus in CORPORA
        for row in bench.beside(corpus, "r1-f1+r2-f1+rlsum-f1", 3, limit=10)
    ]


def run_stories(bench: Bench) -> list[Row]:
    return bench.beside("squality", "r1-f1+r2-f1", 10, limit=10)


def run_single(bench: Bench) -> list[Row]:
    rows = []
    for corpus, most in (("news", 3), ("squality", 10)):
        for objective, sizes in (("r1-f1", (1,)), ("r2-f1", (2,)), ("rlsum-f1", ()), ("rl-f1", ())):
            if objective == "rl-f1" and corpus != "news":
                continue
            first = 10 if corpus == "squality" and not sizes else None  # most take all their time
            rows += bench.beside(
                corpus, objective, most, limit=10, greedy=False, cp_sat=sizes, first=first
            )
    return rows


def run_ablation(bench: Bench) -> list[Row]:
    """The same documents with a part of the method switched off; no answer may change."""
    rows: list[Row] = []
    for corpus, objective, most, limit in (
        ("news", "r1-f1+r2-f1", 3, 2.0),
        ("news", "r1-f1+r2-f1", None, 2.0),
        ("squality", "r1-f1+r2-f1", 10, 2.0),
    ):
        documents = bench.documents(corpus)
        wanted = 20 if corpus == "squality" else 300
        documents = documents[:: max(1, len(documents) // wanted)][:wanted]
        full: dict[str, Result] = {}
        for part, without in PARTS.items():
            found = []
            for document in documents:
                result = solve(document, objective, most, limit=limit, without=without)
                base = full.setdefault(document.name, result)
                _compare(document, f"without {part}", result, base)
                found.append((document, result))
            nodes = sorted(result.more["nodes"] for _, result in found)
            head = {"corpus": corpus, "objective": objective, "most": most, "part": part}
            summary = _sum_up("ours", found)
            rows.append({**head, **summary, "nodes": nodes[len(nodes) // 2]})
    return rows


RUNS: dict[str, Callable[[Bench], list[Row]]] = {
    "three": run_three,
    "sets": run_sets,
    "free": run_free,
    "lsum": run_lsum,
    "stories": run_stories,
    "single": run_single,
    "ablation": run_ablation,
}


def main() -> None:
    """Measure what was asked for and rewrite the record."""
    options = _read_options()
    if hasattr(os, "sched_setaffinity"):  # one core, so that no run is moved to a cold one
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    results = Path(options.results)
    results.mkdir(exist_ok=True, parents=True)
    path = results / "objectives.json"
    record: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    with ExitStack() as stack:
        bench = Bench(options, stack)
        for name in options.settings or SETTINGS:
            machine = describe_machine()
            start = time.perf_counter()
            rows = RUNS[name](bench)
            record[name] = {
                "machine": machine,
                "settings": {
                    "documents of a corpus": options.documents or "all",
                    "seconds of a document": 10,
                    "of brute force": options.brute_limit,
                    "of CP-SAT": options.cp_sat_limit,
                    "the run took": f"{time.perf_counter() - start:.0f} s",
                },
                "rows": rows,
            }
            path.write_text(json.dumps(record, indent=1) + "\n")
            print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    page = write_page(record)
    (results / "objectives.md").write_text(page)
    print(page)


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("settings", nargs="*", choices=[*SETTINGS, []], help="default: all")
    default = os.environ.get("ORACLESUM_SHARED", str(HERE.parents[1] / "shared"))
    parser.add_argument("--shared", default=default, help="the shared data folder")
    parser.add_argument("--documents", type=int, help="the first so many of a corpus")
    parser.add_argument("--cp-sat", type=int, default=6, help="documents of a corpus for CP-SAT")
    parser.add_argument("--cp-sat-limit", type=float, default=5.0, help="seconds for one document")
    parser.add_argument("--brute-limit", type=float, default=5.0, help="seconds for one document")
    parser.add_argument("--results", default=str(HERE / "results"), help="where the record is")
    return parser.parse_args()


if __name__ == "__main__":
    main()
