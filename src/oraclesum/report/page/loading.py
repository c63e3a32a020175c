"""Result files to records: JSON lines (also gzipped), Parquet, folders of shards, reproductions."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from ...errors import InputError
from .shapes import MANIFEST, check

__all__ = ["Loaded", "load_results"]

_MANIFEST = "_manifest.json"
_REPRODUCED = "results.jsonl"
_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """The records of one RESULTS, each with the place where it stands."""

    name: str
    records: list[tuple[str, dict[str, Any]]]
    manifest: dict[str, Any] | None = None
    notes: tuple[str, ...] = field(default=())


def load_results(path: Path) -> Loaded:
    """Read one RESULTS. Raises InputError where it cannot be read or holds nothing."""
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read()
            loaded = Loaded(name="standard input", records=list(_load_lines(data, "-")))
        elif path.is_dir():
            loaded = _load_folder(path)
        else:
            loaded = Loaded(name=path.name, records=list(_load_file(path, path.name)))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if not loaded.records:
        raise InputError(f"{path}: holds no record")
    return loaded


def _load_folder(folder: Path) -> Loaded:
    name = folder.resolve().name
    if (folder / _MANIFEST).exists():
        return _load_shards(folder, name)
    if (folder / _REPRODUCED).exists():
        return Loaded(name=name, records=list(_load_file(folder / _REPRODUCED, f"{name}/results")))
    raise InputError(
        f"{folder}: holds neither {_MANIFEST} (a run of `enumerate` into a folder) nor "
        f"{_REPRODUCED} (a run of `reproduce`); give the result files themselves"
    )


def _load_shards(folder: Path, name: str) -> Loaded:
    try:
        manifest = orjson.loads((folder / _MANIFEST).read_bytes())
        check(MANIFEST, manifest, f"{folder}/{_MANIFEST}")
    except ValueError as error:
        raise InputError(
            f"{folder}/{_MANIFEST} is damaged ({error}); `--resume` the run first"
        ) from None
    shards = [entry["name"] for entry in manifest["shards"]]
    notes = []
    if not manifest.get("complete"):
        notes.append(f"{name}: the run has not come to its end; the report shows what is there")
    records = []
    for shard in shards:
        # A name is taken as a name only: a manifest cannot point outside its folder.
        records += list(_load_file(folder / Path(shard).name, f"{name}/{shard}"))
    return Loaded(name=name, records=records, manifest=manifest, notes=tuple(notes))


def _load_file(path: Path, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    data = path.read_bytes()
    if data[:4] == _PARQUET:
        return _load_parquet(path, name)
    if data[:2] == _GZIP:
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{path}: cannot be unzipped: {error}") from None
    return _load_lines(data, name)


def _load_lines(data: bytes, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise InputError(f"{name}:{number}: is not JSON: {error}") from None
        if not isinstance(record, dict):
            raise InputError(f"{name}:{number}: is not a record: a JSON object is expected")
        yield f"{name}:{number}", record


def _load_parquet(path: Path, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except pa.ArrowException as error:
        raise InputError(f"{path}: cannot be read as Parquet: {error}") from None
    number = 0
    for batch in table.to_batches(max_chunksize=1024):
        for row in batch.to_pylist():
            number += 1
            yield f"{name}:{number}", {k: v for k, v in row.items() if v is not None}
