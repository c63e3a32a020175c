"""Every verb that answers records one by one writes shards, resumes, and tells programs of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner, Result

from oraclesum.cli import main
from oraclesum.runs.merging import read_folder
from runs.documents import make_documents, write_lines

LIMIT = ["--max-words", "14"]
VERBS = {
    "enumerate": LIMIT,
    "labels": LIMIT,
    "extract": LIMIT,
    "count": LIMIT,
    "evaluate": [*LIMIT, "--systems", "lead"],
    "score": [],
}


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    records: list[dict[str, Any]] = make_documents(20)
    for number, record in enumerate(records):
        record["systems"] = {"first": [0], "text": record["sentences"][number % 3]}
    records[4] = {"id": "bad", "sentences": "no list"}
    records[11]["id"] = "d2"  # was used nine records before
    records[12]["systems"] = {"wrong": [99]}
    return write_lines(tmp_path / "in.jsonl", records)


@pytest.mark.parametrize("verb", VERBS)
def test_merged_shards_are_what_one_file_has(verb: str, lines: Path, tmp_path: Path) -> None:
    one, folder, merged = tmp_path / "one.jsonl", tmp_path / "out", tmp_path / "merged.jsonl"
    single = call(verb, lines, *VERBS[verb], "-o", one)
    sharded = call(verb, lines, *VERBS[verb], "-o", f"{folder}/", "--shard-size", "3")
    assert (single.exit_code, sharded.exit_code) == (1, 1), sharded.stderr
    assert len(list(folder.glob("part-*"))) == 7
    assert call("merge", folder, "-o", merged).exit_code == 0
    assert merged.read_bytes() == one.read_bytes()
    for message in single.stderr.splitlines():
        if message.startswith(str(lines)):
            assert message in sharded.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_a_lost_shard_is_made_anew_by_resume(verb: str, lines: Path, tmp_path: Path) -> None:
    run = [verb, lines, *VERBS[verb], "-o", f"{tmp_path}/out/", "--shard-size", "3"]
    call(*run)
    before = {path: path.read_bytes() for path in (tmp_path / "out").glob("part-*")}
    lost = tmp_path / "out" / "part-00000003.jsonl"  # has an id that was used before
    lost.unlink()
    done = call(*run, "--resume")
    assert done.exit_code == 1, done.stderr
    assert "is gone; it is made anew" in done.stderr
    assert {path: path.read_bytes() for path in (tmp_path / "out").glob("part-*")} == before


@pytest.mark.parametrize("data", [None, b"", b'{"kind": "average"}\n'])
def test_averages_that_were_lost_or_changed_are_not_merged_but_made_anew(
    data: bytes | None, lines: Path, tmp_path: Path
) -> None:
    run = ["evaluate", lines, *VERBS["evaluate"], "-o", f"{tmp_path}/out/", "--shard-size", "3"]
    call(*run)
    averages = tmp_path / "out" / "_conclusion.jsonl"
    before = averages.read_bytes()
    if data is None:
        averages.unlink()
    else:
        averages.write_bytes(data)
    merged = call("merge", tmp_path / "out", "-o", tmp_path / "merged.jsonl")
    assert merged.exit_code == 2
    assert "_conclusion.jsonl is" in merged.stderr
    assert not (tmp_path / "merged.jsonl").exists()
    call(*run, "--resume")
    assert averages.read_bytes() == before


@pytest.mark.parametrize("kept", [0, 2, 6])
def test_a_manifest_that_lost_shards_is_not_merged_and_resume_makes_them_anew(
    kept: int, lines: Path, tmp_path: Path
) -> None:
    run = ["enumerate", lines, *LIMIT, "-o", f"{tmp_path}/out/", "--shard-size", "3"]
    call(*run)
    path = tmp_path / "out" / "_manifest.json"
    before = orjson.loads(path.read_bytes())
    path.write_bytes(orjson.dumps({**before, "shards": before["shards"][:kept]}))
    merged = call("merge", tmp_path / "out", "-o", tmp_path / "merged.jsonl")
    assert merged.exit_code == 2
    assert "its shards have" in merged.stderr
    done = call(*run, "--resume")
    assert done.exit_code == 1, done.stderr
    after = orjson.loads(path.read_bytes())
    assert after["shards"] == before["shards"]
    assert after["summary"]["statuses"] == before["summary"]["statuses"]
    assert after["summary"]["documents"] == before["summary"]["documents"]


@pytest.mark.parametrize("verb", VERBS)
def test_a_folder_of_another_verb_is_not_continued(verb: str, lines: Path, tmp_path: Path) -> None:
    other = "labels" if verb != "labels" else "extract"
    call(other, lines, *LIMIT, "-o", f"{tmp_path}/out/")
    done = call(verb, lines, *VERBS[verb], "-o", f"{tmp_path}/out/", "--resume")
    assert done.exit_code == 2
    assert "results of other settings" in done.stderr


def test_labels_go_into_parquet_shards_and_come_back(lines: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    call("labels", lines, *LIMIT, "-o", tmp_path / "one.jsonl")
    call("labels", lines, *LIMIT, "-o", f"{tmp_path}/out/", "--to", "parquet", "--shard-size", "6")
    assert len(list((tmp_path / "out").glob("part-*.parquet"))) == 4
    wanted = [orjson.loads(line) for line in (tmp_path / "one.jsonl").read_bytes().splitlines()]
    found = list(read_folder(tmp_path / "out"))
    assert [record["id"] for record in found] == [record["id"] for record in wanted]
    for record, other in zip(found, wanted, strict=True):
        assert record.get("labels") == other.get("labels")


def test_what_has_no_columns_is_not_written_as_parquet(lines: Path, tmp_path: Path) -> None:
    call("extract", lines, *LIMIT, "-o", f"{tmp_path}/out/")
    done = call("merge", tmp_path / "out", "-o", tmp_path / "one.parquet")
    assert done.exit_code == 2
    assert "merge them into .jsonl" in done.stderr
    assert not (tmp_path / "one.parquet").exists()


@pytest.mark.parametrize("verb", VERBS)
def test_a_stream_tells_programs_how_it_ended(verb: str, lines: Path, tmp_path: Path) -> None:
    out = tmp_path / "one.jsonl"
    done = call(verb, lines, *VERBS[verb], "-o", out, "--progress", "json")
    events = [orjson.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    assert {event["event"] for event in events} <= {"message", "progress", "summary"}
    assert events[-1]["event"] == "summary"
    assert events[-1]["documents"] == 20
    assert any("was already used" in event.get("message", "") for event in events)


def test_ids_are_compared_over_all_shards(lines: Path, tmp_path: Path) -> None:
    call("enumerate", lines, *LIMIT, "-o", f"{tmp_path}/out/", "--shard-size", "3")
    errors = {r["id"]: r["error"] for r in read_folder(tmp_path / "out") if r["status"] == "error"}
    assert errors["d2"] == f"{lines}:12: the id 'd2' was already used at {lines}:3"
