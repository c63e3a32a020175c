"""Which document sentences a summary consists of: exact, then fuzzy; the rest is reported."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..errors import InputError
from ..frozen import dataclass
from ..given import check_indices, check_list
from ..message import show_value
from ..oracles.bounds import TEXT_SECONDS, check_bounds
from ..rouge import check_sentences
from ..text import split_sentences

__all__ = ["DEFAULT_THRESHOLD", "Alignment", "FuzzyMatch", "align_summary"]

DEFAULT_THRESHOLD = 0.8

# Inside a longer run of text, a document sentence of fewer words is found by chance too easily; it
# is taken only where it is a whole sentence of the summary.
_SHORTEST_RUN = 5
# How similar two texts are takes time by the product of their lengths, and cannot be stopped: some
# milliseconds for two of this many characters. Longer ones are found by their words, or not at all.
_LONGEST_COMPARED = 10_000
_CHARACTERS_AT_ONCE = 200_000  # of sentences that are compared between two looks at the clock
_WORD = re.compile(r"\w+")
_OTHER_MARKS = re.compile(r"[^\w\x00-\x7f]+")  # most are quotation marks and dashes
# For bytes.translate: plain letters in lower case, spaces for what belongs to no word.
_ASCII_WORDS = bytes(
    ord(chr(k).lower()) if k < 128 and _WORD.match(chr(k)) else ord(" ") for k in range(256)
)
_ASCII_LINES = _ASCII_WORDS[:10] + b"\n" + _ASCII_WORDS[11:]  # the same, but for ends of lines


@dataclass(frozen=True, kw_only=True)
class FuzzyMatch:
    """A piece of the summary that is nearly a document sentence."""

    text: str
    index: int
    similarity: float  # rapidfuzz's ratio of the normalised texts, 0 to 1


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """The sentences a summary consists of, and what is no sentence of the document."""

    indices: tuple[int, ...]
    fuzzy: tuple[FuzzyMatch, ...] = ()
    unaligned: tuple[str, ...] = ()
    repeated: tuple[tuple[int, ...], ...] = ()  # equal document sentences; the first was taken
    words: int = 0
    aligned_words: int = 0

    @property
    def coverage(self) -> float:
        """Share of the summary's words that belong to a document sentence."""
        return self.aligned_words / self.words if self.words else 1.0


class _Piece(NamedTuple):
    """A word of the summary: normalised, with the unit (sentence) and place it stands in."""

    word: str
    unit: int
    start: int
    end: int


def align_summary(
    summary: str | Sequence[str] | Sequence[int],
    sentences: Sequence[str],
    *,
    threshold: float = DEFAULT_THRESHOLD,
    language: str = "en",
) -> Alignment:
    """Find the document sentences that make up a summary.

    Indices are taken as they are. Text is compared by its words, without case, punctuation and
    white space; sentence boundaries need not agree. What is left over is compared with every
    document sentence: the most similar one is taken where the similarity is at least `threshold`
    (from 0 to 1); texts of more than 10,000 characters are not compared in this way. The rest is
    reported in `unaligned`. Raises LimitError 5 seconds after the time of `answer_within`.
    """
    if not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise InputError(f"the threshold must be from 0 to 1, not {show_value(threshold)}")
    sentences = check_sentences(sentences, "sentences")
    if not isinstance(summary, str):
        summary = check_list("summary", summary, "a str, or a list of str or of indices")
        indices = [part for part in summary if not isinstance(part, str)]
        if len(indices) == len(summary):
            return _take_indices(indices, len(sentences))
        if indices:
            raise InputError("a summary is a list of indices or a list of str, not a mixture")
    units = (
        split_sentences(summary, language)
        if isinstance(summary, str)
        else [part for part in summary if isinstance(part, str)]
    )
    known = _prepare(tuple(sentences))
    return _align_whole(units, known) or _align(units, known, threshold)


def _take_indices(indices: list[int], count: int) -> Alignment:
    return Alignment(indices=tuple(sorted(set(check_indices("indices", indices, count)))))


