"""The oracles of a family one by one in a file, JSON lines or Parquet, written page by page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from ..whole import require_whole
from .saving import open_replacing
from .store import Set

if TYPE_CHECKING:
    from .family import OracleFamily

__all__ = ["write_jsonl", "write_parquet"]

_PAGE = 65_536  # oracles in one row group


def write_jsonl(family: OracleFamily, path: str | Path, most: int | None) -> int:
    """One object per oracle; returns how many."""
    written = 0
    with open_replacing(path) as stream:
        for page in _cut_pages(family, most):
            lines = (orjson.dumps({"oracle": selected}) + b"\n" for selected in page)
            stream.write(b"".join(lines))
            written += len(page)
    return written


def write_parquet(family: OracleFamily, path: str | Path, most: int | None) -> int:
    """One row per oracle, what the family says of itself in the file's metadata."""
    import pyarrow as pa  # not before it is needed: it takes half a second
    import pyarrow.parquet as pq

    facts = {
        "oraclesum.hits": str(family.hits),
        "oraclesum.total": str(family.total),
        "oraclesum.count": hex(family.count),
        "oraclesum.sentences": str(family.n_sentences),
        "oraclesum.status": family.status.value,
        "oraclesum.signature": family.signature,
    }
    schema = pa.schema([("oracle", pa.list_(pa.int32()))], metadata=facts)
    written = 0
    with open_replacing(path) as stream, pq.ParquetWriter(stream, schema) as writer:
        for page in _cut_pages(family, most):
            column = pa.array([list(selected) for selected in page], pa.list_(pa.int32()))
            writer.write_table(pa.table([column], schema=schema))
            written += len(page)
    return written


def _cut_pages(family: OracleFamily, most: int | None) -> Iterator[list[Set]]:
    if most is not None:
        most = require_whole("most", most, least=0)
    oracles = islice(family.iterate(), most)
    while page := list(islice(oracles, _PAGE)):
        yield page
