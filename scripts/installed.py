"""Prints what is installed in the environment of this interpreter: MB, and seconds of an import.

`python scripts/installed.py` weighs every distribution but pip itself, largest first.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import Distribution, distributions, packages_distributions
from resource import RUSAGE_CHILDREN, getrusage

LEFT_OUT = {"pip", "setuptools"}


def weigh(distribution: Distribution) -> int:
    """The bytes of its files; compiled Python files count, whoever wrote them."""
    sizes = 0
    for file in distribution.files or ():
        path = file.locate()
        if path.is_file():
            sizes += path.stat().st_size
    return sizes


def time_import(module: str) -> float:
    """CPU seconds of an import in a new interpreter, less those of none; the least of five."""

    def run(program: str) -> float:
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
        after = getrusage(RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    imported = min(run(f"import {module}") for _ in range(5))
    return max(0.0, imported - min(run("pass") for _ in range(5)))


def main() -> None:
    modules = {
        name: module
        for module, names in packages_distributions().items()
        for name in names
        if not module.startswith("_")
    }
    found = {one.metadata["Name"]: weigh(one) for one in distributions()}
    found = {name: size for name, size in found.items() if name not in LEFT_OUT}
    for name, size in sorted(found.items(), key=lambda pair: -pair[1]):
        seconds = time_import(modules[name])
        print(f"{name:<20} {size / 1e6:8.1f} MB   import {seconds:6.3f} s")
    print(f"{'all':<20} {sum(found.values()) / 1e6:8.1f} MB")


if __name__ == "__main__":
    main()
