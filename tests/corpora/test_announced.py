"""What files of tables announce of their parts is what pyarrow makes of them, or damage."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from oraclesum import RecordError
from oraclesum.corpora import Caps, open_corpus
from oraclesum.corpora.announced import list_file_parts, list_groups, list_stream_parts


def make_table(rows: int = 50) -> Any:
    """Flat columns, lists, maps and objects, some of them absent."""
    return pa.table(
        {
            "id": [f"document {k}" for k in range(rows)],
            "sentences": [["A cat sat.", "It rained."] * (k % 4) for k in range(rows)],
            "scores": pa.array([{"a": 1.5, "b": [True] * k} for k in range(rows)]),
            "systems": pa.array(
                [[("lead", k)] for k in range(rows)], pa.map_(pa.string(), pa.int16())
            ),
            "kind": pa.array(["news", None] * (rows // 2)).dictionary_encode(),
            "nothing": pa.nulls(rows),
        }
    )


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"compression": "zstd", "row_group_size": 7, "write_page_index": True},
        {"data_page_version": "2.0", "row_group_size": 20, "store_schema": False},
        {"write_statistics": False, "use_dictionary": False, "sorting_columns": None},
    ],
    ids=["usual", "small groups", "second version", "plain"],
)
def test_the_values_of_each_row_group_are_those_that_pyarrow_finds(
    options: dict[str, Any],
) -> None:
    stream = io.BytesIO()
    pq.write_table(make_table(), stream, **options)
    metadata = pq.ParquetFile(stream).metadata
    wanted = []
    encodings = []
    for k in range(metadata.num_row_groups):
        group = metadata.row_group(k)
        columns = [group.column(c) for c in range(group.num_columns)]
        most = max(one.num_values for one in columns)
        end = max(
            (one.dictionary_page_offset or one.data_page_offset) + one.total_compressed_size
            for one in columns
        )
        wanted.append((most if most > group.num_rows else 0, end))
        encodings.append({one.path_in_schema: {*one.encodings} for one in columns})
    groups, footer = list_groups(stream)
    assert [(group.repeated, group.end) for group in groups] == wanted
    assert max(wanted)[0] > 50
    names = {0: "PLAIN", 3: "RLE", 8: "RLE_DICTIONARY"}
    for group, each in zip(groups, encodings, strict=True):
        found = {path: {names[one] for one in used} for path, used in group.encodings.items()}
        assert found == each
    assert footer == len(stream.getvalue()) - 8 - metadata.serialized_size


def test_flat_columns_have_no_repeated_values() -> None:
    stream = io.BytesIO()
    pq.write_table(make_table().select(["id", "kind", "nothing"]), stream, row_group_size=20)
    assert [group.repeated for group in list_groups(stream)[0]] == [0, 0, 0]


def pack(table: Any, kind: str, compression: str | None) -> bytes:
    stream = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    new = pa.ipc.new_file if kind == "file" else pa.ipc.new_stream
    with new(stream, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=20)
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["file", "stream"])
def test_the_parts_of_an_arrow_file_are_announced_alike_however_it_is_packed(kind: str) -> None:
    listing = list_file_parts if kind == "file" else list_stream_parts
    table = make_table()
    plain, *packed = (
        list(listing(pa.BufferReader(pack(table, kind, name)))) for name in (None, "lz4", "zstd")
    )
    assert [(part.is_dictionary, part.rows) for part in plain] == [
        *((True, 1),),
        *((False, 20), (False, 20), (False, 10)),
    ]
    for parts in packed:
        assert [part[:2] for part in parts] == [part[:2] for part in plain]
        for one, other in zip(parts, plain, strict=True):
            # Small buffers are stored as they are, behind eight bytes that say so.
            assert 0 <= one.size - other.size <= 8 * 40
    for part, batch in zip(plain[1:], table.to_batches(max_chunksize=20), strict=True):
        content = batch.nbytes - len(table["kind"].chunk(0).dictionary.buffers()[2])
        assert abs(part.size - content) < 500


@pytest.mark.parametrize("kind", ["file", "stream", "parquet"])
def test_damaged_descriptions_are_refused_or_read(kind: str) -> None:
    stream = io.BytesIO()
    pq.write_table(make_table(4), stream)
    good = stream.getvalue() if kind == "parquet" else pack(make_table(4), kind, "zstd")
    rng = random.Random(3)
    refused = 0
    for _ in range(4000):
        data = bytearray(good[: rng.randrange(20, len(good))] if rng.random() < 0.1 else good)
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] = rng.choice(
                (0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256))
            )
        try:
            if kind == "parquet":
                list_groups(io.BytesIO(bytes(data)))
            else:
                listing = list_file_parts if kind == "file" else list_stream_parts
                for _ in zip(range(1000), listing(pa.BufferReader(bytes(data))), strict=False):
                    pass
        except OSError:
            refused += 1
    assert 0 < refused < 4000


@pytest.mark.parametrize("kind", ["file", "stream"])
@pytest.mark.parametrize("where", ["batch", "dictionary"])
def test_a_part_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(
    kind: str, where: str, tmp_path: Path
) -> None:
    zeros = pa.py_buffer(bytes(20_000_000))
    text = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.array([0, len(zeros)], pa.int32()).buffers()[1], zeros]
    )
    if where == "dictionary":
        text = pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), text)
    table = pa.table({"text": text, "summary": ["a cat"], "id": ["a"]})
    path = tmp_path / "in.arrow"
    path.write_bytes(pack(table, kind, "zstd"))
    assert path.stat().st_size < 10_000
    before = pa.total_allocated_bytes()
    found = open_corpus(path, caps=Caps(record_bytes=1_000_000))
    (error,) = found
    assert isinstance(error, RecordError)
    part = "batch 0" if where == "batch" else "the data of its dictionaries"
    assert f"the rest is lost: refused: {part} unpacks to 20,000," in error.reason
    assert pa.total_allocated_bytes() < before + 10_000_000


def find_batches(data: bytearray) -> int:
    """Where the footer says how many batches there are; each is 24 bytes behind that."""
    footer = len(data) - 10 - int.from_bytes(data[-10:-6], "little")
    root = footer + int.from_bytes(data[footer : footer + 4], "little")
    fields = root - int.from_bytes(data[root : root + 4], "little", signed=True)
    at = fields + 4 + 2 * 3
    place = root + int.from_bytes(data[at : at + 2], "little")
    return place + int.from_bytes(data[place : place + 4], "little")


@pytest.mark.parametrize("named", [0, 1, 2])
@pytest.mark.parametrize("compression", [None, "zstd"])
def test_batches_that_the_footer_does_not_name_are_an_error(
    named: int, compression: str | None, tmp_path: Path
) -> None:
    rows = {"id": list("abc"), "text": ["A cat sat."] * 3, "references": [["a cat"]] * 3}
    table = pa.table({**rows, "kind": pa.array(["x", "y", "x"]).dictionary_encode()})
    stream = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_file(stream, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=1)
    data = bytearray(stream.getvalue())
    path = tmp_path / "in.arrow"
    path.write_bytes(data)
    assert len(list(open_corpus(path))) == 3
    count = find_batches(data)
    assert data[count] == 3
    data[count] = named
    path.write_bytes(data)
    *topics, error = open_corpus(path)
    assert len(topics) == named
    assert isinstance(error, RecordError)
    assert f"does not name {3 - named} of the parts" in error.reason


@pytest.mark.parametrize("gap", [bytes(56), bytes(1024), b"?" * 64], ids=["short", "long", "odd"])
def test_gaps_between_the_parts_of_a_file_are_no_damage(gap: bytes) -> None:
    table = make_table().select(["id", "sentences"])
    data = bytearray(pack(table, "file", None))
    count = find_batches(data)
    for place in range(count + 4, count + 4 + 3 * 24, 24):
        moved = int.from_bytes(data[place : place + 8], "little") + len(gap)
        data[place : place + 8] = moved.to_bytes(8, "little")
    data[8:8] = gap
    source = pa.BufferReader(bytes(data))
    assert pa.ipc.open_file(source).read_all().equals(table)
    assert [part.rows for part in list_file_parts(source)] == [20, 20, 10]
    data[count + len(gap)] = 1
    with pytest.raises(OSError, match="does not name 2 of the parts"):
        list(list_file_parts(pa.BufferReader(bytes(data))))
