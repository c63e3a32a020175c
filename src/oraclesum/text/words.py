"""Words of languages other than English: runs of letters, digits and marks, lower-cased, NFC.

Languages without spaces have characters for words, or what a library finds: ICU knows the words of
Chinese, Japanese, Thai, Lao, Khmer and Burmese, Kiwi the morphemes of Korean.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import deque
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Any

from ..errors import MissingExtraError
from ..signature import package_version
from .languages import Language, Writing

__all__ = ["Span", "check_writing", "locate_words", "name_words", "split_words"]

Span = tuple[int, int]
"""Start and end of a token, in code points of the text."""

_ZERO_WIDTH_SPACE = 0x200B  # a format character by category, yet put between words
_DOTTED = {"az", "tr"}  # languages in which i and dotless i are two letters
_MARKED_NAMES = ("THAI ", "LAO ", "KHMER ", "MYANMAR ")
_CHARACTER_NAMES = ("CJK ", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC", "HALFWIDTH KATAKANA")
# The package that each of these needs, as it is imported, and the extra that installs it.
_NEEDED = {Writing.ICU: ("icu4py", "languages"), Writing.KIWI: ("kiwipiepy", "korean")}


class _Table(dict[int, str]):
    """For str.translate: keeps letters, drops joiners, makes spaces of the rest; fills itself."""

    def __init__(self, characters: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._characters = characters  # how the names of those begin that are words

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
        if self._characters and unicodedata.name(character, "").startswith(self._characters):
            return f" {character} "
        if self._characters and category[0] == "L" and _is_marked(character):
            return f" {character}"  # the marks that follow belong to it
        return character


def _is_marked(character: str) -> bool:
    """Whether a letter is of a script without spaces whose vowels are marks around letters."""
    return unicodedata.name(character, "").startswith(_MARKED_NAMES)


_WORDS = _Table()
_CHARACTERS = _Table(_CHARACTER_NAMES)
_SYLLABLES = _Table((*_CHARACTER_NAMES, "HANGUL"))
_RUN = re.compile("[^ ]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


def check_writing(writing: Writing) -> None:
    """Raise MissingExtraError if what tells words apart in this way is not installed."""
    if writing in _NEEDED:
        from importlib.util import find_spec

        package, extra = _NEEDED[writing]
        if find_spec(package) is None:
            raise MissingExtraError(f"the tokenizer {writing.value!r}", extra)


def name_words(writing: Writing) -> str:
    """What the signature says: the version of whatever decides where a word ends."""
    if writing is Writing.ICU:
        import icu4py

        return f"icu-{icu4py.icu_version}"
    if writing is Writing.KIWI:
        return f"kiwi-{package_version('kiwipiepy')}-model-{package_version('kiwipiepy_model')}"
    return f"unicode-{writing.value}-{unicodedata.unidata_version}"


def split_words(text: str, language: Language, writing: Writing | None = None) -> list[str]:
    """The words of a text, lower-cased, in one of the language's ways; None: the usual one."""
    folded = _fold(text, language)
    if writing is Writing.KIWI:
        return _find_morphemes(folded)
    if writing is Writing.ICU:
        from icu4py.breakers import WordBreaker

        # Without punctuation, whose pieces are no words, nor anything that is no valid Unicode.
        return " ".join(WordBreaker(folded.translate(_WORDS), language.code)).split()
    return folded.translate(_choose_table(language, writing)).split()


def _choose_table(language: Language, writing: Writing | None) -> _Table:
    if (writing or language.writing) is not Writing.CHARACTERS:
        return _WORDS
    return _SYLLABLES if language.code == "ko" else _CHARACTERS


def _find_morphemes(folded: str) -> list[str]:
    tokens = _load_kiwi().tokenize(_SURROGATE.sub(" ", folded))
    return [word for token in tokens for word in token.form.translate(_WORDS).split()]


