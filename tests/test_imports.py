"""Help and import stay light: nothing heavy is loaded before it is needed."""

from __future__ import annotations

import sys

import pytest

import oraclesum
from children import run_child
from oraclesum.cli.entry import VERBS

HEAVY = {
    "Stemmer",
    "highspy",
    "multiprocessing",
    "numpy",
    "oraclesum._kernel",
    "orjson",
    "rich",
    "nupunkt",
    "sentencex",
}

RUN_HELP = """
import sys
sys.argv = ["oraclesum", *{arguments!r}]
from oraclesum.cli import main
try:
    main()
except SystemExit as end:
    assert end.code == 0, end.code
"""


def modules_after(program: str) -> set[str]:
    """The names of all modules that a fresh interpreter has loaded once it has run the program."""
    show = "\nimport sys; print('\\nMODULES', *sys.modules)"
    done = run_child([sys.executable, "-c", program + show], text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rsplit("MODULES", 1)[1].split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not HEAVY & modules_after("import oraclesum")


@pytest.mark.parametrize(
    "arguments", [["--help"], *([verb, "--help"] for verb in VERBS)], ids=" ".join
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    assert not HEAVY & modules_after(RUN_HELP.format(arguments=arguments))


def test_using_the_main_job_does_not_load_a_solver_or_rich() -> None:
    program = "import oraclesum; oraclesum.enumerate_oracles(['a b c'], ['a b'], max_words=3)"
    assert not {"highspy", "numpy", "rich"} & modules_after(program)


def test_every_public_name_exists_and_the_list_is_sorted() -> None:
    assert oraclesum.__all__ == sorted(oraclesum.__all__)
    for name in oraclesum.__all__:
        assert getattr(oraclesum, name) is not None
    assert set(oraclesum.__all__) <= set(dir(oraclesum))


def test_the_version_is_the_installed_one() -> None:
    assert oraclesum.__version__ == "0.1.0"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        oraclesum.no_such_name  # noqa: B018 - the access is what is tested


def test_enumerating_lines_loads_only_what_it_uses() -> None:
    program = RUN_HELP.format(arguments=["enumerate", "-", "--max-words", "3", "--quiet"])
    line = '{"id": "a", "sentences": ["a b c"], "references": ["a b"]}'
    given = f"import io, sys; sys.stdin = io.TextIOWrapper(io.BytesIO({line.encode()!r}))\n"
    loaded = modules_after(given + program)
    assert "oraclesum._kernel" in loaded
    unused = {"importlib.metadata", "tarfile", "zipfile", "oraclesum.corpora.formats"}
    assert not {*unused, "oraclesum.oracles.api", "oraclesum.runs.folder"} & loaded
