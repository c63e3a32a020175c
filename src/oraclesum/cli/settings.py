"""What the options of a run say, in one record; its fields are named as the long options."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

from ..errors import InputError
from ..frozen import dataclass
from ..message import Message

if TYPE_CHECKING:
    from ..answers import EnumerationTask
    from ..corpora import Reading
    from ..instances.limits import Limits
    from ..labels import LabelSettings
    from ..labels.task import LabelTask
    from ..oracles.options import Options
    from ..rouge import Rouge
    from ..text import Preparation

__all__ = ["LIMITS", "Settings"]

LIMITS = ("max_words", "max_sentences", "max_bytes", "min_words", "min_sentences")
"""The settings that are length limits."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of one run; what a verb does not offer keeps its default."""

    rouge: int | None = None  # recall of so long n-grams
    objective: str | None = None  # instead
    usual: str = "r2-recall"  # if neither is given
    # None: as a preset has it, else as `Rouge` has it
    boundaries: Literal["within", "across"] | None = None
    counting: Literal["clipped", "sets"] | None = None
    multi_reference: Literal["pooled", "best"] | None = None
    stem: bool | None = None
    remove_stopwords: bool | None = None
    tokens: str | None = None
    language: str | None = None  # None: each record's own, else English; "auto": else detected
    max_words: int | None = None
    max_sentences: int | None = None
    max_bytes: int | None = None
    min_words: int | None = None
    min_sentences: int | None = None
    required: tuple[int, ...] = ()  # sentences of every record
    forbidden: tuple[int, ...] = ()
    references: Literal["multi", "single"] = "multi"
    method: str = "search"
    methods: tuple[str, ...] = ()
    clock_per_method: bool = False  # else the time limit is for all of a case
    list: int = 1000
    seconds: bool = False  # in the records of enumerate
    time_limit: float | None = None
    family: str | None = None  # None: "all"; of labels, "minimal" for recall
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
    statistics: tuple[str, ...] = ("recall",)  # of them
    stop_words: Literal["paper", "both"] = "paper"
    only: tuple[str, ...] = ()  # correlate: these systems
    without: tuple[str, ...] = ()  # and not these
    human: str | None = None
    resamples: int = 1000
    choose: str = "first"  # labels: the oracle of the hard ones
    temperature: float | None = None
    to: str = "jsonl"  # labels: the shape of the output
    format: str = "auto"  # of the input
    split: str | None = None
    clean: str | None = None
    also: tuple[str, ...] = ()  # further folders or archives of the same corpus
    reference_length: str | None = None
    task: str = "multi"
    record_bytes: int = 256 << 20  # longest line, or file that is read whole
    columns: str | None = None  # which column of the input has what

    @property
    def one_language(self) -> str | None:
        """The language of all records, if they have one."""
        return None if self.language == "auto" else self.language

    def make_rouge(self, language: str | None = None, *, detected: bool = False) -> Rouge:
        """The measure for a record in `language`; --language wins if it was given."""
        if language is None or self.one_language is not None:
            return self._rouge
        return self._rouge.in_language(language, detected=detected)

    @cached_property
    def _rouge(self) -> Rouge:
        """The measure for a record that names no language."""
        usual = self.usual if self.rouge is None else f"r{self.rouge}-recall"
        given = {
            "boundaries": self.boundaries,
            "counting": self.counting,
            "multi_reference": self.multi_reference,
            "stem": self.stem,
            "remove_stopwords": self.remove_stopwords,
            "tokenizer": self.tokens,
            "language": self.one_language,
        }
        known = tuple((name, value) for name, value in given.items() if value is not None)
        objective = usual if self.objective is None else self.objective
        return _make_rouge(objective, known)

    def make_limits(self, *, needed: bool | None = None) -> Limits:
        """The length limits; an InputError if there is none and the objective needs one."""
        rouge = self.make_rouge()
        given = {name: getattr(self, name) for name in LIMITS if getattr(self, name) is not None}
        needed = rouge.needs_limit if needed is None else needed
        chosen = {"required": self.required, "forbidden": self.forbidden}
        return _make_limits(tuple({**(given or rouge.limits), **chosen}.items()), needed)

    def make_options(self) -> Options:
        """How the methods run."""
        from ..oracles.options import Options

        return Options(
            time_limit=self.time_limit,
            max_list=self.list,
            family=self.family or self._usual_family,
            within_hits=self.within_hits,
            within=self.within,  # type: ignore[arg-type]  # read and checked there
            top=self.top,
            threads=self.threads,
            seed=self.seed,
        )

    @property
    def _usual_family(self) -> str:
        from ..labels.label import DEFAULT_OBJECTIVE, choose_family

        return choose_family(self.make_rouge()) if self.usual == DEFAULT_OBJECTIVE else "all"

    def make_reading(self) -> Reading:
        """How the input is read."""
        from ..corpora import Reading
        from ..corpora.columns import check_columns
        from ..text import split_sentences

        return Reading(
            format=self.format,
            also=self.also,
            length=self.reference_length,
            task=self.task,
            split=partial(split_sentences, language=self.one_language or "en", split=self.split),
            record_bytes=self.record_bytes,
            columns=check_columns(self.columns),
        )

    @cached_property
    def preparation(self) -> Preparation:
        """What is done to text before it is scored."""
        from ..text import Preparation

        return Preparation(split=self.split, clean=self.clean, detect=self.language == "auto")

    def make_enumeration(self) -> EnumerationTask:
        """What `enumerate` asks of every record."""
        from ..answers import EnumerationTask

        return EnumerationTask(
            rouge=self.make_rouge(),
            own_language=self.one_language is None,
            limits=self.make_limits(),
            options=self.make_options(),
            references=self.references,
            method=self.method,
            preparation=self.preparation,
            seconds=self.seconds,
        )

    @cached_property
    def enumeration(self) -> EnumerationTask:
        """The same, made once."""
        return self.make_enumeration()

    def make_label_settings(self) -> LabelSettings:
        """Which oracle gives the hard labels, which sets the soft ones."""
        from ..labels.settings import LabelSettings

        return LabelSettings(
            choose=self.choose,
            max_list=self.list,
            within_hits=self.within_hits,
            within=self.within,
            top=self.top,
            temperature=self.temperature,
            seed=self.seed,
        )

    def make_labelling(self) -> LabelTask:
        """What `labels` asks of every record."""
        from ..labels.settings import plain_options
        from ..labels.task import LabelTask

        enumeration = self.make_enumeration()
        return LabelTask(
            enumeration=replace(enumeration, options=plain_options(enumeration.options)),
            settings=self.make_label_settings(),
            shape=self.to,
        )

    def check(self, *, needs_limit: bool) -> None:
        """Raise an InputError now, before any record is read, if the settings cannot be used."""
        from ..oracles.options import refuse_hits

        if self.rouge is not None and self.objective is not None:
            raise InputError(
                Message("{n} and {objective} are two ways to say what is maximised: give one")
            )
        refuse_hits(self.make_options(), self.make_rouge())
        if self.split is not None or self.clean is not None or self.language == "auto":
            _ = self.preparation
        if needs_limit and self.make_limits().endless and self.systems:
            raise InputError(
                Message(
                    "our own systems take sentences until a limit is reached: set {max_words}, "
                    "{max_sentences} or {max_bytes}"
                )
            )


@cache
def _make_rouge(objective: str, given: tuple[tuple[str, Any], ...]) -> Rouge:
    from ..rouge import Rouge

    return Rouge(objective, **dict(given))


@cache
def _make_limits(given: tuple[tuple[str, Any], ...], needed: bool) -> Limits:
    from ..instances.limits import Limits

    return Limits(**dict(given), needed=needed)
