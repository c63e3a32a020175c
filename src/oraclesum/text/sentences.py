"""Splitting running text into sentences: nupunkt for English, sentencex for the rest, or your own.

The libraries see a text in windows of a few thousand characters, with white space and endless runs
of punctuation made harmless. So time grows with the length of a text and with nothing else (alone,
both libraries take minutes for a megabyte of certain characters), and no quotation mark that is
never closed can keep an article together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from ..errors import InputError
from ..given import is_one_of
from ..message import Message, show_value
from ..signature import package_version
from .languages import find_language

__all__ = [
    "SPLITTERS",
    "Splitter",
    "check_splitter",
    "iterate_sentences",
    "split_sentences",
    "splitter_setting",
]

Splitter = Callable[[str], Sequence[str]]
"""Any function from a text to its sentences."""

SPLITTERS = ("auto", "nupunkt", "sentencex", "newline", "none")

_RULES = "2"  # raised with every change below that moves a boundary

_WINDOW = 4_000  # characters of a text that a library sees at once
_CONTEXT = 400  # at the end of a window, too few characters follow for a decision

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*|[\u2029\f]")
_LINES = re.compile(r"[\r\n]+|\u2028")
_LIST_LINE = re.compile(r"[\r\n]\s*(?=(?:[-*\u2022\u25aa]|\d{1,2}[.)])\s)")
_LINE_ENDS_SENTENCE = re.compile(r"[.!?\u2026\u3002\uff01\uff1f:;][\"'\u201d\u2019\u00bb)\]]*\s*$")
_LONGEST_WRAPPED = 120  # characters: a longer line was not wrapped, so its end means something

_SMALL_WORD = re.compile(
    r"(?<= )([a-z]{2,})\.[\"'\u201d\u2019)\]]*(?= +[\"'\u201c\u2018(\[]*[A-Z])"
)
_ABBREVIATIONS = frozenset(
    re.findall(
        r"\w+",
        "al approx aug ave avg blvd bros ca capt cf chap co col corp dec def dept dr ed eds "
        "eq eqs esp est et etc ex ext feb fig figs ft gen gov hon inc incl jan jr jul jun lb "
        "lbs lt ltd maj max misc mr mrs ms mt no nos nov oct op oz pp pres prof rd ref refs "
        "rep repr resp rev sec secs sect sen sep sept sgt sr st tab trans viz vol vols vs ",
    )
)

_SPACE = re.compile(r"\s")
_LONG_RUN = re.compile(r"\S{200,}")
# Quotation marks of many languages (the escapes), and brackets.
_PAIRED = dict.fromkeys(
    map(
        ord,
        "\"'\u00ab\u00bb\u201c\u201d\u201e\u201f\u2039\u203a\u2018\u2019\u201a\u201b\u300c\u300d\u300e\u300f()[]{}",
    ),
    " ",
)
_CLOSING = re.compile(
    r"(?:\s?\u00bb|[\"\u201d\u2019\u203a\u300d\u300f)\]]|(?<!\s)['\u201c\u2018\u00ab])+(?=[\s\u2014\u2013-]|$)"
)
_CLOSING_UNSPACED = re.compile(r"[\u201d\u2019\u300d\u300f\u00bb]+")
_OPENING = re.compile(
    r"[\s\"'\u00ab\u00bb\u201c\u201d\u201e\u201f\u2039\u203a\u2018\u2019\u201a\u201b(\[\u2014\u2013-]*"
)
_INITIAL = re.compile(r"(?:^|[\s.-])\w\.$")


def splitter_setting(language: str = "en", split: str | Splitter | None = None) -> tuple[str, str]:
    """What the signature says if sentences were split by `split_sentences`."""
    chosen = check_splitter(split)
    if callable(chosen):
        return "split", _name(chosen)
    name = _choose(chosen, find_language(language).code)
    if name in ("newline", "none"):
        return "split", name
    return "split", f"{name}-{package_version(name)}-rules{_RULES}"


def check_splitter(split: str | Splitter | None) -> str | Splitter:
    """The setting as it is meant; None is "auto". Raises InputError if it is no splitter."""
    if split is None:
        return "auto"
    if callable(split) or is_one_of(split, SPLITTERS):
        return split
    raise InputError(
        Message(
            "{split} must be one of {names}, or from Python any callable str -> list of str; "
            "not {x}",
            names=", ".join(SPLITTERS),
            x=show_value(split),
        )
    )


def split_sentences(
    text: str, language: str = "en", *, split: str | Splitter | None = None
) -> list[str]:
    """The sentences of a text, trimmed, none empty; an empty line ends a sentence.

    Time grows with the length of the text, whatever it contains (for a callable: as it does).

    Parameters
    ----------
    text
        Running text.
    language
        ISO code or English name. Default "en".
    split
        Default "auto": "nupunkt" for English, "sentencex" for other languages. "newline": every
        line is a sentence. "none": the text is one sentence. Or any callable str -> list of str.

    Returns
    -------
    list of str

    Raises
    ------
    InputError
        If the text is not a str, the language is not known, or `split` is no splitter.

    Examples
    --------
    >>> split_sentences("It rained. Dr. Smith stayed at home.")
    ['It rained.', 'Dr. Smith stayed at home.']
    >>> split_sentences("It rained. Really.\\nNo more.", split="newline")
    ['It rained. Really.', 'No more.']
    """
    return list(iterate_sentences(text, language, split=split))


def iterate_sentences(
    text: str, language: str = "en", *, split: str | Splitter | None = None
) -> Iterator[str]:
    """The same one by one, each found when it is asked for: a long text can be left half-way."""
    if not isinstance(text, str):
        raise InputError(f"the text to split must be a str, not {type(text).__name__}")
    code = find_language(language).code
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the text to split is not valid Unicode: {error}") from error
    chosen = check_splitter(split)
    if callable(chosen):
        return _trim(_call(chosen, text))
    name = _choose(chosen, code)
    if name == "none":
        return _trim([text])
    if name == "newline":
        return _trim(text.splitlines())
    find_ends = _find_ends_nupunkt if name == "nupunkt" else _make_sentencex(code)
    return _trim(piece for part in _cut_paragraphs(text) for piece in _split_part(part, find_ends))


def _choose(name: str, code: str) -> str:
    if name != "auto":
        return name
    return "nupunkt" if code == "en" else "sentencex"


def _trim(pieces: Iterable[str]) -> Iterator[str]:
    return (trimmed for piece in pieces if (trimmed := piece.strip()))


def _call(splitter: Splitter, text: str) -> list[str]:
    pieces = splitter(text)
    if isinstance(pieces, str):
        raise InputError("the splitter gave a str: it must give a list of sentences")
    try:
        pieces = list(pieces)
    except TypeError as error:
        raise InputError(f"the splitter must give a list of sentences: {error}") from error
    for piece in pieces:
        if not isinstance(piece, str):
            raise InputError(f"the splitter must give sentences as str, not {piece!r}")
    return pieces


def _name(splitter: Splitter) -> str:
    """Where a function comes from, with the version of its package if it was installed."""
    named = splitter if hasattr(splitter, "__qualname__") else type(splitter)
    module = getattr(named, "__module__", None)
    name = f"{module}.{named.__qualname__}" if module else str(named.__qualname__)
    packages = _find_packages().get((module or "").partition(".")[0])
    return f"{name}-{package_version(packages[0])}" if packages else name


@cache
def _find_packages() -> dict[str, list[str]]:
    from importlib import metadata

    return dict(metadata.packages_distributions())


def _cut_paragraphs(text: str) -> Iterator[str]:
    """The parts of a text that no sentence crosses.

    An empty line always ends a part. The end of a line does so if lines were not wrapped: some are
    too long for that, or two in three end with a full stop or the like, which wrapped lines do
    about once in eight. In any case, a line that begins as an entry of a list begins a part.
    """
    for block in _BLANK_LINES.split(text):
        lines = [line for line in _LINES.split(block) if line and not line.isspace()]
        if len(lines) < 2:
            yield from lines
            continue
        ended = sum(_LINE_ENDS_SENTENCE.search(line[-20:]) is not None for line in lines[:-1])
        if 3 * ended >= 2 * (len(lines) - 1) or max(map(len, lines)) > _LONGEST_WRAPPED:
            yield from lines
        else:
            yield from _LIST_LINE.split(block)


def _split_part(text: str, find_ends: Callable[[str], list[int]]) -> Iterator[str]:
    """Sentences by a library that is asked about one window of the text after another."""
    begin = at = 0  # of the sentence, of the window
    while True:
        window = text[at : at + _WINDOW]
        last = at + _WINDOW >= len(text)
        decided = len(window) if last else _WINDOW - _CONTEXT
        # A window that begins inside a sentence shows too little before its first characters.
        doubtful = begin + 1 if at == begin else at + _CONTEXT
        ends = [at + end for end in find_ends(window) if end <= decided]
        for end in ends:
            if end >= doubtful:
                yield text[begin:end]
                begin = end
        if last:
            yield text[begin:]
            return
        at = max(begin, at + 1) if begin > at else at + decided - _CONTEXT


def _find_ends_nupunkt(window: str) -> list[int]:
    import nupunkt

    plain = _LONG_RUN.sub(_shorten_run, _SPACE.sub(" ", window))
    if " " not in plain:
        return []
    ends = {end for _, end in nupunkt.sentence_spans(plain)}
    # Many ordinary words ("sat", "week") are also abbreviations to it, whatever follows them.
    ends.update(word.end() for word in _SMALL_WORD.finditer(plain) if word[1] not in _ABBREVIATIONS)
    return sorted(ends)


def _shorten_run(run: re.Match[str]) -> str:
    """Letters for the middle of a long run without a space, which has no end of a sentence."""
    text = run[0]
    return text[:100] + "x" * (len(text) - 200) + text[-100:]


def _make_sentencex(code: str) -> Callable[[str], list[int]]:
    unspaced = code in ("ja", "zh")

    def find_ends(window: str) -> list[int]:
        import sentencex

        # It would keep all between two marks together, be the second one pages away.
        hidden = _SPACE.sub(" ", window).translate(_PAIRED)
        found: list[int] = []
        at = 0
        for piece in sentencex.segment(code, hidden):
            at += len(piece)
            end = len(hidden[:at].rstrip())
            closing = (_CLOSING_UNSPACED if unspaced else _CLOSING).match(window, end)
            found.append(closing.end() if closing else end)
        return found if unspaced else _drop_false_ends(window, found)

    return find_ends


def _drop_false_ends(window: str, ends: list[int]) -> list[int]:
    """Without the ends after an initial, and before a small letter in text that has capitals."""
    starts = [_skip(window, end) for end in ends]
    small = [window[start : start + 1].islower() for start in starts]
    if 2 * sum(small) > len(ends):
        small = [False] * len(ends)  # text in small letters
    return [
        end
        for end, is_small in zip(ends, small, strict=True)
        if not is_small and not _ends_with_initial(window, end)
    ]


def _ends_with_initial(window: str, end: int) -> bool:
    return (
        window[end - 2 : end - 1].isupper()
        and _INITIAL.search(window[max(0, end - 4) : end]) is not None
    )


def _skip(window: str, end: int) -> int:
    match = _OPENING.match(window, end)
    return match.end() if match else end
