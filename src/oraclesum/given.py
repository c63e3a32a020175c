"""What callers give that is no number: lists, sentence indices, one of several words, paths."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from .errors import InputError
from .message import Message, name_setting, show_value
from .whole import LARGEST, as_whole

__all__ = [
    "MOST",
    "check_choice",
    "check_indices",
    "check_list",
    "check_path",
    "is_one_of",
    "read_content",
]

MOST = 10_000_000  # entries of a list that is not in memory yet, such as a range
_PIECE = 1 << 20  # bytes read at a time: Ctrl-C is heard in between


def check_list(name: str, value: Any, what: str = "a list") -> Sequence[Any]:
    """Any iterable but text, bytes, sets and mappings, whose elements are no list of numbers."""
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, Iterable) and not isinstance(
        value, str | bytes | bytearray | Mapping | Set
    ):
        entries = None
        if not (longer := _is_longer(value, MOST)):
            with suppress(TypeError):  # numpy's array of no dimension claims to be iterable
                entries = list(islice(value, MOST + 1))  # an iterator may have no end
                longer = len(entries) > MOST
        if longer:
            raise InputError(f"{name} must have at most {MOST:,} entries")
        if entries is not None:
            return entries
    raise _refuse("{name} must be {what}, not {x}", name, value, what=what)


def _is_longer(value: Any, most: int) -> bool:
    try:
        return len(value) > most
    except TypeError:  # it does not know, or has no dimension
        return False
    except OverflowError:  # longer than any number of the machine
        return True


def check_indices(name: str, values: Any, sentences: int | None = None) -> list[int]:
    """Indices of sentences, of so many if that is known; sets are taken too."""
    given = list(values) if isinstance(values, Set) else values
    checked = list(check_list(name, given, "a list of sentence indices"))
    if {*map(type, checked)} - {int}:  # the usual indices pass at once
        checked = [as_whole(f"a sentence index in {name}", i) for i in checked]
    end = LARGEST + 1 if sentences is None else sentences
    if checked and (min(checked) < 0 or max(checked) >= end):
        for number in checked:
            if not 0 <= number < end:
                raise InputError(_refuse_index(name, number, sentences))
    return checked


def _refuse_index(name: str, number: int, sentences: int | None) -> str:
    if sentences is None:
        if number > LARGEST:
            return f"{name}: a sentence index must be below 2^63"
        return f"{name}: a sentence index must not be negative, not {show_value(number)}"
    return (
        f"{name}: sentence {show_value(number)} is not among the {sentences} sentences of the "
        "document"
    )


def is_one_of(value: Any, known: Collection[str]) -> bool:
    """Whether a value is one of these words; anything else than text is none, also an array."""
    return isinstance(value, str) and value in known


def check_choice(name: str, value: Any, known: Collection[str]) -> None:
    """Raise an InputError that lists the known words, unless the value is one of them."""
    if is_one_of(value, known):
        return
    words = [repr(word) for word in known]
    listed = " or ".join(words) if len(words) == 2 else f"one of {', '.join(words)}"
    raise _refuse("{name} must be {known}, not {x}", name, value, known=listed)


def check_path(name: str, value: Any) -> Path:
    """A str or a Path that can name a file."""
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise _refuse("{name} must be a str or a Path, not {x}", name, value)
    if "\0" in os.fspath(value):
        raise _refuse("{name} must not contain a NUL character, but is {x}", name, value)
    try:
        os.fsencode(value)
    except UnicodeEncodeError:  # half of a surrogate pair
        raise _refuse("{name} is {x}: no file can have this name", name, value) from None
    return Path(value)


def read_content(file: Path, most: int) -> tuple[bytes, int]:
    """The bytes of a file and how many they are; if these are more than `most`, not all of them.

    A pipe or device does not say how many it has. Raises OSError.
    """
    content = bytearray()
    with file.open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        while size <= most and (piece := stream.read(_PIECE)):
            content += piece
            size = max(size, len(content))
    return bytes(content), size


def _refuse(message: str, name: str, value: Any, **others: str) -> InputError:
    return InputError(Message(message, name=name_setting(name), x=show_value(value), **others))
