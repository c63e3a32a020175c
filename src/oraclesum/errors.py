"""Every exception and warning of the package.

OraclesumError
├── InputError (also ValueError)      text, settings or data that cannot be used; says what to do
│   └── RecordError                   one bad record of a corpus: file, line, reason
│       └── NoRecordError             what stands there has no document or no references at all
├── LimitError                        a question to a family or a score took more than it may
├── MissingExtraError (also ImportError)   an optional part is not installed; says what to install
OraclesumWarning (UserWarning)
├── NoTokensWarning                   a text lost every token under the chosen rules
└── NoOverlapWarning                  no sentence that fits shares an n-gram with a reference

A limit that ends a search is never an exception: it is a status (see oraclesum.oracles.status).
"""

from __future__ import annotations

from typing import Any

from .message import Message

__all__ = [
    "InputError",
    "LimitError",
    "MissingExtraError",
    "NoOverlapWarning",
    "NoRecordError",
    "NoTokensWarning",
    "OraclesumError",
    "OraclesumWarning",
    "RecordError",
]


class _Said:
    """Gives the message as it was made: a Message keeps the names of its settings."""

    args: tuple[Any, ...]

    def __str__(self) -> str:
        return self.args[0] if self.args and isinstance(self.args[0], str) else super().__str__()

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that the message names, e.g. ("max_words",)."""
        message = self.args[0] if self.args else None
        return message.settings if isinstance(message, Message) else ()


class OraclesumError(_Said, Exception):
    """Base of all errors raised by this package."""


class InputError(OraclesumError, ValueError):
    """Text, settings or data that cannot be used."""


class RecordError(InputError):
    """One record of a corpus that cannot be used, with the place where it stands."""

    def __init__(self, file: str, line: int, reason: str, record_id: str | None = None) -> None:
        super().__init__(Message("{place}: {reason}", place=f"{file}:{line}", reason=reason))
        self.file = file
        self.line = line
        self.reason = reason
        self.record_id = record_id

    def __reduce__(self) -> tuple[type[RecordError], tuple[str, int, str, str | None]]:
        # Exceptions are sent between processes by their message alone, which is not what makes one.
        return type(self), (self.file, self.line, self.reason, self.record_id)


class NoRecordError(RecordError):
    """What stands in place of a record has no document or no references: a wrong file, or column.

    If a corpus begins with several of these, it is refused as a whole (an InputError).
    """


class LimitError(OraclesumError):
    """A question to a family, or a score, that takes more time or memory than it may.

    See `answer_within`.
    """


class MissingExtraError(OraclesumError, ImportError):
    """An optional part of the package is needed and not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra '{extra}': pip install 'oraclesum[{extra}]'")
        self.what = what
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtraError], tuple[str, str]]:
        return type(self), (self.what, self.extra)


class OraclesumWarning(_Said, UserWarning):
    """Base of all warnings raised by this package."""


class NoTokensWarning(OraclesumWarning):
    """A text lost every token under the chosen rules."""


class NoOverlapWarning(OraclesumWarning):
    """No sentence that fits the limits shares an n-gram with a reference."""
