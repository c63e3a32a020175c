"""The peers of the benchmark of objectives: greedy in plain Python, brute force in C++, CP-SAT.

All get what our kernel gets: the words of sentences and references as numbers.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

Words = list[int]


@dataclass(frozen=True, kw_only=True)
class Document:
    """A document as all contenders get it."""

    name: str
    sentences: list[Words]
    references: list[list[Words]]  # each as its sentences

    @property
    def joined(self) -> list[Words]:
        """The references, each as one text."""
        return [[word for part in reference for word in part] for reference in self.references]


@dataclass(kw_only=True)
class Result:
    """What a contender says of one document."""

    seconds: float
    proven: bool
    value: Fraction | None = None  # the plain sum of the terms
    count: int | None = None  # sets with this value
    selected: tuple[int, ...] = ()
    more: dict[str, Any] = field(default_factory=dict)


def select_greedily(document: Document, most: int | None) -> Result:
    """The usual greedy labels: add the sentence that raises R1-F1 + R2-F1 most, while one does.

    As PreSumm counts: n-grams are sets, those of a summary the union of its sentences'. Written
    from the published rule; several references are pooled.
    """
    start = time.perf_counter()
    levels = []
    for n in (1, 2):
        references = [_list_ngrams(words, n) for words in document.joined]
        rows = [_list_ngrams(words, n) for words in document.sentences]
        levels.append((references, sum(map(len, references)), rows))
    chosen: list[int] = []
    best = 0.0
    unions: list[set[tuple[int, ...]]] = [set(), set()]
    while most is None or len(chosen) < most:
        place = -1
        for i in range(len(document.sentences)):
            if i in chosen:
                continue
            value = 0.0
            for (references, total, rows), union in zip(levels, unions, strict=True):
                candidate = union | rows[i]
                hits = sum(len(candidate & reference) for reference in references)
                value += 2 * hits / (total + len(references) * len(candidate))
            if value > best:
                best, place = value, i
        if place < 0:
            break
        chosen.append(place)
        unions = [union | rows[place] for union, (_, _, rows) in zip(unions, levels, strict=True)]
    seconds = time.perf_counter() - start
    return Result(seconds=seconds, proven=False, selected=tuple(sorted(chosen)))


def _list_ngrams(words: Sequence[int], n: int) -> set[tuple[int, ...]]:
    return {tuple(words[at : at + n]) for at in range(len(words) - n + 1)}


class Child:
    """A program that answers a line for each line; it ends with the `with` block."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, line: str) -> str:
        """One answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"a peer ended with status {self._process.wait(60)}")
        return answer

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class BruteForce(Child):
    """All sets of one to three sentences, R1-F1 + R2-F1 clipped, in C++."""

    def solve(self, document: Document) -> Result:
        """The best value and how many sets have it, if there was time for all sets."""
        texts = [document.joined, document.sentences]
        numbers = [
            str(number)
            for part in texts
            for number in (len(part), *(n for words in part for n in (len(words), *words)))
        ]
        took, finished, above1, below1, above2, below2, ties, tried = map(
            int, self.ask(" ".join(numbers)).split()
        )
        return Result(
            seconds=took / 1e9,
            proven=bool(finished),
            value=Fraction(above1, below1) + Fraction(above2, below2),
            count=ties,
            more={"tried": tried},
        )


class CpSat(Child):
    """CP-SAT in a process of its own: ortools and highspy cannot share one."""

    def solve(self, document: Document, sizes: Sequence[int], most: int | None) -> Result:
        """R-n F1 added up over `sizes`, clipped: the best value and how many sets have it."""
        question = {
            "sentences": document.sentences,
            "references": document.joined,
            "sizes": list(sizes),
            "most": most,
        }
        answer = json.loads(self.ask(json.dumps(question)))
        value = answer["value"]
        return Result(
            seconds=answer["seconds"],
            proven=answer["proven"],
            value=None if value is None else Fraction(*value),
            count=answer["count"],
        )


@contextmanager
def start_brute_force(limit: float) -> Iterator[BruteForce]:
    """Compiled for this machine, with the optimisation that our kernel has."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder, "brute_force"))
        source = str(HERE / "objectives_brute_force.cpp")
        subprocess.run(["c++", "-std=c++20", "-O3", source, "-o", program], check=True, timeout=300)
        child = BruteForce([program, str(limit)])
        try:
            yield child
        finally:
            child.close()


@contextmanager
def start_cp_sat(limit: float) -> Iterator[CpSat]:
    """Its limit is in seconds for one document."""
    child = CpSat([sys.executable, str(HERE / "objectives_cp_sat.py"), str(limit)])
    try:
        yield child
    finally:
        child.close()
