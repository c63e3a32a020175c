"""The server's log: to standard error, and never so much of it that it fills a disk."""

from __future__ import annotations

import logging
import sys
from collections import Counter

__all__ = ["limit_log"]

_LOGGERS = ("uvicorn", "oraclesum.explorer", "asyncio")
_FIRST = 10
_MAX_LETTERS = 10_000


class _Sparing(logging.Filter):
    """Lets each place in the code speak ten times, then the 100th time, the 1,000th and so on.

    Anybody who can connect can make the server complain (about what is no HTTP, say), as often as
    they like: what is written then grows with the logarithm of that.
    """

    def __init__(self) -> None:
        super().__init__()
        self._times: Counter[tuple[str, int]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        place = (record.pathname, record.lineno)
        self._times[place] += 1
        times = self._times[place]
        if times <= _FIRST:
            return True
        if str(times).strip("0") != "1":
            return False
        record.msg = f"{record.getMessage()} ({times:,} times so far; said less and less often)"
        record.args = ()
        return True


class _Short(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        if len(text) <= _MAX_LETTERS:
            return text
        half = _MAX_LETTERS // 2
        return f"{text[:half]}\n… {len(text) - 2 * half:,} letters left out …\n{text[-half:]}"


def limit_log() -> None:
    """Have warnings and errors of the server, and of what it stands on, written within bounds."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Short("%(levelname)s: %(message)s"))
    handler.addFilter(_Sparing())
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.WARNING)
        logger.propagate = False
