"""Folders of shards: whole or not there, never mixed, and one data set together."""

from __future__ import annotations

import math
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest

from children import run_child
from cli.corpus import call
from oraclesum.answers import Answerer
from oraclesum.corpora import Reading
from oraclesum.corpora.rows import read_rows
from oraclesum.errors import InputError, RecordError
from oraclesum.runs.cutting import cut_corpus
from oraclesum.runs.manifest import checksum
from oraclesum.runs.merging import merge_folder, read_folder
from oraclesum.runs.shard import prepare_worker
from oraclesum.workers import Call, Here, Workers
from runs.documents import make_documents, write_lines
from runs.standins import Deadly, FullDisk, Hungry, make_task, make_writer, run


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    records: list[dict[str, Any]] = make_documents(40)
    records[17] = {"id": "bad", "sentences": "no list"}
    return write_lines(tmp_path / "in.jsonl", records)


def shards(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


def manifest(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = orjson.loads((folder / "_manifest.json").read_bytes())
    return data


def test_records_stand_in_input_order_over_the_shards(lines: Path, tmp_path: Path) -> None:
    tally, _ = run(lines, tmp_path / "out")
    ids = [record["id"] for record in read_folder(tmp_path / "out")]
    assert ids == [f"d{i}" if i != 17 else "bad" for i in range(40)]
    assert (tally.documents, tally.errors) == (40, 1)
    assert len(shards(tmp_path / "out")) == 6
    assert manifest(tmp_path / "out")["complete"]


def test_errors_name_the_line_of_the_file(lines: Path, tmp_path: Path) -> None:
    run(lines, tmp_path / "out")
    (bad,) = [record for record in read_folder(tmp_path / "out") if record["status"] == "error"]
    assert bad["error"].startswith(f"{lines}:18: ")


@pytest.mark.parametrize("shard_size", [pytest.param(1, marks=pytest.mark.wide), 7, 40, 1000])
def test_the_shard_size_does_not_change_the_records(
    lines: Path, tmp_path: Path, shard_size: int
) -> None:
    run(lines, tmp_path / "out", shard_size=shard_size)
    merge_folder(str(tmp_path / "out"), str(tmp_path / "one.jsonl"))
    answerer = Answerer(task=make_task())
    wanted = [
        row.record.to_line()
        for answer in map(answerer.answer, read_rows(make_documents(40)))
        for row in answer.rows
    ]
    written = (tmp_path / "one.jsonl").read_bytes().splitlines(keepends=True)
    del written[17], wanted[17]
    assert written == wanted


def test_processes_write_what_one_process_writes(lines: Path, tmp_path: Path) -> None:
    run(lines, tmp_path / "one")
    caller = Workers(2, prepare=prepare_worker)
    run(lines, tmp_path / "two", caller=caller)
    assert shards(tmp_path / "one") == shards(tmp_path / "two")


def test_a_document_that_kills_its_worker_costs_only_itself(lines: Path, tmp_path: Path) -> None:
    caller = Workers(2, prepare=prepare_worker)
    deadly = Deadly(answerer=make_writer().answerer, name="d23")
    tally, _ = run(lines, tmp_path / "out", caller=caller, answering=deadly)
    assert tally.documents == 40
    records = {record["id"]: record for record in read_folder(tmp_path / "out")}
    assert "the worker process died on this record" in records["d23"]["error"]
    assert [r["id"] for r in records.values() if r["status"] == "error"] == ["bad", "d23"]


def test_a_document_that_takes_all_memory_costs_only_itself(lines: Path, tmp_path: Path) -> None:
    caller = Workers(2, prepare=prepare_worker)
    hungry = Hungry(answerer=make_writer().answerer, name="d23")
    run(lines, tmp_path / "out", caller=caller, answering=hungry)
    records = {record["id"]: record for record in read_folder(tmp_path / "out")}
    assert records["d23"]["error"].endswith("out of memory")
    assert [r["id"] for r in records.values() if r["status"] == "error"] == ["bad", "d23"]


def test_a_folder_with_a_run_is_not_written_to_unasked(lines: Path, tmp_path: Path) -> None:
    run(lines, tmp_path / "out")
    before = shards(tmp_path / "out")
    with pytest.raises(InputError, match="--resume"):
        run(lines, tmp_path / "out")
    run(lines, tmp_path / "out", task=make_task(max_words=9), force=True)
    assert shards(tmp_path / "out") != before


def test_other_settings_are_not_mixed_in(lines: Path, tmp_path: Path) -> None:
    run(lines, tmp_path / "out")
    for task in (make_task(max_words=9), make_task(max_list=3), make_task(references="single")):
        with pytest.raises(InputError, match="other settings"):
            run(lines, tmp_path / "out", task=task, resume=True)
    with pytest.raises(InputError, match="another shard size"):
        run(lines, tmp_path / "out", shard_size=8, resume=True)
    with pytest.raises(InputError, match="another format"):
        run(lines, tmp_path / "out", format="parquet", resume=True)


@pytest.mark.parametrize("held", [False, True], ids=["lines", "table"])
def test_another_input_is_not_mixed_in(tmp_path: Path, held: bool) -> None:
    records = make_documents(20)
    source: Any = records if held else write_lines(tmp_path / "a.jsonl", records)
    run(source, tmp_path / "out")
    before = shards(tmp_path / "out")
    records[9]["sentences"][0] = records[9]["sentences"][0].swapcase()
    changed: Any = records if held else write_lines(tmp_path / "a.jsonl", records)
    with pytest.raises(InputError, match="another input"):
        run(changed, tmp_path / "out", resume=True)
    assert shards(tmp_path / "out") == before
    with pytest.raises(InputError, match="another input"):
        run(records[:7] if held else write_lines(tmp_path / "b.jsonl", records[:7]),
            tmp_path / "out", resume=True)  # fmt: skip


def test_a_full_disk_loses_no_record(lines: Path, tmp_path: Path) -> None:
    run(lines, tmp_path / "whole")
    full = FullDisk(path=tmp_path / "out", shard="part-00000003")
    with pytest.raises(OSError, match="No space left"):
        run(lines, tmp_path / "out", storage=full)
    assert len(manifest(tmp_path / "out")["shards"]) == 3
    with pytest.raises(InputError, match="not come to its end"):
        read_folder(tmp_path / "out")
    assert len(list(read_folder(tmp_path / "out", partial=True))) == 21
    tally, _ = run(lines, tmp_path / "out", resume=True)
    assert shards(tmp_path / "out") == shards(tmp_path / "whole")
    assert not list((tmp_path / "out").glob(".*.tmp"))
    assert tally.documents == 40


def test_a_damaged_or_lost_shard_is_noticed_and_made_anew(lines: Path, tmp_path: Path) -> None:
    run(lines, tmp_path / "out")
    before = shards(tmp_path / "out")
    damaged = tmp_path / "out" / "part-00000002.jsonl"
    damaged.write_bytes(damaged.read_bytes().replace(b"complete", b"completE", 1))
    with pytest.raises(InputError, match=r"part-00000002.jsonl .* wrong checksum"):
        list(read_folder(tmp_path / "out"))
    with pytest.raises(InputError, match="wrong checksum"):
        merge_folder(str(tmp_path / "out"), str(tmp_path / "one.jsonl"))
    assert not (tmp_path / "one.jsonl").exists()
    (tmp_path / "out" / "part-00000004.jsonl").unlink()
    tally, said = run(lines, tmp_path / "out", resume=True)
    assert "part-00000002.jsonl: was changed" in said
    assert "part-00000004.jsonl: is gone" in said
    assert shards(tmp_path / "out") == before
    assert tally.documents == 40


@pytest.mark.parametrize("name", ["part-00000002.jsonl", "_manifest.json"])
@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_a_pipe_or_folder_in_place_of_a_file_is_refused_and_not_waited_for(
    kind: str, name: str, lines: Path, tmp_path: Path
) -> None:
    run(lines, tmp_path / "out")
    place = tmp_path / "out" / name
    place.unlink()
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.mkdir()
    reason = f"{name}: {'not a regular file' if kind == 'pipe' else 'cannot be read: Is a dir'}"
    with pytest.raises(InputError, match=reason):
        list(read_folder(tmp_path / "out"))
    with pytest.raises(InputError, match=reason):
        merge_folder(str(tmp_path / "out"), str(tmp_path / "one.jsonl"))
    with pytest.raises(InputError, match=reason):
        run(lines, tmp_path / "out", resume=True)


def test_going_on_with_a_finished_run_makes_nothing(lines: Path, tmp_path: Path) -> None:
    run(lines, tmp_path / "out")

    class Idle(Here):
        def submit(self, *call: object) -> Call:
            raise AssertionError("a shard was made again")

    tally, _ = run(lines, tmp_path / "out", caller=Idle(), resume=True)
    assert tally.documents == 40
    assert manifest(tmp_path / "out")["complete"]


def test_two_runs_do_not_write_to_one_folder(lines: Path, tmp_path: Path) -> None:
    class Rival(Here):
        def submit(self, *call: object) -> Call:
            run(lines, tmp_path / "out", resume=True)
            raise AssertionError("a second run was let in")

    with pytest.raises(InputError, match="another run is writing"):
        run(lines, tmp_path / "out", caller=Rival())


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("name", ["part-00000000.jsonl", "part-mine.txt", "_conclusion.jsonl"])
def test_shards_without_a_manifest_are_not_overwritten(
    name: str, resume: bool, lines: Path, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine\n")
    with pytest.raises(InputError, match=f"contains {name}.* --force"):
        run(lines, tmp_path / "out", resume=resume)
    assert (tmp_path / "out" / name).read_text() == "mine\n"


def test_resuming_where_nothing_was_begun_begins(lines: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    # What a run leaves that was killed before it had a manifest.
    (tmp_path / "out" / ".lock").touch()
    (tmp_path / "out" / "._manifest.json.77-0123abcd.tmp").touch()
    run(lines, tmp_path / "out", resume=True)
    assert {path.name[:5] for path in (tmp_path / "out").iterdir()} == {".lock", "_mani", "part-"}


def test_force_removes_shards_and_nothing_else(lines: Path, tmp_path: Path) -> None:
    run(lines, tmp_path / "out")
    others = ["part-mine.txt", "part-00000000.jsonl.old", "part-1.jsonl", "notes.txt", ".x.tmp"]
    for name in others:
        (tmp_path / "out" / name).write_text("mine\n")
    (tmp_path / "out" / "part-00000077.parquet").write_text("of an older run\n")
    run(lines, tmp_path / "out", force=True)
    for name in others:
        assert (tmp_path / "out" / name).read_text() == "mine\n"
    assert not (tmp_path / "out" / "part-00000077.parquet").exists()


def test_parquet_shards_are_one_data_set_for_pyarrow(lines: Path, tmp_path: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    run(lines, tmp_path / "out", format="parquet")
    run(lines, tmp_path / "lines")
    table = dataset.dataset(tmp_path / "out", format="parquet").to_table()
    assert table.column("id").to_pylist()[:3] == ["d0", "d1", "d2"]
    assert table.num_rows == 40
    for name in ("one.jsonl", "one.parquet"):
        merge_folder(str(tmp_path / "out"), str(tmp_path / name))
    merge_folder(str(tmp_path / "lines"), str(tmp_path / "two.jsonl"))
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    assert dataset.dataset(tmp_path / "one.parquet").to_table().equals(table)


def test_parquet_input_gives_the_same_records_as_lines(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    records = make_documents(30)
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "in.parquet", row_group_size=4)
    run(tmp_path / "in.parquet", tmp_path / "a", shard_size=7)
    run(write_lines(tmp_path / "in.jsonl", records), tmp_path / "b", shard_size=7)
    assert shards(tmp_path / "a") == shards(tmp_path / "b")


def test_an_address_of_a_file_system_takes_and_gives_the_same(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow.fs")
    from oraclesum.runs.storage import open_storage

    path = write_lines(tmp_path / "in.jsonl", make_documents(20))
    storage = open_storage(f"file://{tmp_path}/remote", create=True)
    run(f"file://{path}", tmp_path / "unused", storage=storage)
    run(path, tmp_path / "local")
    assert shards(tmp_path / "remote") == shards(tmp_path / "local")
    with pytest.raises(InputError, match="other settings"):
        run(f"file://{path}", tmp_path / "unused", storage=storage, resume=True,
            task=make_task(max_words=5))  # fmt: skip
    assert [r["id"] for r in read_folder(f"file://{tmp_path}/remote")][:2] == ["d0", "d1"]


def test_an_address_on_this_machine_is_a_folder_like_any_other(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow.fs")
    from oraclesum.runs.storage import LocalFolder, open_storage

    address = f"file://{tmp_path}/a%20folder"
    with pytest.raises(InputError, match="no such folder"):
        open_storage(address, create=False)
    folder = LocalFolder(path=tmp_path / "a folder")
    assert open_storage(address, create=True) == folder
    assert folder.path.is_dir()


def test_progress_for_programs_is_one_object_per_line(lines: Path, tmp_path: Path) -> None:
    _, said = run(lines, tmp_path / "out")
    events = [orjson.loads(line) for line in said.splitlines()]
    kinds = [event["event"] for event in events if event["event"] != "progress"]  # once a second
    assert kinds == ["message", "summary"]
    summary = events[-1]
    assert summary["documents"] == 40
    assert summary["errors"] == summary["statuses"]["error"] == 1
    assert len(summary["slowest"]) == 10
    assert sum(summary["scores"].values()) == sum(summary["families"].values()) == 39


WRONG: list[Any] = [None, True, -1, 1.5, "text", [], [1], {}, {"a": 1}, 2**63]


def list_places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every value of a JSON document, the first entry of lists only."""
    places = [way] if way else []
    if isinstance(value, dict):
        for name in value:
            places += list_places(value[name], (*way, name))
    if isinstance(value, list) and value:
        places += list_places(value[0], (*way, 0))
    return places


def test_a_manifest_with_anything_wrong_in_it_is_refused_in_words(
    lines: Path, tmp_path: Path
) -> None:
    run(lines, tmp_path / "out", shard_size=40)
    known = manifest(tmp_path / "out")
    path = tmp_path / "out" / "_manifest.json"
    refused = set()
    for way in list_places(known):
        for wrong in WRONG:
            changed = orjson.loads(orjson.dumps(known))
            inner = changed
            for step in way[:-1]:
                inner = inner[step]
            inner[way[-1]] = wrong
            path.write_bytes(orjson.dumps(changed))
            # Any other error than an InputError fails the test.
            with suppress(InputError):
                list(read_folder(tmp_path / "out", partial=True))
                continue
            refused.add(way[0])
    assert refused >= {"version", "settings", "input", "format", "shard_size", "summary", "shards"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is damaged"),
        (b"[]", "_manifest.json must be an object"),
        (b'"text"', "_manifest.json must be an object"),
        (b'{"version": 2', "is damaged"),
        (b"\xff\xfe", "is damaged"),
        (b'{"version": 1}', "is of version 1, not 2"),
        (b'{"version": 2}', "has no settings"),
    ],
)
def test_a_broken_manifest_is_told_of_in_words(
    data: bytes, message: str, lines: Path, tmp_path: Path
) -> None:
    run(lines, tmp_path / "out")
    (tmp_path / "out" / "_manifest.json").write_bytes(data)
    with pytest.raises(InputError, match=message):
        run(lines, tmp_path / "out", resume=True)
    with pytest.raises(InputError, match=message):
        merge_folder(str(tmp_path / "out"), str(tmp_path / "one.jsonl"))


def test_a_manifest_cannot_point_out_of_its_folder(lines: Path, tmp_path: Path) -> None:
    run(lines, tmp_path / "out")
    known = manifest(tmp_path / "out")
    known["shards"][0]["name"] = "../in.jsonl"
    (tmp_path / "out" / "_manifest.json").write_bytes(orjson.dumps(known))
    with pytest.raises(InputError, match="is no name of a shard"):
        read_folder(tmp_path / "out")


@pytest.mark.usefixtures("usual_digits")
@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_a_count_of_thousands_of_digits_is_read_from_python(format: str, tmp_path: Path) -> None:
    many = {"id": "many", "sentences": ["cat"] * 15_000, "references": ["cat " * 8_000]}
    path = tmp_path / "in.jsonl"
    path.write_bytes(orjson.dumps(many))
    command = ("-m", "oraclesum", "enumerate", path, "--max-sentences", "7500", "--list", "1")
    output = ("--rouge", "1", "-o", tmp_path / "out", "--output-format", format, "-q")
    run_child([sys.executable, *command, *output], seconds=600)
    (record,) = read_folder(tmp_path / "out")
    assert record["count"] == math.comb(15_000, 7_500)


def change_shard(folder: Path, name: str, number: int, line: bytes) -> None:
    """Put another line into a shard, and its checksum into the manifest."""
    lines = (folder / name).read_bytes().splitlines()
    lines[number - 1] = line
    (folder / name).write_bytes(b"\n".join(lines) + b"\n")
    known = manifest(folder)
    (entry,) = [entry for entry in known["shards"] if entry["name"] == name]
    entry["sha256"] = checksum((folder / name).read_bytes())
    (folder / "_manifest.json").write_bytes(orjson.dumps(known))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"id": "d1", "status"', "broken JSON at column 22: "),
        (b"", "broken JSON at column 1: "),
        (b'{"id": "\xff"}', "not UTF-8: 0xff at byte 9 of the line"),
        (b"[1]", "is not a record: a JSON object is expected"),
        (b'{"id": "d1"}', "is no record of `enumerate`: status is missing"),
        (
            b'{"id": "d1", "status": "complete", "count": "many"}',
            "is no record of `enumerate`: inv",
        ),
        (
            b'{"id": "d1", "status": "complete", "hits": "many"}',
            "is no record of `enumerate`: Could",
        ),
        (b'{"id": "d1", "status": "complete", "hits": 9223372036854775808}', "is no record of"),
    ],
)
def test_a_line_of_a_shard_that_is_no_record_is_named(
    line: bytes, reason: str, lines: Path, tmp_path: Path
) -> None:
    run(lines, tmp_path / "out")
    change_shard(tmp_path / "out", "part-00000002.jsonl", 3, line)
    target = tmp_path / "one.parquet"
    done = call("merge", tmp_path / "out", "-o", target)
    assert done.exit_code == 2, done.exception
    assert f"Error: {tmp_path}/out/part-00000002.jsonl:3: {reason}" in done.stderr
    assert not target.exists()
    assert not list(tmp_path.glob(".*"))
    if b"hits" not in line:  # a column of another type is none of Python's concern
        with pytest.raises(InputError, match=r"/part-00000002\.jsonl:3: "):
            list(read_folder(tmp_path / "out"))


def test_a_row_of_a_shard_that_is_no_record_is_named(lines: Path, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    run(lines, tmp_path / "out", format="parquet")
    shard = tmp_path / "out" / "part-00000002.parquet"
    pq.write_table(pa.table({"id": ["a", "b"]}), shard)
    known = manifest(tmp_path / "out")
    known["shards"][2]["sha256"] = checksum(shard.read_bytes())
    (tmp_path / "out" / "_manifest.json").write_bytes(orjson.dumps(known))
    for name in ("one.jsonl", "one.parquet"):
        with pytest.raises(InputError, match=r"/out/part-00000002\.parquet:1: .*status is missing"):
            merge_folder(str(tmp_path / "out"), str(tmp_path / name))
        assert not (tmp_path / name).exists()


def test_merging_into_a_device_writes_to_it_and_leaves_it_there(
    lines: Path, tmp_path: Path
) -> None:
    run(lines, tmp_path / "out")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        written = reader.submit(pipe.read_bytes)
        merge_folder(str(tmp_path / "out"), str(pipe), force=True)
    assert pipe.is_fifo()
    assert len(written.result().splitlines()) == 40


def test_merging_into_standard_output_writes_the_lines(lines: Path, tmp_path: Path) -> None:
    run(lines, tmp_path / "out")
    merge_folder(str(tmp_path / "out"), str(tmp_path / "one.jsonl"))
    done = run_child(
        [sys.executable, "-m", "oraclesum", "merge", tmp_path / "out", "-o", "-"], cwd=tmp_path
    )
    assert done.returncode == 0
    assert done.stdout == (tmp_path / "one.jsonl").read_bytes()
    assert done.stderr == b"40 records written to standard output\n"
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("name", ["part-00000000.jsonl", "_manifest.json", "x/y.jsonl"])
def test_a_folder_is_not_merged_into_itself(name: str, tmp_path: Path) -> None:
    call("enumerate", "demo", "--max-words", "60", "-q", "-o", f"{tmp_path / 'out'}/")
    (tmp_path / "out" / "x").mkdir()
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.json*")}
    done = call("merge", str(tmp_path / "out"), "-o", str(tmp_path / "out" / name), "--force")
    assert done.exit_code == 2
    assert "is inside the folder that is merged" in done.stderr
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.json*")} == before


def test_a_file_that_shrinks_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    lines = [b'{"id": "%d", "sentences": ["a b"], "references": ["a"]}\n' % i for i in range(9)]
    path.write_bytes(b"".join(lines))
    corpus = cut_corpus(str(path), 2, Reading())
    pieces = iter(corpus.pieces)
    first = next(pieces)
    os.truncate(path, len(b"".join(lines[:5])))
    items = [item for piece in (first, *pieces) for item in piece.read()[0]]
    error = items[-1]
    assert isinstance(error, RecordError)
    assert "when the run began" in error.reason


def test_a_run_that_is_stopped_leaves_nothing_half_written(lines: Path, tmp_path: Path) -> None:
    draft = tmp_path / "out" / ".part-00000001.jsonl.7-0123abcd.tmp"

    class Ended(Here):
        """Its workers are ended while one of them writes."""

        def wait(self, call: Call) -> Any:
            draft.write_bytes(b"half")
            raise KeyboardInterrupt

        def close(self) -> None:
            if draft.exists():
                draft.write_bytes(b"half of")  # until then

    with pytest.raises(KeyboardInterrupt):
        run(lines, tmp_path / "out", caller=Ended())
    assert not draft.exists()
    assert (tmp_path / "out" / "_manifest.json").exists()
