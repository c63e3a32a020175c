"""Plain text files: one sentence per line."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

from ..errors import InputError
from ..message import show_name
from .caps import Caps
from .files import read_bounded
from .reading import check_name

__all__ = ["read_lines"]


def read_lines(name: str, *, record_bytes: int = Caps.record_bytes) -> tuple[str, ...]:
    """The lines of a file (or `-`, standard input) that are not blank."""
    check_name(name)
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as stream:
            data = read_bounded(stream, show_name(name), record_bytes)
    except OSError as error:
        raise InputError(f"{show_name(name)}: cannot be read: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{show_name(name)}:{line}: not UTF-8: byte 0x{data[error.start]:02x}"
        ) from None
    # Only line ends separate: str.splitlines would also cut at form feeds and the like.
    lines = text.replace("\r\n", "\n").split("\n")
    return tuple(line for line in lines if line.strip())
