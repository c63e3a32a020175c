"""Labels as columns of data sets of the real libraries: same rows, same order, same kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import oraclesum
from oraclesum.errors import InputError, OraclesumWarning

ROWS: list[dict[str, Any]] = [
    {"id": "a", "article": "The cat sat. It rained all day.", "highlights": "A cat sat."},
    {"id": "b", "article": "Dogs bark. Birds sing at dawn.", "highlights": "Birds sang.\nAt dawn."},
]
WANTED = [[1, 0], [0, 1]]


def test_any_rows_come_back_with_labels() -> None:
    def stream() -> Iterator[dict[str, Any]]:
        yield from ROWS

    made = list(oraclesum.label_dataset(stream(), max_sentences=1))
    assert [row["labels"] for row in made] == WANTED
    assert made[0]["sentences"] == ["The cat sat.", "It rained all day."]
    assert [row["id"] for row in made] == ["a", "b"]
    assert made[0]["oracle_ids"] == [0]
    assert made[0]["label_status"] == "complete"


def test_frames_of_pandas_polars_and_tables_of_pyarrow() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    frame = oraclesum.label_dataset(pandas.DataFrame(ROWS), max_sentences=1)
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["labels"]) == WANTED
    other = oraclesum.label_dataset(polars.DataFrame(ROWS), max_sentences=1)
    assert isinstance(other, polars.DataFrame)
    assert other["labels"].to_list() == WANTED
    assert other.columns[:3] == ["id", "article", "highlights"]
    table = oraclesum.label_dataset(pyarrow.Table.from_pylist(ROWS), max_sentences=1)
    assert isinstance(table, pyarrow.Table)
    assert table["labels"].to_pylist() == WANTED


def test_data_sets_of_hugging_face(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_list(ROWS)
    made = oraclesum.label_dataset(dataset, max_sentences=1)
    assert isinstance(made, datasets.Dataset)
    assert made["labels"][:] == WANTED
    assert made.column_names[:3] == ["id", "article", "highlights"]
    streamed = oraclesum.label_dataset(dataset.to_iterable_dataset(), max_sentences=1)
    assert isinstance(streamed, datasets.IterableDataset)
    assert [row["labels"] for row in streamed] == WANTED
    parts = oraclesum.label_dataset(datasets.DatasetDict({"train": dataset}), max_sentences=1)
    assert parts["train"]["labels"][:] == WANTED


def test_a_row_that_cannot_be_used_is_told_and_costs_no_other() -> None:
    rows = [{"id": "x", "article": "A cat."}, *ROWS]
    with pytest.warns(OraclesumWarning, match="row 1: "):
        made = list(oraclesum.label_dataset(rows, max_sentences=1))
    assert made[0]["labels"] == []
    assert made[0]["label_status"].startswith("error: ")
    assert [row["labels"] for row in made[1:]] == WANTED


def test_what_is_no_data_set_is_refused() -> None:
    with pytest.raises(InputError, match="a data set has rows; this is str"):
        oraclesum.label_dataset("train.jsonl")
    with pytest.raises(InputError, match="unknown term"):
        oraclesum.label_dataset(ROWS, rouge="r1-f")
    with pytest.raises(InputError, match="a row must be a mapping"):
        list(oraclesum.label_dataset(["A cat."]))
