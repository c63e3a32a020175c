"""Input and output in an object store that speaks S3, through pyarrow's file systems."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from oraclesum.cli import main
from oraclesum.errors import InputError
from oraclesum.runs.merging import read_folder
from oraclesum.runs.shard import prepare_worker
from oraclesum.runs.storage import open_storage
from oraclesum.workers import Workers
from runs.documents import make_documents, write_lines
from runs.standins import make_task, run

moto = pytest.importorskip("moto.server")
pytestmark = pytest.mark.filterwarnings("default")  # the stand-in server's own code warns


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The store's host and port."""
    made = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    made.start()
    host, port = made.get_host_and_port()
    yield f"{host}:{port}"
    made.stop()


@pytest.fixture
def address(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the test's own bucket is, as `address.format(name)`."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    bucket = tmp_path.name.replace("_", "-").lower()
    where = f"s3://{bucket}/{{}}?scheme=http&endpoint_override={server}&allow_bucket_creation=true"
    where += "&region=us-east-1"
    from pyarrow import fs

    system, _ = fs.FileSystem.from_uri(where.format(""))
    system.create_dir(bucket)
    return where


def upload(path: Path, address: str) -> None:
    from pyarrow import fs

    system, target = fs.FileSystem.from_uri(address)
    with system.open_output_stream(target) as stream:
        stream.write(path.read_bytes())


def shards(folder: str | Path) -> dict[str, bytes | None]:
    storage = open_storage(str(folder), create=False)
    return {name: storage.get(name) for name in storage.names() if name.startswith("part-")}


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_a_store_holds_what_a_folder_holds(address: str, tmp_path: Path, format: str) -> None:
    lines = write_lines(tmp_path / "in.jsonl", make_documents(40))
    upload(lines, address.format("in.jsonl"))
    run(lines, tmp_path / "local", format=format)
    caller = Workers(2, prepare=prepare_worker)
    run(
        address.format("in.jsonl"),
        tmp_path,
        storage=open_storage(address.format("results"), create=True),
        format=format,
        caller=caller,
    )
    assert shards(address.format("results")) == shards(tmp_path / "local")
    assert len(shards(tmp_path / "local")) == 6


def test_a_parquet_file_in_a_store_is_read_by_rows(address: str, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    documents = make_documents(20)
    pq.write_table(pa.Table.from_pylist(documents), tmp_path / "in.parquet", row_group_size=6)
    upload(tmp_path / "in.parquet", address.format("in.parquet"))
    storage = open_storage(address.format("results"), create=True)
    tally, _ = run(address.format("in.parquet"), tmp_path, storage=storage)
    assert (tally.documents, tally.errors) == (20, 0)
    ids = [record["id"] for record in read_folder(address.format("results"))]
    assert ids == [document["id"] for document in documents]


def test_a_damaged_object_is_made_anew_and_other_settings_are_refused(
    address: str, tmp_path: Path
) -> None:
    lines = write_lines(tmp_path / "in.jsonl", make_documents(40))
    storage = open_storage(address.format("results"), create=True)
    run(lines, tmp_path, storage=storage)
    whole = shards(address.format("results"))
    storage.put("part-00000002.jsonl", b"damaged")
    storage.remove("part-00000004.jsonl")
    _, said = run(lines, tmp_path, storage=storage, resume=True)
    assert "part-00000002.jsonl: was changed" in said
    assert "part-00000004.jsonl: is gone" in said
    assert shards(address.format("results")) == whole
    with pytest.raises(InputError, match="other settings"):
        run(lines, tmp_path, storage=storage, resume=True, task=make_task(max_words=9))


def test_the_command_takes_addresses(address: str, tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "in.jsonl", make_documents(12))
    upload(lines, address.format("in.jsonl"))
    words = ["enumerate", address.format("in.jsonl"), "--max-words", "14", "--shard-size", "5"]
    result = CliRunner().invoke(main, [*words, "-o", address.format("results"), "--jobs", "1"])
    assert result.exit_code == 0, result.output
    one = tmp_path / "one.jsonl"
    result = CliRunner().invoke(main, ["merge", address.format("results"), "-o", str(one)])
    assert result.exit_code == 0, result.output
    words = ["enumerate", str(lines), "--max-words", "14", "-o", str(tmp_path / "flat.jsonl")]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert one.read_bytes() == (tmp_path / "flat.jsonl").read_bytes()


def test_a_bucket_that_is_not_there_is_wrong_usage(address: str, tmp_path: Path) -> None:
    missing = address.replace("s3://", "s3://no-", 1).format("in.jsonl")
    words = ["enumerate", missing, "--max-words", "14", "-o", str(tmp_path / "out/")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert "cannot be read" in result.output
