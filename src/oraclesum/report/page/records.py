"""Result files to records that are known to be right: JSON lines (also gzipped), Parquet, folders.

A damaged or foreign record is refused by its place and the field that is wrong.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Self

import orjson
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

from ...errors import InputError
from ...evaluation.coefficients import COEFFICIENTS
from ...evaluation.correlation import LEVELS
from ...oracles.status import Status

__all__ = [
    "Compared",
    "Correlated",
    "Differing",
    "Enumerated",
    "Evaluated",
    "Loaded",
    "Reproduced",
    "check",
    "load_results",
]

_MANIFEST = "_manifest.json"
_REPRODUCED = "results.jsonl"
_GZIP = b"\x1f\x8b"
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


class _Shard(_Record):
    name: str


class _Slow(_Record):
    id: str
    seconds: Seconds


class _Totals(_Record):
    work_seconds: Seconds | None = None
    slowest: list[_Slow] | None = None


class _Manifest(_Record):
    shards: list[_Shard]
    summary: _Totals | None = None


def check(shape: type[BaseModel], record: Mapping[str, Any], place: str) -> None:
    """Raise an InputError with the place of the record, and the field in it that is wrong."""
    try:
        shape.model_validate(record)
    except ValidationError as error:
        raise InputError(f"{place}: {_explain(error)}") from None


def _explain(error: ValidationError) -> str:
    """The first thing that is wrong, with its field as `cases[0].systems.mine.hits`."""
    first = error.errors()[0]
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
    name = "".join(parts).removeprefix(".")
    if first["type"] == "missing":
        return f"{name} is missing"
    if first["type"] == "value_error":  # ours: it names the fields itself
        return f"{name + ': ' if name else ''}{first['ctx']['error']}"
    shown = repr(first["input"])
    shown = shown if len(shown) <= 60 else f"{shown[:60]}…"
    wanted = first["msg"].removeprefix("Input should be ")
    return f"{name or 'the record'} must be {wanted}, not {shown}"


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """The records of one RESULTS, each with the place where it stands."""

    name: str
    records: list[tuple[str, dict[str, Any]]]
    manifest: dict[str, Any] | None = None
    notes: tuple[str, ...] = field(default=())


def load_results(path: Path) -> Loaded:
    """Read one RESULTS. Raises InputError if it cannot be read or has no record."""
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
        raise InputError(f"{path}: has no record")
    return loaded


def _load_folder(folder: Path) -> Loaded:
    name = folder.resolve().name
    if (folder / _MANIFEST).exists():
        return _load_shards(folder, name)
    if (folder / _REPRODUCED).exists():
        return Loaded(name=name, records=list(_load_file(folder / _REPRODUCED, f"{name}/results")))
    raise InputError(
        f"{folder}: contains neither {_MANIFEST} (a run of `enumerate` into a folder) nor "
        f"{_REPRODUCED} (a run of `reproduce`); give the result files themselves"
    )


def _load_shards(folder: Path, name: str) -> Loaded:
    try:
        manifest = orjson.loads((folder / _MANIFEST).read_bytes())
        check(_Manifest, manifest, f"{folder}/{_MANIFEST}")
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
        return _load_parquet(data, name)
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


def _load_parquet(data: bytes, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(pa.BufferReader(data))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name}: cannot be read as Parquet: {error}") from None
    number = 0
    for batch in table.to_batches(max_chunksize=1024):
        for row in batch.to_pylist():
            number += 1
            yield f"{name}:{number}", {k: v for k, v in row.items() if v is not None}
