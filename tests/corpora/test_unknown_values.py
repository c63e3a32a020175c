"""Values of Arrow and Parquet that Python does not have cost no row that does not need them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from oraclesum import OraclesumWarning, RecordError, label_dataset, open_corpus
from oraclesum.corpora.rows import read_rows
from oraclesum.corpora.topic import Topic

FAR = 253402300800  # seconds to the year 10000
COLUMNS = {
    "timestamp": pa.array([0, FAR * 10**6, None], pa.int64()).view(pa.timestamp("us")),
    "zone": pa.array([0, FAR, None], pa.int64()).view(pa.timestamp("s", "UTC")),
    "place": pa.array([1, 2, None], pa.int64()).view(pa.timestamp("us", "Mars/Phobos")),
    "date": pa.array([0, FAR // 86400, None], pa.int32()).view(pa.date32()),
    "duration": pa.array([0, 2**60, None], pa.int64()).view(pa.duration("s")),
}


def make_table(column: Any) -> Any:
    return pa.table(
        {
            "id": ["a", "b", "c"],
            "sentences": [["A cat sat."]] * 3,
            "references": [["A cat."]] * 3,
            "other": column,
        }
    )


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_a_value_that_python_does_not_have_costs_no_row(
    column: Any, suffix: str, tmp_path: Path
) -> None:
    table = make_table(column)
    path = tmp_path / f"in.{suffix}"
    if suffix == "parquet":
        pq.write_table(table, path)
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    topics = list(open_corpus(path))
    assert [topic.id for topic in topics if isinstance(topic, Topic)] == ["a", "b", "c"]


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_nor_in_a_table_that_is_given_from_python(column: Any) -> None:
    table = make_table(column)
    for given in (
        table,
        table.to_batches()[0],
        table.to_reader(),
        table.to_struct_array().chunk(0),
    ):
        topics = list(read_rows(given))
        assert [topic.id for topic in topics if isinstance(topic, Topic)] == ["a", "b", "c"]
    labelled = label_dataset(table, max_sentences=1)
    assert labelled["labels"].to_pylist() == [[1]] * 3
    assert labelled["other"].equals(table["other"])


SHARED = {
    "object": pa.array([{"a": 1}, {"a": 2}]),
    "list": pa.array([["x"], ["y"]]),
    "view": pa.array(["x", "y"], pa.string_view()),
}


@pytest.mark.parametrize("values", SHARED.values(), ids=SHARED)
def test_dictionaries_of_anything_cost_no_row(values: Any, tmp_path: Path) -> None:
    table = make_table(pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int8()), values))
    path = tmp_path / "in.arrow"
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)
    for source in (path, table):
        topics = list(open_corpus(source))
        assert [topic.id for topic in topics if isinstance(topic, Topic)] == ["a", "b", "c"]


def test_text_of_a_table_that_is_not_utf8_costs_its_own_row() -> None:
    texts = pa.array([b"A cat.", b"A \xff.", b"A dog."])
    damaged = pa.Array.from_buffers(pa.string(), 3, texts.buffers())
    table = make_table(damaged)
    for given in (table, table.to_batches()[0], table.to_struct_array()):
        first, error, last = open_corpus(given)
        assert isinstance(first, Topic)
        assert isinstance(last, Topic)
        assert isinstance(error, RecordError)
        assert (error.line, "UTF8" in error.reason) == (2, True)
    with pytest.warns(OraclesumWarning, match="row 2: the row is damaged"):
        labelled = label_dataset(table, max_sentences=1)
    assert labelled["labels"].to_pylist() == [[1], [], [1]]
