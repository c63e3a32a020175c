"""Files of which a part is of no use: they appear under their name when they are complete."""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from .errors import InputError
from .message import show_name

__all__ = ["open_whole"]


@contextmanager
def open_whole(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name when it is complete; until then an older one stays.

    A pipe or device is written to as it is. Raises InputError if the file cannot be opened, and
    OSError if it cannot be written.
    """
    in_place = path.exists() and not path.is_file()
    target = path if in_place else Path(os.path.realpath(path))  # a link stays one
    # Short, as the name itself may have the most letters that a name can have.
    short = f".{zlib.crc32(os.fsencode(target.name)):08x}.{os.getpid()}.tmp"
    draft = target if in_place else target.with_name(short)
    try:  # from before it is opened: a signal may come at any moment
        try:
            stream = draft.open("wb") if in_place else _open_draft(draft, target)
        except OSError as error:
            raise InputError(f"{show_name(path)}: cannot be written: {error.strerror}") from None
        with stream:
            yield stream
        if not in_place:
            _rename(draft, target)
    except BaseException:
        if not in_place:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        raise


def _open_draft(draft: Path, target: Path) -> BinaryIO:
    """The file that is to replace another, with its mode. Raises OSError if that is protected."""
    mode = None
    if target.exists():
        target.open("ab").close()
        mode = stat.S_IMODE(target.stat().st_mode)
    stream = draft.open("wb")
    try:
        if mode is not None:
            with suppress(OSError):  # not every file system has modes
                os.fchmod(stream.fileno(), mode)
    except BaseException:
        stream.close()
        raise
    return stream


def _rename(draft: Path, target: Path) -> None:
    try:
        draft.replace(target)
    except OSError as error:  # without the name of the draft, which says nothing to anybody
        raise OSError(error.errno, error.strerror) from None
