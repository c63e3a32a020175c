"""The kernel builds without Python and without a warning, and passes its C++ tests, sanitized."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# ThreadSanitizer slows everything down, so it builds only the tests that start threads.
THREADED = ("search_search_test", "search_stopping_test")


def run(*command: str | Path) -> str:
    # The test dependencies bring cmake and ninja, beside this interpreter.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [*map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PATH": path},
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize(
    ("sanitize", "targets"),
    [("", ()), ("address,undefined", ()), ("thread", THREADED)],
    ids=["optimised", "addresses", "threads"],
)
def test_the_kernel_builds_alone_and_passes_its_tests(
    tmp_path: Path, sanitize: str, targets: tuple[str, ...]
) -> None:
    run(
        "cmake",
        "-S",
        ROOT / "kernel",
        "-B",
        tmp_path,
        "-G",
        "Ninja",
        "-DORACLESUM_KERNEL_TESTS=ON",
        f"-DORACLESUM_SANITIZE={sanitize}",
        "-DCMAKE_CXX_FLAGS=-Werror",
    )
    run("cmake", "--build", tmp_path, "-j", "2", "--target", *(targets or ("all",)))
    chosen = ["-R", f"^({'|'.join(targets)})$"] if targets else []
    report = run(
        "ctest", "--test-dir", tmp_path, "--output-on-failure", "--no-tests=error", *chosen
    )
    assert "100% tests passed" in report
