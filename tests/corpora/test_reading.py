"""Reading streams of records: files, standard input, gzip, and what a damaged one costs."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from oraclesum.corpora import Topic, demo_path, open_source, read_topics
from oraclesum.errors import InputError, RecordError

GOOD = {"id": "good", "sentences": ["A cat sat."], "references": ["A cat."]}


def line(**changes: object) -> bytes:
    return json.dumps({**GOOD, **changes}).encode() + b"\n"


def read(name: Path | str) -> list[Topic | RecordError]:
    with open_source(str(name)) as source:
        return list(read_topics(source))


def read_bytes(tmp_path: Path, data: bytes) -> list[Topic | RecordError]:
    path = tmp_path / "in.jsonl"
    path.write_bytes(data)
    return read(path)


def ids(items: list[Topic | RecordError]) -> list[str | None]:
    return [item.id if isinstance(item, Topic) else None for item in items]


def test_a_bad_record_is_a_value_and_the_others_come_through(tmp_path: Path) -> None:
    items = read_bytes(tmp_path, line(id="a") + b"{broken\n" + line(id="c"))
    assert ids(items) == ["a", None, "c"]
    error = items[1]
    assert isinstance(error, RecordError)
    assert str(error).startswith(f"{tmp_path / 'in.jsonl'}:2: broken JSON at column 2")


def test_a_topic_knows_its_place(tmp_path: Path) -> None:
    items = read_bytes(tmp_path, b"\n  \n" + line())
    assert isinstance(items[0], Topic)
    assert items[0].place == f"{tmp_path / 'in.jsonl'}:3"


def test_the_later_record_with_an_id_is_the_error_and_names_the_first(tmp_path: Path) -> None:
    items = read_bytes(tmp_path, line() + line(id="b") + line() + line())
    assert ids(items) == ["good", "b", None, None]
    assert isinstance(items[3], RecordError)
    assert items[3].reason == f"the id 'good' was already used at {items[3].file}:1"
    assert items[3].record_id == "good"


def test_an_invalid_record_does_not_take_its_id(tmp_path: Path) -> None:
    items = read_bytes(tmp_path, line(references=[]) + line())
    assert ids(items) == [None, "good"]


def test_a_record_without_id_is_called_by_file_and_line(tmp_path: Path) -> None:
    items = read_bytes(tmp_path, line() + line(id=None) + b'{"id": true}\n[]\n')
    assert ids(items) == ["good", "in.jsonl:2", None, None]
    assert [error.record_id for error in items if isinstance(error, RecordError)] == [
        "in.jsonl:3",
        "in.jsonl:4",
    ]


def test_a_byte_order_mark_and_windows_line_ends_are_no_trouble(tmp_path: Path) -> None:
    items = read_bytes(
        tmp_path, b"\xef\xbb\xbf" + line(id="a").replace(b"\n", b"\r\n") + line(id="b")
    )
    assert ids(items) == ["a", "b"]


def test_the_last_line_needs_no_line_end(tmp_path: Path) -> None:
    assert ids(read_bytes(tmp_path, line().rstrip(b"\n"))) == ["good"]


@pytest.mark.parametrize("data", [b"", b"\n \r\n"])
def test_an_empty_file_is_said(data: bytes, tmp_path: Path) -> None:
    [error] = read_bytes(tmp_path, data)
    assert str(error) == f"{tmp_path / 'in.jsonl'}:1: empty: there is no record in it"


def test_bytes_that_are_not_utf8_are_pointed_at(tmp_path: Path) -> None:
    items = read_bytes(tmp_path, b'{"id": "\xff"}\n' + line())
    assert ids(items) == [None, "good"]
    assert "not UTF-8: 0xff at byte 9 of the line" in str(items[0])


def test_utf16_is_called_by_its_name(tmp_path: Path) -> None:
    items = read_bytes(tmp_path, line().decode().encode("utf-16"))
    assert "UTF-16" in str(items[0])


def test_a_line_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    long = ["word " * 2_000_000, *["A cat sat."] * 100_000]
    items = read_bytes(tmp_path, line(id="long", sentences=long) + line())
    assert ids(items) == ["long", "good"]
    assert isinstance(items[0], Topic)
    assert items[0].sentences == tuple(long)


def test_gzip_is_recognised_whatever_the_name(tmp_path: Path) -> None:
    for name in ("in.jsonl.gz", "in.jsonl"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(line(id="a") + line(id="b")))
        assert ids(read(path)) == ["a", "b"]


def test_a_truncated_gzip_keeps_what_came_before_and_says_where_it_ends(tmp_path: Path) -> None:
    many = b"".join(line(id=str(i), text=str(hash(str(i)))) for i in range(2000))
    path = tmp_path / "in.gz"
    path.write_bytes(gzip.compress(many)[:-3000])
    *topics, error = read(path)
    assert topics
    assert isinstance(error, RecordError)
    assert "reading stopped here" in str(error)
    assert error.line > len(topics)


def test_standard_input_is_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(line() + b"x")))
    )
    items = read("-")
    assert ids(items) == ["good", None]
    assert str(items[1]).startswith("<stdin>:2: ")


def test_demo_is_the_built_in_corpus_unless_a_file_has_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert demo_path().is_file()
    topics = read("demo")
    assert len(topics) > 3
    assert all(isinstance(topic, Topic) for topic in topics)
    Path("demo").write_bytes(line())
    assert ids(read("demo")) == ["good"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing.jsonl", "No such file"), (".", "folder"), ("x.parquet", "JSON lines")],
)
def test_what_cannot_be_opened_is_an_input_error(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=reason):
        read(name)


def test_position_reaches_the_size_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(line(id="a") + line(id="b"))
    with open_source(str(path)) as source:
        topics = read_topics(source)
        next(topics)
        assert source.size == path.stat().st_size
        list(topics)
        assert source.position == source.size
