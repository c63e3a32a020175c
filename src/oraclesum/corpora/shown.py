"""Names of files as people and JSON can be shown them, whatever bytes they are made of."""

from __future__ import annotations

import unicodedata

__all__ = ["show_name"]


def show_name(name: object) -> str:
    """A path as text: bytes that are not UTF-8 and control characters are written as escapes."""
    text = str(name)
    return text if text.isprintable() else "".join(map(_show, text))


def _show(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    if "\udc80" <= character <= "\udcff":  # how Python keeps a byte that is not UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode()
