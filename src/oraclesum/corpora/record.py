"""One record, most often a line of JSON, to a Topic, or the precise reason why it is not one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import orjson

from ..message import Message
from .bad import BadRecord, NoRecord, name_value
from .columns import Columns, describe_fields, rename_columns
from .topic import Flaw, Reference, System, Topic

__all__ = [
    "build_topic",
    "count_values",
    "has_text",
    "load_json",
    "most_values",
    "parse_record",
    "read_id",
]

_MANY_VALUES = 1 << 22
_BYTES_PER_VALUE = 32  # of a line with more than these; text has a comma in 60 bytes or so


def parse_record(
    line: bytes, *, file: str, number: int, fallback_id: str, columns: Columns = ()
) -> Topic:
    """Read one line; a record without an id is called `fallback_id`. Raises BadRecord."""
    record = load_json(line)
    if not isinstance(record, dict):
        raise NoRecord(f"a record is one JSON object per line, not {name_value(record)}")
    return build_topic(record, file=file, number=number, fallback_id=fallback_id, columns=columns)


def build_topic(
    record: dict[str, Any], *, file: str, number: int, fallback_id: str, columns: Columns = ()
) -> Topic:
    """The topic of a record, in our columns or those of a published data set. Raises BadRecord."""
    given = record
    try:
        record = rename_columns(given, columns)
    except BadRecord as bad:
        raise BadRecord(bad.reason, _read_id(given.get("id"), fallback_id)) from None
    record_id = _read_id(record.get("id"), fallback_id)
    try:
        sentences, text = _read_document(record)
        count = None if sentences is None else len(sentences)
        systems, bad_systems = _read_systems(record.get("systems"), count)
        human, bad_human = _read_grades(record.get("human"), "human")
        measures, bad_measures = _read_grades(record.get("measures"), "measures")
        return Topic(
            id=record_id,
            sentences=sentences,
            text=text,
            references=_read_references(record),
            doc_ids=_read_doc_ids(record.get("doc_ids"), count),
            systems=systems,
            human=human,
            measures=measures,
            language=_read_language(record.get("language")),
            flaws=(*_find_unused(record, number), *bad_systems, *bad_human, *bad_measures),
            file=file,
            line=number,
        )
    except NoRecord as bad:
        reason = Message(
            "{reason}; {fields}", reason=bad.reason, fields=describe_fields(given, columns)
        )
        raise NoRecord(reason, record_id) from None
    except BadRecord as bad:
        raise BadRecord(bad.reason, record_id) from None


def load_json(line: bytes) -> Any:
    """The value of a line of JSON. Raises BadRecord.

    An object in memory takes some twenty times the bytes that it may have in a line, and orjson
    ends the process if there is no memory for it: so many values as no record has are refused.
    """
    most = most_values(len(line))
    if len(line) > _MANY_VALUES and (values := count_values(line)) > most:
        raise BadRecord(f"refused: {values:,} values in one record, {most:,} are read at most")
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        if error.msg.startswith("Not enough memory"):
            raise MemoryError(error.msg) from None
        # What begins as an object is a record with damage, anything else is something else.
        kind = BadRecord if line.lstrip().startswith(b"{") else NoRecord
        # orjson takes bytes that are not UTF-8 for a JSON error at column 1; say what is wrong.
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as bad:
            if line.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise NoRecord("the file is UTF-16; save it as UTF-8") from None
            byte = f"0x{line[bad.start]:02x}"
            raise kind(f"not UTF-8: {byte} at byte {bad.start + 1} of the line") from None
        raise kind(f"broken JSON at column {error.colno}: {error.msg}") from None


def most_values(size: int) -> int:
    """How many values are read at most of a record of so many bytes."""
    return max(_MANY_VALUES, size // _BYTES_PER_VALUE)


def count_values(data: bytes) -> int:
    """No fewer than the values of JSON, in little time."""
    return 1 + sum(map(data.count, (b",", b"[", b"{")))


def _read_id(value: Any, fallback_id: str) -> str:
    return fallback_id if value is None else read_id(value, fallback_id)


def read_id(value: Any, fallback_id: str | None) -> str:
    """The id of a record as text. Raises BadRecord, under the name `fallback_id`."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadRecord(f"`id` must be text, not {name_value(value)}", fallback_id)
    try:
        return str(value)
    except ValueError:  # Python writes no number of more than 4300 digits
        raise BadRecord("`id` is a number with too many digits; give it as text") from None


def _read_document(record: dict[str, Any]) -> tuple[tuple[str, ...] | None, str | None]:
    if (sentences := record.get("sentences")) is not None:
        if not isinstance(sentences, list):
            raise BadRecord(f"`sentences` must be a list of text, not {name_value(sentences)}")
        if not sentences:
            raise BadRecord("the document is empty: `sentences` has no element")
        return _read_texts(sentences, "sentences"), None
    if (text := record.get("text")) is not None:
        if not isinstance(text, str):
            raise BadRecord(f"`text` must be text, not {name_value(text)}")
        if not text.strip():
            raise BadRecord("the document is empty: `text` is blank")
        return None, text
    raise NoRecord("the record has neither `sentences` (a list of text) nor `text`")


