"""Length limits of a summary: words, sentences and bytes, alone or together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .. import _kernel
from ..errors import InputError
from ..frozen import dataclass
from ..given import check_indices, check_list
from ..message import Message, Setting, show_value
from ..rouge import check_sentences
from ..whole import as_whole

__all__ = ["LENGTHS", "Limit", "Limits", "count_bytes", "count_words", "split_words"]

LARGEST_COST = _kernel.ranges()["length"]
LENGTHS = ("max_words", "max_sentences", "max_bytes")  # how long a summary may be
_TOO_LONG = 10**1000  # any number is a limit, if signatures can show it
_UPPER = (*LENGTHS, "max_cost")
_LOWER = ("min_words", "min_sentences")
_UNITS = (
    ("max_words", "words", "<="),
    ("max_sentences", "sentences", "<="),
    ("max_bytes", "bytes", "<="),
    ("max_cost", "cost", "<="),
    ("min_words", "words", ">="),
    ("min_sentences", "sentences", ">="),
)
_SPACES = re.compile(r"[ \t\n\r\f\v]+")


def split_words(sentence: str) -> list[str]:
    """Words as ROUGE-1.5.5's -l takes them: Perl's split(/\\s+/), nothing cleaned.

    White space is ASCII's. Like Perl, a sentence that begins with white space has an empty first
    word, which ROUGE counts; empty words at the end vanish.
    """
    words = _SPACES.split(sentence)
    while words and not words[-1]:
        words.pop()
    return words


def count_words(sentence: str) -> int:
    """Number of words as ROUGE-1.5.5's -l counts them, an empty first one included."""
    return _kernel.count_words([sentence])[0]


def count_bytes(sentence: str) -> int:
    """UTF-8 bytes, as ROUGE-1.5.5's -b counts them."""
    return len(sentence.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, kw_only=True)
