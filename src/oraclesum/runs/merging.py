"""A folder of shards as one data set: its records in input order, every shard checked."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from ..answers import Json
from ..answers.record import KINDS, Record
from ..errors import InputError
from ..message import show_name
from ..replacing import open_whole
from ..stopping import deferred, finish, interruptible
from .folder import CONCLUSION
from .manifest import MANIFEST, Manifest, checksum
from .shard import decode_shard, read_record
from .storage import LocalFolder, Storage, open_storage

__all__ = ["load_files", "merge_folder", "open_folder", "read_folder"]


def read_folder(folder: str | Path, *, partial: bool = False) -> Iterator[Json]:
    """The records of a folder that a run has written, whole numbers as ints. Raises InputError.

    `partial` also takes a folder whose run has not come to its end.
    """
    storage, manifest = open_folder(folder, partial=partial)
    return _read_records(storage, manifest)


def _read_records(storage: Storage, manifest: Manifest) -> Iterator[Json]:
    for name, data in _load_shards(storage, manifest):
        place = _place(storage, name)
        if manifest.verb in KINDS:
            yield from (record.to_dict() for record in _read_shard(data, place, manifest.verb))
        else:
            yield from decode_shard(data, place, manifest.verb)


def _read_shard(data: bytes, place: str, verb: str) -> Iterator[Record]:
    for number, values in enumerate(decode_shard(data, place, verb), 1):
        yield read_record(values, f"{place}:{number}", verb)


def merge_folder(folder: str, output: str, *, partial: bool = False, force: bool = False) -> int:
    """Write the records of a folder into one file, JSON lines or .parquet; how many they are.

    The file `-` is standard output, which gets JSON lines.
    """
    storage, manifest = open_folder(folder, partial=partial)
    if output == "-":
        with deferred():
            with interruptible():
                _merge_lines(storage, manifest, sys.stdout.buffer)
            finish()
        return manifest.records
    target, shown = Path(output), show_name(output)
    if target.is_dir():
        raise InputError(f"{shown}: is a folder; name a file")
    if isinstance(storage, LocalFolder) and target.resolve().is_relative_to(storage.path.resolve()):
        raise InputError(f"{shown}: is inside the folder that is merged; choose another place")
    if target.is_file() and not force:
        raise InputError(f"{shown}: exists; choose another name or give --force to overwrite it")
    merge = _merge_parquet if target.suffix == ".parquet" else _merge_lines
    with deferred():
        with open_whole(target) as stream, interruptible():
            merge(storage, manifest, stream)
        finish()
    return manifest.records


def open_folder(folder: str | Path, *, partial: bool = False) -> tuple[Storage, Manifest]:
    """The folder that a run has written, and its manifest. Raises InputError.

    `partial` also takes a folder whose run has not come to its end.
    """
    storage = open_storage(str(folder), create=False)
    manifest = Manifest.read(storage)
    shown = show_name(folder)
    if manifest is None:
        raise InputError(f"{shown}: contains no {MANIFEST}: no run has written here")
    if not manifest.complete and not partial:
        raise InputError(
            f"{shown}: the run has not come to its end; continue it by --resume, "
            "or take what is there by --partial"
        )
    if manifest.complete and manifest.records != manifest.tally.records:
        raise InputError(
            f"{shown}: {MANIFEST} is damaged: its shards have {manifest.records} records, its "
            f"summary {manifest.tally.records}; --resume makes what is missing"
        )
    return storage, manifest


def load_files(storage: Storage, manifest: Manifest) -> Iterator[tuple[str, bytes]]:
    """Every file of a folder with its name: the shards, then the records about all others.

    Raises InputError if one is not what the run has written.
    """
    yield from _load_shards(storage, manifest)
    if manifest.complete and manifest.conclusion:
        yield CONCLUSION, _get_checked(storage, CONCLUSION, manifest.conclusion)


def _load_shards(storage: Storage, manifest: Manifest) -> Iterator[tuple[str, bytes]]:
    for _, entry in sorted(manifest.shards.items()):
        yield entry.name, _get_checked(storage, entry.name, entry.sha256)


def _get_checked(storage: Storage, name: str, sha256: str) -> bytes:
    data = storage.get(name)
    if data is None or checksum(data) != sha256:
        problem = "is gone" if data is None else "is not what was written: wrong checksum"
        where = show_name(storage.path) if isinstance(storage, LocalFolder) else "the folder"
        raise InputError(f"{where}: {name} {problem}; --resume makes it anew")
    return data


def _place(storage: Storage, name: str) -> str:
    return show_name(storage.path / name) if isinstance(storage, LocalFolder) else name


def _merge_lines(storage: Storage, manifest: Manifest, stream: BinaryIO) -> None:
    """The records as the same run into one file has them."""
    for name, data in load_files(storage, manifest):
        if manifest.format == "jsonl" or name == CONCLUSION:
            stream.write(data)
        else:
            for record in decode_shard(data, _place(storage, name), manifest.verb):
                stream.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
    stream.flush()


def _merge_parquet(storage: Storage, manifest: Manifest, stream: BinaryIO) -> None:
    import pyarrow.parquet as pq

    kind: type[Record] | None = KINDS.get(manifest.verb)
    if kind is None or not kind.has_columns():
        raise InputError(f"records of `{manifest.verb}` have no columns; merge them into .jsonl")
    # A stream: pyarrow opens no name that is not UTF-8.
    with pq.ParquetWriter(stream, kind.schema(), compression="zstd") as writer:
        for name, data in _load_shards(storage, manifest):
            place = _place(storage, name)
            records = list(_read_shard(data, place, manifest.verb))
            writer.write_table(_tabulate(kind, records, place, manifest.verb))


def _tabulate(kind: type[Record], records: Sequence[Record], place: str, verb: str) -> Any:
    """The records as a table. Raises an InputError that names the first that does not fit."""
    from pyarrow import ArrowException

    wrong = (ArrowException, OverflowError, TypeError, ValueError)
    try:
        return kind.tabulate(records)
    except wrong:
        for number, record in enumerate(records, 1):
            try:
                kind.tabulate([record])
            except wrong as error:
                reason = f"is no record of `{verb}`: {error}"
                raise InputError(f"{place}:{number}: {reason}") from None
        raise