def _read_references(record: dict[str, Any]) -> tuple[Reference, ...]:
    value = record.get("references")
    if value is None:
        raise NoRecord("the record has no `references`")
    if not isinstance(value, list):
        hint = "; put it into a list" if isinstance(value, str) else ""
        raise BadRecord(f"`references` must be a list, not {name_value(value)}{hint}")
    if not value:
        raise BadRecord("`references` is empty: at least one reference is needed")
    references: list[Reference] = []
    for i, reference in enumerate(value):
        if isinstance(reference, str):
            references.append(reference)
        elif isinstance(reference, list):
            references.append(_read_texts(reference, f"references[{i}]"))
        else:
            raise BadRecord(
                f"references[{i}] must be text or a list of text, not {name_value(reference)}"
            )
    if not any(map(has_text, references)):
        raise BadRecord("every reference is empty: there is nothing to score against")
    return tuple(references)


def has_text(reference: Reference) -> bool:
    """Whether a reference holds anything but white space."""
    return bool((reference if isinstance(reference, str) else "".join(reference)).strip())


def _read_doc_ids(value: Any, count: int | None) -> tuple[int, ...] | None:
    if value is None:
        return None
    if count is None:
        raise BadRecord("`doc_ids` needs `sentences`: it numbers the document of each sentence")
    doc_ids = _read_integers(value, "doc_ids")
    if len(doc_ids) != count:
        raise BadRecord(f"`doc_ids` has {len(doc_ids)} elements, but there are {count} sentences")
    return doc_ids


def _find_unused(record: dict[str, Any], number: int) -> Iterator[Flaw]:
    if record.get("sentences") is not None and record.get("text") is not None:
        yield Flaw(reason="`text` is ignored: the record has `sentences`", field="text")
    language = record.get("lang")
    if number > 1 or not isinstance(language, str) or "language" in record:
        return  # said once: all records of a file are alike in this
    if language[:2].lower() != "en":
        reason = f"`lang` is not read: call it `language`, or give --language {language}"
        yield Flaw(reason=reason, field="lang")


def _read_systems(value: Any, count: int | None) -> tuple[dict[str, System], list[Flaw]]:
    """The systems, and what is wrong with those that cannot be used."""
    if value is None:
        return {}, []
    systems: dict[str, System] = {}
    entries, flaws = _read_entries(value, "systems")
    for name, system in entries.items():
        try:
            systems[name] = _read_system(system, f"systems[{name!r}]", count)
        except BadRecord as bad:
            flaws.append(Flaw(reason=bad.reason, field="systems", name=name))
    return systems, flaws


def _read_system(value: Any, where: str, count: int | None) -> System:
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise BadRecord(
            f"{where} must be text, a list of text or a list of indices, not {name_value(value)}"
        )
    if not value or isinstance(value[0], str):
        return _read_texts(value, where)
    if count is None:
        raise BadRecord(f"{where} has indices, which need `sentences` in the record")
    indices = _read_integers(value, where)
    for k, i in enumerate(indices):
        if not 0 <= i < count:
            raise BadRecord(f"{where}[{k}] is {i}, but the sentences are numbered 0 to {count - 1}")
    if len(set(indices)) < len(indices):
        raise BadRecord(f"{where} names a sentence twice")
    return indices


def _read_grades(value: Any, field: str) -> tuple[dict[str, dict[str, float]], list[Flaw]]:
    """The numbers of each system, and what is wrong with those that cannot be used."""
    if value is None:
        return {}, []
    grades: dict[str, dict[str, float]] = {}
    entries, flaws = _read_entries(value, field)
    for name, row in entries.items():
        try:
            grades[name] = _read_numbers(row, f"{field}[{name!r}]")
        except BadRecord as bad:
            flaws.append(Flaw(reason=bad.reason, field=field, name=name))
    return grades, flaws


def _read_numbers(value: Any, where: str) -> dict[str, float]:
    grades = _read_object(value, where)
    for measure, grade in grades.items():
        if isinstance(grade, bool) or not isinstance(grade, int | float):
            raise BadRecord(f"{where}[{measure!r}] must be a number, not {name_value(grade)}")
        if not abs(grade) <= sys.float_info.max:
            raise BadRecord(f"{where}[{measure!r}] must be a finite number, at most 1.8e308")
    return grades


def _read_language(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise BadRecord(f'`language` must be text such as "en", not {name_value(value)}')


def _read_entries(value: Any, field: str) -> tuple[dict[str, Any], list[Flaw]]:
    try:
        return _read_object(value, field), []
    except BadRecord as bad:
        return {}, [Flaw(reason=bad.reason, field=field)]


def _read_object(value: Any, where: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadRecord(f"`{where}` must be an object, not {name_value(value)}")
    return value


def _read_texts(value: list[Any], where: str) -> tuple[str, ...]:
    if {*map(type, value)} - {str}:  # quicker than to look at each
        for i, element in enumerate(value):
            if not isinstance(element, str):
                raise BadRecord(f"{where}[{i}] must be text, not {name_value(element)}")
    return tuple(value)


def _read_integers(value: Any, where: str) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise BadRecord(f"`{where}` must be a list of whole numbers, not {name_value(value)}")
    for i, element in enumerate(value):
        if isinstance(element, bool) or not isinstance(element, int):
            raise BadRecord(f"{where}[{i}] must be a whole number, not {name_value(element)}")
        if element.bit_length() > 63:
            raise BadRecord(f"{where}[{i}] must be a whole number of at most 64 bits")
    return tuple(value)