class _Sentences:
    """The sentences of a document, ready to be found in a summary; made ready as far as needed."""

    def __init__(self, sentences: tuple[str, ...]) -> None:
        self._texts = sentences
        self._words: list[tuple[str, ...] | None] = [None] * len(sentences)
        self.by_text = {text: i for i, text in reversed(list(enumerate(sentences)))}

    def words_of(self, i: int) -> tuple[str, ...]:
        """The normalised words of one sentence."""
        words = self._words[i]
        if words is None:
            words = self._words[i] = _normalise(self._texts[i])
        return words

    @cached_property
    def by_first(self) -> dict[str, list[int]]:
        """Sentences by their first words."""
        found: dict[str, list[int]] = {}
        for i, first in enumerate(_find_first_words(self._texts)):
            if first:
                found.setdefault(first, []).append(i)
        return found

    @cached_property
    def words(self) -> list[tuple[str, ...]]:
        """The normalised words of every sentence."""
        return list(map(self.words_of, range(len(self._texts))))

    @cached_property
    def places(self) -> dict[tuple[str, ...], list[int]]:
        """Sentences by all their words."""
        found: dict[tuple[str, ...], list[int]] = {}
        for i, words in enumerate(self.words):
            if words:
                found.setdefault(words, []).append(i)
        return found

    @cached_property
    def lengths(self) -> dict[str, list[int]]:
        """By first word, the lengths of the sentences that begin with it, longest first."""
        found: dict[str, set[int]] = {}
        for words in self.places:
            found.setdefault(words[0], set()).add(len(words))
        return {word: sorted(lengths, reverse=True) for word, lengths in found.items()}

    @cached_property
    def compared(self) -> list[dict[int, str]]:
        """Texts that can be compared with others, by sentence, some at a time."""
        parts: list[dict[int, str]] = []
        room = 0
        for i, words in enumerate(self.words):
            text = " ".join(words)
            if not 0 < len(text) <= _LONGEST_COMPARED:  # without a word, it is like nothing
                continue
            if len(text) > room:
                parts.append({})
                room = _CHARACTERS_AT_ONCE
            parts[-1][i] = text
            room -= len(text)
        return parts


@lru_cache(maxsize=4)  # the systems of a topic are compared with the same sentences
def _prepare(sentences: tuple[str, ...]) -> _Sentences:
    return _Sentences(sentences)


class _Found:
    """The sentences that a summary has; of several equal ones the first that it has not yet."""

    def __init__(self) -> None:
        self.indices: set[int] = set()
        self.repeated: dict[int, tuple[int, ...]] = {}  # equal ones, by the first of them
        self._taken: dict[int, int] = {}  # how many of those

    def add(self, equal: Sequence[int]) -> None:
        """One of these sentences, which are equal, and no others are."""
        first = equal[0]
        taken = self._taken.get(first, 0)
        self._taken[first] = taken + 1
        self.indices.add(equal[taken] if taken < len(equal) else first)
        if len(equal) > 1 and first not in self.repeated:
            self.repeated[first] = tuple(equal)


def _align_whole(units: list[str], known: _Sentences) -> Alignment | None:
    """What `_align` finds if every sentence of a summary is, to the letter, one of the document.

    None if one is not, or begins a longer sentence of the document, which may go on in the next.
    """
    found = _Found()
    equals: dict[tuple[str, ...], list[int]] = {}
    count = 0
    for unit in units:
        _check_time()
        place = known.by_text.get(unit)
        if place is None:
            return None
        words = known.words_of(place)
        if not words:
            continue
        if words not in equals:
            equal = equals[words] = []
            for i in known.by_first[words[0]]:
                others = known.words_of(i)
                if others[: len(words)] == words:
                    if len(others) > len(words):
                        return None
                    equal.append(i)
        found.add(equals[words])
        count += len(words)
    return Alignment(
        indices=tuple(sorted(found.indices)),
        repeated=tuple(found.repeated.values()),
        words=count,
        aligned_words=count,
    )


def _normalise(text: str) -> tuple[str, ...]:
    if not text.isascii():
        text = _OTHER_MARKS.sub(" ", text)
    if text.isascii():  # all words at once; there is nothing to normalise
        return tuple(text.encode().translate(_ASCII_WORDS).decode().split())
    return tuple(map(_fold, _WORD.findall(text)))


