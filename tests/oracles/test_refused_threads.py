"""A search goes on with the threads that the system lets it have."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from children import run_child
from oraclesum import _kernel

# Root has no limit of threads: the child becomes somebody else, once all that it needs is loaded.
_SEARCH = """
import os, random, resource, threading
from oraclesum import enumerate_oracles

draw = random.Random(3)
words = [f"w{i}" for i in range(60)]
write = lambda count: " ".join(draw.choice(words) for _ in range(count))
texts, references = [write(12) for _ in range(60)], [write(80), write(80)]
search = lambda threads: list(
    enumerate_oracles(texts, references, rouge="r2-recall", max_words=60, threads=threads)
)
alone, several = search(1), search(4)
assert alone and alone == several
try:
    if os.geteuid() == 0:
        os.setuid(60123)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
except (OSError, ValueError):
    raise SystemExit("skip")
try:
    threading.Thread(target=int).start()
except RuntimeError:
    assert search(4) == alone
    print("done")
else:
    raise SystemExit("skip")
"""


def test_a_search_that_is_refused_threads_does_without_them() -> None:
    child = run_child([sys.executable, "-c", _SEARCH], text=True)
    if "skip" in child.stderr:
        pytest.skip("this system lets every process have threads")
    assert child.stdout == "done\n", child.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="reads the headers of an ELF file")
def test_the_kernel_keeps_nothing_local_to_threads() -> None:
    # The system allocates that when a thread first touches it; out of memory, it ends the process.
    data = Path(_kernel.__file__).read_bytes()
    assert data[:5] == b"\x7fELF\x02"
    table, size, number = (
        struct.unpack_from("<Q", data, 32)[0],
        *struct.unpack_from("<HH", data, 54),
    )
    kinds = {struct.unpack_from("<I", data, table + size * k)[0] for k in range(number)}
    load, thread_local = 1, 7
    assert load in kinds
    assert thread_local not in kinds
