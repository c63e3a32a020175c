"""A document and its references as the caller gave them, checked before anything is computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from ..errors import InputError

__all__ = ["Reference", "check_references", "check_sentences"]

Reference = str | Sequence[str]

_T = TypeVar("_T")


def check_sentences(sentences: Iterable[str]) -> list[str]:
    """The document as a list of str, or an error that names the first thing wrong with it."""
    if isinstance(sentences, str):
        raise InputError(
            "sentences must be a list of str, not one str: split the text into sentences first"
        )
    checked = _list("sentences", sentences)
    if not checked:
        raise InputError("the document is empty: sentences must hold at least one str")
    for i, sentence in enumerate(checked):
        if not isinstance(sentence, str):
            raise InputError(f"sentence {i} must be a str, not {type(sentence).__name__}")
    return checked


def check_references(references: Iterable[Reference]) -> list[Reference]:
    """The references, each a str or a list of str, or an error that names what is wrong."""
    if isinstance(references, str):
        raise InputError("references must be a list of references, not one str: pass [reference]")
    checked: list[Reference] = []
    for k, reference in enumerate(_list("references", references)):
        if isinstance(reference, str):
            checked.append(reference)
            continue
        if isinstance(reference, bytes) or not isinstance(reference, Iterable):
            raise InputError(
                f"reference {k} must be a str or a list of str, not {type(reference).__name__}"
            )
        parts = list(reference)
        for i, part in enumerate(parts):
            if not isinstance(part, str):
                raise InputError(
                    f"reference {k}: sentence {i} must be a str, not {type(part).__name__}"
                )
        checked.append(parts)
    if not checked:
        raise InputError("there is no reference: references must hold at least one")
    return checked


def _list(name: str, values: Iterable[_T]) -> list[_T]:
    if isinstance(values, bytes | dict) or not isinstance(values, Iterable):
        raise InputError(f"{name} must be a list, not {type(values).__name__}")
    return list(values)
