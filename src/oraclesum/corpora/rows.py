"""Rows of a table to topics: of pandas, datasets, polars, pyarrow, or any mappings.

A table is recognised by what it can do, so that none of these libraries is imported here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..errors import InputError, NoRecordError, RecordError
from .bad import BadRecord, Doubled, NoRecord
from .columns import Columns
from .record import build_topic
from .topic import Topic

__all__ = [
    "check_rows",
    "is_table",
    "iterate_rows",
    "list_rows",
    "name_cells",
    "read_row",
    "read_rows",
    "table_damage",
]

_DEEPEST = 16  # lists and objects inside each other; no field of a record has so many
_NOT_IN_PYTHON = (OverflowError, ValueError, NotImplementedError)  # pyarrow's are these, too
_METHODS = ("to_batches", "to_pylist", "iter_rows", "collect_schema", "itertuples")


def is_table(data: Any) -> bool:
    """Whether an object is something that read_rows takes."""
    if isinstance(data, str | bytes) or getattr(data, "ndim", None) == 0:
        return False  # numpy's array of no dimension claims to be iterable
    return isinstance(data, Iterable) or any(hasattr(data, name) for name in _METHODS)


def read_rows(
    data: Any,
    *,
    name: str = "<table>",
    label: str = "row",
    first: int = 1,
    columns: Columns = (),
) -> Iterator[Topic | RecordError]:
    """The rows of a datasets.Dataset, a data frame, an Arrow table or any iterable of mappings.

    Messages count rows from `first`; a row without an id is called `label:NUMBER`. A BadRecord in
    place of a row says why it was not read.
    """
    for number, row in enumerate(iterate_rows(data), start=first):
        fallback_id = f"{label}:{number}"
        if isinstance(row, BadRecord):
            yield RecordError(name, number, row.reason, fallback_id)
            continue
        if isinstance(row, Topic | RecordError):  # of an iterable that has read them already
            yield row
            continue
        if not isinstance(row, Mapping):
            reason = f"a row must be a mapping of columns to values, not {type(row).__name__}"
            yield NoRecordError(name, number, reason, fallback_id)
            continue
        try:
            yield read_row(row, number, name=name, label=label, columns=columns)
        except RecordError as error:
            yield error


def read_row(
    row: Mapping[Any, Any],
    number: int,
    *,
    name: str = "<table>",
    label: str = "row",
    columns: Columns = (),
) -> Topic:
    """The topic of one row. Raises RecordError."""
    fallback_id = f"{label}:{number}"
    try:
        record = _fold_maps({str(key): _plain_value(value) for key, value in row.items()})
    except (ValueError, RecursionError) as error:  # of a number with thousands of digits, say
        reason = f"a name in the row cannot be written as text: {error}"
        raise RecordError(name, number, reason, fallback_id) from None
    try:
        return build_topic(
            record, file=name, number=number, fallback_id=fallback_id, columns=columns
        )
    except BadRecord as bad:
        kind = NoRecordError if isinstance(bad, NoRecord) else RecordError
        raise kind(name, number, bad.reason, bad.record_id or fallback_id) from None


def iterate_rows(data: Any) -> Iterator[Any]:
    """The rows of a table of any library, most of them mappings; BadRecord for what is damaged."""
    if hasattr(data, "to_batches"):  # pyarrow: a table or a dataset
        for batch in data.to_batches():
            yield from check_rows(batch)
    elif hasattr(data, "read_next_batch"):  # pyarrow: a reader of batches
        for batch in data:
            yield from check_rows(batch)
    elif hasattr(data, "to_pylist"):  # pyarrow: a batch, or an array of structs
        for part in getattr(data, "chunks", [data]):
            yield from check_rows(part)
    elif hasattr(data, "collect_schema") and not hasattr(data, "iter_rows"):  # polars, lazy
        yield from data.collect().iter_rows(named=True)
    elif hasattr(data, "iter_rows"):  # polars
        yield from data.iter_rows(named=True)
    elif hasattr(data, "itertuples"):  # pandas
        names = [str(name) for name in data.columns]
        for row in data.itertuples(index=False, name=None):
            yield name_cells(names, row)
    elif isinstance(data, Mapping):  # also datasets.DatasetDict
        splits = ", ".join(map(repr, data))
        raise InputError(f"a mapping is no table; choose one of its parts: {splits}")
    elif is_table(data):
        yield from data
    else:
        raise InputError(f"rows must come from a table, not {type(data).__name__}")


def table_damage() -> tuple[type[Exception], ...]:
    """What pyarrow raises for bytes that are not as they should be."""
    import pyarrow as pa

    return pa.ArrowException, OSError, UnicodeDecodeError, MemoryError


def check_rows(table: Any) -> Iterator[dict[str, Any] | BadRecord]:
    """The rows of a pyarrow table, batch or array of structs, or why one cannot be used."""
    try:
        table.validate(full=True)
    except table_damage() as error:
        if len(table) <= 1:
            yield BadRecord(f"the row is damaged: {error}")
            return
        rows = _as_batch(table)
        for number in range(len(rows)):
            yield from check_rows(rows.slice(number, 1))
    else:
        yield from list_rows(table)


def list_rows(table: Any) -> list[dict[str, Any]]:
    """The rows of a pyarrow table, batch or array of structs as Python has them.

    They must have passed pyarrow's own check. None stands for a value that Python does not have,
    such as a date after the year 9999 or in an unknown time zone: in columns that nobody asks for,
    it must not cost the rows.
    """
    try:
        rows: list[dict[str, Any]] = table.to_pylist()
    except _NOT_IN_PYTHON:
        rows = []
    names = getattr(getattr(table, "schema", None), "names", [])
    if len(rows) == len(table) and len(set(names)) == len(names):
        return rows
    batch = _as_batch(table)
    values = [list(map(_take_value, column)) for column in batch.columns]
    return [name_cells(batch.schema.names, row) for row in zip(*values, strict=True)]


def name_cells(names: Sequence[str], cells: Iterable[Any]) -> dict[str, Any]:
    """A row by the names of its columns; what two columns have under one name is neither's."""
    row = dict(zip(names, cells, strict=True))
    if len(row) < len(names):
        row.update((name, Doubled()) for name, times in Counter(names).items() if times > 1)
    return row


