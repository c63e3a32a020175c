"""Rules of the layout that a program can check: imports between parts, how files open, names."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "oraclesum"

STAGES = [
    "corpora",
    "text",
    "rouge",
    "instances",
    "oracles",
    "answers",
    "systems",
    "labels",
    "evaluation",
    "runs",
    "report",
]
SHELLS = ["cli", "experiments", "explorer"]
EVERYWHERE = {
    "errors",
    "message",
    "signature",
    "whole",
    "digits",
    "given",
    "frozen",
    "replacing",
    "card",
    "lazy",
    "notices",
    "stopping",
    "streams",
    "workers",
    "_kernel",
}

PYTHON = sorted(PACKAGE.rglob("*.py"))
SOURCES = [
    path
    for folder in ("src", "kernel", "bindings", "tests", "benchmarks", "examples")
    for suffix in ("py", "cpp", "hpp")
    for path in sorted((ROOT / folder).rglob(f"*.{suffix}"))
]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported_parts(path: Path) -> Iterator[tuple[str, int]]:
    """The parts of the package (its modules and folders) that a file imports, with the line."""
    module = ("oraclesum", *path.relative_to(PACKAGE).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text())):
        targets: list[tuple[str, ...]] = []
        if isinstance(node, ast.Import):
            targets = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = module[: len(module) - node.level] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            targets = [(*base, alias.name) for alias in node.names]
        for target in targets:
            if target[0] == "oraclesum" and len(target) > 1:
                yield target[1], node.lineno


def allowed_parts(part: str) -> set[str]:
    if part in STAGES:
        return EVERYWHERE | set(STAGES[: STAGES.index(part) + 1])
    if part == "cli/verbs":  # declares the verbs of all shells
        return EVERYWHERE | set(STAGES) | set(SHELLS)
    if part in SHELLS:
        return EVERYWHERE | set(STAGES) | {part}
    if part == "__init__":
        return EVERYWHERE | set(STAGES)
    if part == "__main__":
        return {"cli", "stopping", "streams"}
    return EVERYWHERE  # errors.py and signature.py know nothing of the stages


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_a_stage_imports_only_stages_to_its_left(path: Path) -> None:
    part = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if path.parent == PACKAGE / "cli" / "verbs":
        part = "cli/verbs"
    wrong = [
        f"line {line}: {target}"
        for target, line in imported_parts(path)
        if target not in allowed_parts(part)
    ]
    assert not wrong


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_nothing_outside_its_own_folder_is_imported_by_text(path: Path) -> None:
    if path == PACKAGE / "lazy.py":
        return  # names of a package, loaded when asked for
    by_text = [
        f"line {node.lineno}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in ("import_module", "__import__")
        and not _stays_home(node)
    ]
    assert not by_text


def _stays_home(call: ast.Call) -> bool:
    """Whether an import by text is of another package, or of a module in the same folder."""
    first, *others = (ast.unparse(argument) for argument in call.args)
    if first.startswith("f'."):
        return others == ["__package__"] and not first.startswith("f'..")
    return first.startswith(("f'{__package__}.", "'")) and not first.startswith("'oraclesum")


def test_every_folder_of_the_package_is_a_stage_or_a_shell() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders <= {*STAGES, *SHELLS}


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_a_file_opens_with_one_sentence_that_says_what_it_is_for(path: Path) -> None:
    text = path.read_text()
    if path.suffix == ".py":
        opening = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0]
    else:
        lines = text.splitlines()
        comment = [line for line in lines[:3] if line.startswith("//")]
        opening = comment[0].removeprefix("//").strip() if lines[0].startswith("//") else ""
    assert re.match(r"\S.{10,}", opening), "no opening sentence"
    assert not opening.endswith(","), opening


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_a_module_says_what_it_exports_in_sorted_order(path: Path) -> None:
    exported = [
        ast.literal_eval(node.value)
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign)
        and [target.id for target in node.targets if isinstance(target, ast.Name)] == ["__all__"]
    ]
    if path.name in ("__main__.py", "__init__.py") and not exported:
        return
    assert len(exported) == 1, "no __all__"
    assert sorted(exported[0], key=_ruff_order) == exported[0]


def _ruff_order(exported: str) -> tuple[int, str]:
    """Constants, then classes, then functions, as ruff's RUF022 sorts them."""
    kind = 0 if exported.isupper() else 1 if exported[:1].isupper() else 2
    return kind, exported


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert not {path.stem for path in PYTHON} & {"utils", "helpers", "common", "misc", "util"}


def test_no_namespace_of_the_kernel_has_two_types_of_one_name() -> None:
    places = defaultdict(list)
    for path in sorted((ROOT / "kernel").rglob("*.hpp")):
        text = path.read_text()
        namespace = re.search(r"^namespace ([\w:]+)", text, re.M)
        for found in re.finditer(r"^(?:class|struct|enum class) (\w+)[^;]*?\{", text, re.M):
            places[namespace and namespace[1], found[1]].append(name(path))
    assert len(places) > 50
    assert {key: found for key, found in places.items() if len(found) > 1} == {}


def test_bindings_release_the_lock_by_the_class_that_outlives_the_interpreter() -> None:
    bindings = [path for path in (ROOT / "bindings").iterdir() if path.name != "lock.hpp"]
    assert not [path.name for path in bindings if "gil_scoped" in path.read_text()]


def test_no_pattern_has_a_possessive_group_which_python_before_3_11_5_gets_wrong() -> None:
    for path in PYTHON:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not re.search(r"\)[*+?]\+", node.value), name(path)
