"""Words of languages other than English: runs of letters, digits and marks, lower-cased, NFC."""

from __future__ import annotations

import unicodedata

from .languages import Language, Writing

__all__ = ["mask_words", "split_words"]

_ZERO_WIDTH_SPACE = 0x200B  # a format character by category, yet put between words
_DOTTED = {"az", "tr"}  # languages in which i and dotless i are two letters
_CHARACTER_NAMES = ("CJK ", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC", "HALFWIDTH KATAKANA")


class _Table(dict[int, str]):
    """For str.translate: keeps letters, drops joiners, makes spaces of the rest; fills itself."""

    def __init__(self, characters: bool) -> None:
        super().__init__()
        self._characters = characters

    def __missing__(self, code: int) -> str:
        self[code] = answer = self._decide(code)
        return answer

    def _decide(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if category == "Cf" and code != _ZERO_WIDTH_SPACE:
            return ""  # soft hyphens and joiners stand inside words
        if category[0] not in "LMN":
            return " "
        if self._characters and unicodedata.name(character, "").startswith(_CHARACTER_NAMES):
            return f" {character} "
        return character


_WORDS = _Table(characters=False)
_CHARACTERS = _Table(characters=True)


class _Mask(dict[int, str]):
    """For str.translate: what a table makes of a character, as one letter; fills itself."""

    def __init__(self, table: _Table) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, code: int) -> str:
        answer = self._table[code]
        if len(answer) == 3:
            kind = "c"
        elif answer in ("", " "):
            kind = answer or "-"
        else:
            kind = "m" if unicodedata.category(chr(code))[0] == "M" else "w"
        self[code] = kind
        return kind


_MASKS = {Writing.WORDS: _Mask(_WORDS), Writing.CHARACTERS: _Mask(_CHARACTERS)}


def mask_words(text: str, language: Language) -> str:
    """What `split_words` takes each character for, a letter each.

    w: part of a word; m: a mark, part of a word as well; c: a word of its own; -: vanishes inside a
    word; space: between words.
    """
    return text.translate(_MASKS[language.writing])


def split_words(text: str, language: Language) -> list[str]:
    """The words of a text, lower-cased; in Chinese and Japanese text every character is one."""
    text = unicodedata.normalize("NFC", text)
    if language.code in _DOTTED:
        text = text.replace("\u0130", "i").replace("I", "\u0131")
    table = _CHARACTERS if language.writing is Writing.CHARACTERS else _WORDS
    return text.lower().translate(table).split()
