"""The files of a folder or archive, one after another, and nothing outside of it.

Archives are streamed and never unpacked to disk; an archive inside an archive or folder is walked
like a folder. What could lead outside (a link, `..`, an absolute name) or is no file (a device)
comes out as a RecordError in place of a file, and the walk goes on. An archive that is damaged
gives its files up to there and a RecordError that names the damage.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import IO, BinaryIO

from ..errors import InputError, RecordError
from ..frozen import dataclass
from ..message import show_name
from .archives import ArchiveError, Entry, read_zip
from .caps import Caps, describe_cap
from .tar import read_tar
from .unpacking import damage, describe, is_archive, is_zip

__all__ = [
    "CorpusFile",
    "Keeper",
    "find_mode",
    "is_folder",
    "is_regular",
    "read_bounded",
    "read_file",
    "walk_files",
]

_LONGEST_NAME = 4096
_BLOCK = 1 << 20


@dataclass(frozen=True, kw_only=True)
class CorpusFile:
    """One regular file. A file of an archive must be read before the walk goes on."""

    name: str  # the root's own name and the path below it, with "/"
    place: str  # as messages name it
    open: Callable[[], IO[bytes]]  # raises InputError; reading from it raises one of damage()
    read: Callable[[], bytes]  # raises InputError
    path: Path | None  # where it is on disk; None inside an archive

    def refuse(self, error: InputError) -> RecordError:
        """What stands for a file that could not be read."""
        return _refuse(self.place, str(error).removeprefix(f"{self.place}: "))


class Keeper:
    """Reads files that are kept until all are known, and bounds what is kept of archives.

    What is on disk as it is, is not counted: no file can be there that takes little room.
    """

    def __init__(self, caps: Caps) -> None:
        self._most = max(caps.kept_bytes, caps.record_bytes)
        self._kept = 0

    def read(self, file: CorpusFile) -> bytes:
        """The bytes of a file. Raises InputError."""
        data = file.read()
        if file.path is None:
            self.count(file.place, len(data))
        return data

    def count(self, place: str, size: int) -> None:
        """Take note of unpacked bytes that will be kept. Raises InputError if they are too many."""
        if self._kept + size > self._most:
            raise InputError(
                f"{place}: refused: with it, more than {self._most / (1 << 30):.3g} GiB of "
                "archives would be in memory at once; unpack the archive into a folder, and give "
                "that"
            )
        self._kept += size


def walk_files(root: Path, caps: Caps | None = None) -> Iterator[CorpusFile | RecordError]:
    """Every file below a folder or inside an archive, folders in sorted order.

    Hidden files are passed over. Raises InputError if the root itself cannot be read.
    """
    walk = _Walk(root, Caps() if caps is None else caps)
    if is_folder(root):
        yield from walk.folder(root, show_name(root.absolute().name))
    else:
        yield from walk.file(root, show_name(root.name))


def is_folder(root: Path) -> bool:
    """Whether a folder was given, or a file. Raises InputError if it is neither."""
    mode = find_mode(root)
    if mode is None:
        raise InputError(f"{show_name(root)}: there is no such file or folder")
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise InputError(f"{show_name(root)}: is neither a file nor a folder")
    return stat.S_ISDIR(mode)


def find_mode(path: Path, place: Path | None = None) -> int | None:
    """What a path is, as `stat` tells it; None if it is nothing.

    Raises InputError if nobody may look, as `is_file` does not in every version of Python. `place`
    is what the message names.
    """
    try:
        return path.stat().st_mode
    except PermissionError as error:
        shown = show_name(path if place is None else place)
        raise InputError(f"{shown}: cannot be read: {error.strerror}") from None
    except (OSError, ValueError):  # it is not there, a ring of links, a name that none can have
        return None


def is_regular(path: Path, place: Path | None = None) -> bool:
    """Whether a path is a file. Raises InputError if nobody may look."""
    mode = find_mode(path, place)
    return mode is not None and stat.S_ISREG(mode)


class _Walk:
    """What one walk has to remember: its root, and how much it has seen."""

    def __init__(self, root: Path, caps: Caps) -> None:
        self._root = root.resolve()
        self._caps = caps
        self._files = 0
        self._bytes = 0
        self._names = 0

    def folder(self, folder: Path, name: str) -> Iterator[CorpusFile | RecordError]:
        # A list of those begun, as folders may be nested deeper than calls.
        begun = [self._entries(folder, name)]
        while begun:
            for item in begun[-1]:
                if isinstance(item, tuple):
                    begun.append(self._entries(*item))
                    break
                yield item
            else:
                begun.pop()

    def _entries(
        self, folder: Path, name: str
    ) -> Iterator[CorpusFile | RecordError | tuple[Path, str]]:
        """What is in a folder itself, and the paths and names of the folders in it."""
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield _refuse(show_name(folder), f"cannot be read: {error.strerror}")
            return
        for entry in entries:
            if entry.name.startswith("."):
                continue
            path, inside = Path(entry.path), f"{name}/{show_name(entry.name)}"
            try:
                is_link, is_folder = entry.is_symlink(), entry.is_dir(follow_symlinks=False)
                is_file = entry.is_file(follow_symlinks=False)
            except OSError as error:  # some file systems have to look once more for its kind
                yield _refuse(show_name(path), f"cannot be read: {error.strerror}")
                continue
            if is_link:
                yield from self._link(path, inside)
            elif is_folder:
                yield path, inside
            elif is_file:
                yield from self.file(path, inside)
            else:
                yield _refuse(show_name(path), "refused: not a regular file")

    def _link(self, path: Path, name: str) -> Iterator[CorpusFile | RecordError]:
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):  # RuntimeError: a ring of links, before Python 3.13
            yield _refuse(show_name(path), "refused: a link that leads nowhere")
            return
        if not target.is_relative_to(self._root):
            yield _refuse(
                show_name(path),
                "refused: a link out of the given folder; copy the file here, "
                "or give a folder that holds both",
            )
        elif target.is_file():
            yield from self.file(target, name, shown=show_name(path))
        elif any(part.startswith(".") for part in target.relative_to(self._root).parts):
            yield _refuse(
                show_name(path),
                "refused: a link to a hidden folder; give the folder a name without a leading dot",
            )
        else:  # walked where it stands; but the name here may say what it is
            yield _refuse(
                show_name(path),
                "refused: a link to a folder of the corpus, which is read under its own name only; "
                "remove the link, or put a copy in its place if this name counts",
            )

    def file(
        self, path: Path, name: str, *, shown: str | None = None
    ) -> Iterator[CorpusFile | RecordError]:
        place = show_name(path) if shown is None else shown
        if is_archive(name):
            try:
                with path.open("rb") as stream:
                    yield from self._archive(stream, name, place, depth=1)
            except OSError as error:
                yield _refuse(place, f"cannot be read: {error.strerror or error}")
        elif (refused := self._count_file(place)) is not None:
            yield refused
        else:
            yield CorpusFile(
                name=name,
                place=place,
                path=path,
                open=lambda: _open_path(path, place),
                read=lambda: read_file(path, place, self._caps.record_bytes),
            )

    def _archive(
        self, stream: IO[bytes], name: str, place: str, *, depth: int
    ) -> Iterator[CorpusFile | RecordError]:
        if depth > self._caps.depth:
            yield _refuse(place, f"refused: archives nested more than {self._caps.depth} deep")
            return
        try:
            seen: set[bytes] = set()
            for entry in self._list_entries(stream, name, place, depth=depth):
                yield from self._member(entry, name, place, seen, depth=depth)
        except _Full as full:
            if depth > 1:
                raise  # the archive around this one is not read on, either
            yield full.error
        except ArchiveError as error:
            yield _refuse(place, str(error))
        except InputError as error:
            yield _refuse(place, str(error).removeprefix(f"{place}: "))

    def _list_entries(
        self, stream: IO[bytes], name: str, place: str, *, depth: int
    ) -> Iterator[Entry]:
        if not is_zip(name):
            return read_tar(stream)
        if depth > 1:  # inside another archive, which goes one way only
            stream = io.BytesIO(read_bounded(stream, place, self._caps.record_bytes))
        # Of archives inside each other all tables are in memory; each may have half of the rest.
        return read_zip(stream, self._caps.kept_bytes >> depth - 1)

    def _member(
        self, member: Entry, name: str, place: str, seen: set[bytes], *, depth: int
    ) -> Iterator[CorpusFile | RecordError]:
        # Those who sort files keep where they are, too.
        self._count_name(f"{name}/{member.name}" if depth > 1 else member.name, place)
        parts = member.name.replace("\\", "/").split("/")
        inner = show_name("/".join(part for part in parts if part not in ("", ".")))
        shown = f"{place}/{show_name(member.name) if parts[0] == '' else inner}"
        if (full := self._count_bytes(shown, member)) is not None:
            raise _Full(full)
        is_passed_over = member.kind == "folder" or any(
            part.startswith(".") for part in inner.split("/")
        )
        # What is refused counts, too: its errors may be kept until all files are known.
        if not is_passed_over and (full := self._count_file(shown)) is not None:
            raise _Full(full)
        if member.wrong is not None:
            yield _refuse(shown, member.wrong)
        elif len(member.name) > _LONGEST_NAME:
            yield _refuse(f"{shown[:100]}…", f"refused: a name of {len(member.name):,} characters")
        elif member.name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]:
            yield _refuse(shown, "refused: its name leads out of the archive")
        elif member.kind == "folder":
            return
        elif member.kind == "link":
            yield _refuse(shown, "refused: a link; links in archives are not followed")
        elif member.kind != "file":
            yield _refuse(shown, "refused: not a regular file")
        elif not inner:
            yield _refuse(place, "refused: an entry without a name")
        elif parts[-1] == "":
            yield _refuse(shown, "refused: a file with the name of a folder; its header is damaged")
        elif is_passed_over:
            return
        elif not _enter(inner, seen):
            yield _refuse(shown, "refused: it is in the archive twice; the first was taken")
        elif is_archive(inner):
            yield from self._archive(member.open(), f"{name}/{inner}", shown, depth=depth + 1)
        else:
            yield CorpusFile(
                name=f"{name}/{inner}",
                place=shown,
                path=None,
                open=member.open,
                read=lambda: self._read_member(member, shown),
            )

    def _read_member(self, member: Entry, place: str) -> bytes:
        if member.size > self._caps.record_bytes:
            raise InputError(f"{place}: {_too_large(self._caps.record_bytes)}")
        return read_bounded(member.open(), place, self._caps.record_bytes)

    def _count_name(self, name: str, place: str) -> None:
        """Raises _Full if the names in archives are too many: whoever sorts files keeps them."""
        self._names += len(name) * (1 if name.isascii() else 4)  # as Python keeps it, at most
        if self._names > self._caps.name_bytes:
            mebibytes = self._caps.name_bytes / (1 << 20)
            raise _Full(
                _refuse(
                    place,
                    f"refused from here on: more than {mebibytes:.4g} MiB of names; "
                    "unpack the archive into a folder, and give that",
                )
            )

    def _count_file(self, place: str) -> RecordError | None:
        self._files += 1
        if self._files > self._caps.files:
            return _refuse(place, f"refused from here on: more than {self._caps.files} files")
        return None

    def _count_bytes(self, place: str, entry: Entry) -> RecordError | None:
        """Also those of what nobody reads: the rest of the archive stands behind it."""
        size = entry.size
        self._bytes += entry.taken
        gigabytes = self._caps.total_bytes / (1 << 30)
        if size > self._caps.total_bytes:
            return _refuse(
                place,
                f"refused from here on: the archive says that this file has {size:,} bytes, more "
                f"than the {gigabytes:.3g} GiB that are unpacked at most: is the archive damaged?",
            )
        if self._bytes > self._caps.total_bytes:
            return _refuse(
                place,
                f"refused from here on: more than {gigabytes:.3g} GiB unpacked; "
                "unpack the archive into a folder, and give that",
            )
        return None


class _Full(Exception):  # noqa: N818 - a signal between the archives of one walk
    """The walk's caps are reached: no more of this archive."""

    def __init__(self, error: RecordError) -> None:
        super().__init__(error.reason)
        self.error = error


