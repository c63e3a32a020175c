"""Parquet and Arrow files, a few rows at a time; pyarrow is imported when the first one is read.

A value that occurs often is stored once, in a dictionary, so that a small file can stand for any
amount of text. Text is left in that form until it is known what it comes to: no more than one
record may have (`record_bytes`) is unpacked at a time, and a larger row is refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, RecordError
from ..message import show_name
from ..stopping import importing
from .announced import Group, Part, is_joined, list_file_parts, list_groups, list_stream_parts
from .bad import BadRecord
from .caps import describe_cap
from .columns import Columns
from .rows import list_rows, read_rows, table_damage
from .topic import Topic

__all__ = [
    "find_bomb",
    "list_batches",
    "load_rows",
    "open_parquet",
    "read_arrow",
    "read_parquet",
    "unpack_rows",
]

_LENGTHS, _FRONTS = 6, 7  # DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY
_MARK = b"PAR1"  # the first and last bytes of a Parquet file
_BLOCK = 1 << 20
_BATCH = 256
_PART = 64 << 20  # bytes of rows that are unpacked together
_ROWS = 1 << 14  # the most of them
# What Python needs for a value, roughly, beside its content: its place in a list, and itself.
_POINTER = 8
_OBJECT = 64
_CONTINUES = b"\xff\xff\xff\xff"  # before every message of an Arrow stream
_END = _CONTINUES + b"\0\0\0\0"
_OLD_END = b"\0\0\0\0"  # before Arrow 0.15
_JOINED = "it is several files, one behind the other; give each of them"
_DENSEST = 100  # times smaller than text is no text: it rarely packs to less than a tenth


def read_parquet(
    source: Path | bytes, *, name: str, label: str, record_bytes: int, columns: Columns = ()
) -> Iterator[Topic | RecordError]:
    """The rows of a Parquet file. Raises InputError if it is none, or unpacks to far too much."""
    rows = _open_rows(source, name, record_bytes)
    yield from _read_topics(rows, name=name, label=label, columns=columns)


def load_rows(source: Path | bytes, *, name: str, record_bytes: int) -> Iterator[Mapping[str, Any]]:
    """The rows of a Parquet file of which none may be lost. Raises InputError if one is."""
    rows = _open_rows(source, name, record_bytes)
    for row in rows:
        if isinstance(row, BadRecord):
            raise InputError(f"{name}:{rows.count}: {row.reason}")
        yield row
    if rows.damage is not None:
        raise InputError(f"{name}: cannot be read as Parquet: {rows.damage}")


def _open_rows(source: Path | bytes, name: str, record_bytes: int) -> _Rows:
    with importing():
        import pyarrow as pa

    try:
        size = source.stat().st_size if isinstance(source, Path) else len(source)
        # As bytes: the name of a file need not be UTF-8, which pyarrow takes text for.
        is_path = isinstance(source, Path)
        raw = pa.OSFile(os.fsencode(source)) if is_path else pa.BufferReader(source)
        file = open_parquet(raw)
        reason = find_bomb(file.metadata, raw, size, record_bytes)
    except table_damage() as error:
        raise _refuse_file(name, "Parquet", error) from None
    if reason is not None:
        raise InputError(f"{name}: {reason}")
    return _Rows(lambda: list_batches(file), record_bytes, expected=file.metadata.num_rows)


def _refuse_file(name: str, kind: str, error: Exception) -> InputError:
    if isinstance(error, PermissionError | FileNotFoundError) and error.errno is not None:
        # pyarrow says the path once more, and the same in two ways.
        return InputError(f"{name}: cannot be read: {os.strerror(error.errno)}")
    return InputError(f"{name}: cannot be read as {kind}: {error}")


def _refuse_joined(groups: Iterable[Group], footer: int, file: Any) -> None:
    """Raise OSError if several files were written one after another into this one.

    The last of them describes only itself. Its places are then those of the first file, so that
    what lies between its data and its description is too much, and has an end and a start in it.
    """
    end = max(0, min(footer, max((group.end for group in groups), default=0)))
    file.seek(end)
    left = footer - end
    before = b""
    while left > 0 and (block := file.read(min(left, _BLOCK))):
        if 2 * _MARK in before + block:
            raise OSError(_JOINED)
        before = block[-2 * len(_MARK) :]
        left -= len(block)


def open_parquet(source: Any) -> Any:
    """A Parquet file whose text stays in dictionaries. Raises what `table_damage` lists."""
    import pyarrow.parquet as pq

    schema = pq.ParquetFile(source).schema
    columns = [schema.column(k) for k in range(len(schema))]
    groups, _ = list_groups(source)
    others = _list_encoded(groups, _LENGTHS)  # of which pyarrow can make no dictionaries
    texts = [one.path for one in columns if one.physical_type == "BYTE_ARRAY"]
    source.seek(0)
    return pq.ParquetFile(
        source,
        read_dictionary=[path for path in texts if path not in others],
        page_checksum_verification=True,
    )


def _list_encoded(groups: Iterable[Group], encoding: int) -> list[str]:
    """The columns that have an encoding."""
    return [path for group in groups for path, used in group.encodings.items() if encoding in used]


def list_batches(file: Any, groups: Iterable[int] | None = None) -> Iterator[Any]:
    """The record batches of a Parquet file, or of some of its row groups."""
    # One by one: lists of text cannot have the dictionaries of two groups.
    for group in range(file.metadata.num_row_groups) if groups is None else groups:
        yield from file.iter_batches(batch_size=_BATCH, row_groups=[group])


def find_bomb(metadata: Any, file: Any, size: int, record_bytes: int) -> str | None:
    """Why a Parquet file of so many bytes is not to be unpacked, by what it says of itself.

    Raises what `table_damage` lists.
    """
    # Not from pyarrow, which ends the process if what describes a column is damaged.
    groups, footer = list_groups(file)
    _refuse_joined(groups, footer, file)
    if len(groups) != metadata.num_row_groups:
        raise OSError("what describes its row groups is damaged")
    if paths := _list_encoded(groups, _FRONTS):
        return (
            f"refused: the column {show_name(paths[0])} is encoded as DELTA_BYTE_ARRAY, by which a "
            "small file can be of any size; write it once more, with dictionaries, as pyarrow does"
        )
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        # Values need not have any bytes in the file; pyarrow takes some for each all the same.
        unpacked = max(group.total_byte_size, _POINTER * groups[number].repeated)
        if _is_bomb(unpacked, group.num_rows, size, record_bytes):
            return _refuse_part(f"row group {number}", unpacked, record_bytes)
    return None


def _is_bomb(unpacked: int, rows: int, size: int, record_bytes: int) -> bool:
    """Whether rows are too large all together, or one of them may be, in a file of that size."""
    return unpacked > record_bytes * (1 if unpacked > _DENSEST * size else max(1, rows))


def _refuse_part(name: str, unpacked: int, record_bytes: int) -> str:
    what = f"refused: {name} unpacks to {unpacked:,} bytes"
    return f"{what}: a row may be {describe_cap(record_bytes)}"


def read_arrow(
    source: Path | bytes, *, name: str, label: str, record_bytes: int, columns: Columns = ()
) -> Iterator[Topic | RecordError]:
    """The rows of an Arrow file, as datasets.save_to_disk writes it. Raises InputError."""
    with importing():
        import pyarrow as pa

    try:
        is_path = isinstance(source, Path)
        buffer = pa.memory_map(os.fsencode(source)) if is_path else pa.BufferReader(source)
        try:
            batches = _read_stream(pa.ipc.open_stream(buffer), buffer, record_bytes)
        except pa.ArrowInvalid:
            if is_joined(buffer):
                raise OSError(_JOINED) from None
            buffer.seek(0)
            batches = _read_file(pa.ipc.open_file(buffer), buffer, record_bytes)
    except table_damage() as error:
        raise _refuse_file(name, "Arrow", error) from None
    rows = _Rows(lambda: batches, record_bytes)
    yield from _read_topics(rows, name=name, label=label, columns=columns)


def _read_file(reader: Any, buffer: Any, record_bytes: int) -> Iterator[Any]:
    """The batches of an Arrow file; OSError if one is too large to be unpacked, or not named."""
    announced = _check_parts(list_file_parts(buffer), buffer.size(), record_bytes)
    for number in range(reader.num_record_batches):
        next(announced, None)
        yield reader.get_batch(number)
    next(announced, None)


def _check_parts(parts: Iterable[Part], size: int, record_bytes: int) -> Iterator[None]:
    """Once for each batch that can be read now. Raises OSError before one that is too large."""
    rows = kept = number = 0
    for part in parts:
        if part.is_dictionary:  # all of them stay in memory
            rows += part.rows
            kept += part.size
            if _is_bomb(kept, rows, size, record_bytes):
                raise OSError(_refuse_part("the data of its dictionaries", kept, record_bytes))
            continue
        if _is_bomb(part.size, part.rows, size, record_bytes):
            raise OSError(_refuse_part(f"batch {number}", part.size, record_bytes))
        number += 1
        yield


def _read_stream(reader: Any, buffer: Any, record_bytes: int) -> Iterator[Any]:
    """The batches of an Arrow stream; OSError if it does not end with the mark of its end."""
    announced = _check_parts(list_stream_parts(buffer), buffer.size(), record_bytes)
    while True:
        next(announced, None)
        try:
            batch = reader.read_next_batch()
        except StopIteration:
            break
        yield batch
    place = buffer.tell()
    mark = _END if buffer.read_at(len(_CONTINUES), 0) == _CONTINUES else _OLD_END
    if buffer.read_at(len(mark), max(0, place - len(mark))) != mark:
        raise OSError(f"cut off: no mark of the end at byte {place:,}")
    if place != buffer.size():
        raise OSError(f"something follows the end, which is at byte {place:,}")


def _read_topics(
    rows: _Rows, *, name: str, label: str, columns: Columns
) -> Iterator[Topic | RecordError]:
    yield from read_rows(rows, name=name, label=label, columns=columns)
    if rows.damage is not None:
        number = rows.count + 1
        reason = f"reading stopped here, the rest is lost: {rows.damage}"
        yield RecordError(name, number, reason, f"{label}:{number}")


class _Rows:
    """The rows of record batches; damage ends them, and is kept to be told."""

    def __init__(
        self,
        open_batches: Callable[[], Iterable[Any]],
        record_bytes: int,
        *,
        expected: int | None = None,
    ) -> None:
        self._open_batches = open_batches
        self._record_bytes = record_bytes
        self._expected = expected  # how many rows there should be, if it is known
        self.count = 0
        self.damage: str | None = None

    def __iter__(self) -> Iterator[Mapping[str, Any] | BadRecord]:
        try:
            for batch in self._open_batches():
                for row in unpack_rows(batch, self._record_bytes):
                    self.count += 1
                    yield row
        except table_damage() as error:
            self.damage = str(error) or type(error).__name__
        else:
            if self._expected not in (None, self.count):
                self.damage = f"there should be {self._expected} rows"


def unpack_rows(batch: Any, record_bytes: int) -> Iterator[Mapping[str, Any] | BadRecord]:
    """The rows of a record batch; in place of one that is too large, why it is left out.

    Raises what `table_damage` lists.
    """
    # A value that says where it starts and ends in the data may say nonsense.
    batch.validate(full=True)
    shared = _Shared()
    for part in _cut(batch, min(_PART, record_bytes)):
        if (size := sum(map(_measure, part.columns))) > record_bytes:
            reason = f"refused: it unpacks to {size:,} bytes: {describe_cap(record_bytes)}"
            yield BadRecord(reason)
            continue
        if part.num_rows < batch.num_rows:
            yield from map(shared.share, list_rows(part))
            continue
        # Plain text is made Python's several times as fast as values of a dictionary. Not of a
        # part: all of the batch would be made plain for it.
        plain = list(map(_make_plain, part.columns))
        yield from list_rows(part.from_arrays(plain, names=part.schema.names))


def _cut(batch: Any, most: int) -> Iterator[Any]:
    """Parts of a batch that unpack to at most so many bytes each, or have only one row."""
    rows = batch.num_rows
    if rows <= 1 or (rows <= _ROWS and sum(map(_measure, batch.columns)) <= most):
        yield batch
        return
    half = rows // 2
    yield from _cut(batch.slice(0, half), most)
    yield from _cut(batch.slice(half), most)


class _Shared:
    """Long texts that occur in many rows, kept once: a file may store them once, too."""

    _LONG = 1 << 16  # characters

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def share(self, value: Any) -> Any:
        """The value with its long texts replaced by equal ones that were seen before."""
        if isinstance(value, str):
            return self._texts.setdefault(value, value) if len(value) >= self._LONG else value
        if isinstance(value, list):
            return [self.share(element) for element in value]
        if isinstance(value, dict):
            return {key: self.share(element) for key, element in value.items()}
        return value


def _make_plain(column: Any) -> Any:
    """The column without dictionaries, unless they are of what pyarrow cannot copy so."""
    import pyarrow as pa

    try:
        return column.cast(_find_plain(column.type))
    except pa.ArrowNotImplementedError:
        return column


def _find_plain(kind: Any) -> Any:
    """The type without dictionaries, of what Parquet can have."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_struct(kind):
        return pa.struct([(one.name, _find_plain(one.type)) for one in kind.fields])
    if pa.types.is_map(kind):
        return pa.map_(_find_plain(kind.key_type), _find_plain(kind.item_type))
    if pa.types.is_list(kind):
        return pa.list_(_find_plain(kind.value_type))
    return kind


