"""Tables of text: the csv module of the process stays as it was, no row fills the memory."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from fixtures.topics import read_topics
from oraclesum import Topic
from oraclesum.corpora import open_corpus, record


@pytest.mark.parametrize("limit", [1000, 131_072])
def test_the_longest_field_of_the_csv_module_stays_as_it_was(limit: int, tmp_path: Path) -> None:
    long = "A cat sat. " * 20_000
    path = tmp_path / "in.csv"
    path.write_text(f'id,text,summary\n1,"{long}",A cat\n2,A dog.,"A\ndog"\n')
    before = csv.field_size_limit(limit)
    try:
        for item in open_corpus(path):
            assert isinstance(item, Topic)
            assert csv.field_size_limit() == limit
        assert csv.field_size_limit() == limit
    finally:
        csv.field_size_limit(before)


def test_tables_that_are_read_at_the_same_time_do_not_shorten_each_others_fields(
    tmp_path: Path,
) -> None:
    path = tmp_path / "in.csv"
    path.write_text("id,text,summary\n" + f'%s,"{"A cat sat. " * 20_000}",A cat\n' * 2 % (1, 2))
    first, second = open_corpus(path), open_corpus(path)
    assert [item.text for pair in zip(first, second, strict=True) for item in pair] == [  # type: ignore[union-attr]  # an error has no text, and fails the test
        topic.text for topic in read_topics(path) for _ in range(2)
    ]


def test_a_row_of_more_cells_than_are_read_costs_itself_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "_MANY_VALUES", 100)
    path = tmp_path / "in.csv"
    rows = ["id,text,summary", "1,A cat.,cat", "2," + "," * 500, '3,"A dog,\nit ran.",dog']
    path.write_text("\n".join([*rows, '4,"' + ",\n" * 500 + '",dog', "5,A cow.,cow", ""]))
    found = list(open_corpus(path))
    assert [item.id for item in found if isinstance(item, Topic)] == ["1", "3", "5"]
    assert [str(item) for item in found if not isinstance(item, Topic)] == [
        f"{path}:3: refused: 501 commas, semicolons and tabs in one row, 100 are read at most",
        f"{path}:6: refused: 101 commas, semicolons and tabs in one row, 100 are read at most",
    ]
    path.write_text("," * 500 + "\n" + rows[1] + "\n")
    [error] = open_corpus(path)
    assert "reading stopped here, the rest is lost: refused: 500 commas" in str(error)


@pytest.mark.parametrize("place", ["start", "middle", "end"])
def test_names_of_columns_with_nul_bytes_are_damage(place: str, tmp_path: Path) -> None:
    names = {"start": "\0\0id,text,summary", "middle": "i\0,text,summary"}
    path = tmp_path / "in.csv"
    path.write_text(f"{names.get(place, 'id,text,summary' + chr(0))}\nx1,A cat sat.,A cat\n")
    [error] = open_corpus(path)
    assert str(error) == (
        f"{path}:1: reading stopped here, the rest is lost: the names of the columns contain NUL "
        "bytes: the file is damaged"
    )