def _find_first_words(texts: Sequence[str]) -> Iterator[str]:
    """Of each text the first of its normalised words; "" if there is none."""
    # Most texts are plain, and are looked at together: one step for all takes as long as for one.
    plain = [text for text in texts if text.isascii()]
    lines = "\n".join(plain).encode().translate(_ASCII_LINES).decode().split("\n")
    if len(lines) != len(plain):  # one has lines of its own
        lines = [text.encode().translate(_ASCII_WORDS).decode() for text in plain]
    rest = iter(lines)
    for text in texts:
        if text.isascii():
            yield next(iter(next(rest).split(None, 1)), "")
        else:
            first = _WORD.search(text)
            yield _fold(first[0]) if first else ""


def _fold(word: str) -> str:
    return word.lower() if word.isascii() else unicodedata.normalize("NFKC", word).casefold()


def _align(units: list[str], known: _Sentences, threshold: float) -> Alignment:
    pieces = [
        _Piece(match[0] if unit.isascii() else _fold(match[0]), k, match.start(), match.end())
        for k, unit in enumerate(units)
        # Lower case moves no letter of plain text.
        for match in _WORD.finditer(unit.lower() if unit.isascii() else unit)
    ]
    found = _Found()
    gaps: list[list[_Piece]] = []
    aligned = 0
    for run, is_sentence in _find_runs(pieces, known):
        if not is_sentence:
            gaps.append(run)
            continue
        found.add(known.places[tuple(piece.word for piece in run)])
        aligned += len(run)
    fuzzy: list[FuzzyMatch] = []
    unaligned: list[str] = []
    for gap in gaps:
        text = units[gap[0].unit][gap[0].start : gap[-1].end]
        similar = _find_similar(gap, text, known, threshold)
        if similar is None:
            unaligned.append(text)
        else:
            fuzzy.append(similar)
            found.indices.add(similar.index)
            aligned += len(gap)
    return Alignment(
        indices=tuple(sorted(found.indices)),
        fuzzy=tuple(fuzzy),
        unaligned=tuple(unaligned),
        repeated=tuple(found.repeated.values()),
        words=len(pieces),
        aligned_words=aligned,
    )


def _find_runs(pieces: list[_Piece], known: _Sentences) -> Iterator[tuple[list[_Piece], bool]]:
    """Cut the summary, left to right and longest first, into document sentences and gaps."""
    gap: list[_Piece] = []
    at = 0
    while at < len(pieces):
        end = _longest_from(pieces, at, known)
        if end is None:
            if gap and gap[-1].unit != pieces[at].unit:
                yield gap, False
                gap = []
            gap.append(pieces[at])
            at += 1
            continue
        if gap:
            yield gap, False
            gap = []
        yield pieces[at:end], True
        at = end
    if gap:
        yield gap, False


def _longest_from(pieces: list[_Piece], at: int, known: _Sentences) -> int | None:
    lengths = known.lengths.get(pieces[at].word, ())
    if lengths:
        _check_time()
    for length in lengths:
        end = at + length
        if end > len(pieces):
            continue
        if length < _SHORTEST_RUN and not _is_whole(pieces, at, end):
            continue
        if tuple(piece.word for piece in pieces[at:end]) in known.places:
            return end
    return None


def _is_whole(pieces: list[_Piece], at: int, end: int) -> bool:
    starts = at == 0 or pieces[at - 1].unit != pieces[at].unit
    return starts and (end == len(pieces) or pieces[end].unit != pieces[end - 1].unit)


def _find_similar(
    gap: list[_Piece], text: str, known: _Sentences, threshold: float
) -> FuzzyMatch | None:
    from rapidfuzz import fuzz, process

    query = " ".join(piece.word for piece in gap)
    if len(query) > _LONGEST_COMPARED:
        return None
    best: FuzzyMatch | None = None
    for choices in known.compared:
        _check_time()
        found = process.extractOne(query, choices, scorer=fuzz.ratio, score_cutoff=threshold * 100)
        if found is None:
            continue
        _, percent, index = found
        if best is None or percent / 100 > best.similarity:  # of equal ones the first
            best = FuzzyMatch(text=text, index=index, similarity=percent / 100)
    return best


def _check_time() -> None:
    check_bounds(what="finding a summary in its document", late=TEXT_SECONDS)
