"""Result files that are damaged, or of another program: what is wrong is named."""

from __future__ import annotations

import copy
import gzip
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli.corpus import call
from oraclesum.errors import InputError
from oraclesum.report.page.gathering import gather_facts
from oraclesum.report.page.records import Compared, Loaded, check, load_results
from oraclesum.runs.merging import merge_folder
from report.results import enumerated, make_results, write_lines

VERBS = ("enumerate", "evaluate", "correlate", "compare", "reproduce")
WRONG: tuple[Any, ...] = (
    *(None, True, 1.5, -1, 0, 2**53, 2**64, 1e300, "", "2", "²", "complete", "error"),
    *([], [1], [[1]], ["a"], {}, {"a": 1}, [{}], [None]),
)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    made = make_results(tmp_path_factory.mktemp("results"), *VERBS)
    return {verb: [record for _, record in load_results(made[verb]).records] for verb in VERBS}


def find_places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place inside a record."""
    if place:
        yield place
    inside: Any = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    for key, part in inside:
        yield from find_places(part, (*place, key))


def damage(draw: random.Random, records: list[dict[str, Any]]) -> None:
    """Remove one place of one record, or put another value there."""
    record: Any = draw.choice(records)
    depth = draw.randint(1, 6)
    place = draw.choice([each for each in find_places(record) if len(each) <= depth])
    for key in place[:-1]:
        record = record[key]
    if draw.randrange(5):
        record[place[-1]] = draw.choice(WRONG)
    else:
        del record[place[-1]]


@pytest.mark.parametrize("verb", VERBS)
def test_damaged_records_are_refused_by_place_and_field_or_make_a_report(
    results: dict[str, list[dict[str, Any]]], verb: str
) -> None:
    draw = random.Random(1)
    refused = 0
    for _ in range(80):
        records = copy.deepcopy(results[verb])
        damage(draw, records)
        places = [(f"out:{k}", record) for k, record in enumerate(records, 1)]
        try:
            gather_facts([Loaded(name="out", records=places)])
        except InputError as error:
            refused += str(error).startswith("out:")
    assert refused > 20


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"hits": "3"}, "hits must be a valid integer, not '3'"),
        ({"hits": 11}, "hits must be at most total: 11 of 10"),
        ({"count": "many"}, "count must be a whole number, or its digits, not 'many'"),
        ({"inclusion": [0.5, None, 1.0, 0.0]}, r"inclusion\[1\] must be a valid number, not None"),
        ({"inclusion": None}, "inclusion is null, but status is .complete."),
        ({"oracles": [[0, 4]]}, r"oracles\[0\] names sentence 4, but inclusion has 4"),
        ({"oracles": {"0": [1]}}, "oracles must be a valid list"),
        ({"status": "fine"}, "status must be one of complete, "),
        ({"id": 5}, "id must be a valid string, not 5"),
        ({"reference": "first"}, "reference must be a valid integer"),
        ({"sentences": ["a"]}, "sentences has 1 entries, but inclusion has 4"),
    ],
)
def test_a_field_of_another_type_is_named(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    path = write_lines(tmp_path / "out.jsonl", enumerated(), enumerated("two", **changes))
    with pytest.raises(InputError, match=f"^out.jsonl:2: {said}"):
        gather_facts([load_results(path)])


def test_a_damaged_gzip_file_is_told(tmp_path: Path) -> None:
    whole = gzip.compress(orjson.dumps(enumerated()), mtime=0)
    path = tmp_path / "out.jsonl.gz"
    for broken in (whole[:-9], whole[:20] + b"\xff\xff\xff\xff" + whole[24:], whole[:12]):
        path.write_bytes(broken)
        with pytest.raises(
            InputError, match=r"^out\.jsonl\.gz:\d: reading stopped here.*(damaged|cut off)"
        ):
            load_results(path)


@pytest.mark.parametrize(
    "manifest",
    [
        [],
        {"shards": None},
        {"shards": [{"name": 3}]},
        {"shards": [], "summary": []},
        {"shards": [], "summary": {"slowest": [{"id": "x", "seconds": "1"}]}},
    ],
)
def test_a_damaged_manifest_is_told(tmp_path: Path, manifest: Any) -> None:
    (tmp_path / "_manifest.json").write_bytes(orjson.dumps(manifest))
    with pytest.raises(InputError, match=r"_manifest\.json is damaged"):
        load_results(tmp_path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of `evaluate` in shards, with records about all others at the end."""
    made = tmp_path_factory.mktemp("shards") / "run"
    options = ("--max-words", "60", "--systems", "lead", "--draws", "5", "--shard-size", "2", "-q")
    done = call("evaluate", "demo", *options, "-o", made)
    assert done.exit_code == 0, done.stderr
    return made