class Limit:
    """One budget row: `unit` names it, `lengths` has one entry per sentence."""

    unit: str
    budget: int
    lengths: tuple[int, ...]
    floor: int = 0


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits that a user asked for; all hold at once.

    Parameters
    ----------
    max_words, max_sentences, max_bytes
        At most so much of the document: words as ROUGE-1.5.5's -l counts them, sentences, bytes of
        UTF-8.
    min_words, min_sentences
        At least so much.
    max_cost, costs
        At most so much, by one whole number per sentence (say, tokens of a language model).
    required, forbidden
        Indices of sentences that every summary contains, and that none contains. Default: none.
    needed
        Whether an upper limit must be given: recall grows with every sentence. Default True.

    Examples
    --------
    >>> Limits(max_words=100, max_sentences=3).describe()
    'words<=100,sentences<=3'
    """

    max_words: int | None = None
    max_sentences: int | None = None
    max_bytes: int | None = None
    min_words: int | None = None
    min_sentences: int | None = None
    max_cost: int | None = None
    costs: Sequence[int] | None = None
    required: Sequence[int] = ()
    forbidden: Sequence[int] = ()
    needed: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.needed, bool):
            raise InputError(f"needed must be True or False, not {show_value(self.needed)}")
        given = [name for name in _UPPER if getattr(self, name) is not None]
        if self.needed and not given:
            raise InputError(
                Message("set a length limit: {max_words}, {max_sentences} or {max_bytes}")
            )
        for name in (*given, *(name for name in _LOWER if getattr(self, name) is not None)):
            number = as_whole(name, getattr(self, name))
            if number < 1:
                raise InputError(
                    Message("{name} must be at least 1, not {n}", name=Setting(name), n=number)
                )
            if number >= _TOO_LONG:
                raise InputError(
                    Message("{name} must have at most 1,000 digits", name=Setting(name))
                )
            object.__setattr__(self, name, number)
        for upper, lower in (("max_words", "min_words"), ("max_sentences", "min_sentences")):
            most, least = getattr(self, upper), getattr(self, lower)
            if most is not None and least is not None and most < least:
                raise InputError(
                    Message(
                        "{lower} {least} is above {upper} {most}",
                        lower=Setting(lower),
                        least=least,
                        upper=Setting(upper),
                        most=most,
                    )
                )
        if (self.max_cost is None) != (self.costs is None):
            raise InputError(
                Message("{max_cost} and {costs} go together: a limit, and a cost per sentence")
            )
        if self.costs is not None:
            every = check_list("costs", self.costs, "a list with a whole number per sentence")
            costs = tuple(as_whole(f"costs[{i}]", cost) for i, cost in enumerate(every))
            for i, cost in enumerate(costs):
                if not 0 <= cost <= LARGEST_COST:
                    raise InputError(
                        f"costs[{i}] must be from 0 to {LARGEST_COST}, not {show_value(cost)}"
                    )
            object.__setattr__(self, "costs", costs)
        for name in ("required", "forbidden"):
            given_indices = getattr(self, name)
            indices = [] if given_indices is None else check_indices(name, given_indices)
            object.__setattr__(self, name, tuple(sorted(set(indices))))
        if both := set(self.required) & set(self.forbidden):
            raise InputError(f"sentence {min(both)} is both required and forbidden")

    @property
    def simple(self) -> bool:
        """Whether there are limits of words, sentences and bytes from above alone."""
        return not (
            self.min_words or self.min_sentences or self.costs or self.required or self.forbidden
        ) and any((self.max_words, self.max_sentences, self.max_bytes))

    @property
    def endless(self) -> bool:
        """Whether no limit ends a summary that grows sentence by sentence."""
        return all(getattr(self, name) is None for name in _UPPER)

    @property
    def counts_words(self) -> bool:
        """Whether words are counted."""
        return self.max_words is not None or self.min_words is not None

    def measure(self, sentences: Sequence[str]) -> tuple[Limit, ...]:
        """The budget rows for a list of sentences."""
        sentences = check_sentences(sentences, "sentences")
        rows = []
        if self.counts_words:
            words = _kernel.count_words(sentences)
            rows.append(_row("words", self.max_words, words, self.min_words))
        if self.max_sentences is not None or self.min_sentences is not None:
            ones = [1] * len(sentences)
            rows.append(_row("sentences", self.max_sentences, ones, self.min_sentences))
        if self.max_bytes is not None:
            rows.append(_row("bytes", self.max_bytes, [count_bytes(s) for s in sentences]))
        if self.costs is not None:
            if len(self.costs) != len(sentences):
                raise InputError(f"{len(self.costs)} costs for {len(sentences)} sentences")
            rows.append(_row("cost", self.max_cost, list(self.costs)))
        for name in ("required", "forbidden"):
            for i in getattr(self, name):
                if i >= len(sentences):
                    raise InputError(
                        f"{name}: there is no sentence {show_value(i)} of {len(sentences)}"
                    )
        return tuple(rows)

    def put_into_words(self) -> list[str]:
        """The limits for people: "at most 3 sentences"; an empty list if there are none."""
        said = []
        for word, sign in (("most", "<="), ("least", ">=")):
            chosen = [
                f"{number:,} {unit.removesuffix('s') if number == 1 else unit}"
                for name, unit, its in _UNITS
                if its == sign and (number := getattr(self, name)) is not None
            ]
            if chosen:
                said.append(f"at {word} " + " and ".join(chosen))
        for name in ("required", "forbidden"):
            if indices := getattr(self, name):
                noun = "sentence" if len(indices) == 1 else "sentences"
                said.append(f"{noun} {', '.join(map(str, indices))} {name}")
        return said

    def describe(self) -> str:
        """The limits for a signature."""
        texts = [
            f"{unit}{sign}{getattr(self, name)}"
            for name, unit, sign in _UNITS
            if getattr(self, name) is not None
        ]
        texts += [
            f"{name}={'/'.join(map(str, getattr(self, name)))}"
            for name in ("required", "forbidden")
            if getattr(self, name)
        ]
        return ",".join(texts) or "none"


def _row(unit: str, budget: int | None, lengths: list[int], floor: int | None = None) -> Limit:
    # A budget beyond the whole text says no more than the whole text does, and the kernel's range
    # is kept; a floor beyond it can be reached by nobody, and one more says the same.
    whole = sum(lengths)
    return Limit(
        unit=unit,
        budget=whole if budget is None else min(budget, whole),
        lengths=tuple(lengths),
        floor=min(floor or 0, whole + 1),
    )
