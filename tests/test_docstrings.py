"""Every public name explains itself, and every example in a docstring gives what it shows."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import pkgutil

import pytest

import oraclesum

MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(oraclesum.__path__, "oraclesum.")
    if "__main__" not in found.name and "_kernel" not in found.name
)
CALLS = [
    name
    for name in oraclesum.__all__
    if inspect.isfunction(getattr(oraclesum, name)) and name != "demo_path"
]


def has_examples(module: str) -> bool:
    source = importlib.util.find_spec(module)
    assert source is not None
    assert source.origin is not None
    with open(source.origin, encoding="utf-8") as file:
        return ">>>" in file.read()


@pytest.mark.parametrize("module", [name for name in MODULES if has_examples(name)])
def test_examples_of_docstrings_hold(module: str) -> None:
    done = doctest.testmod(importlib.import_module(module))
    assert done.attempted
    assert not done.failed


@pytest.mark.parametrize("name", CALLS)
def test_a_public_call_tells_its_parameters_result_and_an_example(name: str) -> None:
    text = inspect.getdoc(getattr(oraclesum, name)) or ""
    for heading in ("Returns", "Raises", "Examples"):
        assert f"{heading}\n-" in text, f"{name} has no section {heading}"
    assert "Parameters" in text
    assert ">>>" in text


@pytest.mark.parametrize("name", ["Instance", "Limits", "Oracle", "OracleFamily", "Rouge"])
def test_a_public_class_has_an_example(name: str) -> None:
    assert ">>>" in (inspect.getdoc(getattr(oraclesum, name)) or "")
