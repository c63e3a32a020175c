"""What the fields of result records must be, so that a damaged or foreign one is told by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any

from ...errors import InputError
from ...evaluation.coefficients import COEFFICIENTS
from ...evaluation.correlation import LEVELS
from ...oracles.status import Status

__all__ = ["COMPARED", "CORRELATED", "ENUMERATED", "EVALUATED", "MANIFEST", "REPRODUCED", "check"]

Check = Callable[[str, Any], None]

_MAX_DIGITS = 100_000  # of a count; Python takes a quadratic time to read them
_MAX_WHOLE = 2**64
_MAX_NUMBER = 1e15


def check(shape: Check, record: Mapping[str, Any], place: str) -> None:
    """Raise an InputError with the place of the record, and the field in it that is wrong."""
    if "upper_value" in record and "hits" not in record:
        raise InputError(
            f"{place}: the record is of another objective than recall, which the report does not "
            "show yet; make results without --objective"
        )
    try:
        shape("", record)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _wrong(field: str, wanted: str, value: Any) -> InputError:
    text = repr(value)
    shown = text if len(text) <= 60 else f"{text[:60]}…"
    return InputError(f"{field or 'the record'} must be {wanted}, not {shown}")


def _text(field: str, value: Any) -> None:
    if not isinstance(value, str):
        raise _wrong(field, "a string", value)


def _flag(field: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise _wrong(field, "true or false", value)


def _whole(field: str, value: Any) -> None:
    if type(value) is not int or not 0 <= value < _MAX_WHOLE:
        raise _wrong(field, "a whole number from 0 on", value)


def _count(field: str, value: Any) -> None:
    """A number of any size: its digits as a string beyond what a double has exactly."""
    if isinstance(value, str):
        if len(value) > _MAX_DIGITS or not (value.isascii() and value.isdigit()):
            raise _wrong(field, "a whole number, or its digits", value)
    else:
        _whole(field, value)


def _number(low: float, high: float) -> Check:
    def look(field: str, value: Any) -> None:
        fits = isinstance(value, int | float) and not isinstance(value, bool)
        # Rounding may take a ratio past its end.
        if not fits or not low - 1e-9 <= value <= high + 1e-9 or not math.isfinite(value):
            raise _wrong(field, f"a number from {low:g} to {high:g}", value)

    return look


def _one_of(values: Collection[str]) -> Check:
    def look(field: str, value: Any) -> None:
        if not isinstance(value, str) or value not in values:
            raise _wrong(field, f"one of {', '.join(values)}", value)

    return look


def _maybe(inner: Check) -> Check:
    return lambda field, value: None if value is None else inner(field, value)


def _list(inner: Check) -> Check:
    def look(field: str, value: Any) -> None:
        if not isinstance(value, list):
            raise _wrong(field, "a list", value)
        for k, each in enumerate(value):
            inner(f"{field}[{k}]", each)

    return look


def _mapping(inner: Check) -> Check:
    def look(field: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise _wrong(field, "an object", value)
        for name, each in value.items():
            inner(f"{field}.{name}", each)

    return look


def _object(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    def look(field: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise _wrong(field, "an object", value)
        before = f"{field}." if field else ""
        for name, inner in required.items():
            if name not in value:
                raise InputError(f"{before}{name} is missing")
            inner(before + name, value[name])
        for name, inner in (optional or {}).items():
            if name in value:
                inner(before + name, value[name])

    return look


def _both(*checks: Check) -> Check:
    def look(field: str, value: Any) -> None:
        for each in checks:
            each(field, value)

    return look


def _hits_fit(field: str, value: Any) -> None:
    if value["hits"] > value["total"]:
        before = f"{field}." if field else ""
        raise InputError(
            f"{before}hits must be at most {before}total: {value['hits']} of {value['total']}"
        )


def _oracles_fit(_: str, record: Any) -> None:
    if record["inclusion"] is None:
        if record["status"] != Status.COUNTED.value:
            raise InputError(f"inclusion is null, but status is {record['status']!r}")
        return
    n_sentences = len(record["inclusion"])
    for k, oracle in enumerate(record["oracles"]):
        if any(i >= n_sentences for i in oracle):
            raise InputError(
                f"oracles[{k}] names sentence {max(oracle)}, but inclusion has {n_sentences}"
            )
    texts = record.get("sentences")
    if texts is not None and len(texts) != n_sentences:
        raise InputError(f"sentences has {len(texts)} entries, but inclusion has {n_sentences}")


_ratio = _number(0, 1)
_score = _number(-1, 1)
_seconds = _number(0, _MAX_NUMBER)
_judgements = _mapping(_number(-_MAX_NUMBER, _MAX_NUMBER))
_status = _one_of([status.value for status in Status])
_solved: dict[str, Check] = {"status": _status, "hits": _whole, "total": _whole}

ENUMERATED = _both(
    _object(
        {
            **_solved,
            "id": _text,
            "signature": _text,
            "count": _count,
            "oracles": _list(_list(_whole)),
            "inclusion": _maybe(_list(_ratio)),
        },
        {
            "reference": _maybe(_whole),
            "upper_bound": _maybe(_whole),
            "checked": _maybe(_count),
            "method": _text,
            "seconds": _maybe(_seconds),
            "sentences": _maybe(_list(_text)),
        },
    ),
    _hits_fit,
    _oracles_fit,
)

EVALUATED = _object(
    {
        "id": _text,
        "system": _text,
        "status": _status,
        "signature": _text,
        "oracle": _both(
            _object({"hits": _whole, "total": _whole, "count": _count, "proven": _flag}), _hits_fit
        ),
        "rouge": _object({"recall": _ratio}),
        "objective_hits": _whole,
        "all": _object({"precision": _ratio, "recall": _ratio, "f_measure": _ratio}),
        "words": _whole,
        "missed_core": _maybe(_list(_whole)),
    },
    {"reference": _maybe(_whole), "human": _maybe(_judgements)},
)

CORRELATED = _object(
    {
        "signature": _text,
        "human": _text,
        "measure": _text,
        "level": _one_of(LEVELS),
        "coefficient": _one_of(COEFFICIENTS),
        "value": _maybe(_score),  # null where it is not defined
        "low": _maybe(_score),
        "high": _maybe(_score),
        "interval": _text,
        "topics": _whole,
        "systems": _whole,
    },
    {"same_as": _maybe(_text)},
)

COMPARED = _both(
    _object(
        {
            **_solved,
            "id": _text,
            "signature": _text,
            "method": _text,
            "proven": _flag,
            "seconds": _seconds,
            "checked": _count,
            "upper_bound": _whole,
            "oracle": _list(_whole),
        },
        {"reference": _maybe(_whole), "count": _maybe(_count)},
    ),
    _hits_fit,
)

_REPRODUCED_SYSTEM = _object(
    {
        "hits": _whole,
        "reference_total": _whole,
        "objective_hits": _whole,
        "precision": _ratio,
        "recall": _ratio,
        "f_measure": _ratio,
    }
)
_REPRODUCED_CASE = _both(
    _object(
        {
            **_solved,
            "reference": _maybe(_whole),
            "signature": _text,
            "proven": _flag,
            "exact": _flag,
            "count": _count,
            "checked": _whole,
            "candidates": _whole,
            "seconds_all": _seconds,
            "seconds_one": _seconds,
            "ended_one": _flag,
            "baselines": _mapping(_object({"seconds": _seconds, "ended": _flag})),
            "greedy_hits": _whole,
            "jaccard_greedy": _maybe(_object({"value": _ratio, "exact": _flag})),
            "systems": _mapping(_REPRODUCED_SYSTEM),
        }
    ),
    _hits_fit,
)


def _summaries_fit(_: str, record: Any) -> None:
    for k, case in enumerate(record["cases"]):
        for name in case["systems"]:
            if name not in record["summaries"]:
                raise InputError(f"cases[{k}].systems has {name!r}, which summaries has not")


REPRODUCED = _both(
    _object(
        {
            "id": _text,
            "sentences": _whole,
            "human": _mapping(_maybe(_judgements)),
            "summaries": _mapping(_object({"words": _whole})),
            "cases": _list(_REPRODUCED_CASE),
        }
    ),
    _summaries_fit,
)

MANIFEST = _object(
    {"shards": _list(_object({"name": _text}))},
    {
        "summary": _maybe(
            _object(
                {},
                {
                    "work_seconds": _maybe(_seconds),
                    "slowest": _maybe(_list(_object({"id": _text, "seconds": _seconds}))),
                },
            )
        )
    },
)
