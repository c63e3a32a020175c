"""The one set of `find_oracle` or of a stopped run: minimal if asked for, whatever the threads."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest

from children import run_child
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import enumerate_instance, find_in_instance
from reference.brute import find_best, is_minimal
from reference.generate import generate_instances
from shared import ROOT


def solvable(number: int, seed: int) -> list[Instance]:
    return [each for each in generate_instances(number, seed) if each.candidates]


@pytest.mark.parametrize("method", ["search", "paper", "exhaustive"])
def test_a_minimal_oracle_is_minimal(method: str) -> None:
    for instance in solvable(300 if method == "search" else 60, seed=3):
        oracle = find_in_instance(instance, method=method, family="minimal")
        assert oracle.hits == find_best(instance)
        assert is_minimal(instance, oracle.indices)


def test_the_best_set_of_a_stopped_run_is_minimal() -> None:
    for instance in solvable(300, seed=5):
        family = enumerate_instance(instance, family="minimal", stop=lambda: True)
        for selected in family:
            assert is_minimal(instance, selected)


def make_document(seed: int) -> Instance:
    """Sentences over few words: many best sets, which seldom are found before the branching."""
    rng = random.Random(seed)
    gains = [[rng.randint(1, 3), 1] for _ in range(90)]
    counts = []
    for _ in range(60):
        words = [min(rng.randrange(90), rng.randrange(90)) for _ in range(8)]
        counts.append([(g, words.count(g)) for g in sorted(set(words))])
    lengths = tuple(rng.randint(5, 30) for _ in counts)
    limit = Limit(unit="words", budget=100, lengths=lengths)
    return Instance(total=400, gains=gains, counts=counts, limits=[limit])


def test_the_oracle_does_not_depend_on_the_number_of_threads() -> None:
    for seed in range(40):
        instance = make_document(seed)
        one, *others = (
            find_in_instance(instance, threads=threads, family=family)
            for family in ("all", "minimal")
            for threads in (1, 2, 3)
        )
        assert one.proven
        assert {other.hits for other in others} == {one.hits}
        assert {other.indices for other in others[:2]} == {one.indices}
        assert len({other.indices for other in others[2:]}) == 1


def test_records_of_extract_and_enumerate_are_the_same_for_any_threads(tmp_path: Path) -> None:
    """Byte for byte but for `checked`, which several threads leave out."""
    rng = random.Random(1)
    words = [f"word{k}" for k in range(60)]
    corpus = tmp_path / "corpus.jsonl"
    with corpus.open("w") as lines:
        for number in range(4):
            record = {
                "id": f"t{number}",
                "sentences": [" ".join(rng.choices(words, k=9)) for _ in range(50)],
                "references": [" ".join(rng.choices(words, k=70)) for _ in range(3)],
            }
            lines.write(json.dumps(record) + "\n")

    def run(verb: str, threads: int) -> list[dict[str, object]]:
        command = [sys.executable, "-m", "oraclesum", verb, str(corpus), "--rouge", "1"]
        command += ["--max-words", "50", "--threads", str(threads), "--quiet"]
        done = run_child(command, seconds=120, text=True, cwd=ROOT)
        assert done.returncode == 0
        return [json.loads(line) for line in done.stdout.splitlines()]

    for verb in ("extract", "enumerate"):
        one, two = run(verb, 1), run(verb, 2)
        assert len(one) == 4
        assert all("checked" in record for record in one)
        assert [{**record, "checked": None} for record in one] == [
            {**record, "checked": None} for record in two
        ]
        assert all("checked" not in record for record in two)


def test_an_integer_program_has_one_column_for_equal_sentences() -> None:
    """With one for each, HiGHS looks at thousands of equal ones for minutes, whatever the limit."""
    from oraclesum.oracles.ilp import _group_equal, _write
    from oraclesum.oracles.options import Options

    instance = Instance(
        total=4,
        gains=[[1, 1], [2]],
        counts=[[(0, 1)], [(1, 1)], [(0, 1)], [(0, 1)], []],
        limits=[Limit(unit="words", budget=5, lengths=(2, 2, 2, 3, 1))],
    )
    clock = Options().start_clock()
    alike = _group_equal(instance, clock)
    assert alike == [[0, 2], [1], [3]]
    assert _write(instance, alike, clock).uppers[:3] == [2.0, 1.0, 1.0]
    assert find_in_instance(instance, method="ilp").hits == 3
