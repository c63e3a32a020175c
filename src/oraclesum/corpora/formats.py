"""Formats of corpora: what a path contains is recognised by the names of its files, and read.

A further format gets a suffix in `opening.py` or a layout in `layouts.py`, and its reader in
`_read_file`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson

from ..errors import InputError, NoRecordError, RecordError
from ..frozen import dataclass
from ..given import check_choice, is_one_of
from ..message import Message, show_name, show_value
from .annotations import read_annotations
from .arrow import read_arrow, read_parquet
from .bad import BadFile
from .caps import Caps, describe_cap
from .columns import Columns, check_columns
from .demo import demo_path
from .documents import Split
from .duc import read_year
from .files import CorpusFile, find_mode, is_folder, is_regular, read_file, walk_files
from .layouts import LAYOUTS
from .opening import SUFFIXES, Opened, find_format, find_suffix, is_path_list, is_summeval
from .reading import EMPTY, Source, check_name, open_source, read_source
from .realsumm import read_scores
from .record import count_values
from .repeats import refuse_repeats
from .roles import count_roles, find_year
from .rows import is_table, read_rows
from .separated import read_separated
from .stories import parse_story
from .texts import has_texts, read_texts
from .topic import Topic
from .unpacking import damage, describe, is_archive, peek, unpack
from .wrong import refuse_wrong

__all__ = ["FORMATS", "open_corpus", "recognise_format"]

_NAMES_SHOWN = 3
_MOST_REFUSED = 1000  # errors that are kept while nobody knows yet what a corpus is
_MANY_VALUES = 1 << 22
_BYTES_PER_VALUE = 4  # of an array with more than these: lists of short words have about six
_ONE_OBJECT = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\s*\n")
_SHARD = re.compile(r"(?P<set>.*)-[0-9]{5}-of-(?P<count>[0-9]{5})\.arrow")
_BOM = b"\xef\xbb\xbf"
_CERTAIN = ("stories", "parquet", "arrow", "jsonl")  # others may lie beside documents of DUC
_BY_FILE = (*_CERTAIN, "json", "csv", "tsv", "summeval")  # a file has whole records

FORMATS = (
    "auto",
    "jsonl",
    "json",
    "csv",
    "tsv",
    "parquet",
    "arrow",
    "txt",
    "summeval",
    "realsumm",
    "stories",
    *LAYOUTS,
)
"""What open_corpus takes as `format`."""


def open_corpus(
    source: Any,
    *,
    format: str = "auto",
    split: Split | None = None,
    length: str | int | None = None,
    task: str = "multi",
    caps: Caps | None = None,
    columns: Mapping[str, str] | str | None = None,
) -> Iterator[Topic | RecordError]:
    """The topics of a corpus, each a Topic or the RecordError that tells why it is none.

    Parameters
    ----------
    source
        A file, a folder or an archive; a list of these that belong together (documents here,
        references there); "demo", the built-in corpus; or a table of pandas, datasets, polars or
        pyarrow, or any iterable of mappings.
    format
        One of `oraclesum.corpora.FORMATS`, to read nothing else. Default: recognised.
    split
        Cuts text into sentences if documents come unsplit: pass oraclesum.split_sentences.
    length, task
        Choose among the references of DUC. Default: the usual ones; "multi".
    caps
        Bounds what is unpacked: a line or file of more than `Caps.record_bytes` (256 MiB) is
        refused.
    columns
        Which column has what, if the names are not known: `{"text": "body", "references":
        "abstract", "id": "nr"}`. Default: those of known data sets.

    Returns
    -------
    Iterator of Topic or RecordError
        If what was found is damaged, the damage comes out as RecordErrors.

    Raises
    ------
    InputError
        If nothing is recognised, or the first records have no document or no references.

    Examples
    --------
    >>> [topic.id for topic in open_corpus("demo")][:2]
    ['harbour', 'manuscript']
    """
    check_choice("format", format, FORMATS)
    if caps is not None and not isinstance(caps, Caps):
        raise InputError(f"caps must be Caps, not {show_value(caps)}")
    if split is not None and not callable(split):
        raise InputError(f"split must be a function, not {show_value(split)}")
    chosen = check_columns(columns)
    if not isinstance(source, str | os.PathLike) and not is_path_list(source):
        if not is_table(source):
            raise InputError(f"a corpus is a path or a table, not {type(source).__name__}")
        _refuse_choice(length, task, "a table")
        return refuse_repeats(refuse_wrong(read_rows(source, columns=chosen)))
    if source == "demo" and find_mode(Path(source)) is None:
        source = demo_path()
    names = [source] if isinstance(source, str | os.PathLike) else source
    roots = [check_name(name) for name in names]
    for root in roots:
        is_folder(root)  # each is looked at before the first is read
    roots = [part for root in roots for part in _list_saved(root, caps or Caps())]
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
        _refuse_choice(length, task, key)
        items = _read_files(roots, key, caps, chosen, every=format == "auto")
        return refuse_repeats(refuse_wrong(items))
    if chosen:
        raise InputError(Message("{columns} is for tables and JSON, not for {key}", key=key))
    if split is None:
        raise InputError(f"{key} has whole documents: pass split=oraclesum.text.split_sentences")
    wanted = None if length is None else str(length)
    return read_year(roots, key, split=split, length=wanted, task=task, caps=caps)


def _refuse_choice(length: object, task: object, what: str) -> None:
    if length is not None or not is_one_of(task, ("multi",)):
        raise InputError(f"`length` and `task` choose among references of DUC, not of {what}")


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
    others: list[str] = []
    more = 0
    for root in roots:
        if len(roots) == 1 and is_regular(root) and not is_archive(root.name):
            return _Recognised(key=find_format(root))
        for file in walk_files(root, caps):
            if isinstance(file, RecordError):
                more += len(refused) == _MOST_REFUSED
                refused += [file] * (len(refused) < _MOST_REFUSED)
            elif (suffix := find_suffix(file.name)) in _CERTAIN:
                return _Recognised(key=suffix)
            else:
                others += [suffix] if suffix is not None else []
                names.append(file.name)
                places.append(file.place)
    found = _find_layouts(names)
    if len(found) > 1:
        # 2003 and 2004 number their docsets alike; where the folder stands may tell.
        years = {find_year(place) for place in places}
        found = [key for key in found if LAYOUTS[key].year in years] or found
    if len(found) == 1:
        return _Recognised(key=found[0])
    if not found and (others or has_texts(names)):
        # A pickle beside other files is most likely a cache.
        kinds = sorted(others, key=lambda kind: kind == "realsumm")
        return _Recognised(key=kinds[0] if kinds else "txt")
    if found:
        reason: str = Message(
            "could be any of {found}; say which by {format}", found=", ".join(found)
        )
    else:
        reason = _explain(names, count_roles(names))
    if more:
        place = refused[-1].file
        refused.append(RecordError(place, 1, f"and {more:,} more were refused", place))
    return _Recognised(reason=reason, refused=refused, files=len(names))


def _find_layouts(names: Sequence[str]) -> list[str]:
    """The years whose documents and references files of these names may be."""
    counts = count_roles(names)
    found = [key for key, count in counts.items() if count["documents"] and count["models"]]
    return [key for key in found if LAYOUTS[key].preferred] or found


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
    roots: Sequence[Path], key: str, caps: Caps | None, columns: Columns, *, every: bool
) -> Iterator[Topic | RecordError]:
    """The topics of a format; `every`: of all formats whose files have records, if it is one."""
    caps = Caps() if caps is None else caps
    if key == "txt":
        yield from read_texts((file for root in roots for file in walk_files(root, caps)), caps)
        return
    if key == "realsumm":
        yield from read_scores((file for root in roots for file in walk_files(root, caps)), caps)
        return
    read = 0
    passed_over: list[str] = []
    refused = False
    for root in roots:
        alone = is_regular(root) and not is_archive(root.name)
        for file in walk_files(root, caps):
            if isinstance(file, RecordError):
                refused = True
                yield file
                continue
            found = find_format(root) if alone else find_suffix(file.name)
            if alone or found == key or (every and found in _BY_FILE):
                read += 1
                its = found if every and found in _BY_FILE else key
                for item in _read_whole(file, its, caps, columns):
                    if its != key and isinstance(item, NoRecordError):
                        # Beside data lie tables and JSON of all kinds, which say nothing about it.
                        item = RecordError(item.file, item.line, item.reason, item.record_id)
                    yield item
            else:
                passed_over.append(file.name)
    where = ", ".join(map(show_name, roots))
    documents = _find_layouts(passed_over) or ["txt"] * has_texts(passed_over)
    if every and read and documents:
        unread = Message(
            "its documents were not read, as there are files of records beside them; say by "
            "{format} what to read: {documents} or {key}",
            documents=" or ".join(documents),
            key=key,
        )
        yield RecordError(where, 1, unread, where)
    if not read:
        count = f"{len(passed_over)} files{_list_some(passed_over)}"
        reason = f"no file of the format {key} among {count}"
        if not refused:
            raise InputError(f"{where}: {reason}")
        yield RecordError(where, 1, reason, where)


def _read_whole(
    file: CorpusFile, key: str, caps: Caps, columns: Columns
) -> Iterator[Topic | RecordError]:
    """The records of a file, or what is wrong with all of it."""
    empty = True
    try:
        for item in refuse_wrong(_read_file(file, key, caps, columns)):
            empty = False
            yield item
    except NoRecordError as error:
        yield error
    except InputError as error:
        yield file.refuse(error)
    else:
        if empty:
            yield RecordError(file.place, 1, EMPTY, file.place)


def _read_file(
    file: CorpusFile, key: str, caps: Caps, columns: Columns
) -> Iterator[Topic | RecordError]:
    label = file.name.partition("/")[2] or file.name  # below the given folder
    if key == "stories":
        topic_id = label.rpartition("/")[2].removesuffix(".story")
        try:
            yield parse_story(file.read(), place=file.place, topic_id=topic_id)
        except BadFile as bad:
            yield RecordError(file.place, bad.line, bad.reason, topic_id)
    elif key in ("parquet", "arrow"):
        data = file.read() if file.path is None else file.path
        read = read_arrow if key == "arrow" else read_parquet
        yield from read(
            data, name=file.place, label=label, record_bytes=caps.record_bytes, columns=columns
        )
    else:
        with _open_lines(file, label, caps, columns) as source:
            if key == "json" and _ONE_OBJECT.match(peek(source.lines)):
                reason = "one JSON object over several lines; records are an array, or one per line"
                raise NoRecordError(file.place, 1, reason, file.place)
            yield from _read_stream(source, key)


def _read_stream(source: Source, key: str) -> Iterator[Topic | RecordError]:
    """The records of a file of text."""
    if key in ("csv", "tsv"):
        yield from read_separated(
            source.lines,
            name=source.name,
            label=source.label,
            separator="\t" if key == "tsv" else None,
            record_bytes=source.record_bytes,
            columns=source.columns,
        )
        return
    start = peek(source.lines)
    if key == "summeval" or is_summeval(start):
        yield from read_annotations(source)
    elif key == "json" and start.removeprefix(_BOM).lstrip().startswith(b"["):
        rows = _load_array(source)
        yield from read_rows(rows, name=source.name, label=source.label, columns=source.columns)
    else:
        yield from Opened(items=refuse_wrong(read_source(source))).parse()


def _load_array(source: Source) -> list[Any]:
    """The rows of a file that is one JSON array. Raises InputError."""
    try:
        data = source.lines.read(source.record_bytes + 1)
        if len(data) > source.record_bytes:
            raise InputError(f"{source.name}: the array is {describe_cap(source.record_bytes)}")
        values, most = count_values(data), max(_MANY_VALUES, len(data) // _BYTES_PER_VALUE)
        if values > most:
            raise InputError(
                f"{source.name}: refused: {values:,} values in one array, {most:,} are read at "
                "most; write the records as JSON lines"
            )
        found = orjson.loads(data.removeprefix(_BOM))
    except orjson.JSONDecodeError as error:
        raise InputError(
            f"{source.name}: broken JSON on line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except damage() as error:
        raise InputError(f"{source.name}: cannot be read: {describe(error)}") from None
    assert isinstance(found, list)
    return found


@contextmanager
def _open_lines(file: CorpusFile, label: str, caps: Caps, columns: Columns) -> Iterator[Source]:
    if file.path is None:
        raw = cast(BinaryIO, file.open())
        lines = unpack(raw)
        yield Source(
            name=file.place,
            label=label,
            path=None,
            lines=lines,
            raw=raw,
            size=None,
            record_bytes=caps.record_bytes,
            columns=columns,
        )
    else:
        with open_source(str(file.path), record_bytes=caps.record_bytes, columns=columns) as source:
            yield replace(source, name=file.place, label=label)


def _list_saved(root: Path, caps: Caps) -> list[Path]:
    """The files of a data set that `save_to_disk` wrote; anything else as it is.

    Other Arrow files in such a folder are caches of computations. Raises InputError for a
    folder with several splits.
    """
    if is_regular(root / "dataset_dict.json", root):
        splits = _list_folders(root)
        raise InputError(
            f"{show_name(root)}: is a DatasetDict with the splits {', '.join(splits)}; "
            f"name one of them, such as {show_name(root / splits[-1]) if splits else ''}"
        )
    state = root / "state.json"
    if not is_regular(state, root) or not is_regular(root / "dataset_info.json", root):
        return [root]
    names = _read_state(read_file(state, show_name(state), caps.record_bytes), show_name(state))
    for name in names:
        # What leads out and in again is refused, too: it is no name that `save_to_disk` writes.
        outside = Path(name).is_absolute() or ".." in Path(name).parts
        if outside or not _is_inside(root / name, root):
            raise InputError(
                f"{show_name(state)}: names {show_value(name)}, which is no file of this folder"
            )
    return [root / name for name in names]


def _list_folders(root: Path) -> list[str]:
    try:
        return sorted(part.name for part in root.iterdir() if part.is_dir())
    except OSError as error:
        raise InputError(f"{show_name(root)}: cannot be read: {error.strerror}") from None


def _read_state(written: bytes, place: str) -> list[str]:
    """The data files that `state.json` names. Raises InputError."""
    try:
        state = orjson.loads(written)
    except orjson.JSONDecodeError as error:
        raise InputError(
            f"{place}: broken JSON on line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    if isinstance(state, dict) and state.get("_indices_data_files"):
        raise InputError(
            f"{place}: names a file with the order of the rows, which is not read: save the data "
            "set again, after dataset.flatten_indices()"
        )
    files = state.get("_data_files") if isinstance(state, dict) else None
    entries = files if isinstance(files, list) else [None]
    found = [one.get("filename") if isinstance(one, dict) else None for one in entries]
    names = [name for name in found if isinstance(name, str)]
    if len(names) < len(found):
        raise InputError(
            f"{place}: does not name the data files: `_data_files` must be a list of objects "
            "with a `filename` each"
        )
    if not names:
        raise InputError(f"{place}: names no data file")
    if missing := _find_missing(names):
        raise InputError(f"{place}: does not name {missing}, which belongs to the others")
    return names


def _find_missing(names: list[str]) -> str | None:
    """A data file that `save_to_disk` numbers together with those of these names."""
    known = set(names)
    numbered = dict.fromkeys(
        found.group("set", "count") for found in map(_SHARD.fullmatch, names) if found
    )
    for stem, count in numbered:
        for number in range(int(count)):
            if (other := f"{stem}-{number:05d}-of-{count}.arrow") not in known:
                return other
    return None


def _is_inside(path: Path, root: Path) -> bool:
    """Whether a path is a file in a folder, and no link that leads out of it."""
    try:
        target = path.resolve(strict=True)
        return target.is_relative_to(root.resolve()) and target.is_file()
    except (OSError, RuntimeError, ValueError):  # it is not there, a ring of links, a NUL
        return False
