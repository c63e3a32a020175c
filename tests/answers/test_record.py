"""A record has one list of fields: its JSON form, its Arrow columns and its reader follow it."""

from __future__ import annotations

import inspect
import re
from dataclasses import FrozenInstanceError, field, fields
from pathlib import Path
from typing import Any

import orjson
import pytest

import oraclesum
from answers.records import make_record
from oraclesum.answers import ErrorRecord, FamilyRecord, Output
from oraclesum.answers.answerer import write_row
from oraclesum.answers.record import (
    CountRecord,
    ExtractRecord,
    LabelRecord,
    Record,
    ScoreRecord,
    exact,
)
from oraclesum.errors import LimitError
from oraclesum.frozen import dataclass
from oraclesum.oracles.status import Status
from oraclesum.runs.shard import decode_shard, encode_shard

FORMS: list[Output] = [
    make_record(),
    make_record(reference=0, sentences=["a", "b", "c"], seconds=0.25),
    make_record(checked=None, oracles=[], status="list_limit"),
    make_record(status="counted", inclusion=None, oracles=[], count=2**70, checked=2**60),
    ErrorRecord(id="x", error="in.jsonl:3: broken"),
    ErrorRecord(id="x", reference=1, error="in.jsonl:3: reference 1: broken"),
]


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_what_is_written_is_read_back(format: str) -> None:
    data = encode_shard(map(write_row, FORMS), format, "enumerate")
    found = decode_shard(data, f"part-0.{format}", "enumerate")
    assert list(map(FamilyRecord.read, found)) == FORMS


def test_numbers_beyond_doubles_are_decimal_strings_in_json() -> None:
    record = make_record(count=2**53, checked=2**53 + 1)
    assert record.to_json()["count"] == 2**53
    assert record.to_json()["checked"] == "9007199254740993"
    assert record.to_dict()["checked"] == 2**53 + 1
    assert orjson.loads(record.to_line()) == record.to_json()


def test_a_number_is_exact_on_both_sides_of_the_largest_double() -> None:
    assert [exact(n) for n in (2**53, 2**53 + 1, -(2**53), -(2**53) - 1)] == [
        9007199254740992,
        "9007199254740993",
        -9007199254740992,
        "-9007199254740993",
    ]


@pytest.mark.usefixtures("usual_digits")
@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_counts_of_any_length_are_written_and_read(format: str) -> None:
    record = make_record(count=10**6000 + 7, oracles=[], status="counted")
    data = encode_shard([write_row(record)], format, "enumerate")
    (found,) = decode_shard(data, f"part-0.{format}", "enumerate")
    assert found["count"] == f"1{'0' * 5999}7"
    assert FamilyRecord.read(found) == record


def test_what_is_not_known_is_null_and_what_was_not_asked_for_is_left_out() -> None:
    written = make_record(inclusion=None, checked=None).to_json()
    assert written["inclusion"] is None
    assert not {"checked", "reference", "sentences", "seconds", "error"} & set(written)


def test_a_failed_record_says_whose_it_is_and_why() -> None:
    record = ErrorRecord(id="t", reference=2, system="lead", error="why")
    assert list(record.to_json().items()) == [
        ("id", "t"),
        ("reference", 2),
        ("system", "lead"),
        ("status", "error"),
        ("error", "why"),
    ]


@dataclass(frozen=True, kw_only=True)
class LaterRecord(FamilyRecord):
    """A record of a later version: one field more, declared once."""

    later: str | None = field(default=None, metadata={"arrow": "string"})


def test_a_field_that_is_declared_is_written_tabulated_and_read() -> None:
    later = LaterRecord(**make_record().to_dict(), later="3/4")
    assert orjson.loads(later.to_line())["later"] == "3/4"
    (row,) = LaterRecord.tabulate([later]).to_pylist()
    assert row["later"] == "3/4"
    assert LaterRecord.read(row) == LaterRecord.read(later.to_json()) == later
    older = make_record().to_json()
    assert LaterRecord.read(older) == LaterRecord(**make_record().to_dict())


def test_every_field_of_enumerate_has_a_column_in_the_order_of_the_json() -> None:
    names = [one.name for one in fields(FamilyRecord)]
    names.insert(names.index("status") + 1, "error")
    assert FamilyRecord.schema().names == names


@pytest.mark.parametrize(
    "kind", [FamilyRecord, LabelRecord, ExtractRecord, CountRecord, ScoreRecord, ErrorRecord]
)
def test_every_kind_of_record_is_frozen_and_made_by_names(kind: type[Record]) -> None:
    parameters = inspect.signature(kind).parameters.values()
    assert {one.kind for one in parameters} == {inspect.Parameter.KEYWORD_ONLY}
    record = kind._build({})
    with pytest.raises(FrozenInstanceError):
        record.status = "other"  # type: ignore[attr-defined] # of every kind


def test_the_rule_for_numbers_beyond_doubles_stands_once() -> None:
    package = Path(oraclesum.__file__).parent
    having = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(r"<= *_?LARGEST_EXACT|else str\(number\)", path.read_text())
    ]
    assert having == ["answers/record.py"]


@dataclass
class StandIn:
    """A family of two oracles that may fail to answer."""

    status: Status = Status.COMPLETE
    hits: int = 3
    total: int = 4
    score: float = 0.75
    count: int = 2
    upper_bound: int = 3
    checked: int = 7
    knows_inclusion: bool = True
    listed: int = 2

    @property
    def inclusion(self) -> list[float]:
        if not self.knows_inclusion:
            raise LimitError("no time")
        return [0.5, 0.5, 0.5]

    def iterate(self) -> Any:
        yield from [(0, 1), (2,)][: self.listed]
        if self.listed < 2:
            raise LimitError("no time")


def describe(found: StandIn, max_list: int = 1000) -> FamilyRecord:
    return FamilyRecord.describe(
        found,
        id="d",
        reference=None,
        max_list=max_list,
        counts_nodes=True,
        method="search",
        signature="oraclesum:0|rouge:2",
        sentences=None,
    )


def test_a_family_is_described_in_full() -> None:
    assert describe(StandIn()) == make_record()


@pytest.mark.parametrize("status", [Status.COMPLETE, Status.LIST_LIMIT])
def test_the_status_says_whether_all_oracles_are_listed(status: Status) -> None:
    assert describe(StandIn(status=status), 2).status == "complete"
    assert describe(StandIn(status=status), 1).status == "list_limit"
    assert describe(StandIn(status=status), 1).oracles == [[0, 1]]


@pytest.mark.parametrize("status", [Status.TIME_LIMIT, Status.STREAMED, Status.NO_OVERLAP])
def test_a_status_that_says_more_is_kept(status: Status) -> None:
    assert describe(StandIn(status=status), 1).status == status.value


def test_what_time_does_not_suffice_for_is_left_open() -> None:
    counted = describe(StandIn(knows_inclusion=False))
    assert (counted.status, counted.inclusion) == ("counted", None)
    assert counted.oracles == [[0, 1], [2]]  # what could be had is there
    begun = describe(StandIn(listed=1))
    assert (begun.status, begun.oracles) == ("list_limit", [[0, 1]])
    assert begun.inclusion == [0.5, 0.5, 0.5]


def test_the_score_is_that_of_the_family() -> None:
    assert describe(StandIn(score=0.5)).score == 0.5
