"""What the options of a run say, in one record; its fields are named as the long options."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ..answers import Enumeration
    from ..corpora import Reading
    from ..instances.limits import Limits
    from ..oracles.options import Options
    from ..rouge import Rouge

__all__ = ["Settings"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of one run; what a verb does not offer keeps its default."""

    rouge: int = 2
    objective: str | None = None  # instead of recall of --rouge
    boundaries: Literal["within", "across"] = "within"
    counting: Literal["clipped", "sets"] = "clipped"
    multi_reference: Literal["pooled", "best"] = "pooled"
    stem: bool = True
    remove_stopwords: bool = False
    language: str | None = None  # None: each record's own, else English
    max_words: int | None = None
    max_sentences: int | None = None
    max_bytes: int | None = None
    min_words: int | None = None
    min_sentences: int | None = None
    references: Literal["multi", "single"] = "multi"
    method: str = "search"
    methods: tuple[str, ...] = ()
    list: int = 1000
    seconds: bool = False  # in the records of enumerate
    time_limit: float | None = None
    family: str = "all"
    within_hits: int = 0
    within: str = "0"
    top: int = 0
    threads: int = 1
    seed: int = 0
    aggregate: Literal["average", "best"] = "average"
    across_sentences: bool = True
    oracles: bool = True
    systems: tuple[str, ...] = ()  # our own, run beside those of the records
    threshold: float = 0.8
    draws: int = 100
    cut: bool = False
    measures: tuple[int, ...] = ()  # correlate: n of each ROUGE-n
    human: str | None = None
    resamples: int = 1000
    choose: str = "first"  # labels: the oracle of the hard ones
    temperature: float | None = None
    to: str = "jsonl"  # labels: the shape of the output
    format: str = "auto"  # of the input
    also: tuple[str, ...] = ()  # further folders or archives of the same corpus
    reference_length: str | None = None
    task: str = "multi"
    record_bytes: int = 256 << 20  # longest line, or file that is read whole

    def make_rouge(self, language: str | None = None) -> Rouge:
        """The measure for a record in `language`; --language wins if it was given."""
        return _make_rouge(
            f"r{self.rouge}-recall" if self.objective is None else self.objective,
            self.stem,
            self.remove_stopwords,
            (language or "en") if self.language is None else self.language,
            self.boundaries,
            self.counting,
            self.multi_reference,
        )

    def make_limits(self) -> Limits:
        """The length limits; an InputError if none was given."""
        from ..instances.limits import Limits

        return Limits(
            max_words=self.max_words,
            max_sentences=self.max_sentences,
            max_bytes=self.max_bytes,
            min_words=self.min_words,
            min_sentences=self.min_sentences,
            needed=self.make_rouge().needs_limit,
        )

    def make_options(self) -> Options:
        """How the methods run."""
        from ..oracles.options import Options

        return Options(
            time_limit=self.time_limit,
            max_list=self.list,
            family=self.family,
            within_hits=self.within_hits,
            within=self.within,  # type: ignore[arg-type]  # read and checked there
            top=self.top,
            threads=self.threads,
            seed=self.seed,
        )

    def make_reading(self) -> Reading:
        """How the input is read."""
        from ..corpora import Reading
        from ..text import split_sentences

        return Reading(
            format=self.format,
            also=self.also,
            length=self.reference_length,
            task=self.task,
            split=partial(split_sentences, language=self.language or "en"),
            record_bytes=self.record_bytes,
        )

    def make_enumeration(self) -> Enumeration:
        """What `enumerate` asks of every record."""
        from ..answers import Enumeration

        return Enumeration(
            rouge=self.make_rouge(),
            own_language=self.language is None,
            limits=self.make_limits(),
            options=self.make_options(),
            references=self.references,
            method=self.method,
            seconds=self.seconds,
        )

    def check(self, *, needs_limit: bool) -> None:
        """Raise an InputError now, before any record is read, if the settings cannot be used."""
        self.make_rouge()
        self.make_options()
        if needs_limit:
            self.make_limits()


@cache
def _make_rouge(
    objective: str,
    stem: bool,
    remove_stopwords: bool,
    language: str,
    boundaries: Literal["within", "across"],
    counting: Literal["clipped", "sets"],
    multi_reference: Literal["pooled", "best"],
) -> Rouge:
    from ..rouge import Rouge

    return Rouge(
        objective,
        stem=stem,
        remove_stopwords=remove_stopwords,
        language=language,
        boundaries=boundaries,
        counting=counting,
        multi_reference=multi_reference,
    )
