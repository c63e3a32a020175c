"""The manifest of a folder of shards: what was asked of which input, and what is there whole."""

from __future__ import annotations

import re
from dataclasses import asdict, field, fields
from hashlib import sha256
from typing import Any

import orjson

from ..errors import InputError
from ..frozen import dataclass
from .storage import Storage
from .tally import Tally

__all__ = ["MANIFEST", "Entry", "Manifest", "checksum", "is_shard_name", "shard_name"]

# pyarrow.dataset passes over names that begin so: the folder is one data set as it stands.
MANIFEST = "_manifest.json"
_VERSION = 2
_NAME = re.compile(r"part-([0-9]{8,})[.](?:jsonl|parquet)")
_ELSEWHERE = "start in another folder, or give --force to start over in this one"

_SHAPE = {
    "version": int,
    "settings": dict,
    "input": dict,
    "format": str,
    "shard_size": int,
    "complete": bool,
    "conclusion": str,
    "summary": {
        "documents": int,
        "records": int,
        "score_sum": float,
        "work_seconds": float,
        "statuses": {...: int},
        "scores": {...: int},
        "families": {...: int},
        "slowest": [{"id": str, "seconds": float}],
    },
    "shards": [
        {
            "name": str,
            "records": int,
            "errors": int,
            "bytes": int,
            "sha256": str,
            "input_sha256": str,
        }
    ],
}
_KINDS = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "text",
    list: "a list",
    dict: "an object",
}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One shard that is there whole."""

    name: str
    records: int
    errors: int
    bytes: int
    sha256: str
    input_sha256: str  # of the piece of the input that it answers


@dataclass(kw_only=True)
class Manifest:
    """What `_manifest.json` says. Shards are entered in input order, so that they are a prefix."""

    settings: dict[str, Any]
    input: dict[str, Any]
    format: str
    shard_size: int
    shards: dict[int, Entry] = field(default_factory=dict)
    complete: bool = False
    conclusion: str = ""  # SHA-256 of the records about all others; empty if there are none
    tally: Tally = field(default_factory=Tally)

    @property
    def verb(self) -> str:
        """Whose records these are; the settings of `enumerate` do not say it."""
        return str(self.settings.get("verb", "enumerate"))

    @property
    def records(self) -> int:
        """The records of all shards that are entered; the summary must say the same."""
        return sum(entry.records for entry in self.shards.values())

    def write(self, storage: Storage) -> None:
        """Put the manifest into the folder."""
        data = {
            "version": _VERSION,
            "settings": self.settings,
            "input": self.input,
            "format": self.format,
            "shard_size": self.shard_size,
            "complete": self.complete,
            "conclusion": self.conclusion,
            "summary": self.tally.to_json(),
            "shards": [asdict(entry) for _, entry in sorted(self.shards.items())],
        }
        storage.settle()
        storage.put(MANIFEST, orjson.dumps(data, option=orjson.OPT_INDENT_2))
        storage.settle()

    @classmethod
    def read(cls, storage: Storage) -> Manifest | None:
        """The manifest of the folder, or None. Raises InputError if it cannot be used."""
        data = storage.get(MANIFEST)
        if data is None:
            return None
        try:
            known = orjson.loads(data)
        except ValueError as error:
            raise InputError(f"{MANIFEST} is damaged: {error}; {_ELSEWHERE}") from None
        version = known.get("version") if isinstance(known, dict) else None
        if isinstance(version, int) and version != _VERSION:
            raise InputError(f"{MANIFEST} is of version {version}, not {_VERSION}; {_ELSEWHERE}")
        _check(known, _SHAPE, MANIFEST)
        return cls(
            settings=known["settings"],
            input=known["input"],
            format=known["format"],
            shard_size=known["shard_size"],
            shards={_number(one["name"]): _enter(one) for one in known["shards"]},
            complete=known["complete"],
            conclusion=known["conclusion"],
            tally=_take_tally(known["summary"]),
        )

    def refuse_difference(self, other: Manifest) -> None:
        """Raise an InputError if the other manifest is of other settings or another input."""
        for part, what in (("settings", "other settings"), ("input", "another input")):
            ours, theirs = getattr(self, part), getattr(other, part)
            names = [key for key in sorted({*ours, *theirs}) if ours.get(key) != theirs.get(key)]
            if names:
                shown = "; ".join(f"{k}: {theirs.get(k)} there, {ours.get(k)} now" for k in names)
                raise InputError(f"the folder contains results of {what} ({shown})")
        for name in ("format", "shard_size"):
            if getattr(self, name) != getattr(other, name):
                raise InputError(
                    f"the folder contains shards of another {name.replace('_', ' ')}: "
                    f"{getattr(other, name)} there, {getattr(self, name)} now"
                )


def shard_name(number: int, format: str) -> str:
    """The file name of a shard; sorted by name they are in input order."""
    return f"part-{number:08}.{format}"


def is_shard_name(name: str) -> bool:
    """Whether a file is named as `shard_name` names them."""
    return _NAME.fullmatch(name) is not None


def _number(name: str) -> int:
    found = _NAME.fullmatch(name)
    if found is None:  # nothing outside of the folder is ever read
        raise InputError(f"{MANIFEST} is damaged: {name!r} is no name of a shard; {_ELSEWHERE}")
    return int(found[1])


def _enter(known: dict[str, Any]) -> Entry:
    return Entry(**{one.name: known[one.name] for one in fields(Entry)})


def _take_tally(summary: dict[str, Any]) -> Tally:
    try:
        return Tally.from_json(summary)
    except (ValueError, OverflowError) as error:  # names of numbers that are none
        raise InputError(f"{MANIFEST} is damaged: summary: {error}; {_ELSEWHERE}") from None


def _check(value: Any, shape: Any, where: str) -> None:
    """Raise an InputError if a value of the manifest is not of the shape that we write.

    A shape is a type, `[shape]` for a list, `{...: shape}` for an object with any keys, or the
    fields of an object with their shapes.
    """
    kind = shape if isinstance(shape, type) else type(shape)
    wanted = (int, float) if kind is float else kind
    # True is an int to Python, and a mistake here.
    fits: bool = isinstance(value, wanted) and (kind is bool or not isinstance(value, bool))
    if not fits:
        said = _KINDS[kind]
        raise InputError(f"{MANIFEST} is damaged: {where} must be {said}; {_ELSEWHERE}")
    if kind in (int, float) and value < 0:
        raise InputError(f"{MANIFEST} is damaged: {where} is negative; {_ELSEWHERE}")
    if isinstance(shape, list):
        for place, one in enumerate(value):
            _check(one, shape[0], f"{where}[{place}]")
    elif isinstance(shape, dict) and ... in shape:
        for name, one in value.items():
            _check(one, shape[...], f"{where}.{name}")
    elif isinstance(shape, dict):
        for name in shape:
            if name not in value:
                raise InputError(f"{MANIFEST} is damaged: {where} has no {name}; {_ELSEWHERE}")
            _check(value[name], shape[name], f"{where}.{name}" if where != MANIFEST else name)


def checksum(data: bytes) -> str:
    """The SHA-256 of a shard."""
    return sha256(data).hexdigest()
