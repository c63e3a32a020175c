"""Parquet and Arrow files that are damaged or joined are told, and never end the process."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from children import run_child
from fixtures.topics import read_topics
from oraclesum import RecordError
from oraclesum.corpora import open_corpus

# Reads the file once for each bit of its footer, with that bit flipped.
_FLIP = """
import sys
from oraclesum import InputError, RecordError
from oraclesum.corpora import open_corpus

path = sys.argv[1]
good = open(path, "rb").read()
size = int.from_bytes(good[-8:-4], "little")
told = 0
for place in range(len(good) - 8 - size, len(good)):
    data = bytearray(good)
    data[place] ^= 1 << place % 8
    with open(path, "wb") as file:
        file.write(data)
    try:
        told += any(isinstance(item, RecordError) for item in open_corpus(path))
    except InputError:
        told += 1
print(size, told)
"""


def test_no_flipped_bit_in_the_footer_of_parquet_ends_the_process(tmp_path: Path) -> None:
    rows = 50
    table = pa.table(
        {
            "id": [f"r{i}" for i in range(rows)],
            "sentences": [["The ship left the harbour.", "A storm came."]] * rows,
            "references": [["The ship left."]] * rows,
        }
    )
    path = tmp_path / "in.parquet"
    pq.write_table(table, path)
    done = run_child([sys.executable, "-c", _FLIP, path], text=True)
    assert done.returncode == 0, done.stderr
    size, told = map(int, done.stdout.split())
    assert size / 3 < told < size


def pack_file(start: str, rows: int, **options: Any) -> bytes:
    """An Arrow file with a dictionary, and with a batch for every two rows."""
    table = pa.table(
        {
            "id": [f"{start}{i:03}" for i in range(rows)],
            "text": [f"The {start} ship left. The storm {i:03} came." for i in range(rows)],
            "summary": [f"The {start} ship left."] * rows,
            "kind": pa.array(["news"] * rows).dictionary_encode(),
        }
    )
    stream = io.BytesIO()
    written = pa.ipc.IpcWriteOptions(**options)
    with pa.ipc.new_file(stream, table.schema, options=written) as writer:
        writer.write_table(table, max_chunksize=2)
    return stream.getvalue()


@pytest.mark.parametrize("first", [0, 1, 4, 50])
@pytest.mark.parametrize("second", [0, 1, 4, 50])
def test_arrow_files_one_behind_the_other_are_refused(
    first: int, second: int, tmp_path: Path
) -> None:
    path = tmp_path / "joined.arrow"
    path.write_bytes(pack_file("a", first) + pack_file("b", second))
    [error] = open_corpus(path)
    assert isinstance(error, RecordError)
    assert error.reason.endswith("several files, one behind the other; give each of them")


@pytest.mark.parametrize("options", [{}, {"compression": "zstd"}, {"use_legacy_format": True}])
def test_an_arrow_file_whose_text_looks_like_two_files_is_one(
    options: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "in.arrow"
    path.write_bytes(pack_file("ARROW1ARROW1\0\0", 5, **options))
    assert len(read_topics(path)) == 5


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_an_arrow_file_of_polars_is_read(compression: Any, tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"id": list("abc"), "text": ["A cat sat."] * 3, "summary": ["A cat"] * 3})
    path = tmp_path / "in.arrow"
    pl.concat([frame.head(2), frame.tail(1)], rechunk=False).write_ipc(
        path, compression=compression
    )
    assert [topic.id for topic in read_topics(path)] == ["a", "b", "c"]


@pytest.mark.parametrize("encoding", ["DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"])
def test_encodings_of_text_are_read_or_refused_in_words(encoding: str, tmp_path: Path) -> None:
    columns = {
        "id": ["a", "b"],
        "text": ["A cat sat.", "It rained."],
        "summary": ["A cat.", "Rain."],
    }
    table = pa.table({**columns, "url": ["x", "y"]})
    path = tmp_path / "in.parquet"
    pq.write_table(
        table, path, use_dictionary=["id", "text", "summary"], column_encoding={"url": encoding}
    )
    if encoding == "DELTA_LENGTH_BYTE_ARRAY":
        assert [topic.text for topic in read_topics(path)] == columns["text"]
        return
    [error] = open_corpus(path)
    assert isinstance(error, RecordError)
    assert error.reason.startswith("refused: the column url is encoded as DELTA_BYTE_ARRAY")
