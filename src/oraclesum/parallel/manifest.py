"""The manifest of a folder of shards: what was asked of which input, and what is there whole."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

import orjson

from ..errors import InputError
from .storage import Storage
from .tally import Tally

__all__ = ["MANIFEST", "Entry", "Manifest", "checksum", "shard_name"]

# pyarrow.dataset passes over names that begin so: the folder is one data set as it stands.
MANIFEST = "_manifest.json"
_VERSION = 1


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
    """What `_manifest.json` holds. Shards are entered in input order, so that they are a prefix."""

    settings: dict[str, Any]
    input: dict[str, Any]
    format: str
    shard_size: int
    shards: dict[int, Entry] = field(default_factory=dict)
    complete: bool = False
    tally: Tally = field(default_factory=Tally)

    def write(self, storage: Storage) -> None:
        """Put the manifest into the folder."""
        data = {
            "version": _VERSION,
            "settings": self.settings,
            "input": self.input,
            "format": self.format,
            "shard_size": self.shard_size,
            "complete": self.complete,
            "summary": self.tally.to_json(),
            "shards": [asdict(entry) for _, entry in sorted(self.shards.items())],
        }
        storage.settle()
        storage.put(MANIFEST, orjson.dumps(data, option=orjson.OPT_INDENT_2))
        storage.settle()

    @classmethod
    def read(cls, storage: Storage) -> Manifest | None:
        """The manifest of the folder, or None. Raises InputError where it cannot be used."""
        data = storage.get(MANIFEST)
        if data is None:
            return None
        try:
            known = orjson.loads(data)
            if known["version"] != _VERSION:
                raise InputError(f"{MANIFEST} is of version {known['version']}, not {_VERSION}")
            entries = [Entry(**entry) for entry in known["shards"]]
            return cls(
                settings=known["settings"],
                input=known["input"],
                format=known["format"],
                shard_size=known["shard_size"],
                shards={_number(entry.name): entry for entry in entries},
                complete=known["complete"],
                tally=Tally.from_json(known["summary"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{MANIFEST} is damaged: {error}; start in another folder") from None

    def refuse_difference(self, other: Manifest) -> None:
        """Raise an InputError where the other manifest is of other settings or another input."""
        for part, what in (("settings", "other settings"), ("input", "another input")):
            ours, theirs = getattr(self, part), getattr(other, part)
            names = [key for key in sorted({*ours, *theirs}) if ours.get(key) != theirs.get(key)]
            if names:
                shown = "; ".join(f"{k}: {theirs.get(k)} there, {ours.get(k)} now" for k in names)
                raise InputError(f"the folder holds results of {what} ({shown})")
        for name in ("format", "shard_size"):
            if getattr(self, name) != getattr(other, name):
                raise InputError(
                    f"the folder holds shards of another {name.replace('_', ' ')}: "
                    f"{getattr(other, name)} there, {getattr(self, name)} now"
                )


def shard_name(number: int, format: str) -> str:
    """The file name of a shard; sorted by name they are in input order."""
    return f"part-{number:08}.{format}"


def _number(name: str) -> int:
    return int(name.removeprefix("part-").partition(".")[0])


def checksum(data: bytes) -> str:
    """The SHA-256 of a shard."""
    return sha256(data).hexdigest()
