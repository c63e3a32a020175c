"""The records that verbs write: their fields, their JSON form, their Arrow columns, their reader.

A field is declared once, in the order in which it is written. A field with the default None is left
out if it is None; any other is always there, if need be as null. A field that comes with a later
version has that default, so that older results can still be read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import MISSING, field, fields
from fractions import Fraction
from functools import cache
from itertools import islice
from math import gcd
from typing import TYPE_CHECKING, Any, Protocol, Self

import orjson

from ..digits import read_digits, write_digits
from ..errors import LimitError
from ..frozen import dataclass
from ..oracles.bounds import answer_at_least
from ..oracles.status import Status
from ..oracles.store import hold

if TYPE_CHECKING:
    from ..rouge import RougeScore

__all__ = [
    "KINDS",
    "ComparisonRecord",
    "CountRecord",
    "ErrorRecord",
    "EvaluationRecord",
    "ExtractRecord",
    "FamilyRecord",
    "Found",
    "Json",
    "LabelRecord",
    "Output",
    "Record",
    "ScoreRecord",
    "allow_long_integers",
    "exact",
    "write_fraction",
    "write_rouge",
]

Json = dict[str, Any]
"""A record as it is written: an object of JSON."""

_LARGEST_EXACT_DOUBLE = 2**53
_COMPLETE, _LIST_LIMIT = Status.COMPLETE, Status.LIST_LIMIT  # quicker to reach, in every record
_STOPPED = (Status.TIME_LIMIT, Status.MEMORY_LIMIT, Status.INTERRUPTED)
_LEAST_SECONDS = 1.0  # for what a stopped search has found, however late it is


def exact(number: int) -> int | str:
    """The number, or its decimal digits if a JSON reader that uses doubles would round it."""
    return number if abs(number) <= _LARGEST_EXACT_DOUBLE else write_digits(number)


def allow_long_integers() -> None:
    """Lift Python's guard against decimal strings of more than 4300 digits; ours are answers."""
    sys.set_int_max_str_digits(0)


