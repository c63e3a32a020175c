"""Bad input gets a clear message and loses nothing else, and wrong usage does nothing at all."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from children import run_child
from cli.corpus import GOOD, call, jsonl, records

LIMIT = ("--max-words", "8")

BAD: list[tuple[Any, str]] = [
    ({**GOOD, "id": "bad", "sentences": []}, "the document is empty"),
    ({"id": "bad", "text": "  ", "references": ["a b"]}, "the document is empty"),
    ({**GOOD, "id": "bad", "references": [""]}, "every reference is empty"),
    (
        {**GOOD, "id": "bad", "references": ["One"]},
        "no 2-gram: the longest has 1 word; set --rouge to 1",
    ),
    ({**GOOD, "id": "bad", "references": ["γάτα κάθισε εδώ"]}, "use --language el"),
    ({**GOOD, "id": "bad", "references": ["--- !!"]}, "no letter and no digit"),
    (b'{"id": "bad", "sentences": [', "broken JSON at column"),
    ({**GOOD, "id": "bad", "sentences": ["a", 1]}, "sentences[1] must be text, not a number"),
    ([], "one JSON object per line"),
    (GOOD, "the id 'cats' was already used at"),
    ({**GOOD, "id": "bad", "language": "klingon"}, "klingon"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_a_bad_record_is_reported_in_its_place_and_costs_no_other(bad: Any, reason: str) -> None:
    done = call("enumerate", "-", *LIMIT, data=jsonl(GOOD, bad, {**GOOD, "id": "last"}))
    assert done.exit_code == 1
    first, error, last = records(done.stdout)
    assert (first["status"], last["status"]) == ("complete", "complete")
    assert {**first, "id": "last"} == last
    assert set(error) == {"id", "status", "error"}
    assert error["status"] == "error"
    assert error["error"].startswith("<stdin>:2: ")
    assert reason in error["error"]
    assert error["error"] in done.stderr.splitlines()


@pytest.mark.parametrize("verb", ["enumerate", "extract", "count", "compare"])
def test_no_overlap_is_a_status_with_a_warning_and_no_error(verb: str) -> None:
    alone = {**GOOD, "references": ["Nothing here is shared"]}
    done = call(verb, "-", *LIMIT, data=jsonl(alone))
    assert done.exit_code == 0
    for record in records(done.stdout):
        assert (record["status"], record["hits"]) == ("no_overlap", 0)
    assert "<stdin>:1: warning: cats: no sentence shares an n-gram" in done.stderr


@pytest.mark.parametrize(
    ("verb", "name", "reason"),
    [
        ("enumerate", "x.parquet", "lines of JSON are written; .parquet files are what `merge`"),
        ("labels", "x.Parquet", "`labels --to parquet`"),
        ("score", "x.csv", "its name ends in .csv, but lines of JSON"),
        ("evaluate", "x.jsonl.gz", "its name ends in .gz, but nothing is packed here"),
        ("merge", "x.jsonl.zst", "its name ends in .zst, but nothing is packed here"),
    ],
)
def test_a_name_that_promises_another_format_is_refused(
    verb: str, name: str, reason: str, tmp_path: Path
) -> None:
    limit = () if verb in ("merge", "score") else LIMIT
    done = call(verb, "-" if verb != "merge" else tmp_path, *limit, "-o", tmp_path / name)
    assert done.exit_code == 2
    assert reason in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_sentence_longer_than_the_limit_is_left_out() -> None:
    long = {**GOOD, "sentences": ["the cat sat on the mat " * 9, "the cat sat"]}
    done = call(
        "enumerate",
        "-",
        *LIMIT,
        data=jsonl(long, {**long, "id": "b", "sentences": ["the cat " * 9]}),
    )
    assert done.exit_code == 0
    one, none = records(done.stdout)
    assert (one["status"], one["oracles"]) == ("complete", [[1]])
    assert (none["status"], none["count"]) == ("no_overlap", 0)
    assert "fits the limits; raise them" in done.stderr


def test_one_empty_reference_of_several_is_a_warning_or_its_own_error() -> None:
    data = jsonl({**GOOD, "references": [*GOOD["references"], " "]})
    together = call("enumerate", "-", *LIMIT, data=data)
    assert together.exit_code == 0
    assert "<stdin>:1: warning: references[2] is empty and adds nothing" in together.stderr
    alone = call("enumerate", "-", *LIMIT, "--references", "single", data=data)
    assert alone.exit_code == 1
    rows = records(alone.stdout)
    assert [row["status"] for row in rows] == ["complete", "complete", "error"]
    assert rows[2]["reference"] == 2
    assert rows[2]["error"].startswith("<stdin>:1: reference 2: the reference is empty")


def test_a_line_of_ten_megabytes_is_worked_on(tmp_path: Path) -> None:
    filler = "Nothing in here is shared with anybody at all. " * 2000
    path = tmp_path / "long.jsonl"
    path.write_bytes(jsonl({**GOOD, "sentences": [*GOOD["sentences"], *[filler] * 110]}, b"{"))
    assert path.stat().st_size > 10_000_000
    done = call("enumerate", path, *LIMIT)
    long, error = records(done.stdout)
    assert long["status"] == "complete"
    assert len(long["inclusion"]) == 113
    assert error["id"] == "long.jsonl:2"


USAGE: list[tuple[list[str], str]] = [
    (["enumerate"], "Missing argument 'IN'"),
    (["enumerate", "-"], "set a length limit: --max-words, --max-sentences or --max-bytes"),
    (["enumerate", "-", "--max-words", "0"], "--max-words must be at least 1, not 0"),
    (["enumerate", "-", "--max-words", "-5"], "--max-words must be at least 1, not -5"),
    (["enumerate", "-", "--max-words", "many"], "'many' is not a valid integer"),
    (["enumerate", "-", "--max-sentences", "0"], "--max-sentences must be at least 1"),
    (["enumerate", "-", *LIMIT, "--rouge", "0"], "'--rouge'"),
    (["enumerate", "-", *LIMIT, "--rouge", "10"], "'--rouge'"),
    (["enumerate", "-", *LIMIT, "--method", "greedy"], "'greedy' is not one of"),
    (["enumerate", "-", *LIMIT, "--language", "klingon"], "klingon"),
    (["enumerate", "-", *LIMIT, "--time-limit", "0"], "'--time-limit'"),
    (["enumerate", "-", *LIMIT, "--language", ""], "unknown language '': give an ISO code"),
    (["enumerate", "-", *LIMIT, "--objective", ""], "a term is r1 to r9, rl or rlsum with"),
    (["reproduce", "demo", *LIMIT, "--language", ""], "unknown language '': give an ISO code"),
    (["enumerate", "-", *LIMIT, "--jobs", "0"], "'--jobs'"),
    (["enumerate", "-", *LIMIT, "--jobs", "1025"], "'--jobs': 1025 is not in the range 1<=x<=1024"),
    (["reproduce", "demo", "--jobs", "1025"], "'--jobs': 1025 is not in the range 1<=x<=1024"),
    (["enumerate", "-", *LIMIT, "--list", "-1"], "'--list'"),
    (["enumerate", "missing.jsonl", *LIMIT], "missing.jsonl: cannot be read: No such file"),
    (["enumerate", ".", *LIMIT], "no corpus recognised among 0 files"),
    (["enumerate", "-", *LIMIT, "-o", "no/such/folder/out"], "cannot be written: No such file"),
    (["count", "-", *LIMIT, "--max-bytes", "9"], "`count` takes one limit"),
    (["compare", "-", *LIMIT, "--methods", "greedy,magic"], "'magic' is not one of"),
    (["compare", "-", *LIMIT, "--methods", ","], "name at least one method"),
    (["score"], "give IN, or --summary and --reference files"),
    (["score", "demo", "--summary", "a", "--reference", "b"], "and not both"),
    (["score", "--summary", "a"], "--summary and --reference need each other"),
    (["score", "--summary", "none.txt", "--reference", "none.txt"], "none.txt: cannot be read"),
    (["conjure"], "There is no verb 'conjure'"),
]


@pytest.mark.parametrize(("arguments", "reason"), USAGE, ids=[" ".join(row) for row, _ in USAGE])
def test_wrong_usage_says_what_to_do_and_leaves_with_two(
    arguments: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(*arguments, data=jsonl(GOOD))
    assert done.exit_code == 2
    assert done.stdout == ""
    assert reason in " ".join(done.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(jsonl(GOOD))
    out.write_bytes(b"precious")
    refused = call("enumerate", source, *LIMIT, "-o", out)
    assert (refused.exit_code, out.read_bytes()) == (2, b"precious")
    assert "--force" in refused.stderr
    forced = call("enumerate", source, *LIMIT, "-o", out, "--force")
    assert (forced.exit_code, len(records(out.read_bytes()))) == (0, 1)
    link = tmp_path / "link.jsonl"
    link.symlink_to(source)
    for same in (source, link):
        suicidal = call("enumerate", source, *LIMIT, "-o", same, "--force")
        assert suicidal.exit_code == 2
        assert "is the input" in suicidal.stderr
        assert source.read_bytes() == jsonl(GOOD)


def test_an_output_that_cannot_be_overwritten_needs_no_force() -> None:
    assert call("enumerate", "-", *LIMIT, "-o", "/dev/null", data=jsonl(GOOD)).exit_code == 0


LONG = "a" * 300
NAMED: list[tuple[str, ...]] = [
    ("enumerate", "NAME", *LIMIT),
    ("enumerate", "demo", "--also", "NAME", *LIMIT),
    ("enumerate", "demo", "-o", "NAME", *LIMIT),
    ("extract", "NAME", *LIMIT),
    ("score", "NAME"),
    ("score", "--summary", "NAME", "--reference", "NAME"),
    ("count", "NAME", *LIMIT),
    ("compare", "NAME", *LIMIT),
    ("labels", "NAME"),
    ("evaluate", "NAME", *LIMIT),
    ("upper-bound", "NAME"),
    ("correlate", "NAME", *LIMIT),
    ("reproduce", "NAME"),
    ("reproduce", "demo", "-o", "NAME"),
    ("serve", "NAME"),
    ("merge", "NAME", "-o", "out.jsonl"),
    ("merge", ".", "-o", "NAME"),
    ("report", "NAME", "-o", "out.html"),
    ("report", "in.jsonl", "-o", "NAME"),
    ("report", "in.jsonl", "--corpus", "NAME", "-o", "out.html"),
]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("", "the name of a file or folder is empty"), (LONG, f"{LONG}: File name too long")],
    ids=["empty", "long"],
)
@pytest.mark.parametrize("words", NAMED, ids=" ".join)
def test_a_name_that_no_file_has_is_wrong_usage(
    words: tuple[str, ...],
    name: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(*(name if word == "NAME" else word for word in words))
    assert done.exit_code == 2
    assert reason in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_merging_into_a_place_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    call("enumerate", "demo", *LIMIT, "-q", "-o", f"{tmp_path}/run/")
    target = tmp_path / "missing" / "out.jsonl"
    done = call("merge", tmp_path / "run", "-o", target)
    assert done.exit_code == 2
    assert f"{target}: cannot be written: No such file or directory" in done.stderr


def _write_inputs(folder: Path) -> None:
    for name in ("docs", "refs"):
        (folder / name).mkdir()
        (folder / name / "1.txt").write_text("The cat sat.")
    (folder / "s.txt").write_text("The cat sat.")
    (folder / "r.txt").write_text("The cat sat.")
    (folder / "in.jsonl").write_bytes(jsonl(GOOD))
    (folder / "lines").mkdir()
    (folder / "lines" / "in.jsonl").write_bytes(jsonl(GOOD))
    (folder / "lines" / "out.jsonl").touch()
    (folder / "linked.jsonl").hardlink_to(folder / "lines" / "in.jsonl")
    assert call("enumerate", folder / "in.jsonl", *LIMIT, "-o", f"{folder}/run/").exit_code == 0


@pytest.mark.parametrize(
    ("command", "streams"),
    [
        ("score --summary s.txt --reference r.txt --force -o r.txt", ""),
        ("score --summary s.txt --reference r.txt --force -o s.txt", ""),
        ("enumerate docs --also refs --max-words 10 --force -o refs/1.txt", ""),
        ("enumerate docs --also refs --max-words 10 -o refs/new/", ""),
        ("enumerate - --max-words 10 --force -o in.jsonl", "< in.jsonl"),
        ("upper-bound - --max-sentences 1 --force -o in.jsonl", "< in.jsonl"),
        ("enumerate in.jsonl --max-words 10", ">> in.jsonl"),
        ("enumerate in.jsonl --max-words 10 -o /dev/stdout", ">> in.jsonl"),
        ("enumerate - --max-words 10", "< in.jsonl >> in.jsonl"),
        ("report in.jsonl --corpus - -o s.txt --force", "< s.txt"),
        ("count lines --max-words 10", "> lines/out.jsonl"),
        ("labels lines --max-sentences 1 --to matchsum", ">> lines/in.jsonl"),
        ("enumerate lines --max-words 10 --force -o linked.jsonl", ""),
        ("report run --force -o run/_manifest.json", ""),
        ("merge run -o -", ">> run/_manifest.json"),
    ],
)
def test_no_input_is_ever_written_to(command: str, streams: str, tmp_path: Path) -> None:
    _write_inputs(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    line = f"{shlex.quote(sys.executable)} -m oraclesum {command} {streams}"
    done = run_child(["sh", "-c", line], cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    said = done.stderr.decode()
    assert "is the input" in said or "is inside the input" in said
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["part-00000007.jsonl", "_manifest.json", "_conclusion.jsonl"])
def test_an_input_inside_the_folder_that_is_written_stays(name: str, tmp_path: Path) -> None:
    source = tmp_path / name
    source.write_bytes(jsonl(GOOD))
    for more in (["--force"], ["--resume"], []):
        done = call("enumerate", source, *LIMIT, "-o", f"{tmp_path}/", *more)
        assert done.exit_code == 2
        assert "contains the input" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert source.read_bytes() == jsonl(GOOD)


def test_a_folder_may_be_called_as_the_built_in_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call("enumerate", "demo", "--max-words", "60", "-o", "demo/", "-q").exit_code == 0


@pytest.mark.parametrize(
    "command",
    [
        "serve demo --max-body-mb nan",
        "serve demo --time-limit nan",
        "reproduce demo --max-words 20 --baseline-time-limit nan",
        "reproduce demo --max-words 20 --objective-time-limit nan",
        "evaluate demo --max-words 20 --threshold nan",
    ],
)
def test_what_is_no_number_is_wrong_usage(command: str) -> None:
    done = call(*command.split())
    assert done.exit_code == 2
    assert command.split()[-2] in done.stderr
    assert "nan is no number" in done.stderr


@pytest.mark.parametrize("name", ["", "http://x/", "x:80"])
def test_a_host_is_a_name_alone(name: str) -> None:
    done = call("serve", "demo", "--port", "0", "--allow-host", name)
    assert done.exit_code == 2
    assert "takes the name of a host" in done.stderr


def test_messages_about_records_name_the_options_of_the_command() -> None:
    done = call("enumerate", "-", *LIMIT, data=jsonl(GOOD, {"id": "none"}))
    assert "say which is which by --columns" in done.stderr
    assert "say which is which by --columns" in records(done.stdout)[1]["error"]


@pytest.mark.parametrize("n", ["²", "①", "9" * 5000, "1,²", "0x2", ""])
def test_what_is_no_number_from_1_to_9_is_wrong_usage_of_rouge(n: str) -> None:
    done = call("enumerate", "demo", "--rouge", n, *LIMIT)
    assert done.exit_code == 2
    assert "is not" in done.stderr
    assert "objective" not in done.stderr


@pytest.mark.parametrize(
    ("verb", "option"), [("evaluate", "--draws"), ("correlate", "--resamples")]
)
def test_numbers_of_draws_that_no_memory_takes_are_wrong_usage(verb: str, option: str) -> None:
    done = call(verb, "demo", option, "1000001", *LIMIT)
    assert done.exit_code == 2
    assert f"'{option}'" in done.stderr
