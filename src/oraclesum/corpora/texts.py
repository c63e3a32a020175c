"""A folder of `.txt` files: documents, with references beside them or in another folder.

Beside: `a.txt` is the document, `a.ref.txt`, `a.ref1.txt` or `a.summary.txt` a reference of it.
In folders: `articles/x/a.txt` is the document and `summaries/x/a.txt` (or `summaries/x/a.1.txt`,
`a.2.txt` …) a reference of it, under any of the names of folders below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from os.path import commonpath

from ..errors import InputError, RecordError
from .files import CorpusFile
from .markup import decode
from .topic import Topic

__all__ = ["has_texts", "read_texts"]

_DOCUMENTS = re.compile(
    r"(?:news[ _-])?(?:documents?|docs?|articles?|sources?|src|texts?|inputs?)", re.I
)
_REFERENCES = re.compile(
    r"(?:gold[ _-]?)?(?:references?|refs?|summar(?:y|ies)|highlights|targets?|tgt|gold)", re.I
)
_BESIDE = re.compile(r"(.+)\.(?:ref|reference|summary|gold)[-_.]?\w*", re.I)
_NUMBERED = re.compile(r"(.+)\.\w{1,2}")
_SUFFIX = ".txt"


def has_texts(names: Iterable[str]) -> bool:
    """Whether files of these names are documents with references."""
    roles = [found for name in names if (found := _find_role(name)) is not None]
    documents = {key for key, is_reference in roles if not is_reference}
    return any(
        key in documents or _strip_number(key) in documents
        for key, is_reference in roles
        if is_reference
    )


def read_texts(files: Iterable[CorpusFile | RecordError]) -> Iterator[Topic | RecordError]:
    """A topic per document; the text is split later, and so is a reference of one line."""
    documents: dict[str, tuple[CorpusFile, Callable[[], bytes]]] = {}
    references: dict[str, list[Callable[[], bytes]]] = {}
    for file in files:
        if isinstance(file, RecordError):
            yield file
            continue
        if (role := _find_role(file.name)) is None:
            continue
        key, is_reference = role
        read = file.read if file.path is not None else _read_now(file)
        if is_reference:
            references.setdefault(key, []).append(read)
        else:
            documents[key] = file, read
    for key in [key for key in references if key not in documents]:
        if (stripped := _strip_number(key)) in documents:
            references.setdefault(stripped, []).extend(references.pop(key))
    root = commonpath([*documents]) if len(documents) > 1 else ""
    for key in sorted(documents):
        file, read = documents[key]
        topic_id = key.removeprefix(root).strip("/") if root else key.rpartition("/")[2]
        try:
            yield _read_topic(file.place, topic_id, read, references.get(key, []))
        except InputError as error:
            yield RecordError(file.place, 1, file.refuse(error).reason, topic_id)


def _read_now(file: CorpusFile) -> Callable[[], bytes]:
    """What gives a file of an archive, which cannot be read later, or tells why there is none."""
    try:
        return partial(bytes, file.read())
    except InputError as error:
        return partial(_tell, error)


def _tell(error: InputError) -> bytes:
    raise error


def _read_topic(
    place: str, topic_id: str, read: Callable[[], bytes], references: list[Callable[[], bytes]]
) -> Topic:
    if not references:
        raise InputError(f"no reference was found: {topic_id}.ref.txt, or one in a folder beside")
    text = decode(read())
    if not text.strip():
        raise InputError("the document is empty")
    found = [_read_reference(decode(one())) for one in references]
    if not any(found):
        raise InputError("every reference is empty: there is nothing to score against")
    return Topic(id=topic_id, text=text, references=tuple(found), language=None, file=place, line=1)


def _read_reference(text: str) -> str | tuple[str, ...]:
    lines = tuple(line.strip() for line in text.split("\n") if line.strip())
    return lines if len(lines) > 1 else "".join(lines)


def _find_role(name: str) -> tuple[str, bool] | None:
    """What a document and its references have in common, and whether this is a reference."""
    if not name.lower().endswith(_SUFFIX):
        return None
    stem = name[: -len(_SUFFIX)]
    *folders, last = stem.split("/")
    is_reference = False
    for place in reversed(range(len(folders))):
        is_reference = _REFERENCES.fullmatch(folders[place]) is not None
        if is_reference or _DOCUMENTS.fullmatch(folders[place]):
            del folders[place]
            break
    if not is_reference and (beside := _BESIDE.fullmatch(last)) is not None:
        return "/".join([*folders, beside[1]]), True
    return "/".join([*folders, last]), is_reference


def _strip_number(key: str) -> str:
    """`x/a` for `x/a.1`: one of several references."""
    numbered = _NUMBERED.fullmatch(key)
    return key if numbered is None else numbered[1]
