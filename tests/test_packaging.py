"""What is built and installed: the stable interface of Python, dependencies, targets of make."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_bindings_keep_to_the_stable_interface_of_python() -> None:
    # These are macros that look into objects; a wheel for 3.12 and later must not.
    macro = re.compile(r"\bPy[A-Z][A-Za-z]*_(?:[A-Z]+_)*[A-Z]{2,}\b")
    for path in sorted((ROOT / "bindings").iterdir()):
        assert not macro.findall(path.read_text()), path.name


def test_one_wheel_is_built_for_all_pythons_from_the_one_that_allows_it() -> None:
    stable = PROJECT["tool"]["scikit-build"]["wheel"]["py-api"]
    assert stable == "cp312"
    assert PROJECT["tool"]["cibuildwheel"]["build"] == ["cp311-*", f"{stable}-*"]


def list_imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names


def test_every_module_that_the_package_imports_is_a_dependency_or_in_an_extra() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    entries = [*PROJECT["project"]["dependencies"]]
    entries += [entry for name, extra in extras.items() if name != "test" for entry in extra]
    named = {re.split(r"[<>=\[]", entry)[0] for entry in entries}
    modules = {"Stemmer": "PyStemmer", "backports": "backports.zstd"}
    parts = {"h11": "uvicorn", "pydantic_core": "pydantic", "starlette": "fastapi"}
    imports = {name for path in (ROOT / "src").rglob("*.py") for name in list_imports(path)}
    for name in imports - {"oraclesum", "compression"}:  # the latter is part of Python 3.14
        assert parts.get(name, modules.get(name, name)) in named, name
