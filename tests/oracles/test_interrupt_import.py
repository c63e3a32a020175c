"""Ctrl-C while the first call of a program imports: heard afterwards, and the next call works."""

from __future__ import annotations

import sys

import pytest

from children import run_child

# Interrupts itself when a module is looked for, as a key does that is pressed just then.
INTERRUPTING = """
import os, signal, sys, threading
{before}
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "{name}":
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
{call}
"""

CALL = """
import oraclesum
def count():
    return oraclesum.enumerate_oracles(["a b c", "d e"], ["a b"], max_words=3).count
try:
    count()
except KeyboardInterrupt:
    print("interrupted", "{name}" in sys.modules)
print(count(), signal.getsignal(signal.SIGINT).__name__)
"""

# A module that is imported by its own name, not as a name of the package.
MODULE = """
try:
    import oraclesum.instances.limits
except KeyboardInterrupt:
    print("interrupted", "{name}" in sys.modules)
from oraclesum.instances import Limit
print(Limit.__name__)
"""

OWN_HANDLER = """
def hear(number, frame):
    print("heard", number, "{name}" in sys.modules)
signal.signal(signal.SIGINT, hear)
"""


def run(name: str, call: str, before: str = "") -> str:
    program = INTERRUPTING.replace("{before}", before).replace("{call}", call)
    done = run_child([sys.executable, "-c", program.replace("{name}", name)], text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return str(done.stdout)


# orjson imports json inside of its own C code.
@pytest.mark.parametrize("name", ["orjson", "json", "oraclesum._kernel", "oraclesum.oracles.api"])
def test_the_first_call_is_interrupted_after_its_imports_and_the_next_works(name: str) -> None:
    assert run(name, CALL) == "interrupted True\n1 default_int_handler\n"


def test_the_kernel_is_there_whole_however_it_is_imported() -> None:
    assert run("oraclesum._kernel", MODULE) == "interrupted True\nLimit\n"


# Libraries that a call loads inside of it.
LATER = {
    "highspy": 'oraclesum.find_oracle(["a b c", "d e"], ["a b"], max_words=3, method="ilp").hits',
    "numpy": 'oraclesum.detect_language("Das ist ein kleines Haus am See.")',
}


@pytest.mark.parametrize("name", LATER)
def test_a_library_that_a_call_loads_is_there_whole(name: str) -> None:
    call = CALL.replace("oraclesum.enumerate_oracles", "# ").replace(
        "def count():", f"def count():\n    return {LATER[name]}"
    )
    said = run(name, f"import oraclesum; oraclesum.find_oracle, oraclesum.detect_language\n{call}")
    assert said.startswith("interrupted True\n")
    assert said.splitlines()[1].split()[0] in ("1", "de")


def test_a_handler_of_the_program_hears_it_after_the_imports() -> None:
    assert run("json", CALL, OWN_HANDLER) == "heard 2 True\n1 hear\n"


def test_a_signal_that_a_program_ignores_stays_ignored() -> None:
    ignored = "signal.signal(signal.SIGINT, signal.SIG_IGN)"
    assert run("json", CALL.replace(".__name__", ".name"), ignored) == "1 SIG_IGN\n"


def test_an_import_in_a_thread_leaves_the_handler_alone() -> None:
    call = """
import oraclesum
thread = threading.Thread(target=lambda: print(oraclesum.Limits.__name__))
thread.start()
thread.join()
print(signal.getsignal(signal.SIGINT).__name__)
"""
    assert run("nothing", call) == "Limits\ndefault_int_handler\n"
