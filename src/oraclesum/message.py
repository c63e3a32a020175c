"""Messages that know which settings they name, so that each shell can spell them its own way.

A message of a stage names settings as Python does (`max_words`, `stem=False`); the command line
shows the same message with its options (`--max-words`, `--no-stem`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from string import Formatter
from typing import Self

__all__ = [
    "Message",
    "Setting",
    "as_option",
    "name_options",
    "name_setting",
    "show_name",
    "show_value",
    "spell",
    "suggest",
]

_MAX_BITS = 1000  # of a number that is shown; Python refuses to print one of 4,300 digits
_MAX_SHOWN = 60  # characters of a value


@dataclass(frozen=True)
class Setting:
    """A setting as a message names it: alone, or with the value that is meant, as Python text."""

    name: str
    value: str | None = None

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name}={self.value}"


def name_setting(name: str) -> Setting | str:
    """The setting of that name; what is no name of a setting ("a sentence index") is just text."""
    return Setting(name) if name.isidentifier() else name


def show_value(value: object) -> str:
    """A value for a message: short, whatever it is."""
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return "a number of more than 300 digits"
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    try:
        text = repr(value)
    except Exception:  # whatever the repr of somebody else's class raises
        return f"a value of type {type(value).__name__}"
    text = " ".join(text.split()) if "\n" in text else text  # arrays take several lines
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def show_name(name: object) -> str:
    """A path as text: bytes that are not UTF-8 and control characters are written as escapes."""
    text = str(name)
    return text if text.isprintable() else "".join(map(_show_character, text))


def _show_character(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    if "\udc80" <= character <= "\udcff":  # how Python keeps a byte that is not UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode()


class Message(str):
    """Text with settings in it; a plain str for everybody who does not look closer.

    The template names settings in braces, and whatever `values` gives: text, or a Setting whose
    name is not known beforehand, or another message.

    Examples
    --------
    >>> message = Message("{max_words} must be at least 1, not {value}", value=0)
    >>> message
    'max_words must be at least 1, not 0'
    >>> message.settings
    ('max_words',)
    >>> message.spell(lambda setting: "--" + setting.name.replace("_", "-"))
    '--max-words must be at least 1, not 0'
    """

    __slots__ = ("parts",)

    parts: tuple[str | Setting, ...]

    def __new__(cls, template: str, **values: object) -> Self:
        parts: list[str | Setting] = []
        for text, field, _, _ in Formatter().parse(template):
            parts.append(text)
            if field is None:
                continue
            name, equals, literal = field.partition("=")
            if not equals and name in values:
                value = values[name]
                if isinstance(value, Message):
                    parts.extend(value.parts)
                elif isinstance(value, Setting):
                    parts.append(value)
                else:
                    parts.append(show_value(value) if type(value) is int else str(value))
            else:
                parts.append(Setting(name, literal if equals else None))
        return cls._join(parts)

    @classmethod
    def _join(cls, parts: list[str | Setting] | tuple[str | Setting, ...]) -> Self:
        made = super().__new__(cls, "".join(map(str, parts)))
        made.parts = tuple(parts)
        return made

    def __reduce__(self) -> tuple[Callable[..., Message], tuple[tuple[str | Setting, ...]]]:
        return Message._join, (self.parts,)

    def __repr__(self) -> str:
        return repr(str(self))

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of the settings, in the order of the text."""
        return tuple(part.name for part in self.parts if isinstance(part, Setting))

    def spell(self, name: Callable[[Setting], str]) -> str:
        """The text with each setting as `name` writes it."""
        return "".join(part if isinstance(part, str) else name(part) for part in self.parts)


def spell(said: str | BaseException, name: Callable[[Setting], str]) -> str:
    """A message, or that of an exception or warning, with each setting as `name` writes it."""
    message = said.args[0] if isinstance(said, BaseException) and said.args else said
    return message.spell(name) if isinstance(message, Message) else str(said)


# Options of the command line that are not called as the setting is.
_OPTIONS = {
    "n": "--rouge",
    "max_list": "--list",
    "stem=False": "--no-stem",
    "remove_stopwords=False": "no --remove-stopwords",
    "force=True": "--force",
    "tokenizer": "--tokens",
    "tokenizer=…": "a tokenizer from Python",
    **{name: f"{name} (from Python)" for name in ("max_cost", "costs", "required", "forbidden")},
}


def as_option(setting: Setting) -> str:
    """The setting as the command line writes it."""
    known = _OPTIONS.get(str(setting))
    if known is not None:
        return known
    option = "--" + setting.name.replace("_", "-")
    return option if setting.value is None else f"{option} {setting.value.strip(chr(39))}"


def name_options(said: str | BaseException) -> str:
    """The message with each setting named as the option that sets it."""
    return spell(said, as_option)


def suggest(name: str, known: Iterable[str], *, cutoff: float = 0.6) -> str:
    """The end of a message about an unknown name: the known one that is near, if there is any."""
    from difflib import get_close_matches  # few runs have an unknown name

    near = get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return f"; did you mean {near[0]!r}?" if near else ""
