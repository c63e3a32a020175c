"""ROUGE-n of a summary against references, in integer counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from .. import _kernel
from ..errors import InputError
from ..frozen import dataclass
from ..given import check_choice
from ..message import show_value
from ..signature import extend_signature, join_signature
from ..text import Numbering
from .rouge import Rouge, check_rouge
from .texts import Reference, check_references, check_sentences, warn_no_tokens

if TYPE_CHECKING:
    from ..card import Card

__all__ = ["Aggregate", "Printed", "RougeScore", "score", "score_summaries"]

Aggregate = Literal["average", "best"]


class Printed(NamedTuple):
    """Recall, precision and F as ROUGE-1.5.5 prints them."""

    recall: str
    precision: str
    f1: str


@dataclass(frozen=True, kw_only=True)
class RougeScore:
    """Counts of one score, and the ratios made of them.

    With several references and "average" (`-f A`), `summary_total` counts the summary once per
    reference.
    """

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
        from .objective import name_signed

        return Card(
            kind="ROUGE, as ROUGE-1.5.5 counts",
            value=f"{name_signed(self.signature)} {self.recall:.5f}",
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

    Parameters
    ----------
    summary
        A str, or a list of str sentences.
    references
        The reference summaries, a list; each is a str or a list of str sentences.
    rouge
        Length of the n-grams and the text analysis. Default: `Rouge(n=2)`. Nothing else of it
        counts here: of an objective such as "rl-f1" or "r2-f1+rl-f1", the n of the first term.
    aggregate
        "average" (default) adds the counts of all references up (`-f A`); "best" takes the
        reference with the highest recall (`-f B`; compared as printed, the first of equals).
    across_sentences, references_across_sentences
        Whether n-grams of the summary, of the references, run across sentences. Default True. With
        the first False, hits and recall are those that recall oracles maximise.

    Returns
    -------
    RougeScore
        `hits`, `reference_total`, `summary_total`, `recall`, `precision`, `f1`. A text without a
        token scores 0, with a NoTokensWarning.

    Raises
    ------
    InputError
        If a text or a setting cannot be used.

    Examples
    --------
    >>> found = score(["The cat sat."], ["The cat sat on the mat."], Rouge(n=1))
    >>> found.hits, found.recall, found.precision
    (3, 0.5, 1.0)
    """
    rouge = check_rouge(Rouge() if rouge is None else rouge)
    for boundary in (across_sentences, references_across_sentences):
        if not isinstance(boundary, bool):
            raise InputError(
                f"across sentences or not must be True or False, not {show_value(boundary)}"
            )
    check_choice("aggregate", aggregate, ("average", "best"))
    texts = [summary] if isinstance(summary, str) else check_sentences(summary, "summary")
    models = check_references(references)
    ((counts,),) = _match([texts], models, rouge, [across_sentences], references_across_sentences)
    _warn_of_emptiness([(texts, counts)], models, rouge)
    signature = _sign(rouge, references_across_sentences, across_sentences, aggregate)
    return _aggregate(counts, aggregate, signature)


def score_summaries(
    summaries: Sequence[Sequence[str]], references: Sequence[Reference], rouge: Rouge
) -> list[tuple[RougeScore, RougeScore]]:
    """For each summary, `score` across its sentences and inside them; all texts analysed once."""
    check_rouge(rouge)
    texts = [check_sentences(summary, "summary") for summary in summaries]
    models = check_references(references)
    found = _match(texts, models, rouge, [True, False], True)
    _warn_of_emptiness(
        [(text, across) for text, (across, _) in zip(texts, found, strict=True)], models, rouge
    )
    signatures = [_sign(rouge, True, across, "average") for across in (True, False)]
    return [
        (
            _aggregate(across, "average", signatures[0]),
            _aggregate(inside, "average", signatures[1]),
        )
        for across, inside in found
    ]


# The n-grams of a summary, and for each reference the hits and the reference's n-grams.
_Counts = tuple[int, list[tuple[int, int]]]


def _match(
    summaries: list[list[str]],
    models: list[list[str]],
    rouge: Rouge,
    summary_across: list[bool],
    references_across: bool,
) -> list[list[_Counts]]:
    """The counts of each summary under each choice of `summary_across`."""
    if rouge.analyser.rules is not None:
        return _kernel.match_texts(
            summaries,
            models,
            rouge.size,
            rouge.analyser.rules,
            rouge.stem,
            rouge.remove_stopwords,
            summary_across,
            references_across,
        )
    numbering = Numbering()
    references = [_runs(model, rouge, numbering) for model in models]
    if references_across:
        references = [_join(runs) for runs in references]
    inside = [_runs(summary, rouge, numbering) for summary in summaries]
    return [
        [
            _kernel.match_words(_join(runs) if across else runs, references, rouge.size)
            for across in summary_across
        ]
        for runs in inside
    ]


def _aggregate(counts: _Counts, aggregate: Aggregate, signature: str) -> RougeScore:
    summary_count, matches = counts
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


def _sign(rouge: Rouge, references_across: bool, summary_across: bool, aggregate: Aggregate) -> str:
    where = {True: "across", False: "within"}
    ngrams = f"reference-{where[references_across]},summary-{where[summary_across]}"
    # Whatever the objective maximises, n-grams are counted here, clipped.
    counted = join_signature([("rouge", str(rouge.size)), *rouge.analyser.settings])
    return extend_signature(counted, ("ngrams", ngrams), ("references", aggregate))


def _runs(sentences: list[str], rouge: Rouge, numbering: Numbering) -> list[list[int]]:
    return [numbering.number(tokens) for tokens in rouge.analyser.tokens_of(sentences)]


def _join(runs: list[list[int]]) -> list[list[int]]:
    return [[word for run in runs for word in run]]


def _warn_of_emptiness(
    scored: Sequence[tuple[list[str], _Counts]], models: list[list[str]], rouge: Rouge
) -> None:
    for text, (count, _) in scored:
        if count == 0:
            _warn_if_empty("the summary", text, rouge)
    for k, (_, total) in enumerate(scored[0][1][1] if scored else ()):
        if total == 0:
            _warn_if_empty(f"reference {k}", models[k], rouge)


def _warn_if_empty(what: str, text: list[str], rouge: Rouge) -> None:
    # A text may also lack n-grams because it has fewer than n words, which needs no warning.
    if not any(rouge.analyser.count_tokens(text)):
        warn_no_tokens(what, text, rouge.analyser)
