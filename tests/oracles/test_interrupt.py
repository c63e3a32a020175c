"""Ctrl-C reaches a run inside the kernel or a solver as KeyboardInterrupt."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import signal, threading, time
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import find_in_instance, enumerate_instance

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


@pytest.mark.skipif(sys.platform == "win32", reason="signals work otherwise there")
@pytest.mark.parametrize("method", ["paper", "exhaustive"])
def test_ctrl_c_stops_a_run_in_the_kernel(method: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(method=method)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == "interrupted\n", done.stderr
