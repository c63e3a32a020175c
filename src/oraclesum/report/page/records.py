"""Result files to records that are known to be right: JSON lines (also gzipped), Parquet, folders.

A damaged or foreign record is refused by its place and the field that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from io import BytesIO
from pathlib import Path
from reprlib import Repr
from typing import Annotated, Any, BinaryIO, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from ...corpora import Caps, open_source
from ...corpora.arrow import load_rows
from ...corpora.bad import BadRecord
from ...corpora.reading import Source, read_source
from ...corpora.record import load_json
from ...corpora.unpacking import peek, unpack
from ...errors import InputError, RecordError
from ...evaluation.coefficients import COEFFICIENTS
from ...evaluation.correlation import LEVELS
from ...frozen import dataclass
from ...message import show_name
from ...oracles.status import Status
from ...runs.manifest import MANIFEST
from ...runs.merging import load_files, open_folder
from ...runs.tally import Tally

__all__ = [
    "Compared",
    "Correlated",
    "Differing",
    "Enumerated",
    "Evaluated",
    "Failed",
    "Loaded",
    "Opening",
    "Reproduced",
    "check",
    "load_results",
]

_REPRODUCED = "results.jsonl"
_PARQUET = b"PAR1"
_MAX_DIGITS = 100_000  # of a count; Python takes a quadratic time to read them


def _read_digits(value: object) -> object:
    """A number of any size: its digits as a string beyond what a double has exactly."""
    if not isinstance(value, str):
        return value
    if len(value) > _MAX_DIGITS or not (value.isascii() and value.isdigit()):
        raise PydanticCustomError("digits", "Input should be a whole number, or its digits")
    return int(value)


def _check_value(value: str) -> str:
    """An exact score: "p/q" from 0 to 1."""
    p, _, q = value.partition("/")
    digits = all(part.isascii() and part.isdigit() and len(part) < 1000 for part in (p, q or "1"))
    if not digits or not 0 <= int(p) <= int(q or 1) or int(q or 1) == 0:
        raise PydanticCustomError("value", "Input should be a fraction from 0 to 1, as p/q")
    return value


def _one_of(values: Iterable[str]) -> AfterValidator:
    known = tuple(values)

    def look(value: str) -> str:
        if value not in known:
            wanted = {"known": ", ".join(known)}
            raise PydanticCustomError("one_of", "Input should be one of {known}", wanted)
        return value

    return AfterValidator(look)


Whole = Annotated[int, Field(ge=0, lt=2**64)]
Count = Annotated[int, Field(ge=0), BeforeValidator(_read_digits)]
Ratio = Annotated[float, Field(ge=-1e-9, le=1 + 1e-9)]  # rounding may take it past its end
Coefficient = Annotated[float, Field(ge=-1 - 1e-9, le=1 + 1e-9)]
Difference = Annotated[float, Field(ge=-2 - 1e-9, le=2 + 1e-9)]
Seconds = Annotated[float, Field(ge=0, le=1e15)]
Judgement = Annotated[float, Field(ge=-1e15, le=1e15)]
Value = Annotated[str, AfterValidator(_check_value)]
StatusName = Annotated[str, _one_of([status.value for status in Status])]
LevelName = Annotated[str, _one_of(LEVELS)]
CoefficientName = Annotated[str, _one_of(COEFFICIENTS)]


class _Record(BaseModel):
    """Strict: "2" is not 2. Fields that a report does not use are not looked at."""

    model_config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)


class _Solved(_Record):
    """Hits of a total if recall was maximised, else an exact value; some records have both."""

    hits: Whole | None = None
    total: Whole | None = None
    value: Value | None = None

    @model_validator(mode="after")
    def _compare_hits(self) -> Self:
        if self.value is None and (self.hits is None or self.total is None):
            raise ValueError(f"{'total' if self.total is None else 'hits'} is missing")
        if self.hits is not None and self.total is not None and self.hits > self.total:
            raise ValueError(f"hits must be at most total: {self.hits} of {self.total}")
        return self


class Enumerated(_Solved):
    """What `enumerate` writes; `FamilyRecord` reads it."""

    id: str
    status: StatusName
    signature: str
    count: Count
    oracles: list[list[Whole]]
    inclusion: list[Ratio] | None
    reference: Whole | None = None
    upper_bound: Whole | None = None
    upper_value: Value | None = None
    checked: Count | None = None
    method: str = ""
    seconds: Seconds | None = None
    sentences: list[str] | None = None

    @model_validator(mode="after")
    def _compare_lengths(self) -> Self:
        if self.inclusion is None:
            if self.status != Status.COUNTED.value:
                raise ValueError(f"inclusion is null, but status is {self.status!r}")
            return self
        n_sentences = len(self.inclusion)
        for k, oracle in enumerate(self.oracles):
            if any(i >= n_sentences for i in oracle):
                raise ValueError(
                    f"oracles[{k}] names sentence {max(oracle)}, but inclusion has {n_sentences}"
                )
        if self.sentences is not None and len(self.sentences) != n_sentences:
            raise ValueError(
                f"sentences has {len(self.sentences)} entries, but inclusion has {n_sentences}"
            )
        return self


class _Oracle(_Solved):
    count: Count
    proven: bool


class _Recall(_Record):
    recall: Ratio


class _Overlap(_Recall):
    precision: Ratio
    f_measure: Ratio


class Evaluated(_Record):
    """What `evaluate` writes."""

    id: str
    system: str
    status: StatusName
    signature: str
    oracle: _Oracle
    rouge: _Recall
    objective_hits: Whole | None = None
    objective_value: Value | None = None
    all: _Overlap
    words: Whole
    missed_core: list[Whole] | None
    reference: Whole | None = None
    human: dict[str, Judgement] | None = None


class Correlated(_Record):
    """What `correlate` writes about one measure; a value that is not defined is null."""

    signature: str
    human: str
    measure: str
    level: LevelName
    coefficient: CoefficientName
    value: Coefficient | None
    low: Coefficient | None
    high: Coefficient | None
    interval: str
    topics: Whole
    systems: Whole
    same_as: str | None = None


class Differing(_Record):
    """What `correlate` writes about two measures; a test that is not defined is null."""

    human: str
    first: str
    second: str
    level: LevelName
    coefficient: CoefficientName
    difference: Difference | None
    williams_holm: Ratio | None
    permutation_holm: Ratio | None
    permutation_bound: bool = False


class Compared(_Solved):
    """What `compare` writes."""

    id: str
    status: StatusName
    signature: str
    method: str
    proven: bool
    seconds: Seconds
    checked: Count
    upper_bound: Whole | None = None
    upper_value: Value | None = None
    oracle: list[Whole]
    reference: Whole | None = None
    count: Count | None = None


class _Baseline(_Record):
    seconds: Seconds
    ended: bool


class _Jaccard(_Record):
    value: Ratio
    exact: bool


class _ReproducedSystem(_Overlap):
    hits: Whole
    reference_total: Whole
    objective_hits: Whole


class _ReproducedCase(_Solved):
    status: StatusName
    reference: Whole | None
    signature: str
    proven: bool
    exact: bool
    count: Count
    checked: Whole
    candidates: Whole
    seconds_all: Seconds
    seconds_one: Seconds
    ended_one: bool
    baselines: dict[str, _Baseline]
    greedy_hits: Whole
    jaccard_greedy: _Jaccard | None
    systems: dict[str, _ReproducedSystem]


class _Summary(_Record):
    words: Whole


class Reproduced(_Record):
    """What `reproduce` writes."""

    id: str
    sentences: Whole
    human: dict[str, dict[str, Judgement] | None]
    summaries: dict[str, _Summary]
    cases: list[_ReproducedCase]

    @model_validator(mode="after")
    def _compare_names(self) -> Self:
        for k, case in enumerate(self.cases):
            for name in case.systems:
                if name not in self.summaries:
                    raise ValueError(f"cases[{k}].systems has {name!r}, which summaries has not")
        return self


class Opening(_Record):
    """What the file of a reproduction begins with."""

    signature: str


class Failed(_Record):
    """What any verb writes about a record that it could not answer."""

    id: str | None = None
    error: str = ""


def check(shape: type[BaseModel], record: Mapping[str, Any], place: str) -> None:
    """Raise an InputError with the place of the record, and the field in it that is wrong."""
    try:
        shape.model_validate(record)
    except ValidationError as error:
        raise InputError(f"{place}: {_explain(error)}") from None


_SHORTENED = Repr()
_SHORTENED.maxstring = _SHORTENED.maxother = 100  # cut to 60 below; lists of lists have no end


def _explain(error: ValidationError) -> str:
    """The first thing that is wrong, with its field as `cases[0].systems.mine.hits`."""
    first = error.errors()[0]
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
    name = "".join(parts).removeprefix(".")
    if first["type"] == "missing":
        return f"{name} is missing"
    if first["type"] == "value_error":  # ours: it names the fields itself
        return f"{name + ': ' if name else ''}{first['ctx']['error']}"
    shown = _SHORTENED.repr(first["input"])
    shown = shown if len(shown) <= 60 else f"{shown[:60]}…"
    wanted = first["msg"].removeprefix("Input should be ")
    return f"{name or 'the record'} must be {wanted}, not {shown}"


_Placed = tuple[str, dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """The records of one RESULTS, each with the place where it stands."""

    name: str
    records: list[_Placed]
    tally: Tally | None = None  # of a folder of shards
    notes: tuple[str, ...] = field(default=())


def load_results(path: Path, *, record_bytes: int = Caps.record_bytes) -> Loaded:
    """Read one RESULTS. Raises InputError if it cannot be read or has no record."""
    try:
        if str(path) == "-":
            with open_source("-", record_bytes=record_bytes) as source:
                loaded = Loaded(name="standard input", records=list(_load_lines(source)))
        elif path.is_dir():
            loaded = _load_folder(path, record_bytes)
        else:
            name = show_name(path.name)
            loaded = Loaded(name=name, records=_load_file(path, name, record_bytes))
    except OSError as error:
        shown = show_name(path)
        raise InputError(f"{shown}: cannot be read: {error.strerror or error}") from None
    if not loaded.records:
        raise InputError(f"{show_name(path)}: has no record")
    return loaded


def _load_folder(folder: Path, record_bytes: int) -> Loaded:
    name = show_name(folder.resolve().name)
    if (folder / MANIFEST).exists():
        return _load_shards(folder, name, record_bytes)
    if (folder / _REPRODUCED).exists():
        records = _load_file(folder / _REPRODUCED, f"{name}/results", record_bytes)
        return Loaded(name=name, records=records)
    raise InputError(
        f"{show_name(folder)}: contains neither {MANIFEST} (a run of `enumerate` into a folder) "
        f"nor {_REPRODUCED} (a run of `reproduce`); give the result files themselves"
    )


def _load_shards(folder: Path, name: str, record_bytes: int) -> Loaded:
    storage, manifest = open_folder(folder, partial=True)
    notes = []
    if not manifest.complete:
        notes.append(f"{name}: the run has not come to its end; the report shows what is there")
    records: list[_Placed] = []
    for shard, data in load_files(storage, manifest):
        if data:  # a piece of the input may have blank lines only
            records += _load_stream(BytesIO(data), data[:4], f"{name}/{shard}", record_bytes)
    return Loaded(name=name, records=records, tally=manifest.tally, notes=tuple(notes))


def _load_file(path: Path, name: str, record_bytes: int) -> list[_Placed]:
    with path.open("rb") as stream:
        return list(_load_stream(stream, peek(stream), name, record_bytes))


def _load_stream(stream: BinaryIO, start: bytes, name: str, record_bytes: int) -> Iterator[_Placed]:
    if not start.startswith(_PARQUET):
        yield from _load_lines(
            Source(
                name=name,
                label=name,
                path=None,
                lines=unpack(stream, start),
                raw=stream,
                size=None,
                record_bytes=record_bytes,
            )
        )
        return
    rows = load_rows(stream.read(), name=name, record_bytes=record_bytes)
    for number, row in enumerate(rows, 1):
        yield f"{name}:{number}", {key: value for key, value in row.items() if value is not None}


def _load_lines(source: Source) -> Iterator[_Placed]:
    for line in read_source(source):
        if isinstance(line, RecordError):
            raise line
        place = f"{line.file}:{line.number}"
        try:
            record = load_json(line.data)
        except BadRecord as bad:
            raise InputError(f"{place}: {bad.reason}") from None
        if not isinstance(record, dict):
            raise InputError(f"{place}: is not a record: a JSON object is expected")
        yield place, record
