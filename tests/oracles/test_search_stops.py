"""Method `search` answers Ctrl-C and keeps its time limit, and what it answers is true.

A run that went on instead would not end within the time limits of the tests.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

from children import start_child
from oraclesum import Rouge, enumerate_oracles, find_oracle
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import Status, enumerate_instance, find_in_instance
from shared import ROOT, shared

NEAR = 4  # hits below the best: makes a hard instance far too long to finish

PROGRAM = f"""
import sys
from oraclesum.instances import Instance
from oraclesum.oracles import enumerate_instance
instance = Instance.read(sys.argv[1])
print("ready", flush=True)
try:
    enumerate_instance(instance, threads=int(sys.argv[2]), within_hits={NEAR})
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def find_hard() -> Path:
    paths = sorted(shared("instances").glob("qmsum-*TS3006d-multi-250-rouge1.json"))
    if not paths:
        pytest.skip("the hard instance is not in the shared data folder")
    return paths[0]


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_is_answered(threads: int) -> None:
    with start_child(
        [sys.executable, "-c", PROGRAM, str(find_hard()), str(threads)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        answer = process.stdout.readline()
        _, errors = process.communicate()
    assert (process.returncode, answer) == (0, "interrupted\n"), errors


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("time_limit", [0.0, 0.01, 0.3])
def test_a_time_limit_is_kept_with_bounds_that_enclose_the_best(
    time_limit: float, threads: int
) -> None:
    instance = Instance.read(find_hard())
    family = enumerate_instance(instance, time_limit=time_limit, threads=threads, within_hits=NEAR)
    assert family.status == Status.TIME_LIMIT
    assert not family.complete
    best = find_in_instance(instance)
    assert best.proven
    assert 0 < family.hits <= best.hits <= family.upper_bound
    for selected in family:
        assert instance.feasible(selected)
        assert instance.hits(selected) == family.hits


def test_a_finder_without_time_claims_no_more_than_it_proved() -> None:
    instance = Instance.read(find_hard())
    oracle = find_in_instance(instance, time_limit=0)
    assert oracle.proven == (oracle.hits == oracle.upper_bound)
    assert oracle.status == (Status.COMPLETE if oracle.proven else Status.TIME_LIMIT)
    assert instance.hits(oracle.indices) == oracle.hits


def make_large() -> Instance:
    """So many different sentences that presolve alone looks at the clock."""
    draw = random.Random(5)
    counts = [[(g, 1) for g in sorted(draw.sample(range(400), 12))] for _ in range(6000)]
    limit = Limit(unit="words", budget=5, lengths=(1,) * len(counts))
    gains = [[1]] * 400
    return Instance(total=400, gains=gains, counts=counts, limits=[limit])


def test_a_search_that_is_stopped_in_presolve_has_no_set_and_a_bound_that_holds() -> None:
    instance = make_large()
    family = enumerate_instance(instance, time_limit=0)
    assert (family.status, family.hits, family.count) == (Status.TIME_LIMIT, 0, 0)
    assert family.upper_bound == 400
    oracle = find_in_instance(instance, time_limit=0)
    assert (oracle.status, oracle.indices, oracle.upper_bound) == (Status.TIME_LIMIT, (), 400)


def test_no_sentence_fits_is_said_only_if_it_is_proven() -> None:
    draw = random.Random(6)
    words = [f"w{k}" for k in range(400)]
    sentences = [" ".join(draw.sample(words, 12)) for _ in range(6000)]
    reference = " ".join(words)
    settings: dict[str, Any] = {"max_words": 60, "min_words": 59, "time_limit": 1e-9}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rouge = Rouge("r1-f1", stem=False)
        family = enumerate_oracles(sentences, [reference], rouge=rouge, **settings)
        oracle = find_oracle(sentences, [reference], rouge=rouge, **settings)
    assert (family.status, family.count, family.value) == (Status.TIME_LIMIT, 0, 0)
    assert family.upper_value > 0
    assert (oracle.status, oracle.indices) == (Status.TIME_LIMIT, ())
