"""Source documents of DUC and TAC: news wire mark-up to sentences, headers kept apart from text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..frozen import dataclass
from .bad import BadFile
from .markup import LineCounter, collapse, cut_between, decode, plain_text, split_paragraphs

__all__ = [
    "Document",
    "Sentence",
    "Split",
    "fold_id",
    "parse_attributes",
    "parse_document",
    "read_number",
]

Split = Callable[[str], list[str]]
"""Cuts a text into its sentences."""

_NUMBER = re.compile("<DOCNO>", re.I)
_NUMBER_END = re.compile("</DOCNO>", re.I)
_ID = re.compile(r"<DOC\b[^<>]*?\bid\s*=\s*[\"']?([^\"'\s<>]+)", re.I)
_EDGE = re.compile(r"<(/?)DOC(?=[\s>])", re.I)
_LONGEST_NUMBER = 9  # digits
_TEXT_REGIONS = ("text", "lp", "leadpara")
_REGION = re.compile(r"<(/?)(TEXT|LP|LEADPARA|GRAPHIC|ANNOTATION|DOC)\b([^<>]*)>", re.I)
_MARK = re.compile(r"<(/?)(s|TEXT|LP|LEADPARA|GRAPHIC|ANNOTATION|DOC)\b([^<>]*)>", re.I)
_ATTRIBUTE = re.compile(r"(?<!\w)(\w++)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_PRESPLIT = re.compile(r"<s\s[^<>]*?\bdocid\b", re.I)
# The San Jose Mercury ends paragraphs with ";", after the full stop or at the end of a region.
_SEMICOLON = re.compile(r"(?<=[.!?])([\"')]*)\s*;|;\s*$")


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One sentence of a source document."""

    text: str
    number: int  # from 1; over the whole file, headers included, if the file numbers them
    candidate: bool  # False for headlines and the like, which no summary may take


@dataclass(frozen=True, kw_only=True)
class Document:
    """A source document: all its sentences, those that are no candidates included."""

    id: str
    sentences: tuple[Sentence, ...]
    was_split: bool  # its sentences were cut here, not by whoever made the corpus


def fold_id(text: str) -> str:
    """A document id without the line breaks that some files have inside it."""
    return "".join(text.split())


def parse_document(data: bytes, *, name: str, split: Split) -> Document:
    """Read a document; `name` is its id if the file has none. Raises BadFile."""
    text = decode(data)
    _refuse_cut(text)
    doc_id = _find_id(text)
    presplit = bool(_PRESPLIT.search(text))
    sentences = _numbered_sentences(text) if presplit else _cut_sentences(text, doc_id, split)
    if not any(sentence.candidate for sentence in sentences):
        if not text.strip():
            raise BadFile("the document is empty")
        raise BadFile("no text: looked for <TEXT>, <LP>, <LEADPARA>, then <GRAPHIC>")
    return Document(id=doc_id or name, sentences=tuple(sentences), was_split=not presplit)


def _refuse_cut(text: str) -> None:
    """Raise BadFile if the last document that begins in a file does not end there."""
    is_open = False
    for edge in _EDGE.finditer(text):
        is_open = not edge[1]
    if is_open:
        raise BadFile("cut off: it has no </DOC>", text.rstrip().count("\n") + 1)


def _find_id(text: str) -> str:
    """What <DOCNO> or the attribute of <DOC> says, whichever comes first."""
    numbers = cut_between(text, _NUMBER, lambda _: _NUMBER_END)
    number, attribute = next(numbers, None), _ID.search(text)
    if number and not (attribute and attribute.start() < number[0].start()):
        return fold_id(text[number[0].end() : number[1].start()])
    return fold_id(attribute[1]) if attribute else ""


def parse_attributes(text: str) -> dict[str, str]:
    """The attributes of a tag, names in lower case, whether quoted or not."""
    return {m[1].lower(): m[2] or m[3] or m[4] or "" for m in _ATTRIBUTE.finditer(text)}


def _cut_sentences(text: str, doc_id: str, split: Split) -> list[Sentence]:
    regions = [(regions.name, text[start:end]) for regions, start, end in _scan(text, _REGION)]
    bodies = [body for name, body in regions if name in _TEXT_REGIONS]
    if not any(plain_text(body).strip() for body in bodies):
        bodies = [body for name, body in regions if name == "graphic"]
    pieces: list[str] = []
    for body in bodies:
        plain = plain_text(body)
        if doc_id.startswith("SJMN"):
            plain = _SEMICOLON.sub(r"\1\n\n", plain)
        for paragraph in split_paragraphs(plain):
            pieces.extend(split(paragraph))
    return [
        Sentence(text=piece, number=number, candidate=True)
        for number, piece in enumerate(filter(None, map(collapse, pieces)), start=1)
    ]


def _numbered_sentences(text: str) -> list[Sentence]:
    """The `<s docid num wdcount>` of a file; an `<s>` without attributes stands for `</s>`."""
    found: list[tuple[str, int, str]] = []
    lines = LineCounter(text)
    for state, start, end in _scan(text, _MARK):
        words = "" if state.sentence is None else collapse(plain_text(text[start:end]))
        if words and state.sentence is not None:
            number = read_number(state.sentence, lines.find(start))
            found.append((state.name, number, words))
    regions = {name for name, _, _ in found}
    wanted = _TEXT_REGIONS if regions.intersection(_TEXT_REGIONS) else ("graphic",)
    return [
        Sentence(text=words, number=number, candidate=name in wanted)
        for name, number, words in found
    ]


@dataclass(frozen=True, kw_only=True)
class _State:
    name: str  # the innermost region, "" outside of all
    sentence: dict[str, str] | None  # the attributes of the open <s>


def _scan(text: str, mark: re.Pattern[str]) -> Iterator[tuple[_State, int, int]]:
    """Every stretch between two tags; a region without a closing tag ends with what it is in."""
    opened: list[str] = []
    sentence: dict[str, str] | None = None
    start = 0
    for tag in mark.finditer(text):
        yield _State(name=opened[-1] if opened else "", sentence=sentence), start, tag.start()
        start, name, closing = tag.end(), tag[2].lower(), bool(tag[1])
        sentence = None
        if name == "s":
            if not closing and tag[3].strip():
                sentence = parse_attributes(tag[3])
            continue
        if name in opened:
            del opened[opened.index(name) :]
        if name == "doc":
            opened.clear()
        elif not closing:
            opened.append(name)
    yield _State(name=opened[-1] if opened else "", sentence=sentence), start, len(text)


def read_number(attributes: dict[str, str], line: int) -> int:
    """The number of a sentence, from its attributes. Raises BadFile."""
    number = fold_id(attributes.get("num", ""))
    if not number.isdecimal() or len(number) > _LONGEST_NUMBER:
        shown = number[: 2 * _LONGEST_NUMBER]
        raise BadFile(f"a sentence <s …> without a number `num`, but {shown!r}", line)
    return int(number)
