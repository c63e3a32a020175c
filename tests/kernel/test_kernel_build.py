"""The kernel builds without Python and without a warning, and passes its C++ tests, sanitized."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from children import run_child

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 3000  # a build, even if the machine is slow and has much else to do

# ThreadSanitizer slows everything down, so only the tests that start threads run under it.
THREADED = "^search_(search|stopping|failing_memory)_test$"


def run(*command: str | Path) -> str:
    # The test dependencies bring cmake and ninja, beside this interpreter.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = run_child(
        command,
        seconds=SECONDS,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PATH": path},
    )
    assert done.returncode == 0, done.stdout
    output: str = done.stdout
    return output


@pytest.mark.timeout(3 * SECONDS)
@pytest.mark.parametrize(
    ("compiler", "sanitize", "tests"),
    [
        pytest.param("", "address,undefined", "", id="addresses"),
        pytest.param("", "", "", id="optimised", marks=pytest.mark.wide),
        pytest.param("", "thread", THREADED, id="threads", marks=pytest.mark.wide),
        pytest.param("clang++", "", "", id="clang", marks=pytest.mark.wide),
    ],
)
def test_the_kernel_builds_alone_and_passes_its_tests(
    tmp_path: Path, compiler: str, sanitize: str, tests: str
) -> None:
    if compiler and shutil.which(compiler) is None:
        pytest.skip(f"needs {compiler}")
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
        *([f"-DCMAKE_CXX_COMPILER={compiler}"] if compiler else []),
    )
    run("cmake", "--build", tmp_path, "-j", "2")
    # Below the time that ends the child, so that CTest names the test which hangs.
    limit = ("--timeout", str(SECONDS // 2))
    chosen = ("-R", tests) if tests else ()
    report = run(
        "ctest", "--test-dir", tmp_path, "--output-on-failure", "--no-tests=error", *limit, *chosen
    )
    assert "100% tests passed" in report