def read_file(path: Path, place: str, record_bytes: int) -> bytes:
    """The bytes of a regular file. Raises InputError if they are more, or cannot be read."""
    with _open_path(path, place) as stream:
        if os.fstat(stream.fileno()).st_size > record_bytes:
            raise InputError(f"{place}: {_too_large(record_bytes)}")
        return read_bounded(stream, place, record_bytes)


def read_bounded(stream: IO[bytes], place: str, record_bytes: int) -> bytes:
    """All that a stream has. Raises InputError if that is more, or if it cannot be read."""
    blocks: list[bytes] = []
    size = 0
    try:
        # Not all at once: the memory for it would be taken before anything is read.
        while size <= record_bytes and (block := stream.read(_BLOCK)):
            blocks.append(block)
            size += len(block)
    except damage() as error:
        raise InputError(f"{place}: cannot be read: {describe(error)}") from None
    if size > record_bytes:
        raise InputError(f"{place}: {_too_large(record_bytes)}")
    return b"".join(blocks)


def _open_path(path: Path, place: str) -> BinaryIO:
    try:
        stream = path.open("rb")
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            stream.close()
            raise InputError(f"{place}: not a regular file")
    except OSError as error:
        raise InputError(f"{place}: cannot be read: {error.strerror}") from None
    return stream


def _enter(name: str, seen: set[bytes]) -> bool:
    """Enter a name among those of an archive; False if it was there before."""
    # Hashes of them, as two million names may be long; no two names have one hash.
    key = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    is_new = key not in seen
    seen.add(key)
    return is_new


def _too_large(cap: int) -> str:
    return f"refused: {describe_cap(cap)}"


def _refuse(place: str, reason: str) -> RecordError:
    return RecordError(place, 1, reason, place)
