"""The normal form that every method solves: integer gains, sparse counts, limits; kept as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from .. import _kernel
from ..errors import InputError
from ..given import check_indices, check_list, check_path, read_content
from ..message import show_value
from ..whole import require_whole
from .checks import check_counts, check_gains, check_limit, check_text, check_total
from .limits import Limit

__all__ = ["Instance"]

Pair = tuple[int, int]


class Instance:
    """Maximise the sum over n-grams of the first c gains, c = its count in the chosen sentences.

    `gains[g]` never increases (with several references, gain k is the number of references that
    contain g at least k times); `counts[i]` lists (n-gram, count) pairs of sentence i; every limit
    holds at once. Sentence indices are the caller's. `total` is ROUGE's denominator.

    Examples
    --------
    >>> instance = Instance(
    ...     total=3,
    ...     gains=[[1], [1]],
    ...     counts=[[(0, 1)], [(0, 1), (1, 1)]],
    ...     limits=[Limit(unit="words", budget=5, lengths=(2, 4))],
    ... )
    >>> instance.hits([1]), instance.feasible([0, 1])
    (2, False)
    """

    def __init__(
        self,
        *,
        id: str = "",
        total: int,
        gains: Sequence[Sequence[int]],
        counts: Sequence[Iterable[Sequence[int]]],
        limits: Sequence[Limit],
        signature: str = "",
    ) -> None:
        id = check_text("id", id)
        try:
            signature = check_text("signature", signature)
            total = check_total(total)
            checked_gains = check_gains(gains)
            checked_counts = check_counts(counts, len(checked_gains))
            rows = _check_limits(limits, len(checked_counts))
            native = _kernel.Instance(
                checked_gains, checked_counts, [(row.budget, list(row.lengths)) for row in rows]
            )
        except ValueError as error:
            raise InputError(f"instance {id!r}: {error}") from error
        self._set(native, id, total, tuple(row.unit for row in rows), signature)

    def _set(
        self, native: _kernel.Instance, id: str, total: int, units: tuple[str, ...], signature: str
    ) -> None:
        self.native = native
        self.id = id
        self.total = total
        self.units = units
        self.signature = signature

    @classmethod
    def from_native(
        cls,
        native: _kernel.Instance,
        *,
        total: int,
        units: tuple[str, ...],
        id: str = "",
        signature: str = "",
    ) -> Instance:
        """Wrap an instance that the kernel built from text."""
        self = cls.__new__(cls)
        self._set(native, id, total, units, signature)
        return self

    @property
    def n_sentences(self) -> int:
        """Number of sentences, candidates or not."""
        return self.native.sentences

    @cached_property
    def gains(self) -> list[list[int]]:
        return self.native.gains

    @cached_property
    def counts(self) -> list[list[Pair]]:
        return self.native.counts

    @cached_property
    def limits(self) -> tuple[Limit, ...]:
        return tuple(
            Limit(unit=unit, budget=budget, lengths=tuple(lengths))
            for unit, (budget, lengths) in zip(self.units, self.native.limits, strict=True)
        )

    @property
    def budget(self) -> int:
        """Budget of the first limit."""
        return self.limits[0].budget

    @property
    def lengths(self) -> tuple[int, ...]:
        """Lengths under the first limit."""
        return self.limits[0].lengths

    @cached_property
    def candidates(self) -> tuple[int, ...]:
        """Sentences that share an n-gram with a reference and fit alone (Appendix B)."""
        return tuple(self.native.candidates)

    def hits(self, selected: Iterable[int]) -> int:
        """Hits of a set of sentences, from scratch (Eq. 1's numerator)."""
        return self.native.hits(check_indices("selected", selected, self.n_sentences))

    def feasible(self, selected: Iterable[int]) -> bool:
        """Whether a set of sentences keeps every limit."""
        return self.native.feasible(check_indices("selected", selected, self.n_sentences))

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Instance], tuple[dict[str, Any]]]:
        return type(self).from_dict, (self.to_dict(),)

    def __repr__(self) -> str:
        return (
            f"Instance(id={self.id!r}, sentences={self.n_sentences}, "
            f"candidates={len(self.candidates)}, ngrams={self.native.ngrams}, total={self.total})"
        )

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the first limit as `budget` and `lengths`, others under `more_limits`."""
        first, *more = self.limits
        record: dict[str, Any] = {
            "id": self.id,
            "budget": first.budget,
            "total": self.total,
            "gains": self.gains,
            "lengths": list(first.lengths),
            "counts": self.counts,
        }
        if first.unit != "words":
            record["unit"] = first.unit
        if more:
            record["more_limits"] = [
                {"unit": row.unit, "budget": row.budget, "lengths": list(row.lengths)}
                for row in more
            ]
        if self.signature:
            record["signature"] = self.signature
        return record

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Instance:
        """Read the JSON form; an InputError names the field that is missing or wrong, and where."""
        if not isinstance(record, dict):
            raise InputError(f"an instance is a JSON object, not {type(record).__name__}")
        for field in ("budget", "total", "gains", "lengths", "counts"):
            if field not in record:
                raise InputError(f"the instance lacks the field {field!r}")
        limits = [
            Limit(
                unit=record.get("unit", "words"),
                budget=record["budget"],
                lengths=record["lengths"],
            )
        ]
        more = record.get("more_limits", [])
        if not isinstance(more, list | tuple):
            raise InputError(f"more_limits must be a list, not {type(more).__name__}")
        for k, row in enumerate(more):
            if not isinstance(row, dict):
                raise InputError(f"more_limits[{k}] must be an object, not {type(row).__name__}")
            for field in ("unit", "budget", "lengths"):
                if field not in row:
                    raise InputError(f"more_limits[{k}] lacks the field {field!r}")
            limits.append(Limit(unit=row["unit"], budget=row["budget"], lengths=row["lengths"]))
        return cls(
            id=record.get("id", ""),
            total=record["total"],
            gains=record["gains"],
            counts=record["counts"],
            limits=limits,
            signature=record.get("signature", ""),
        )

    def write(self, path: str | Path) -> None:
        """Write the instance as one JSON file."""
        content = orjson.dumps(self.to_dict())
        file = check_path("path", path)
        try:
            file.write_bytes(content)
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None

    @classmethod
    def read(cls, path: str | Path, *, max_bytes: int = 1 << 28) -> Instance:
        """Read an instance written by `write` (or by another program in the same format).

        max_bytes: how large the file may be (default 256 MiB).
        """
        file = check_path("path", path)
        most = require_whole("max_bytes", max_bytes, least=1)
        try:
            content, size = read_content(file, most)
            if size > most:
                raise InputError(
                    f"{path}: has more than {most:,} bytes; raise max_bytes if you trust it"
                )
            record = orjson.loads(content)
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        except orjson.JSONDecodeError as error:
            raise InputError(f"{path}: not JSON: {error}") from error
        try:
            return cls.from_dict(record)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error


def _check_limits(limits: Sequence[Limit], n_sentences: int) -> list[Limit]:
    """Every limit; messages call the fields what the JSON form calls them."""
    checked = []
    for k, limit in enumerate(check_list("limits", limits, "a list of Limits")):
        if not isinstance(limit, Limit):
            raise InputError(f"limits[{k}] must be a Limit, not {show_value(limit)}")
        place = f"more_limits[{k - 1}]." if k else ""
        checked.append(check_limit(limit, n_sentences, place))
    return checked
