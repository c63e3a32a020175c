"""Results kept in a folder as JSON lines: an interrupted reproduction goes on from there."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from ..errors import InputError
from ..message import Message, show_name
from ..replacing import open_whole
from ..runs.storage import LocalFolder

__all__ = ["Cache", "claim_folder", "find_results", "open_cache"]

_NAME = "results.jsonl"
_CHECKSUM = "crc32"  # of the line without it


class Cache:
    """Results by topic id; what is added is written at once."""

    def __init__(self, stored: Mapping[str, dict[str, Any]], stream: BinaryIO | None) -> None:
        self._stored = dict(stored)
        self._stream = stream

    def find(self, topic_id: str, fingerprint: str) -> dict[str, Any] | None:
        """The result of a topic, if it was measured from the same text."""
        found = self._stored.get(topic_id)
        if found is not None and found["fingerprint"] != fingerprint:
            raise InputError(
                Message(
                    "topic {topic} has changed since it was measured: choose another folder, or "
                    "{force=True} to start anew",
                    topic=repr(topic_id),
                )
            )
        return found

    def add(self, result: dict[str, Any]) -> None:
        """Keep a result."""
        self._stored[result["id"]] = result
        if self._stream is not None and "error" not in result:
            _write(self._stream, _seal(result))


@contextmanager
def claim_folder(folder: Path | None, names: Iterable[str], *, force: bool) -> Iterator[None]:
    """Keep other runs out of a folder (None: nowhere) to which files of these names are written.

    Raises InputError if another run has it, or if a file of somebody else would be overwritten:
    there is one, and no results of ours.
    """
    if folder is None:
        yield
        return
    _make_folder(folder)
    if not force and not (folder / _NAME).exists():
        for path in (folder / name for name in names):
            if path.exists():
                raise InputError(
                    Message(
                        "{path}: exists, and no {results} beside it: choose another folder, or "
                        "{force=True} to overwrite it",
                        path=show_name(path),
                        results=_NAME,
                    )
                )
    with ExitStack() as stack:
        try:
            stack.enter_context(LocalFolder(path=folder).lock())
        except OSError as error:
            raise InputError(f"{show_name(folder)}: cannot be written: {error.strerror}") from None
        yield


def find_results(folder: Path) -> tuple[int, int] | None:
    """Which file has the results of a folder: another one if a run has begun to write there."""
    try:
        found = (folder / _NAME).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{show_name(folder)}: cannot be made a folder: {error.strerror}"
        ) from None


@contextmanager
def open_cache(folder: Path | None, signature: str, *, force: bool = False) -> Iterator[Cache]:
    """The results in a folder (None: nowhere). Results of other settings are never mixed in."""
    if folder is None:
        yield Cache({}, None)
        return
    _make_folder(folder)
    path = folder / _NAME
    if path.exists() and not path.is_file():
        raise InputError(f"{show_name(path)}: is not a regular file; choose another folder")
    stored = {} if force or not path.exists() else _read(path, signature)
    try:
        # Written anew: the last line may have been cut short when the run before ended.
        with open_whole(path) as stream:
            _write(stream, {"signature": signature})
            for result in stored.values():
                _write(stream, _seal(result))
        appended = path.open("ab")
    except OSError as error:
        raise InputError(f"{show_name(path)}: cannot be written: {error.strerror}") from None
    with appended as stream:
        yield Cache(stored, stream)


def _read(path: Path, signature: str) -> dict[str, dict[str, Any]]:
    try:
        first, *lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"{show_name(path)}: cannot be read: {error.strerror}") from None
    header = _parse(first)
    if header is None or "signature" not in header:
        raise InputError(f"{show_name(path)}: is not a file of results; choose another folder")
    if header["signature"] != signature:
        raise InputError(
            Message(
                "{path}: holds results of other settings: choose another folder, or {force=True} "
                "to start anew\n  there: {there}\n  here:  {here}",
                path=show_name(path),
                there=header["signature"],
                here=signature,
            )
        )
    results = (_restore(line) for line in lines)
    return {result["id"]: result for result in results if result is not None}


def _restore(line: bytes) -> dict[str, Any] | None:
    """The result that was written as this line; None if it is damaged, so that it is made anew."""
    result = _parse(line)
    if result is None or result.pop(_CHECKSUM, None) != zlib.crc32(orjson.dumps(result)):
        return None
    return result if isinstance(result.get("id"), str) else None


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None  # cut short, or the empty end of the file
    return record if isinstance(record, dict) else None


def _seal(result: dict[str, Any]) -> dict[str, Any]:
    return {**result, _CHECKSUM: zlib.crc32(orjson.dumps(result))}


def _write(stream: BinaryIO, record: dict[str, Any]) -> None:
    stream.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
    stream.flush()