def _measure(array: Any) -> int:
    """How many bytes the values of an array take, each counted as often as it occurs, or more.

    A value counts as the object that Python makes of it, beside the bytes of text and numbers: a
    file need not have any bytes for it. Of a single row it is no more, unless its values are runs,
    of a union, or in dictionaries of anything but text.
    """
    import pyarrow as pa

    if isinstance(array, pa.ExtensionArray):
        return _measure(array.storage)
    kind = array.type
    is_shared = pa.types.is_null(kind) or pa.types.is_boolean(kind)  # None, True and False
    return len(array) * (_POINTER if is_shared else _OBJECT) + _measure_content(array)


def _measure_content(array: Any) -> int:
    """The same without the objects that the values themselves are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind, size = array.type, len(array)
    if pa.types.is_dictionary(kind):
        if kind.value_type not in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary()):
            return size * _measure(array.dictionary)
        lengths = pc.binary_length(array.dictionary).take(array.indices)
        return pc.sum(lengths).as_py() or 0
    if pa.types.is_run_end_encoded(kind):
        return size * _measure(array.values)
    if pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
        views = memoryview(array.buffers()[1]).cast("i")  # four numbers each, of which the length
        return sum(views[4 * array.offset : 4 * (array.offset + size) : 4])
    viewed = pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind)
    if viewed and (pc.sum(array.sizes).as_py() or 0) > len(array.values):  # rows share values
        return size * _measure(array.values)
    if pa.types.is_struct(kind):
        return sum(map(_measure, array.flatten()))
    if pa.types.is_union(kind):
        values = sum(_measure(array.field(k)) for k in range(kind.num_fields))
        return values if kind.mode == "sparse" else size * values
    if pa.types.is_map(kind):
        start = array.offsets[0].as_py()
        count = int(array.offsets[size].as_py() - start)
        pairs = (part.slice(start, count) for part in (array.keys, array.items))
        return count * _OBJECT + sum(map(_measure, pairs))
    if pa.types.is_nested(kind):
        return _measure(array.flatten())
    return int(array.nbytes)
