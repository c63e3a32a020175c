"""What unpacks to far more than it is: refused, named, and never in memory as a whole."""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from children import run_child
from cli.corpus import call, jsonl, records
from cli.damaged import SETTINGS, pack_tar, topic
from oraclesum import InputError, enumerate_corpus
from oraclesum.corpora import Caps


@pytest.mark.parametrize("how", ["plain", "gzip", "tar", "zip", "shards", "parquet"])
def test_a_record_beyond_the_limit_is_refused_and_the_others_are_answered(
    how: str, tmp_path: Path
) -> None:
    long = {**topic(1), "sentences": ["word " * 1000]}
    data = jsonl(topic(0), long, topic(2))
    path = tmp_path / "in.jsonl"
    extra: tuple[str, ...] = ()
    if how == "gzip":
        path.write_bytes(gzip.compress(data))
    elif how == "tar":
        path = tmp_path / "in.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            member = tarfile.TarInfo("in.jsonl")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    elif how == "zip":
        path = tmp_path / "in.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("in.jsonl", data)
    elif how == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = tmp_path / "in.parquet"
        pq.write_table(pa.Table.from_pylist([{**long, "text": "word " * 200_000}]), path)
    else:
        path.write_bytes(data)
    if how == "shards":
        extra = ("-o", f"{tmp_path}/out/")
    result = call("enumerate", path, *SETTINGS, "--record-bytes", "4000", *extra)
    assert result.exit_code == 1
    written = (
        (tmp_path / "out/part-00000000.jsonl").read_text() if how == "shards" else result.stdout
    )
    rows = records(written)
    errors = [row["error"] for row in rows if row["status"] == "error"]
    assert len(errors) == 1
    assert (
        "larger than 4,000 bytes; if it is no mistake, raise this limit by --record-b" in errors[0]
    )
    if how != "parquet":
        assert [row["status"] for row in rows] == ["complete", "error", "complete"]
    assert call("enumerate", path, *SETTINGS, "--record-bytes", "9000000").exit_code == 0


