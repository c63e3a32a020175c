"""ROUGE-n of a summary against references, in integer counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from .. import _kernel
from ..errors import InputError
from ..signature import extend_signature
from ..text import Numbering
from .rouge import Rouge, check_rouge
from .texts import Reference, check_references, check_sentences, warn_no_tokens

if TYPE_CHECKING:
    from ..card import Card

__all__ = ["Aggregate", "Printed", "RougeScore", "score"]

Aggregate = Literal["average", "best"]


class Printed(NamedTuple):
    """Recall, precision and F as ROUGE-1.5.5 prints them."""

    recall: str
    precision: str
    f1: str


@dataclass(frozen=True, kw_only=True)
class RougeScore:
    """Counts of one score; with `-f A`, `summary_total` counts the summary once per reference."""

    hits: int
    reference_total: int
    summary_total: int
    signature: str = ""

    @property
    def recall(self) -> float:
        """hits / reference_total, 0 where there is no n-gram."""
        return _divide(self.hits, self.reference_total)

    @property
    def precision(self) -> float:
        """hits / summary_total, 0 where there is no n-gram."""
        return _divide(self.hits, self.summary_total)

    @property
    def f1(self) -> float:
        """Harmonic mean of recall and precision, from the exact counts."""
        return _divide(2 * self.hits, self.reference_total + self.summary_total)

    def as_printed(self) -> Printed:
        """Five decimals, F from the rounded recall and precision, as the original prints it."""
        recall, precision = f"{self.recall:.5f}", f"{self.precision:.5f}"
        r, p = float(recall), float(precision)
        middle = 0.5 * p + 0.5 * r
        return Printed(recall, precision, f"{p * r / middle if middle > 0 else 0.0:.5f}")

    def _repr_html_(self) -> str | None:
        from ..card import draw_safely

        return draw_safely(self._draw_card)

    def _draw_card(self) -> Card:
        from ..card import Card

        return Card(
            kind="ROUGE, as ROUGE-1.5.5 counts",
            value=f"{self.recall:.5f}",
            note="recall",
            facts=[
                ("precision", f"{self.precision:.5f}"),
                ("F1", f"{self.f1:.5f}"),
                ("hits", f"{self.hits:,} of {self.reference_total:,}"),
                ("summary has", f"{self.summary_total:,}"),
            ],
            signature=self.signature,
        )


def score(
    summary: str | Sequence[str],
    references: Sequence[Reference],
    rouge: Rouge | None = None,
    *,
    aggregate: Aggregate = "average",
    across_sentences: bool = True,
    references_across_sentences: bool = True,
) -> RougeScore:
    """ROUGE-n of a summary, equal to ROUGE-1.5.5 in every count.

    `aggregate`: "average" adds the counts of all references up (`-f A`); "best" takes the
    reference with the highest recall (`-f B`; compared as printed, the first of equals).
    `across_sentences`, `references_across_sentences`: whether n-grams of the summary, of the
    references, run across sentences. With the first False, hits and recall are those that the
    oracles maximise.
    A text without a token scores 0, with a NoTokensWarning.
    """
    rouge = check_rouge(Rouge() if rouge is None else rouge)
    for boundary in (across_sentences, references_across_sentences):
        if not isinstance(boundary, bool):
            raise InputError(f"across sentences or not must be True or False, not {boundary!r}")
    if aggregate not in ("average", "best"):
        raise InputError(f"aggregate must be 'average' or 'best', not {aggregate!r}")
    held = [summary] if isinstance(summary, str) else check_sentences(summary, "summary")
    models = check_references(references)
    if rouge.analyser.native:
        summary_count, matches = _kernel.match_texts(
            held,
            models,
            rouge.size,
            rouge.stem,
            rouge.remove_stopwords,
            across_sentences,
            references_across_sentences,
        )
    else:
        numbering = Numbering()
        summary_count, matches = _kernel.match_words(
            _runs(held, rouge, numbering, across_sentences),
            [_runs(model, rouge, numbering, references_across_sentences) for model in models],
            rouge.size,
        )
    if summary_count == 0:
        _warn_if_empty("the summary", held, rouge)
    for k, (_, total) in enumerate(matches):
        if total == 0:
            _warn_if_empty(f"reference {k}", models[k], rouge)
    signature = extend_signature(
        rouge.signature,
        ("ngrams", _describe(references_across_sentences, across_sentences)),
        ("references", aggregate),
    )
    if aggregate == "best":
        hits, total = max(matches, key=lambda pair: float(f"{_divide(*pair):.5f}"))
        return RougeScore(
            hits=hits, reference_total=total, summary_total=summary_count, signature=signature
        )
    return RougeScore(
        hits=sum(hits for hits, _ in matches),
        reference_total=sum(total for _, total in matches),
        summary_total=summary_count * len(matches),
        signature=signature,
    )


def _divide(hits: int, total: int) -> float:
    return hits / total if total else 0.0


def _describe(references_across: bool, summary_across: bool) -> str:
    where = {True: "across", False: "within"}
    return f"reference-{where[references_across]},summary-{where[summary_across]}"


def _runs(
    sentences: list[str], rouge: Rouge, numbering: Numbering, across: bool
) -> list[list[int]]:
    runs = [numbering.number(tokens) for tokens in rouge.analyser.tokens_of(sentences)]
    return [[word for run in runs for word in run]] if across else runs


def _warn_if_empty(what: str, text: list[str], rouge: Rouge) -> None:
    # A text may also lack n-grams because it has fewer than n words, which needs no warning.
    if not any(rouge.analyser.count_tokens(text)):
        warn_no_tokens(what, text, rouge.analyser, stacklevel=3)
