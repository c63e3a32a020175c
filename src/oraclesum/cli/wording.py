"""Messages of the stages in the words of the command line: settings become options."""

from __future__ import annotations

from ..message import as_option, spell

__all__ = ["name_options"]


def name_options(said: str | BaseException) -> str:
    """The message with each setting named as the option that sets it."""
    return spell(said, as_option)