def _as_batch(table: Any) -> Any:
    """An array of structs as a batch, whose rows can be looked at alone; others as they are."""
    import pyarrow as pa

    return table if hasattr(table, "columns") else pa.RecordBatch.from_struct_array(table)


def _take_value(scalar: Any) -> Any:
    try:
        return scalar.as_py()
    except _NOT_IN_PYTHON as error:
        return Doubled() if "duplicate field names" in str(error) else None


def _plain_value(value: Any, depth: int = 0) -> Any:
    """A cell as JSON would have it: arrays are lists, missing numbers are None.

    What is too deep inside it to be used stays as it is.
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if depth == _DEEPEST:
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain_value(element, depth + 1) for key, element in value.items()}
    if isinstance(value, list | tuple):
        return [_plain_value(element, depth + 1) for element in value]
    if isinstance(value, float) and value != value:
        return None  # how pandas writes a missing value
    return value


def _fold_maps(record: dict[str, Any]) -> dict[str, Any]:
    """Objects by system as such: a table has every name in each row, or lists of pairs."""
    for column in ("systems", "human", "measures"):
        if (value := _fold_map(record.get(column))) is not None:
            if column != "systems" and isinstance(value, dict):
                value = {name: _fold_map(row) for name, row in value.items()}
            record[column] = value
    return record


def _fold_map(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(p, list) and len(p) == 2 for p in value):
        value = name_cells([str(key) for key, _ in value], [element for _, element in value])
    if isinstance(value, dict):
        return {key: element for key, element in value.items() if element is not None}
    return value
