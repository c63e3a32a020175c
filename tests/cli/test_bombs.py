"""What unpacks to far more than it is: refused, named, and never in memory as a whole."""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from children import run_child
from cli.corpus import call, jsonl, records
from cli.damaged import SETTINGS, topic
from oraclesum import InputError, enumerate_corpus


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
    main(["enumerate", sys.argv[1], "--max-words", "8", "-q", "--record-bytes", "4000000"])
except SystemExit as left:
    print(left.code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def weigh(path: Path) -> tuple[str, int]:
    """The exit status and the largest memory of a run in a process of its own, in kB."""
    done = run_child([sys.executable, "-c", MEASURE, path], seconds=600)
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
