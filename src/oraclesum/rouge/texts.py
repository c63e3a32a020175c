"""Checks of texts as users hand them in, and warnings about those that have no tokens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from ..errors import InputError, NoTokensWarning
from ..message import Message
from ..notices import warn
from ..text import Analyser, explain_no_tokens

__all__ = ["check_references", "check_sentences", "warn_no_tokens"]

Reference = str | Sequence[str]


def check_sentences(sentences: object, what: str) -> list[str]:
    """A list of str, or an InputError that says which entry is none."""
    sentences = _as_list(sentences)
    if isinstance(sentences, str | bytes) or not isinstance(sentences, Sequence):
        raise InputError(f"{what} must be a list of str, not {type(sentences).__name__}")
    # Quicker than a loop, and ends at the first that is no text: a range may have any number.
    if not all(map(isinstance, sentences, repeat(str))):
        i, wrong = next(pair for pair in enumerate(sentences) if not isinstance(pair[1], str))
        raise InputError(f"{what}: entry {i} must be a str, not {type(wrong).__name__}")
    return list(sentences)


def check_references(references: object) -> list[list[str]]:
    """A list of references, each as its list of sentences."""
    references = _as_list(references)
    if isinstance(references, str | bytes) or not isinstance(references, Sequence):
        raise InputError(
            f"references must be a list of references, not {type(references).__name__}; "
            "a single reference goes into a list of one"
        )
    if not references:
        raise InputError("references must hold at least one reference")
    checked = []
    for k, reference in enumerate(references):
        if isinstance(reference, str):
            checked.append([reference])
        else:
            checked.append(check_sentences(reference, f"reference {k}"))
    return checked


def _as_list(texts: object) -> object:
    """An array of numpy, pandas or pyarrow as a list; anything else as it is."""
    return texts.tolist() if hasattr(texts, "tolist") else texts


def warn_no_tokens(what: str, sentences: Sequence[str], analyser: Analyser) -> None:
    """Say that a text has no tokens, why, and what to set."""
    reason = explain_no_tokens(" ".join(sentences), analyser)
    warn(
        Message("{what} {reason}", what=what, reason=reason),
        NoTokensWarning,
    )