def test_enumerate_corpus_takes_the_limit_as_a_keyword(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(jsonl(topic(0), {**topic(1), "text": "x" * 5000}))
    found = enumerate_corpus(path, max_words=8, record_bytes=4000)
    assert [record["status"] for record in found] == ["complete", "error"]
    with pytest.raises(InputError, match="record_bytes"):
        enumerate_corpus(path, max_words=8, record_bytes=0)


MEASURE = """
import resource, sys
from oraclesum.cli import main
try:
    settings = ["--rouge", "1", "--max-words", "8", "-q", "--record-bytes", "4000000"]
    main(["enumerate", *sys.argv[1:], *settings])
except SystemExit as left:
    print(left.code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def weigh(*arguments: str | Path) -> tuple[str, int]:
    """The exit status and the largest memory of a run in a process of its own, in kB."""
    done = run_child([sys.executable, "-c", MEASURE, *arguments], seconds=600)
    status, memory = done.stderr.split()[-2:]
    return status.decode(), int(memory)


@pytest.mark.parametrize("kind", ["gzip", "tar", "zip", "parquet"])
def test_the_memory_that_a_bomb_takes_is_near_the_limit(kind: str, tmp_path: Path) -> None:
    size = 200_000_000
    good = tmp_path / "good.jsonl"
    good.write_bytes(jsonl(topic(0)))
    zeros = Path("/dev/zero")
    if kind == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        good = tmp_path / "good.parquet"
        pq.write_table(pa.Table.from_pylist([topic(0)]), good)
        path = tmp_path / "in.parquet"
        text = pa.array([b"a" * size]).cast(pa.large_string())
        pq.write_table(
            pa.table({"text": text}),
            path,
            compression="zstd",
            use_dictionary=False,
            write_statistics=False,
        )
    elif kind == "gzip":
        path = tmp_path / "in.jsonl.gz"
        with gzip.open(path, "wb", 1) as packed:
            for _ in range(size // 1_000_000):
                packed.write(b"a" * 1_000_000)
    elif kind == "tar":
        path = tmp_path / "in.tar.gz"
        with tarfile.open(path, "w:gz", compresslevel=1) as archive, zeros.open("rb") as content:
            member = tarfile.TarInfo("in.story")
            member.size = size
            archive.addfile(member, content)
    else:
        path = tmp_path / "in.zip"
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as zipped,
            zipped.open("in.jsonl", "w") as inner,
        ):
            for _ in range(size // 1_000_000):
                inner.write(b"a" * 1_000_000)
    assert path.stat().st_size < 4_000_000
    usual = weigh(good)
    status, memory = weigh(path)
    assert usual[0] == "0"
    assert status == "1"
    assert memory < usual[1] + 60_000


@pytest.mark.parametrize("kind", ["parquet", "shards", "arrow"])
def test_a_text_that_many_rows_share_takes_memory_once(kind: str, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = "." * 1_000_000  # quickly analysed
    rows = [{**topic(k), "sentences": ["A dog.", text]} for k in range(120)]
    rows.append({**topic(120), "sentences": [text] * 5})
    schema = pa.Table.from_pylist([topic(0)]).schema
    good = tmp_path / "good.parquet"
    pq.write_table(pa.Table.from_pylist([topic(0)]), good)
    path = tmp_path / ("in.arrow" if kind == "arrow" else "in.parquet")
    if kind == "arrow":
        indices = pa.array([k % 2 for k in range(240)] + [1] * 5, pa.int32())
        sentences = pa.ListArray.from_arrays(
            [*range(0, 242, 2), 245], pa.DictionaryArray.from_arrays(indices, ["A dog.", text])
        )
        ids = pa.array([row["id"] for row in rows])
        columns = {"id": ids, "sentences": sentences, "references": [["dog"]] * 121}
        with pa.ipc.new_stream(path, (table := pa.table(columns)).schema) as stream:
            stream.write_table(table)
    else:
        pq.write_table(
            pa.Table.from_pylist(rows, schema),
            path,
            compression="zstd",
            dictionary_pagesize_limit=1 << 30,
        )
    assert path.stat().st_size < 1_200_000
    extra = ("-o", f"{tmp_path}/out{'/' if kind == 'shards' else ''}")
    usual = weigh(good)
    status, memory = weigh(path, *extra)
    assert (usual[0], status) == ("0", "1")
    assert memory < usual[1] + 60_000
    written = tmp_path / ("out/part-00000000.jsonl" if kind == "shards" else "out")
    answers = records(written.read_bytes())
    assert [row["id"] for row in answers if row["status"] == "error"] == [answers[-1]["id"]]
    assert len(answers) == 121
    assert "refused: it unpacks to 5,0" in answers[-1]["error"]
    assert "larger than 3.815 MiB; if it is no mistake, raise this limit" in answers[-1]["error"]


def write_row(path: Path, sentences: Any) -> None:
    """A file with one record that has these sentences between two that are as they should be."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    good = pa.ListArray.from_arrays([0, 1], sentences.slice(0, 1))
    many = pa.ListArray.from_arrays([0, len(sentences)], sentences)
    column = pa.chunked_array([good, many, good])
    table = pa.table({"id": ["a", "b", "c"], "sentences": column, "references": [["dog"]] * 3})
    if path.suffix == ".parquet":
        pq.write_table(table, path, compression="zstd", row_group_size=1)
        return
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(path, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=1)


@pytest.mark.parametrize("suffix", ["arrow", "parquet"])
@pytest.mark.parametrize("kind", ["nothing", "booleans", "empty texts", "empty lists", "objects"])
def test_values_that_have_no_bytes_in_a_file_count_as_what_python_makes_of_them(
    kind: str, suffix: str, tmp_path: Path
) -> None:
    import pyarrow as pa

    is_shared = kind in ("nothing", "booleans")
    count = 4_000_000 // (8 if is_shared else 64) + 1
    values = {
        "nothing": pa.nulls(count),
        "booleans": pa.array([True] * count),
        "empty texts": pa.array([""] * count),
        "empty lists": pa.array([[]] * count, pa.list_(pa.null())),
        "objects": pa.array([{"a": None}] * count, pa.struct({"a": pa.null()})),
    }
    path = tmp_path / f"in.{suffix}"
    write_row(path, values[kind])
    assert path.stat().st_size < 40_000
    result = call("enumerate", path, *SETTINGS, "--record-bytes", "4000000")
    found = records(result.stdout)
    refused = [row["error"] for row in found if "refused: " in row.get("error", "")]
    assert len(refused) == 1
    assert "larger than 3.815 MiB" in refused[0]
    if suffix == "parquet" and is_shared:  # to read them would already take that memory
        assert "in.parquet:1: refused: row group 1 unpacks to 4,000,008 bytes" in refused[0]
        assert len(found) == 1
    else:
        assert f"in.{suffix}:2: refused: it unpacks to 4," in refused[0]
        assert len(found) == 3


def test_rows_that_have_no_bytes_in_a_file_are_not_unpacked_all_at_once(tmp_path: Path) -> None:
    import pyarrow as pa

    for name, count in ("few", 7), ("many", 2_000_000):
        table = pa.table({"id": pa.nulls(count)})
        with pa.ipc.new_file(tmp_path / f"{name}.arrow", table.schema) as writer:
            writer.write_table(table)
    usual, found = weigh(tmp_path / "few.arrow"), weigh(tmp_path / "many.arrow")
    assert usual[0] == found[0] == "2"
    assert found[1] < usual[1] + 60_000


@pytest.mark.parametrize("value", [0, 2**40 + 1, 2**63, 10**30])
def test_the_range_of_the_limit_is_said(value: int, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(jsonl(topic(0)))
    result = call("enumerate", path, *SETTINGS, "--record-bytes", str(value))
    assert result.exit_code == 2
    assert "--record-bytes" in result.stderr
    assert "1<=x<=1099511627776" in result.stderr
    allowed = "at least 1" if value == 0 else "at most 1099511627776"
    with pytest.raises(InputError, match=f"record_bytes must be {allowed}"):
        enumerate_corpus(path, max_words=8, record_bytes=value)
    with pytest.raises(InputError, match="record_bytes must be at"):
        Caps(record_bytes=value)


@pytest.mark.parametrize("name", ["in.jsonl", "in.tar"])
def test_a_limit_beyond_all_memory_takes_none(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(jsonl(topic(0)) if name == "in.jsonl" else pack_tar("w"))
    result = call("enumerate", tmp_path / name, *SETTINGS, "--record-bytes", str(2**40))
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("size", [2**50, 2**80])
def test_a_member_that_claims_to_be_huge_is_named(size: int, tmp_path: Path) -> None:
    member = tarfile.TarInfo("in.jsonl")
    member.size = size
    path = tmp_path / "in.tar"
    path.write_bytes(member.tobuf(tarfile.GNU_FORMAT) + bytes(2048))
    result = call("enumerate", path, *SETTINGS)
    assert result.exit_code == 1
    [row] = records(result.stdout)
    assert "in.tar/in.jsonl:1: refused from here on: the archive says that" in row["error"]
    assert f"this file has {size:,} bytes" in row["error"]
    assert "is the archive damaged?" in row["error"]


@pytest.mark.parametrize("how", ["line", "array", "annotations"])
def test_more_values_than_any_record_has_are_refused_before_they_are_read(
    how: str, tmp_path: Path
) -> None:
    bomb = b'{"id": "x", "expert_annotations": "", "decoded": [' + b"{}," * 6_000_000 + b"{}]}"
    path = tmp_path / ("in.json" if how == "array" else "in.jsonl")
    good = jsonl(topic(0)).strip()
    if how == "array":
        path.write_bytes(b"[" + good + b"," + bomb + b"]")
    else:
        path.write_bytes(bomb + b"\n" if how == "annotations" else good + b"\n" + bomb + b"\n")
    result = call("enumerate", path, *SETTINGS)
    assert result.exit_code in (1, 2)
    assert "values in one" in result.stderr
    assert "read at most" in result.stderr
