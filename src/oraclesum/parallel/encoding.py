"""Output records to the bytes of a shard and back: JSON lines, or Parquet with fixed columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any

import orjson

from ..errors import InputError

__all__ = ["FORMATS", "decode_shard", "encode_line", "encode_shard", "make_table"]

FORMATS = ("jsonl", "parquet")

_LARGEST_EXACT_DOUBLE = 2**53


def encode_shard(records: Iterable[dict[str, Any]], format: str) -> bytes:
    """The bytes of a shard: equal records give equal bytes."""
    if format == "jsonl":
        return b"".join(map(encode_line, records))
    import pyarrow.parquet as pq

    stream = BytesIO()
    pq.write_table(make_table(records), stream, compression="zstd")
    return stream.getvalue()


def make_table(records: Iterable[dict[str, Any]]) -> Any:
    """The records as an Arrow table; counts have no largest value and are decimal digits."""
    import pyarrow as pa

    rows = [
        {**record, "count": str(record["count"])} if "count" in record else record
        for record in records
    ]
    return pa.Table.from_pylist(rows, schema=_schema())


def encode_line(record: dict[str, Any]) -> bytes:
    """One record as a line of JSON, a number that a double would round as a decimal string."""
    exact = {
        key: str(record[key])
        for key in ("count", "checked")
        if record.get(key, 0) > _LARGEST_EXACT_DOUBLE
    }
    return orjson.dumps({**record, **exact}, option=orjson.OPT_APPEND_NEWLINE)


def decode_shard(data: bytes, name: str) -> Iterator[dict[str, Any]]:
    """The records of a shard; its name tells the format. Counts are ints of any size."""
    if not name.endswith(".parquet"):
        for line in data.splitlines():
            record = orjson.loads(line)
            for key in ("count", "checked"):
                if key in record:
                    record[key] = int(record[key])
            yield record
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(BytesIO(data))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name}: cannot be read as Parquet: {error}") from None
    for batch in table.to_batches(max_chunksize=1024):
        for row in batch.to_pylist():
            record = {key: value for key, value in row.items() if value is not None}
            if "count" in record:
                record["count"] = int(record["count"])
            yield record


def _schema() -> Any:
    import pyarrow as pa

    return pa.schema(
        {
            "id": pa.string(),
            "reference": pa.int32(),
            "status": pa.string(),
            "error": pa.string(),
            "hits": pa.int64(),
            "total": pa.int64(),
            "score": pa.float64(),
            "count": pa.string(),
            "oracles": pa.list_(pa.list_(pa.int32())),
            "inclusion": pa.list_(pa.float64()),
            "upper_bound": pa.int64(),
            "checked": pa.uint64(),
            "method": pa.string(),
            "signature": pa.string(),
            "sentences": pa.list_(pa.string()),
            "seconds": pa.float64(),
        }
    )
