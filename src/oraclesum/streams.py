"""The standard streams of the process, whatever state it was started with."""

from __future__ import annotations

import errno
import io
import os
import sys

from .stopping import explain_failure, leave

TYPE_CHECKING = False  # nothing is imported that delays the moment from which signals are heard
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["PIPE_CLOSED", "drop_output", "flush_output", "open_streams", "stop_writing"]

PIPE_CLOSED = 141  # 128 + SIGPIPE, as shells count


def open_streams() -> None:
    """See that all three exist, and that both outputs take any text, and all of it.

    If one is closed (`>&-`), the next file that is opened would get its number, and what was meant
    for the stream would go into that file. Reading a closed input or writing to a closed output
    fails; messages that standard error does not take vanish, and nothing else is lost with them.
    """
    # Input that can only be written, output that can only be read: using them is an error.
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest number that is free: this one
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - never closed
    # Unbuffered (python -u), a write that takes only a part of the bytes would look like any other.
    if sys.stdout is None or isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        encoding = "utf-8" if sys.stdout is None else sys.stdout.encoding
        sys.stdout = open(1, "w", encoding=encoding, closefd=False)  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(_Messages(2, "w", closefd=False)),
        encoding="utf-8" if sys.stderr is None else sys.stderr.encoding,
        errors="backslashreplace",
        line_buffering=True,
    )


class _Messages(io.FileIO):
    """Standard error, which drops what cannot be written: a full disk, a reader that has left."""

    def write(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed's Buffer is newer than 3.11
        try:
            written = super().write(data)
        except OSError:
            written = None
        return len(data) if written is None else written


def flush_output() -> None:
    """Write what standard output still has; the interpreter would show a traceback if it cannot."""
    try:
        sys.stdout.flush()
    except OSError as error:
        stop_writing("standard output", error)


def drop_output() -> None:
    """What standard output still holds goes nowhere: whoever reads it may have stopped."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def stop_writing(where: str, error: OSError) -> NoReturn:
    """Leave, as nothing more can be written; one line says why, unless the reader has left.

    Writing to a stream names no file and opens none: such an error has another cause, and is told
    without the name of the output.
    """
    reason = f"{where}: writing stopped: {error.strerror or error}"
    if error.errno in (errno.EMFILE, errno.ENFILE):
        reason = f"{error.strerror}: close some, or raise the limit (ulimit -n)"
    elif error.filename is not None:
        from .message import show_name

        reason = f"{show_name(error.filename)}: {error.strerror}"
    else:
        drop_output()
    status, message = explain_failure(reason)
    if status == 1 and isinstance(error, BrokenPipeError):
        leave(PIPE_CLOSED)
    leave(status, message)
