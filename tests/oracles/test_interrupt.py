"""Ctrl-C reaches a run inside the kernel or a solver as KeyboardInterrupt."""

from __future__ import annotations

import subprocess
import sys

import pytest

from children import run_child

KERNEL = """
import signal, threading
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import enumerate_instance

n = 60
instance = Instance(
    total=n, gains=[[1]] * n, counts=[[(i, 1)] for i in range(n)],
    limits=[Limit(unit="words", budget=n // 2, lengths=(1,) * n)],
)
threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
try:
    enumerate_instance(instance, method="{method}", max_list=0, time_limit=20)
except KeyboardInterrupt:
    print("interrupted")
"""


SOLVER = """
import random, signal, threading
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import find_in_instance

rng = random.Random(1)
counts = [[(g, 1) for g in rng.sample(range(90), 12)] for _ in range(150)]
instance = Instance(
    total=180, gains=[[2]] * 90, counts=counts,
    limits=[Limit(unit="words", budget=120, lengths=tuple(rng.randint(8, 20) for _ in counts))],
)
threading.Timer(1.5, signal.raise_signal, [signal.SIGINT]).start()
try:
    find_in_instance(instance, method="pairwise", time_limit=30)
except KeyboardInterrupt:
    print("interrupted")
"""


def run(program: str) -> subprocess.CompletedProcess[str]:
    return run_child([sys.executable, "-c", program], text=True, seconds=60)


@pytest.mark.parametrize("method", ["paper", "exhaustive"])
def test_ctrl_c_stops_a_run_in_the_kernel(method: str) -> None:
    done = run(KERNEL.format(method=method))
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr


def test_ctrl_c_stops_a_run_of_the_solver() -> None:
    done = run(SOLVER)
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr
