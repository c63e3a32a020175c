"""Splitting running text into sentences, by sentencex."""

from __future__ import annotations

from ..errors import InputError
from ..signature import package_version
from .languages import find_language

__all__ = ["split_sentences", "splitter_setting"]


def splitter_setting() -> tuple[str, str]:
    """What the signature says where sentences were split by `split_sentences`."""
    return "split", f"sentencex-{package_version('sentencex')}"


def split_sentences(text: str, language: str = "en") -> list[str]:
    """The sentences of a text, trimmed, none empty; an empty line ends a sentence.

    Parameters
    ----------
    text
        Running text.
    language
        ISO code or English name. Default "en".

    Returns
    -------
    list of str

    Raises
    ------
    InputError
        If the text is not a str, or the language is not known.

    Examples
    --------
    >>> split_sentences("It rained. Dr. Smith stayed at home.")
    ['It rained.', 'Dr. Smith stayed at home.']
    """
    if not isinstance(text, str):
        raise InputError(f"the text to split must be a str, not {type(text).__name__}")
    code = find_language(language).code
    import sentencex

    try:
        pieces = [piece.strip() for piece in sentencex.segment(code, text)]
    except UnicodeEncodeError as error:
        raise InputError(f"the text to split is not valid Unicode: {error}") from error
    return [piece for piece in pieces if piece]