@cache
def _load_kiwi() -> Any:
    from kiwipiepy import Kiwi

    return Kiwi(num_workers=1)


def locate_words(text: str, language: Language) -> list[tuple[str, Span]]:
    """The words of `split_words`, each with the span of the text that it was made from.

    Spans are in order and do not overlap. Unicode may put marks into another order, or join a
    character with a mark that is not beside it; a span then ends where the next one begins.
    """
    folded = _fold(text, language)
    spread = folded.translate(_choose_table(language, None))
    places = _place_spread(_place_folded(text, language), folded, language)
    words = list(_RUN.finditer(spread))
    origins = [places[word.start() : word.end()] for word in words]
    spans = sorted((min(place)[0], max(last for _, last in place)) for place in origins)
    starts = [start for start, _ in spans] + [len(text)]
    # What is left of a span that is cut belongs to the last one that begins inside of it.
    ends = accumulate((end for _, end in spans), max)
    return [
        (word[0], (start, min(end, following)))
        for word, (start, _), end, following in zip(words, spans, ends, starts[1:], strict=True)
    ]


def _fold(text: str, language: Language) -> str:
    """The text in one spelling: NFC, lower case."""
    text = unicodedata.normalize("NFC", text)
    if language.code in _DOTTED:
        text = text.replace("\u0130", "i").replace("I", "\u0131")
    return text.lower()


def _place_folded(text: str, language: Language) -> list[Span]:
    """Where each character of the folded text comes from."""
    places: list[Span] = []
    for composed, place in _place_composed(text):
        dotted = language.code in _DOTTED and composed == "\u0130"
        # One character, the dotted capital I, becomes two; others stay one whatever is beside them.
        places.extend([place] * (1 if dotted else len(composed.lower())))
    return places


def _place_spread(places: list[Span], folded: str, language: Language) -> list[Span]:
    """Where each character of the spread text comes from; of a space, anywhere."""
    table = _choose_table(language, None)
    return [
        place
        for character, place in zip(folded, places, strict=True)
        for _ in table[ord(character)]
    ]


def _place_composed(text: str) -> Iterator[tuple[str, Span]]:
    """The characters of the text in NFC, each with the span that it comes from."""
    if unicodedata.is_normalized("NFC", text):
        yield from ((character, (i, i + 1)) for i, character in enumerate(text))
        return
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or _begins_cluster(text[end]):
            yield from _place_cluster(text[start:end], start)
            start = end


def _place_cluster(cluster: str, start: int) -> Iterator[tuple[str, Span]]:
    """The same for a character and what may join it: each part is looked up among the parts."""
    composed = unicodedata.normalize("NFC", cluster)
    if composed == cluster:
        yield from ((character, (start + i, start + i + 1)) for i, character in enumerate(cluster))
        return
    parts: dict[str, deque[int]] = {}
    for i, character in enumerate(cluster, start):
        for part in unicodedata.normalize("NFD", character):
            parts.setdefault(part, deque()).append(i)
    for character in composed:
        # The first of equal parts: normal forms keep the order of marks of one kind.
        origins = [parts[part].popleft() for part in unicodedata.normalize("NFD", character)]
        yield character, (min(origins), max(origins) + 1)


@cache
def _begins_cluster(character: str) -> bool:
    """Whether a character never joins the one before it, nor changes places with it."""
    first = unicodedata.normalize("NFD", character)[0]
    return unicodedata.combining(first) == 0 and first not in _find_joining()


@cache
def _find_joining() -> frozenset[str]:
    """Characters with which another one, before them, is composed to a single character."""
    pairs = (unicodedata.decomposition(chr(code)).split() for code in range(sys.maxunicode + 1))
    seconds = {chr(int(pair[1], 16)) for pair in pairs if len(pair) == 2 and pair[0][0] != "<"}
    vowels_and_finals = map(chr, (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)))  # of Hangul
    return frozenset(seconds).union(vowels_and_finals)
