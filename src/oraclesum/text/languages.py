"""The languages known by ISO code or name, and what each offers: a stemmer, words, characters."""

from __future__ import annotations

from enum import StrEnum

from ..errors import InputError
from ..frozen import dataclass
from ..message import Message, show_value

__all__ = ["Language", "Writing", "describe_languages", "find_language", "list_languages"]


class Writing(StrEnum):
    """How words are told apart."""

    WORDS = "words"  # by white space and punctuation
    CHARACTERS = "characters"  # not at all: every character of such a script counts as a word
    ICU = "icu"  # by the dictionaries of ICU
    KIWI = "kiwi"  # Korean, as the morphemes of Kiwi


@dataclass(frozen=True, kw_only=True)
class Language:
    """A language by its ISO 639 code; `snowball` names its stemmer, if there is one.

    `writings` are the ways to tell its words apart, the usual one first.
    """

    code: str
    name: str
    snowball: str | None
    writings: tuple[Writing, ...] = (Writing.WORDS,)

    @property
    def writing(self) -> Writing:
        """How its words are told apart if nothing else is asked for."""
        return self.writings[0]


# fmt: off
_SNOWBALL = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
_UNSTEMMED = {
    "bg": "bulgarian",
    "bn": "bengali",
    "he": "hebrew",
    "hr": "croatian",
    "ja": "japanese",
    "km": "khmer",
    "ko": "korean",
    "lo": "lao",
    "lv": "latvian",
    "my": "burmese",
    "sk": "slovak",
    "sl": "slovenian",
    "th": "thai",
    "uk": "ukrainian",
    "ur": "urdu",
    "vi": "vietnamese",
    "zh": "chinese",
}
# fmt: on
_ALIASES = {"nb": "no", "nn": "no", "yue": "zh", "cmn": "zh", "iw": "he", "in": "id"}
_UNSPACED = (Writing.CHARACTERS, Writing.ICU, Writing.WORDS)
# Korean has spaces, so words are what its writers take for words; endings are glued to them.
_WRITINGS = {
    **dict.fromkeys(("ja", "km", "lo", "my", "th", "zh"), _UNSPACED),
    "ko": (Writing.WORDS, Writing.CHARACTERS, Writing.KIWI),
}
_NAMES = {name: code for code, name in (_SNOWBALL | _UNSTEMMED).items()}


def list_languages() -> list[str]:
    """Codes of the languages with a stemmer, sorted."""
    return sorted(_SNOWBALL)


def describe_languages() -> list[Language]:
    """Every language that is known by name, sorted by code."""
    return [find_language(code) for code in sorted(_SNOWBALL | _UNSTEMMED)]


def find_language(language: str) -> Language:
    """A language by ISO code ("fr"), tag ("pt-BR") or English name ("french")."""
    if not isinstance(language, str):
        raise InputError(
            Message(
                "{language} must be a str such as 'en' or 'french', not {x}", x=show_value(language)
            )
        )
    tag = language.strip().lower().replace("_", "-").partition("-")[0]
    code = _NAMES.get(tag, _ALIASES.get(tag, tag))
    name = _SNOWBALL.get(code) or _UNSTEMMED.get(code)
    if name is None:
        if len(code) not in (2, 3) or not (code.isascii() and code.isalpha()):
            if tag == "auto":
                raise InputError(
                    "language 'auto' is for runs over records (--language auto, "
                    "enumerate_corpus(…, language='auto')); of one text, detect_language tells it"
                )
            raise InputError(
                f"unknown language {language!r}: give an ISO code or an English name, "
                f"e.g. {', '.join(list_languages())}"
            )
        name = code
    writings = _WRITINGS.get(code, (Writing.WORDS,))
    return Language(code=code, name=name, snowball=_SNOWBALL.get(code), writings=writings)
