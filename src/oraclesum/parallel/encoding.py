"""Output records to the bytes of a shard and back: JSON lines, or Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO

import orjson

from ..answers import FamilyRecord, Output
from ..errors import InputError

__all__ = ["FORMATS", "decode_shard", "encode_shard"]

FORMATS = ("jsonl", "parquet")


def encode_shard(records: Iterable[Output], format: str) -> bytes:
    """The bytes of a shard: equal records give equal bytes."""
    if format == "jsonl":
        return b"".join(record.to_line() for record in records)
    import pyarrow.parquet as pq

    stream = BytesIO()
    pq.write_table(FamilyRecord.tabulate(records), stream, compression="zstd")
    return stream.getvalue()


def decode_shard(data: bytes, name: str) -> Iterator[Output]:
    """The records of a shard; its name tells the format."""
    if not name.endswith(".parquet"):
        for line in data.splitlines():
            yield FamilyRecord.read(orjson.loads(line))
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(BytesIO(data))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name}: cannot be read as Parquet: {error}") from None
    for batch in table.to_batches(max_chunksize=1024):
        yield from map(FamilyRecord.read, batch.to_pylist())
