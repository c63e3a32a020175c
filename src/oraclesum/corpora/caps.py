"""How much is read at most, and what is said if that does not suffice."""

from __future__ import annotations

from ..frozen import dataclass
from ..whole import require_whole

__all__ = ["MAX_RECORD_BYTES", "Caps", "describe_cap"]

MAX_RECORD_BYTES = 1 << 40  # beyond any memory, and within what Python can read at once


@dataclass(frozen=True, kw_only=True)
class Caps:
    """How much is read at most, so that a hostile archive cannot fill memory or run for ever."""

    record_bytes: int = 256 << 20  # of a line of JSON, a row, or a file that is read whole
    total_bytes: int = 16 << 30  # of everything inside archives, unpacked, read or not
    kept_bytes: int = 1 << 30  # of what archives keep at once: texts, tables of contents
    name_bytes: int = 256 << 20  # of the names in archives
    files: int = 2_000_000  # of archives also those that are refused
    depth: int = 4  # archives inside archives

    def __post_init__(self) -> None:
        require_whole("record_bytes", self.record_bytes, least=1, most=MAX_RECORD_BYTES)


def describe_cap(record_bytes: int) -> str:
    """The limit that was hit, and how to raise it."""
    mebibytes = record_bytes / (1 << 20)
    limit = f"{mebibytes:,.4g} MiB" if mebibytes >= 1 else f"{record_bytes:,} bytes"
    return (
        f"larger than {limit}; if it is no mistake, raise this limit "
        "by --record-bytes (in Python: record_bytes)"
    )
