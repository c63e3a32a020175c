"""A folder of `.txt` files: documents, with references beside them or in another folder.

Beside: `a.txt` is the document, `a.ref.txt`, `a.ref1.txt` or `a.summary.txt` a reference of it; if
there is no `a.txt`, these are documents.
In folders: `articles/x/a.txt` is the document and `summaries/x/a.txt` (or `summaries/x/a.1.txt`,
`a.2.txt` …) a reference of it, under any of the names of folders below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from os.path import commonpath
from typing import NamedTuple

from ..errors import InputError, RecordError
from .bad import BadFile
from .caps import Caps
from .files import CorpusFile, Keeper
from .markup import decode
from .topic import Topic

__all__ = ["has_texts", "read_texts"]

_DOCUMENTS = re.compile(
    r"(?:news[ _-])?(?:documents?|docs?|articles?|sources?|src|texts?|inputs?)", re.I
)
_REFERENCES = re.compile(
    r"(?:gold[ _-]?)?(?:references?|refs?|summar(?:y|ies)|highlights|targets?|tgt|gold)", re.I
)
# Not any letters: a.refugees.txt and a.goldfish.txt are documents.
_BESIDE = re.compile(
    r"(.+)\.(?:ref|reference|summary|gold)(?:[-_.]?(?:\d{1,3}|[a-z])|[-_.]\w{2})?", re.I
)
_NUMBERED = re.compile(r"(.+)\.\w{1,2}")
_SUFFIX = ".txt"

_Read = Callable[[], str]  # the text of a file; raises InputError


def has_texts(names: Iterable[str]) -> bool:
    """Whether files of these names are documents with references."""
    roles = _settle_roles(found for name in names if (found := _find_role(name)) is not None)
    documents = {role.key for role in roles if not role.is_reference}
    return any(
        role.key in documents or _strip_number(role.key) in documents
        for role in roles
        if role.is_reference
    )


def read_texts(
    files: Iterable[CorpusFile | RecordError], caps: Caps
) -> Iterator[Topic | RecordError]:
    """A topic per document; the text is split later, and so is a reference of one line."""
    found: list[tuple[_Role, CorpusFile, _Read]] = []
    documents: dict[str, tuple[CorpusFile, _Read]] = {}
    others: dict[str, list[CorpusFile]] = {}
    references: dict[str, list[tuple[CorpusFile, _Read]]] = {}
    keeper = Keeper(caps)
    for file in files:
        if isinstance(file, RecordError):
            yield file
            continue
        if (role := _find_role(file.name)) is not None:
            take = file.read if file.path is not None else _read_now(file, keeper)
            found.append((role, file, partial(_decode, file.place, take)))
    settled = _settle_roles(role for role, _, _ in found)
    for role, (_, file, read) in zip(settled, found, strict=True):
        if role.is_reference:
            references.setdefault(role.key, []).append((file, read))
        elif role.key in documents:
            others.setdefault(role.key, []).append(file)
        else:
            documents[role.key] = file, read
    own = {key for key in references if key in documents}
    for key in [key for key in references if key not in documents]:
        stripped = _strip_number(key)
        # Beside a reference of the document's own name, a number is that of another document.
        if stripped in documents and stripped not in own:
            references.setdefault(stripped, []).extend(references.pop(key))
    root = commonpath([*documents]) if len(documents) > 1 else ""
    if root in documents:  # the others are in a folder that is called as it
        root = root.rpartition("/")[0]
    for key in sorted(documents):
        file, read = documents[key]
        topic_id = key.removeprefix(root).strip("/") if root else key.rpartition("/")[2]
        if key in others:
            alike = [file, *others[key]]
            for one in alike:
                other = file if one is not file else alike[1]
                reason = (
                    f"this document and {other.place} have one name, so that nobody can tell whose "
                    "the references are; give them different names, or read them apart"
                )
                yield RecordError(one.place, 1, reason, topic_id)
            continue
        try:
            yield _read_topic(file.place, topic_id, read, references.get(key, []))
        except InputError as error:
            yield RecordError(file.place, 1, file.refuse(error).reason, topic_id)
    for key in sorted(references.keys() - documents.keys()):
        for file, _ in references[key]:
            name = key.rpartition("/")[2]
            reason = f"a reference, but no document {name}.txt was found that it belongs to"
            yield RecordError(file.place, 1, reason, name)


def _decode(place: str, read: Callable[[], bytes]) -> str:
    """The text of a file. Raises InputError."""
    try:
        return decode(read())
    except BadFile as bad:
        raise InputError(f"{place}: {bad.reason}") from None


def _read_now(file: CorpusFile, keeper: Keeper) -> Callable[[], bytes]:
    """What gives a file of an archive, which cannot be read later, or tells why there is none."""
    try:
        return partial(bytes, keeper.read(file))
    except InputError as error:
        # Only its words: what an error passed through stays in memory with it.
        return partial(_tell, str(error))


def _tell(reason: str) -> bytes:
    raise InputError(reason)


def _read_topic(
    place: str, topic_id: str, read: _Read, references: list[tuple[CorpusFile, _Read]]
) -> Topic:
    if not references:
        raise InputError(f"no reference was found: {topic_id}.ref.txt, or one in a folder beside")
    text = read()
    if not text.strip():
        raise InputError("the document is empty")
    found = [_read_reference(read_one()) for _, read_one in references]
    if not any(found):
        raise InputError("every reference is empty: there is nothing to score against")
    return Topic(id=topic_id, text=text, references=tuple(found), language=None, file=place, line=1)


def _read_reference(text: str) -> str | tuple[str, ...]:
    lines = tuple(line.strip() for line in text.split("\n") if line.strip())
    return lines if len(lines) > 1 else "".join(lines)


class _Role(NamedTuple):
    """What a document and its references have in common, and whether this is a reference."""

    key: str
    is_reference: bool
    beside: str | None = None  # the key of the document that it is a reference of, if there is one


def _find_role(name: str) -> _Role | None:
    """What a file is, by its name alone; None if it is nothing."""
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
    beside = None if is_reference else _BESIDE.fullmatch(last)
    return _Role(
        "/".join([*folders, last]),
        is_reference,
        None if beside is None else "/".join([*folders, beside[1]]),
    )


def _settle_roles(roles: Iterable[_Role]) -> list[_Role]:
    """The roles, now that it is known which documents there are."""
    settled = list(roles)
    documents = {role.key for role in settled if not role.is_reference and role.beside is None}
    # The shorter first: `a.ref` may be the document of `a.ref.ref`.
    for k in sorted(range(len(settled)), key=lambda k: len(settled[k].key)):
        role = settled[k]
        if role.beside in documents:
            settled[k] = _Role(role.beside, True)
        elif role.beside is not None:
            documents.add(role.key)
    return settled


def _strip_number(key: str) -> str:
    """`x/a` for `x/a.1`: one of several references."""
    numbered = _NUMBERED.fullmatch(key)
    return key if numbered is None else numbered[1]