# What is known of a field beside its type: its Arrow type, as text that `_parse_type` reads, and
# whether it is a whole number of any size, which JSON has by the rule of `exact`.
_TEXT = {"arrow": "string"}
_TEXTS = {"arrow": "list string"}
_INDEX = {"arrow": "int32"}
_WHOLE = {"arrow": "int64"}
_REAL = {"arrow": "float64"}
_DIGITS = {"arrow": "string", "unbounded": True}
_NODES = {"arrow": "uint64", "unbounded": True}


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """The fields of a kind of record by what is done with them."""

    names: tuple[str, ...]
    optional: tuple[str, ...]  # left out if None
    unbounded: tuple[str, ...]
    columns: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Record:
    """One output record. Every kind begins with `id`, has a `status`, and ends in its own way."""

    @classmethod
    @cache
    def _plan(cls) -> _Plan:
        every = fields(cls)
        return _Plan(
            names=tuple(one.name for one in every),
            optional=tuple(one.name for one in every if one.default is not MISSING),
            unbounded=tuple(one.name for one in every if "unbounded" in one.metadata),
            columns={one.name: one.metadata["arrow"] for one in every if "arrow" in one.metadata},
        )

    def to_dict(self) -> Json:
        """The fields as Python has them: whole numbers are ints, whatever their size."""
        values = dict(vars(self))
        for name in self._plan().optional:
            if values[name] is None:
                del values[name]
        return values

    def to_json(self) -> Json:
        """The fields as JSON has them: a number that a double would round is a string."""
        values = self.to_dict()
        for name in self._plan().unbounded:
            if values.get(name) is not None:
                values[name] = exact(values[name])
        return values

    def to_line(self) -> bytes:
        """The record as a line of JSON."""
        return orjson.dumps(self.to_json(), option=orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self | ErrorRecord:
        """The record that `to_json` or a row of `tabulate` has; nothing is checked.

        A field that is missing is None, one that is not known is ignored.
        """
        if values["status"] == ErrorRecord.status:
            return ErrorRecord._build(values)
        return cls._build(values)

    @classmethod
    def _build(cls, values: Mapping[str, Any]) -> Self:
        plan = cls._plan()
        found: Json = {name: values.get(name) for name in plan.names}
        for name in plan.unbounded:
            if found[name] is not None:
                found[name] = read_digits(found[name])
        return cls(**found)

    @classmethod
    def has_columns(cls) -> bool:
        """Whether records of this kind can be an Arrow table."""
        return bool(cls._plan().columns)

    @classmethod
    def schema(cls) -> Any:
        """The Arrow columns: those of the fields, and `error` for records that failed."""
        import pyarrow as pa

        columns = {}
        for name, arrow in cls._plan().columns.items():
            columns[name] = _parse_type(pa, arrow)
            if name == "status":
                columns["error"] = pa.string()
        return pa.schema(columns)

    @classmethod
    def tabulate(cls, records: Iterable[Record]) -> Any:
        """Records of this kind, and of those that failed, as an Arrow table."""
        import pyarrow as pa

        return pa.Table.from_pylist(list(map(_make_row, records)), schema=cls.schema())


def _make_row(record: Record) -> Json:
    """The fields as Arrow has them: a number without a largest value is its decimal digits."""
    values = record.to_dict()
    columns = record._plan().columns
    for name in record._plan().unbounded:
        if columns[name] == "string" and values.get(name) is not None:
            values[name] = write_digits(values[name])
    return values


def _parse_type(pa: Any, arrow: str) -> Any:
    """The Arrow type of "list list int32" and the like."""
    *lists, inner = arrow.split()
    kind = pa.type_for_alias(inner)
    for _ in lists:
        kind = pa.list_(kind)
    return kind


@dataclass(frozen=True, kw_only=True)
class ErrorRecord(Record):
    """What any verb writes in place of an answer if there is none."""

    id: str | None = field(metadata=_TEXT)  # null if the record could not be read so far
    reference: int | None = field(default=None, metadata=_INDEX)
    system: str | None = None
    status: str = field(default="error", metadata=_TEXT)
    error: str = field(metadata=_TEXT)


class Found(Protocol):
    """All oracles of a problem: an OracleFamily, or what the kernel says of one of a batch."""

    @property
    def status(self) -> Status: ...

    @property
    def hits(self) -> int: ...

    @property
    def total(self) -> int: ...  # None of other objectives than recall, as are hits and upper_bound

    @property
    def value(self) -> Fraction: ...

    @property
    def upper_value(self) -> Fraction: ...

    @property
    def score(self) -> float: ...

    @property
    def count(self) -> int: ...

    @property
    def inclusion(self) -> list[float]: ...  # raises LimitError if it could not be counted

    @property
    def upper_bound(self) -> int: ...

    @property
    def checked(self) -> int: ...

    def iterate(self) -> Iterator[Sequence[int]]: ...  # in lexicographic order; LimitError too


@dataclass(frozen=True, kw_only=True)
class FamilyRecord(Record):
    """What `enumerate` writes: all oracles of one problem."""

    id: str = field(metadata=_TEXT)
    reference: int | None = field(default=None, metadata=_INDEX)
    status: str = field(metadata=_TEXT)
    hits: int | None = field(default=None, metadata=_WHOLE)  # of recall
    total: int | None = field(default=None, metadata=_WHOLE)  # of recall
    value: str | None = field(default=None, metadata=_TEXT)  # "p/q"; earlier files have none
    score: float = field(metadata=_REAL)
    count: int = field(metadata=_DIGITS)
    oracles: list[list[int]] = field(metadata={"arrow": "list list int32"})
    inclusion: list[float] | None = field(metadata={"arrow": "list float64"})
    upper_bound: int | None = field(default=None, metadata=_WHOLE)  # hits, of recall
    upper_value: str | None = field(default=None, metadata=_TEXT)  # of other objectives
    checked: int | None = field(default=None, metadata=_NODES)  # only if it is always the same
    method: str = field(metadata=_TEXT)
    signature: str = field(metadata=_TEXT)
    sentences: list[str] | None = field(default=None, metadata=_TEXTS)  # if they were split here
    language: str | None = field(default=None, metadata=_TEXT)  # if it was detected here
    seconds: float | None = field(default=None, metadata=_REAL)  # if they are asked for

    @classmethod
    def describe(
        cls,
        found: Found,
        *,
        id: str,
        reference: int | None,
        max_list: int,
        counts_nodes: bool,
        method: str,
        signature: str,
        sentences: Sequence[str] | None,
        language: str | None = None,
    ) -> FamilyRecord:
        """The record of all oracles of a problem, with at most `max_list` of them listed.

        What the family is asked keeps to the bounds of `answer_within`; the status says what they
        did not suffice for.
        """
        status, count = found.status, found.count
        inclusion: list[float] | None = None
        sets: list[Any] = []
        # What a search had found when it was stopped is not lost because time is up.
        with answer_at_least(_LEAST_SECONDS) if status in _STOPPED else nullcontext():
            with suppress(LimitError):
                inclusion = found.inclusion
            with suppress(LimitError):
                sets.extend(islice(hold(found.iterate()), max_list))
        if status is _COMPLETE or status is _LIST_LIMIT:
            # As if `max_list` had been asked for at the start: a family may hold more.
            status = _COMPLETE if len(sets) == count else _LIST_LIMIT
            if inclusion is None:
                status = Status.COUNTED
        return cls(
            id=id,
            reference=reference,
            status=status.value,
            hits=found.hits,
            total=found.total,
            value=_write_share(found.hits, found.total)
            if found.total is not None
            else write_fraction(found.value),
            score=found.score,
            count=count,
            # The kernel hands over lists, of which there may be many; a family has tuples.
            oracles=sets if sets and isinstance(sets[0], list) else list(map(list, sets)),
            inclusion=inclusion,
            upper_bound=found.upper_bound,
            upper_value=None if found.total is not None else write_fraction(found.upper_value),
            checked=found.checked if counts_nodes else None,
            method=method,
            signature=signature,
            sentences=None if sentences is None else list(sentences),
            language=language,
        )


def write_fraction(value: Fraction) -> str:
    """An exact value as records have it: "p/q" in lowest terms."""
    return f"{value.numerator}/{value.denominator}"


def write_rouge(score: RougeScore) -> Json:
    """A summary's counts and ratios as records have them."""
    return {
        "hits": score.hits,
        "reference_total": score.reference_total,
        "summary_total": score.summary_total,
        "recall": score.recall,
        "precision": score.precision,
        "f1": score.f1,
    }


def _write_share(hits: int, total: int) -> str:
    """The same of hits / total, without making a Fraction for each of a million records."""
    common = gcd(hits, total) or 1
    return f"{hits // common}/{total // common or 1}"


Output = FamilyRecord | ErrorRecord
"""What `enumerate` writes about one problem."""


@dataclass(frozen=True, kw_only=True)
class LabelRecord(Record):
    """What `labels` writes: the labels of one oracle."""

    id: str = field(metadata=_TEXT)
    reference: int | None = field(default=None, metadata=_INDEX)
    status: str = field(metadata=_TEXT)
    hits: int | None = field(default=None, metadata=_WHOLE)
    total: int | None = field(default=None, metadata=_WHOLE)
    value: str = field(metadata=_TEXT)
    score: float = field(metadata=_REAL)
    count: int = field(metadata=_DIGITS)
    labels: list[int] = field(metadata={"arrow": "list int8"})
    soft_labels: list[float] = field(metadata={"arrow": "list float32"})
    oracle_ids: list[int] = field(metadata={"arrow": "list int32"})
    method: str = field(metadata=_TEXT)
    signature: str = field(metadata=_TEXT)
    sentences: list[str] | None = field(default=None, metadata=_TEXTS)
    language: str | None = field(default=None, metadata=_TEXT)
    example: Json | None = None  # in the shape of another program, which has no column


@dataclass(frozen=True, kw_only=True)
class ExtractRecord(Record):
    """What `extract` writes: one oracle as text, with the ROUGE of that text."""

    id: str
    reference: int | None = None
    status: str
    proven: bool
    hits: int | None = None
    total: int | None = None
    value: str
    score: float
    oracle: list[int]
    summary: list[str]
    rouge: Json
    upper_bound: int | None = None
    checked: int | None = field(default=None, metadata={"unbounded": True})
    method: str
    signature: str
    sentences: list[str] | None = None
    language: str | None = None


@dataclass(frozen=True, kw_only=True)
class CountRecord(Record):
    """What `count` writes: how many sets fit the limit and, if asked for, how many are oracles."""

    id: str
    reference: int | None = None
    status: str
    candidates: int
    feasible: int | None = field(metadata={"unbounded": True})  # null if time did not suffice
    count: int | None = field(default=None, metadata={"unbounded": True})
    hits: int | None = None
    total: int | None = None
    value: str | None = None
    score: float | None = None
    signature: str
    sentences: list[str] | None = None
    language: str | None = None


@dataclass(frozen=True, kw_only=True)
class ScoreRecord(Record):
    """What `score` writes: the ROUGE of one system."""

    id: str
    reference: int | None = None
    system: str
    status: str
    hits: int
    reference_total: int
    summary_total: int
    recall: float
    precision: float
    f1: float
    r1: Json | None = None  # recall, precision and f1; earlier files have none of these
    r2: Json | None = None
    rl: Json | None = None
    rlsum: Json | None = None
    signature: str
    language: str | None = None


@dataclass(frozen=True, kw_only=True)
class EvaluationRecord(Record):
    """What `evaluate` writes: one system against the oracles of one problem."""

    id: str
    reference: int | None = None
    system: str
    status: str  # of the oracles
    oracle: Json  # hits, total, value, score, count (by the rule of `exact`), proven
    rouge: Json  # counts, recall, precision and f1 as ROUGE-1.5.5 has them
    objective_hits: int | None = None  # counted as the oracles' are, of recall
    objective_value: str | None = None  # of other objectives
    share: float | None  # of the oracle's score
    all: Json  # precision, recall, f_measure against all oracles
    random: Json  # f_measure against one random oracle: its mean, interval and draws
    missed_core: list[int] | None
    words: int
    selected: list[int]
    alignment: Json  # coverage, fuzzy, unaligned, repeated
    human: Json | None = None
    signature: str
    sentences: list[str] | None = None
    language: str | None = None


@dataclass(frozen=True, kw_only=True)
class ComparisonRecord(Record):
    """What `compare` writes: one method on one problem."""

    id: str
    reference: int | None = None
    method: str
    status: str
    reason: str | None = None  # why the method cannot do the objective
    hits: int | None = None
    total: int | None = None
    value: str | None
    score: float | None
    proven: bool
    upper_bound: int | None = None
    checked: int = field(metadata={"unbounded": True})
    count: int | None = field(metadata={"unbounded": True})
    oracle: list[int]
    seconds: float
    signature: str
    sentences: list[str] | None = None
    language: str | None = None


KINDS: Mapping[str, type[Record]] = {
    "enumerate": FamilyRecord,
    "labels": LabelRecord,
    "extract": ExtractRecord,
    "count": CountRecord,
    "score": ScoreRecord,
    "evaluate": EvaluationRecord,
    "compare": ComparisonRecord,
}
"""The records of each verb, if they are of one kind."""
