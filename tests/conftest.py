"""Settings for all tests: the same draws in every run, and nothing is judged by the clock.

With ORACLESUM_WIDE=1, property tests draw ten times as many examples by chance, and the tests
marked `wide` run too. CONTRIBUTING.md has the command.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

WIDE = os.environ.get("ORACLESUM_WIDE", "") not in ("", "0")

# No database: what one run found must not change the next one.
settings.register_profile(
    "same",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "wide", settings.get_profile("same"), derandomize=False, max_examples=1000
)
settings.load_profile("wide" if WIDE else "same")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what only the wider run has time for; begin with what takes longest.

    Started last, the kernel's build would keep one process busy while the other has nothing to do.
    """
    items.sort(key=lambda item: "test_kernel_build" not in item.nodeid)
    if WIDE:
        return
    for item in items:
        if "wide" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="runs with ORACLESUM_WIDE=1 only"))


def pytest_collection_finish() -> None:
    """Let the garbage collector look only at what the tests make.

    Thousands of collected tests are no garbage, and to look at them takes longer than many a test.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture
def usual_digits() -> Iterator[None]:
    """Python's own limit of digits, which the command lifts; it must be as it was at the end."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    yield
    after = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(before)
    assert after == 4300


def pytest_unconfigure() -> None:
    gc.unfreeze()  # or what is still there at the end would count as leaked
