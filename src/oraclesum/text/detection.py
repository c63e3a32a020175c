"""Which language a text is in, by py3langid: a table of 4 MB inside the package, no download."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..errors import InputError, MissingExtraError
from ..given import is_one_of
from ..message import show_value
from ..signature import package_version
from ..stopping import importing
from .languages import find_language

__all__ = ["check_detection", "detect_language", "detection_setting", "wants_detection"]

_LOOKED_AT = 600  # characters of a text: a third of a millisecond, and enough
_LEAST_SURE = 0.5  # probability; above it, 99 of 100 pieces of 20 letters were told right
_NO_LANGUAGE = {"und", "zxx", "mul", "mis"}  # codes of ISO 639 for text that is in none


def detect_language(text: str) -> str | None:
    """The language of a text by its ISO 639 code, or None if that cannot be told.

    Only the first 600 characters are looked at. A text of a few words, or one without letters,
    mostly gives None: nothing is told that is less likely than 1/2.

    Parameters
    ----------
    text
        Running text, best of a sentence or more.

    Returns
    -------
    str or None
        A code that `Rouge(language=…)` takes.

    Raises
    ------
    InputError
        If the text is not a str.
    MissingExtraError
        If py3langid is not installed: pip install 'oraclesum[languages]'.

    Examples
    --------
    >>> detect_language("Der Minister sagte am Dienstag, die Br\\u00fccke werde er\\u00f6ffnet.")
    'de'
    >>> print(detect_language("42"))
    None
    """
    if not isinstance(text, str):
        raise InputError(f"the text must be a str, not {type(text).__name__}")
    sample = text[:_LOOKED_AT].encode("utf-8", "ignore")
    code, probability = _load().classify(sample)
    if probability < _LEAST_SURE or code in _NO_LANGUAGE:
        return None
    return find_language(code).code


def wants_detection(language: object) -> bool:
    """Whether a setting `language` of a call on many texts is "auto"; else it must be None."""
    if language is not None and not is_one_of(language, ("auto",)):
        raise InputError(
            f"language must be 'auto' or None, not {show_value(language)}; Rouge(language=…)"
        )
    return language is not None


def check_detection() -> None:
    """Raise MissingExtraError if no language can be detected here."""
    from importlib.util import find_spec

    if find_spec("py3langid") is None:
        raise MissingExtraError("language 'auto'", "languages")


def detection_setting() -> str:
    """What the signature says if the language was detected."""
    return f"py3langid-{package_version('py3langid')}"


@cache
def _load() -> Any:
    check_detection()
    with importing():  # numpy, interrupted half-way, could not be loaded again
        from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
