"""Sentences and references as an integer problem: references as gains, sentences as sparse rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .. import _kernel
from ..errors import InputError
from ..message import Message, show_value
from ..rouge import Rouge, check_references, check_rouge, check_sentences, warn_no_tokens
from ..rouge.objective import write_objective
from ..signature import extend_signature
from ..text import Numbering, explain_no_tokens
from .checks import check_text
from .instance import Instance
from .limits import Limits

__all__ = ["build_instance", "explain_no_ngram", "sign_problem"]

_PLAIN = {
    "counting": "clipped",
    "multi_reference": "pooled",
    "boundaries": "within",
    "reference_boundaries": "across",
}


def build_instance(
    sentences: Sequence[str],
    references: Sequence[str | Sequence[str]],
    rouge: Rouge,
    limits: Limits,
    *,
    id: str = "",
) -> Instance:
    """The best recall of an extract under `limits` as a problem in integers.

    A reference's n-grams run across its sentences, so that `total` is ROUGE's denominator; a
    summary's n-grams stay inside a sentence, so that hits add up (Eq. 1).

    Parameters
    ----------
    sentences, references
        As for `enumerate_oracles`.
    rouge
        Recall of n-grams of one length, as `Rouge(n=2)` has it, and the text analysis.
    limits
        Upper limits of words, sentences, bytes or costs.
    id
        A name for messages. Default: none.

    Returns
    -------
    Instance

    Raises
    ------
    InputError
        If a text cannot be used, or no reference has an n-gram; if `rouge` or `limits` ask for
        what an instance does not have, which `enumerate_oracles` does.

    Examples
    --------
    >>> instance = build_instance(
    ...     ["A cat sat.", "A dog."], ["The cat sat."], Rouge(n=1), Limits(max_words=3)
    ... )
    >>> instance.total, instance.counts, instance.candidates
    (3, [[(1, 1), (2, 1)], []], (0,))
    """
    check_rouge(rouge)
    texts = check_sentences(sentences, "sentences")
    models = check_references(references)
    if not isinstance(limits, Limits):
        raise InputError(
            f"limits must be Limits, e.g. Limits(max_words=100), not {show_value(limits)}"
        )
    _refuse_others(rouge, limits)
    id = check_text("id", id)
    measured = limits.measure(texts)
    rows = [(row.budget, list(row.lengths)) for row in measured]
    try:
        native, total = _build(texts, models, rouge, rows)
    except (ValueError, OverflowError) as error:
        raise InputError(f"instance {id!r}: {error}") from error
    if total == 0:
        raise InputError(explain_no_ngram(models, rouge))
    if texts and not native.candidates and not any(rouge.analyser.count_tokens(texts)):
        warn_no_tokens("the document", texts, rouge.analyser)
    return Instance.from_native(
        native,
        total=total,
        units=tuple(row.unit for row in measured),
        id=id,
        signature=sign_problem(rouge, limits),
    )


def _refuse_others(rouge: Rouge, limits: Limits) -> None:
    """Raise InputError for settings that an instance would sign and not have."""
    if not rouge.plain:
        plain = {"objective": f"r{rouge.size}-recall", **_PLAIN}
        name = next(name for name, value in plain.items() if getattr(rouge, name) != value)
        raise InputError(
            f"an instance has no {name} {getattr(rouge, name)!r}, but recall of n-grams within "
            "sentences, clipped and pooled: use enumerate_oracles"
        )
    lower = ("min_words", "min_sentences", "required", "forbidden")
    if given := [name for name in lower if getattr(limits, name)]:
        raise InputError(
            f"an instance has upper limits only, and no {given[0]}: use enumerate_oracles"
        )
    if limits.endless:
        raise InputError("an instance needs an upper limit, e.g. Limits(max_words=100)")


def _build(
    sentences: list[str],
    models: list[list[str]],
    rouge: Rouge,
    rows: list[tuple[int, list[int]]],
) -> tuple[_kernel.Instance, int]:
    if rouge.analyser.rules is not None:
        return _kernel.build_from_texts(
            sentences,
            models,
            rouge.size,
            rouge.analyser.rules,
            rouge.stem,
            rouge.remove_stopwords,
            rows,
        )
    numbering = Numbering()
    tokens = rouge.analyser.tokens_of
    references = [
        numbering.number(token for sentence in tokens(model) for token in sentence)
        for model in models
    ]
    words = [numbering.number(sentence) for sentence in tokens(sentences)]
    return _kernel.build_from_words(words, references, rouge.size, rows)


def explain_no_ngram(models: list[list[str]], rouge: Rouge, *, within: bool = False) -> Message:
    """Why references hold no n-gram of the length that is maximised, and what to do.

    `within` says that n-grams stay within the sentences of a reference.
    """
    lengths = [list(rouge.analyser.count_tokens(model)) for model in models]
    words = max(max(row, default=0) if within else sum(row) for row in lengths)
    if words:
        return Message(
            "the references hold no {length}-gram: {longest} has {words}; {advice}",
            length=max(term.n for term in rouge.terms),
            longest="their longest sentence" if within else "the longest",
            words="1 word" if words == 1 else f"{words} words",
            advice=_advise_shorter(rouge, words),
        )
    fullest = max(models, key=lambda model: sum(len(sentence) for sentence in model))
    name = "the reference" if len(models) == 1 else f"each of the {len(models)} references"
    return Message(
        "{name} {reason}", name=name, reason=explain_no_tokens(" ".join(fullest), rouge.analyser)
    )


def _advise_shorter(rouge: Rouge, words: int) -> Message:
    """What to maximise if no reference has more than so many words."""
    if rouge.plain:
        choice = "1" if words == 1 else f"{words} or less"
        return Message("set {n} to {choice}", choice=choice)
    short = [term for term in rouge.terms if term.n <= words]
    if short:
        kept = write_objective(tuple(short))
        return Message("leave the longer n-grams out of {objective}: {kept}", kept=repr(kept))
    term = replace(rouge.terms[0], n=words)
    return Message("set {objective} to {shorter}", shorter=repr(str(term)))


def sign_problem(rouge: Rouge, limits: Limits) -> str:
    """The signature of every instance under these settings."""
    reference = "across" if rouge.plain else rouge.reference_boundaries
    summary = "within" if rouge.plain else rouge.boundaries
    return extend_signature(
        rouge.signature,
        ("ngrams", f"reference-{reference},summary-{summary}"),
        ("limit", limits.describe()),
    )