def cut_shard(folder: Path) -> None:
    shard = folder / "part-00000001.jsonl"
    shard.write_bytes(shard.read_bytes().partition(b"\n")[0] + b"\n")


def change_manifest(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def harm(folder: Path) -> None:
        path = folder / "_manifest.json"
        manifest = orjson.loads(path.read_bytes())
        change(manifest)
        path.write_bytes(orjson.dumps(manifest))

    return harm


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (cut_shard, "part-00000001.jsonl is not what was written: wrong checksum"),
        (lambda run: (run / "part-00000001.jsonl").unlink(), "part-00000001.jsonl is gone"),
        (lambda run: (run / "_conclusion.jsonl").unlink(), "_conclusion.jsonl is gone"),
        (change_manifest(lambda known: known["shards"].pop()), "have 12 records, its summary 18"),
        (
            change_manifest(lambda known: known["summary"]["scores"].update(nan=1)),
            "is damaged: summary",
        ),
        (
            change_manifest(lambda known: known["summary"].update(work_seconds=-1)),
            "summary.work_seconds is negative",
        ),
    ],
    ids=["cut", "gone", "conclusion gone", "not entered", "nan", "negative"],
)
def test_a_folder_that_merge_refuses_is_refused(
    folder: Path, tmp_path: Path, harm: Callable[[Path], None], said: str
) -> None:
    run = tmp_path / "run"
    shutil.copytree(folder, run)
    assert len(load_results(run).records) > 18  # with the conclusion
    harm(run)
    with pytest.raises(InputError, match=said):
        load_results(run)
    with pytest.raises(InputError, match=said):
        merge_folder(str(run), str(tmp_path / "out.jsonl"))


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (enumerated(id="HERE"), "id"),
        (enumerated(status="HERE"), "status"),
        ({"id": "HERE", "status": "error", "error": ""}, "id"),
        ({"id": "one", "status": "error", "error": "HERE"}, "error"),
        ({"signature": "HERE"}, "signature"),
    ],
)
def test_a_field_that_nests_deep_is_named(
    tmp_path: Path, record: dict[str, Any], field: str
) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(orjson.dumps(record).replace(b'"HERE"', b"[" * 1000 + b"]" * 1000))
    with pytest.raises(InputError, match=rf"^out.jsonl:1: {field} must be a valid string, not"):
        gather_facts([load_results(path)])


def test_a_mark_of_the_byte_order_is_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + orjson.dumps(enumerated()))
    assert load_results(path).records == [("out.jsonl:1", enumerated())]


def test_bytes_that_are_not_utf8_are_pointed_at(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(orjson.dumps(enumerated()) + b'\n{"id": "\xff"}')
    with pytest.raises(InputError, match=r"^out\.jsonl:2: not UTF-8: 0xff at byte 9 of the line"):
        load_results(path)


@pytest.mark.parametrize("packed", ["gzip", "parquet"])
def test_what_unpacks_to_more_than_the_limit_is_refused(tmp_path: Path, packed: str) -> None:
    path = tmp_path / "out"
    if packed == "gzip":
        path.write_bytes(gzip.compress(b" " * 1_000_000 + orjson.dumps(enumerated())))
    else:
        pq.write_table(pa.Table.from_pylist([enumerated(sentences=["a" * 500_000] * 2)]), path)
    assert len(load_results(path, record_bytes=2_000_000).records) == 1
    with pytest.raises(InputError, match=r"larger than 1,000 bytes; .* by --record-bytes"):
        load_results(path, record_bytes=1_000)


def test_damaged_parquet_is_told(tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    table = pa.Table.from_pylist([enumerated(f"name {k}") for k in range(50)])
    pq.write_table(table, path, compression="none")
    whole = path.read_bytes()
    draw = random.Random(1)
    told = 0
    for _ in range(60):
        place = draw.randrange(4, len(whole) - 8)
        path.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        with suppress(InputError):  # any other error fails the test
            load_results(path)
            continue
        told += 1
    assert told > 10


@pytest.mark.parametrize("value", ["3/2", "1/0", "x", "1/2/3", "-1/2"])
def test_a_value_that_is_no_fraction_is_refused(value: str) -> None:
    with pytest.raises(InputError, match=r"in.jsonl:1: value must be a fraction from 0 to 1"):
        check(Compared, {**COMPARED, "value": value}, "in.jsonl:1")


COMPARED = {
    "id": "a",
    "status": "complete",
    "signature": "",
    "method": "search",
    "proven": True,
    "seconds": 0.1,
    "checked": 3,
    "oracle": [1],
}
