"""A corpus in every format that is read, to be damaged, and a way to run the command over it."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from cli.corpus import call, jsonl, records

if sys.version_info >= (3, 14):
    from compression.zstd import CompressionParameter, ZstdCompressor
else:
    from backports.zstd import CompressionParameter, ZstdCompressor

__all__ = [
    "COUNT",
    "PACKED",
    "SETTINGS",
    "lines",
    "pack_tar",
    "pack_zstd",
    "run",
    "story",
    "topic",
]

COUNT = 30
SETTINGS = ("--max-words", "8", "-q")


def topic(number: int) -> dict[str, object]:
    words = " ".join(random.Random(number).choices("abcdefghijklmnop", k=12))
    sentences = [f"The {words} ran {number}.", f"A dog {number} barked."]
    return {"id": f"t{number}", "sentences": sentences, "references": [f"Dog {number} {words}"]}


def lines() -> bytes:
    return jsonl(*map(topic, range(COUNT)))


def story(number: int) -> bytes:
    words = " ".join(random.Random(number).choices("abcdefghijklmnop", k=60))
    return f"It ran {number}.\n\n{words}.\n\n@highlight\n\nIt ran {words[:20]}\n".encode()


def pack_tar(mode: str) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as archive:  # type: ignore[call-overload]  # any mode
        for number in range(COUNT):
            member = tarfile.TarInfo(f"s/{number}.story")
            member.size = len(story(number))
            archive.addfile(member, io.BytesIO(story(number)))
    return stream.getvalue()


def pack_zstd(*blocks: bytes, checked: bool = True) -> bytes:
    """A frame of zstd that has each of the parts in a block of its own."""
    packer = ZstdCompressor(options={CompressionParameter.checksum_flag: int(checked)})
    parts = [packer.compress(block, ZstdCompressor.FLUSH_BLOCK) for block in blocks]
    return b"".join(parts) + packer.flush()


def pack_zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(COUNT):
            archive.writestr(f"s/{number}.story", story(number))
    return stream.getvalue()


def pack_parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(map(topic, range(COUNT)))), stream, row_group_size=8)
    return stream.getvalue()


def pack_arrow() -> bytes:
    import pyarrow as pa

    table = pa.Table.from_pylist(list(map(topic, range(COUNT))))
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table, max_chunksize=8)
    return stream.getvalue()


PACKED: dict[str, Callable[[], bytes]] = {
    "in.tar": lambda: pack_tar("w"),
    "in.tar.gz": lambda: pack_tar("w:gz"),
    "in.tar.bz2": lambda: pack_tar("w:bz2"),
    "in.tar.xz": lambda: pack_tar("w:xz"),
    "in.tar.zst": lambda: pack_zstd(pack_tar("w")),
    "in.zip": pack_zip,
    "in.jsonl.gz": lambda: gzip.compress(lines(), mtime=0),
    "in.jsonl.bz2": lambda: bz2.compress(lines()),
    "in.jsonl.xz": lambda: lzma.compress(lines()),
    "in.jsonl.zst": lambda: pack_zstd(lines()),
    "in.parquet": pack_parquet,
    "in.arrow": pack_arrow,
    "in.jsonl": lines,
}


def run(path: Path, *options: str) -> tuple[int, list[str], list[str], str]:
    """The exit status, the ids that were answered, the errors, and what people were told."""
    result = call("enumerate", path, *SETTINGS, *options)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.stderr
    rows = records(result.stdout)
    good = [row["id"] for row in rows if row["status"] != "error"]
    bad = [row["error"] for row in rows if row["status"] == "error"]
    return result.exit_code, good, bad, result.stderr
