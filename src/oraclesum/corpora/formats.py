"""Formats of corpora: what a path contains is recognised by the names of its files, and read.

A further format gets a suffix in `opening.py` or a layout in `layouts.py`, and its reader in
`_read_file`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, cast

from ..errors import InputError, RecordError
from ..message import Message
from .archives import is_archive
from .arrow import read_arrow, read_parquet
from .caps import Caps
from .documents import BadFile, Split
from .duc import read_year
from .files import CorpusFile, walk_files
from .layouts import LAYOUTS
from .opening import SUFFIXES, find_suffix, is_path_list
from .reading import EMPTY, Source, open_source, read_topics
from .repeats import refuse_repeats
from .roles import count_roles, find_year
from .rows import is_table, read_rows
from .shown import show_name
from .stories import parse_story
from .topic import Topic
from .unpacking import unpack

__all__ = ["FORMATS", "open_corpus", "recognise_format"]

_NAMES_SHOWN = 3

FORMATS = ("auto", "jsonl", "parquet", "arrow", "stories", *LAYOUTS)
"""What open_corpus takes as `format`."""


def open_corpus(
    source: Any,
    *,
    format: str = "auto",
    split: Split | None = None,
    length: str | int | None = None,
    task: str = "multi",
    caps: Caps | None = None,
) -> Iterator[Topic | RecordError]:
    """The topics of a corpus, each a Topic or the RecordError that tells why it is none.

    Parameters
    ----------
    source
        A file, a folder or an archive; a list of these that belong together (documents here,
        references there); or a table of pandas, datasets, polars or pyarrow.
    format
        One of `oraclesum.corpora.FORMATS`. Default: recognised.
    split
        Cuts text into sentences if documents come unsplit: pass oraclesum.split_sentences.
    length, task
        Choose among the references of DUC. Default: the usual ones; "multi".
    caps
        Bounds what is unpacked: a line or file of more than `Caps.record_bytes` (256 MiB) is
        refused.

    Returns
    -------
    Iterator of Topic or RecordError
        If what was found is damaged, the damage comes out as RecordErrors.

    Raises
    ------
    InputError
        If nothing is recognised.

    Examples
    --------
    >>> from oraclesum import demo_path
    >>> [topic.id for topic in open_corpus(demo_path())][:2]
    ['harbour', 'manuscript']
    """
    if format not in FORMATS:
        raise InputError(f"the format must be one of {', '.join(FORMATS)}, not {format!r}")
    if not isinstance(source, str | os.PathLike) and not is_path_list(source):
        if not is_table(source):
            raise InputError(f"a corpus is a path or a table, not {type(source).__name__}")
        return refuse_repeats(read_rows(source))
    roots = [Path(source)] if isinstance(source, str | os.PathLike) else [Path(p) for p in source]
    key = format
    if format == "auto":
        found = _recognise(roots, caps)
        if found.key is None and found.refused:
            if not found.files:  # there was nothing to recognise: what was refused says it all
                return iter(found.refused)
            where = ", ".join(map(show_name, roots))
            return iter([*found.refused, RecordError(where, 1, found.reason, where)])
        key = found.require(roots)
    if key not in LAYOUTS:
        if length is not None or task != "multi":
            raise InputError(f"`length` and `task` choose among references of DUC, not of {key}")
        return refuse_repeats(_read_files(roots, key, caps))
    if split is None:
        raise InputError(f"{key} has whole documents: pass split=oraclesum.text.split_sentences")
    chosen = None if length is None else str(length)
    return read_year(roots, key, split=split, length=chosen, task=task, caps=caps)


def recognise_format(roots: Sequence[Path], caps: Caps | None = None) -> str:
    """The format of what the paths hold, by the names of the files. Raises InputError."""
    return _recognise(roots, caps).require(roots)


@dataclass(frozen=True, kw_only=True)
class _Recognised:
    """The format of a corpus, or why there is none and what could not be looked into."""

    key: str | None = None
    reason: str = ""
    refused: Sequence[RecordError] = ()
    files: int = 0  # that were looked at

    def require(self, roots: Sequence[Path]) -> str:
        if self.key is not None:
            return self.key
        also = f"; {self.refused[0]}" if self.refused else ""
        where = ", ".join(map(show_name, roots))
        raise InputError(
            Message("{where}: {reason}{refused}", where=where, reason=self.reason, refused=also)
        )


def _recognise(roots: Sequence[Path], caps: Caps | None) -> _Recognised:
    names: list[str] = []
    places: list[str] = []
    refused: list[RecordError] = []
    for root in roots:
        if len(roots) == 1 and root.is_file() and not is_archive(root.name):
            return _Recognised(key=find_suffix(root.name) or "jsonl")
        for file in walk_files(root, caps):
            if isinstance(file, RecordError):
                refused.append(file)
            elif (suffix := find_suffix(file.name)) is not None:
                return _Recognised(key=suffix)
            else:
                names.append(file.name)
                places.append(file.place)
    counts = count_roles(names)
    found = [key for key, count in counts.items() if count["documents"] and count["models"]]
    preferred = [key for key in found if LAYOUTS[key].preferred]
    found = preferred or found
    if len(found) > 1:
        # 2003 and 2004 number their docsets alike; where the folder stands may tell.
        years = {find_year(place) for place in places}
        found = [key for key in found if LAYOUTS[key].year in years] or found
    if len(found) == 1:
        return _Recognised(key=found[0])
    if found:
        reason: str = Message(
            "could be any of {found}; say which by {format}", found=", ".join(found)
        )
    else:
        reason = _explain(names, counts)
    return _Recognised(reason=reason, refused=refused, files=len(names))


def _explain(names: Sequence[str], counts: Any) -> str:
    partial = {
        key: ("references" if count["documents"] else "documents")
        for key, count in counts.items()
        if count["documents"] or count["models"]
    }
    if partial:
        key, missing = max(partial.items(), key=lambda item: sum(counts[item[0]].values()))
        return Message(
            "looks like {title}, but has no {missing}; give their folder too, by {also}",
            title=LAYOUTS[key].title,
            missing=missing,
        )
    if any(counts[key]["systems"] for key in counts):
        return Message(
            "holds summaries of systems only (SumRepo?); give the folder of DUC 2004 too, by {also}"
        )
    looked = ", ".join(f"*{suffix}" for suffix in SUFFIXES)
    return (
        f"no corpus recognised among {len(names)} files{_list_some(names)}; looked for {looked}, "
        "and for the documents (d061j/AP880911-0016) and reference summaries (D30001.M.100.T.A, "
        "d061jb/100) of DUC 2001-2007 and TAC 2008-2011"
    )


def _list_some(names: Sequence[str]) -> str:
    """The first names, in brackets."""
    if not names:
        return ""
    shown = [name.partition("/")[2] or name for name in names[:_NAMES_SHOWN]]
    more = [f"{len(names) - len(shown)} more"] if len(names) > len(shown) else []
    return f" ({', '.join(shown + more)})"


def _read_files(
    roots: Sequence[Path], key: str, caps: Caps | None
) -> Iterator[Topic | RecordError]:
    caps = Caps() if caps is None else caps
    read = 0
    passed_over: list[str] = []
    refused = False
    for root in roots:
        alone = root.is_file() and not is_archive(root.name)
        for file in walk_files(root, caps):
            if isinstance(file, RecordError):
                refused = True
                yield file
            elif alone or find_suffix(file.name) == key:
                read += 1
                yield from _read_whole(file, key, caps)
            else:
                passed_over.append(file.name)
    if not read:
        where = ", ".join(map(show_name, roots))
        count = f"{len(passed_over)} files{_list_some(passed_over)}"
        reason = f"no file of the format {key} among {count}"
        if not refused:
            raise InputError(f"{where}: {reason}")
        yield RecordError(where, 1, reason, where)


def _read_whole(file: CorpusFile, key: str, caps: Caps) -> Iterator[Topic | RecordError]:
    """The records of a file, or what is wrong with all of it."""
    empty = True
    try:
        for item in _read_file(file, key, caps):
            empty = False
            yield item
    except InputError as error:
        reason = str(error).removeprefix(f"{file.place}: ")
        yield RecordError(file.place, 1, reason, file.place)
    else:
        if empty:
            yield RecordError(file.place, 1, EMPTY, file.place)


def _read_file(file: CorpusFile, key: str, caps: Caps) -> Iterator[Topic | RecordError]:
    label = file.name.partition("/")[2] or file.name  # below the given folder
    if key == "stories":
        topic_id = label.rpartition("/")[2].removesuffix(".story")
        try:
            yield parse_story(file.read(), place=file.place, topic_id=topic_id)
        except BadFile as bad:
            yield RecordError(file.place, bad.line, bad.reason, topic_id)
    elif key == "jsonl":
        with _open_lines(file, label, caps) as source:
            yield from read_topics(source)
    else:
        data = file.read() if file.path is None else file.path
        read = read_arrow if key == "arrow" else read_parquet
        yield from read(data, name=file.place, label=label, record_bytes=caps.record_bytes)


@contextmanager
def _open_lines(file: CorpusFile, label: str, caps: Caps) -> Iterator[Source]:
    if file.path is None:
        raw = cast(BinaryIO, file.open())
        yield Source(
            name=file.place,
            label=label,
            path=None,
            lines=unpack(raw, file.place),
            raw=raw,
            size=None,
            record_bytes=caps.record_bytes,
        )
    else:
        with open_source(str(file.path), record_bytes=caps.record_bytes) as source:
            yield replace(source, name=file.place, label=label)
