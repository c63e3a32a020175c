"""What is asked of every document of a corpus, and the signature of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from typing import Any, Literal

from .. import _kernel
from ..errors import InputError
from ..instances.build import sign_problem
from ..instances.limits import Limits
from ..oracles.bounds import MOST_BYTES
from ..oracles.options import Options
from ..oracles.solve import sign_family
from ..rouge import Rouge
from ..signature import extend_signature
from ..text import splitter_setting

__all__ = ["Task"]

_LARGEST = 2**62  # beyond any text; the kernel counts in 64 bits


@dataclass(frozen=True, kw_only=True)
class Task:
    """The settings of one run over a corpus."""

    rouge: Rouge
    own_language: bool = True  # a record's `language` wins over that of `rouge`
    limits: Limits
    options: Options
    references: Literal["multi", "single"] = "multi"
    method: str = "search"
    seconds: bool = False  # records say how long they took, and differ from run to run

    def __post_init__(self) -> None:
        if self.references not in ("multi", "single"):
            raise InputError(f"references must be 'multi' or 'single', not {self.references!r}")

    def rouge_for(self, language: str | None) -> Rouge:
        """The measure for a record in `language`. Raises InputError for an unknown one."""
        if not self.own_language or language is None or language == self.rouge.language:
            return self.rouge
        if self.rouge.tokenizer is not None:
            return self.rouge
        return _translate(self.rouge, language)

    def sign(self, rouge: Rouge, *, was_split: bool) -> str:
        """The signature of an answer."""
        if rouge is self.rouge and not was_split:
            return self._signature
        return _sign(rouge, self.limits, self.options, was_split)

    @cached_property
    def _signature(self) -> str:
        """That of nearly all answers, made once."""
        return _sign(self.rouge, self.limits, self.options, False)

    @cached_property
    def is_native(self) -> bool:
        """Whether the kernel can answer whole batches of English text."""
        return (
            self.method == "search"
            and self.rouge.plain
            and self.limits.simple
            and not self.options.within
            and not self.options.top
        )

    @cached_property
    def native(self) -> _kernel.DocumentSettings:
        """The same for the kernel."""
        options = self.options
        return _kernel.DocumentSettings(
            self.rouge.size,
            self.rouge.stem,
            self.rouge.remove_stopwords,
            _clip(self.limits.max_words),
            _clip(self.limits.max_sentences),
            _clip(self.limits.max_bytes),
            options.within_hits,
            options.family == "minimal",
            options.max_list,
            options.threads,
            options.time_limit,
            MOST_BYTES,
        )

    def __getstate__(self) -> dict[str, Any]:
        # What the kernel was told is told anew in another process.
        return {key: value for key, value in vars(self).items() if key != "native"}

    @property
    def counts_nodes(self) -> bool:
        """Whether `checked` is written: with several threads it would differ from run to run."""
        return self.options.threads == 1

    def describe(self) -> dict[str, Any]:
        """Every setting that moves what is written, as JSON; of threads, whether there is one."""
        options = asdict(self.options)
        del options["threads"]
        options["within"] = str(self.options.within)  # JSON has no fractions
        return {
            "signature": self.sign(self.rouge, was_split=False),
            "language": "of each record" if self.own_language else self.rouge.language,
            "references": self.references,
            "method": self.method,
            "checked": self.counts_nodes,
            "seconds": self.seconds,
            **options,
        }


def _clip(limit: int | None) -> int | None:
    return None if limit is None else min(limit, _LARGEST)


@cache
def _translate(rouge: Rouge, language: str) -> Rouge:
    return replace(rouge, language=language)


@cache
def _sign(rouge: Rouge, limits: Limits, options: Options, was_split: bool) -> str:
    signature = sign_family(sign_problem(rouge, limits), options)
    return extend_signature(signature, splitter_setting()) if was_split else signature
