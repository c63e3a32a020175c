"""What a method that proves nothing says of itself: its status, and its name in the signature."""

from __future__ import annotations

import sys

import pytest

from children import run_child
from cli.corpus import GOOD, call, jsonl, records
from oraclesum.answers import Row
from oraclesum.cli.settings import Settings
from oraclesum.cli.verbs.compare import SideBySide

LIMIT = ("--max-words", "8")


def extract(*arguments: str) -> dict[str, object]:
    (record,) = records(call("extract", "-", *LIMIT, *arguments, data=jsonl(GOOD)).stdout)
    return record


@pytest.mark.parametrize("method", ["greedy", "genetic", "pairwise"])
def test_an_approximation_is_never_called_complete(method: str) -> None:
    assert extract("--method", method)["status"] == "heuristic"
    done = call("compare", "-", *LIMIT, "--methods", f"search,{method}", data=jsonl(GOOD))
    assert [row["status"] for row in records(done.stdout)] == ["complete", "heuristic"]


def test_exact_methods_share_a_signature_and_approximate_ones_have_their_own() -> None:
    exact = {str(extract("--method", name)["signature"]) for name in ("search", "ilp", "paper")}
    (signature,) = exact
    assert extract("--method", "greedy")["signature"] == f"{signature}|method:greedy"
    assert extract("--method", "pairwise")["signature"] == f"{signature}|method:pairwise"
    seeded = extract("--method", "genetic", "--seed", "3")["signature"]
    assert seeded == f"{signature}|method:genetic|seed:3"
    assert extract("--seed", "3")["signature"] == signature


def test_compared_methods_sign_as_they_do_alone() -> None:
    done = call("compare", "-", *LIMIT, "--methods", "search,greedy", data=jsonl(GOOD))
    search, greedy = records(done.stdout)
    assert search["signature"] == extract()["signature"]
    assert greedy["signature"] == extract("--method", "greedy")["signature"]


@pytest.mark.parametrize(("last", "shown"), [("heuristic", False), ("time_limit", True)])
def test_the_table_of_methods_has_a_status_column_only_where_it_says_something(
    last: str, shown: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    (record,) = records(
        call("compare", "-", *LIMIT, "--methods", "search", data=jsonl(GOOD)).stdout
    )
    table = SideBySide(Settings())
    for status in ("complete", last):
        table.write(Row(record={**record, "status": status}))
    table.close()
    assert ("status" in capsys.readouterr().out) == shown


def test_a_method_that_cannot_do_the_objective_says_why(
    capsys: pytest.CaptureFixture[str],
) -> None:
    objective = ("--objective", "r1-f1+r2-f1", "--max-sentences", "2")
    done = call("compare", "-", *objective, data=jsonl(GOOD))
    assert done.exit_code == 0
    rows = {row["method"]: row for row in records(done.stdout)}
    assert list(rows) == ["search", "ilp", "exhaustive", "greedy", "presumm-greedy", "beam"]
    assert rows["ilp"]["status"] == "not_available"
    assert rows["ilp"]["score"] is None
    table = SideBySide(Settings(objective="r1-f1+r2-f1"))
    for row in rows.values():
        table.write(Row(record=row))
    table.close()
    assert "ilp is not available: a sum of ratios is not linear" in capsys.readouterr().out


def test_one_ratio_is_proven_by_an_integer_program_too() -> None:
    objective = ("--objective", "r1-f1", "--max-sentences", "2", "--methods", "search,ilp")
    search, program = records(call("compare", "-", *objective, data=jsonl(GOOD)).stdout)
    assert search["proven"]
    assert program["proven"]
    assert search["value"] == program["value"]


def test_presumm_greedy_takes_references_of_single_words() -> None:
    topic = {"id": "t", "sentences": ["cat", "dog sat"], "references": ["cat"]}
    options = ["--objective", "rl-f1", "--methods", "search,presumm-greedy"]
    search, greedy = records(call("compare", "-", *options, data=jsonl(topic)).stdout)
    assert (search["oracle"], greedy["oracle"], greedy["status"]) == ([0], [0], "heuristic")


def test_no_heuristic_fills_a_summary_up_with_what_is_no_candidate() -> None:
    topic = {"id": "t", "sentences": ["cat sat", "cat", "sat"], "references": ["cat sat"]}
    options = ["--rouge", "2", "--max-words", "9", "--min-words", "4"]
    for row in records(call("compare", "-", *options, data=jsonl(topic)).stdout):
        assert (row["value"], row["oracle"]) == ("0/1", []), row["method"]


@pytest.mark.parametrize("method", ["ilp", "pairwise"])
def test_the_command_solves_large_programs_in_a_process_of_their_own(method: str) -> None:
    program = (
        "import sys\n"
        "from oraclesum.oracles import milp\n"
        "milp._LARGE = 0\n"
        f"sys.argv = 'oraclesum extract demo --max-words 60 --method {method}'.split()\n"
        "from oraclesum.cli import main\n"
        "main()\n"
    )
    done = run_child([sys.executable, "-c", program], text=True)
    assert done.returncode == 0, done.stderr
    assert "0 errors" in done.stderr
    assert len(done.stdout.splitlines()) > 3
