"""The helper that starts child processes keeps what it promises."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from children import list_group, run_child, start_child, wait_for_group

SHOW = "import signal; print([signal.getsignal(s) for s in (signal.SIGINT, signal.SIGHUP)])"
SLEEP = "import time; print('ready', flush=True); time.sleep(60)"
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
child.wait()
"""


def test_a_child_has_default_signals_even_if_ours_are_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with start_child([sys.executable, "-c", SLEEP], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            child.send_signal(signal.SIGINT)
            assert child.wait() == -signal.SIGINT
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_child_ignores_the_signals_it_is_told_to() -> None:
    done = run_child([sys.executable, "-c", SHOW], ignored=[signal.SIGHUP], text=True)
    assert done.stdout.count("SIG_IGN") == 1


def test_a_child_that_hangs_is_killed_and_told_of() -> None:
    with pytest.raises(TimeoutError, match="still running after"):
        run_child([sys.executable, "-c", SLEEP], seconds=0.5)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_a_grandchild_ends_with_the_block() -> None:
    with start_child([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        grandchild = int(child.stdout.readline())
        assert set(list_group(child.pid)) == {child.pid, grandchild}
        os.kill(child.pid, signal.SIGKILL)
    assert wait_for_group(child.pid) == []
