"""Result files that are damaged, or of another program: what is wrong is named."""

from __future__ import annotations

import copy
import gzip
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from oraclesum.errors import InputError
from oraclesum.report.page.gathering import gather_facts
from oraclesum.report.page.records import Compared, Loaded, check, load_results
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
        with pytest.raises(InputError, match="cannot be unzipped"):
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
