"""The numbers that rouge_score and ROUGE-1.5.5 print: ROUGE-1, -2, -L and -Lsum of any summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import _kernel
from ..errors import InputError
from ..frozen import dataclass
from ..message import Message
from ..text import Analyser, Numbering
from .score import RougeScore
from .texts import Reference, check_references, check_sentences

__all__ = ["STATISTICS", "STYLES", "PrintedScorer", "Style", "split_lines"]


@dataclass(frozen=True, kw_only=True)
class Style:
    """How a program counts: whose tokens, and what several references mean."""

    tokenizer: str
    pooled: bool  # counts of all references added up; else the reference with the best F1
    words: str


STYLES: Mapping[str, Style] = {
    "rouge-score": Style(
        tokenizer="rouge-score",
        pooled=False,
        words="rouge_score, use_stemmer=True; the best of several references",
    ),
    "rouge-1.5.5": Style(
        tokenizer="rouge-1.5.5", pooled=True, words="ROUGE-1.5.5, -m -f A; references pooled"
    ),
}
"""The programs by name."""

# Each statistic as the kernel's term: kind, n, weight, and r, s of recall.
_TERMS = {
    "r1": (0, 1, 1, 1, 0),
    "r2": (0, 2, 1, 1, 0),
    "rl": (1, 1, 1, 1, 0),
    "rlsum": (2, 1, 1, 1, 0),
}
_NO_LIMITS = _kernel.QuestionLimits(None, None, 0)  # Ctrl-C ends a count all the same
STATISTICS = tuple(_TERMS)
"""ROUGE-1, ROUGE-2, the longest common subsequence of the whole texts (`rougeL` of rouge_score),
and its union over sentences (`rougeLsum`, and what ROUGE-1.5.5 calls ROUGE-L)."""


class PrintedScorer:
    """Scores of extracts of one document: texts are analysed once, then any set is counted.

    Parameters
    ----------
    sentences
        The document, or the sentences of one summary.
    references
        The reference summaries; a str has a line per sentence.
    style
        "rouge-score" or "rouge-1.5.5".
    stem
        Whether words are stemmed, each program by its own stemmer. Default True.
    analyser
        Other rules for tokens than the program's, e.g. of another language. Default: none.

    Examples
    --------
    >>> scorer = PrintedScorer(["The cat sat.", "Dogs bark."], ["The cat sat on a mat."])
    >>> scores = scorer.score([0])
    >>> scores["r1"].recall, scores["r2"].precision, scores["rlsum"].hits
    (0.5, 1.0, 3)
    """

    def __init__(
        self,
        sentences: Sequence[str],
        references: Sequence[Reference],
        style: str = "rouge-score",
        *,
        stem: bool = True,
        analyser: Analyser | None = None,
    ) -> None:
        if style not in STYLES:
            raise InputError(
                Message(
                    "{style} must be {known}, not {x}", known=" or ".join(STYLES), x=repr(style)
                )
            )
        self.style = STYLES[style]
        texts = check_sentences(sentences, "sentences")
        models = [
            split_lines(model[0]) if isinstance(given, str) else model
            for given, model in zip(references, check_references(references), strict=True)
        ]
        if analyser is None:
            analyser = Analyser(tokenizer=self.style.tokenizer, stem=stem)
        numbering = Numbering()
        self.words = [numbering.number(tokens) for tokens in analyser.tokens_of(texts)]
        numbers = [
            [numbering.number(part) for part in analyser.tokens_of(model)] for model in models
        ]
        self._groups = [numbers] if self.style.pooled else [[one] for one in numbers]
        terms = list(_TERMS.values())
        self._measures = [
            _kernel.Measure(self.words, group, terms, True, False, False) for group in self._groups
        ]

    def score(
        self,
        selected: Sequence[int] | None = None,
        limits: _kernel.QuestionLimits = _NO_LIMITS,
    ) -> dict[str, RougeScore]:
        """The scores of a set of sentences in document order; None: of all of them.

        Raises _kernel.Stopped at one of the `limits`; by default there are none.
        """
        chosen = list(range(len(self.words))) if selected is None else sorted(selected)
        found: dict[str, list[RougeScore]] = {name: [] for name in STATISTICS}
        for measure, group in zip(self._measures, self._groups, strict=True):
            (tallies,) = measure.count([chosen], limits)
            for name, total, (hits, size) in zip(STATISTICS, measure.totals, tallies, strict=True):
                found[name].append(
                    RougeScore(hits=hits, reference_total=total, summary_total=size * len(group))
                )
        return {name: max(each, key=_rank) for name, each in found.items()}


def _rank(score: RougeScore) -> float:
    """F1 as rouge_score rounds it, which decides between references that are equally good."""
    precision, recall = score.precision, score.recall
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def split_lines(text: str) -> list[str]:
    """A reference as text: a line is a sentence, as rouge_score takes it."""
    return [line for line in text.split("\n") if line.strip()] or [text]
