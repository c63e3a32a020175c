"""The files of a folder or archive, one after another, and nothing outside of it.

Archives are streamed and never unpacked to disk; an archive inside an archive or folder is walked
like a folder. What could lead outside (a link, `..`, an absolute name) or is no file (a device)
comes out as a RecordError in place of a file, and the walk goes on.
"""

from __future__ import annotations

import lzma
import os
import stat
import tarfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from ..errors import InputError, RecordError

__all__ = ["Caps", "CorpusFile", "is_archive", "walk_files"]

_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_LONGEST_HEADER = 1 << 20
_DAMAGE = (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError)


@dataclass(frozen=True, kw_only=True)
class Caps:
    """How much is read at most, so that a hostile archive cannot fill memory or run for ever."""

    file_bytes: int = 256 << 20
    total_bytes: int = 16 << 30  # of everything inside archives, unpacked
    files: int = 2_000_000
    depth: int = 4  # archives inside archives


@dataclass(frozen=True, kw_only=True)
class CorpusFile:
    """One regular file. A file of an archive must be read before the walk goes on."""

    name: str  # the root's own name and the path below it, with "/"
    place: str  # as messages name it
    read: Callable[[], bytes]  # raises InputError
    path: Path | None  # where it is on disk; None inside an archive


def is_archive(name: str) -> bool:
    """Whether a file of this name is walked as an archive."""
    return name.lower().endswith(_ARCHIVES)


def walk_files(root: Path, caps: Caps | None = None) -> Iterator[CorpusFile | RecordError]:
    """Every file below a folder or inside an archive, folders in sorted order.

    Hidden files are passed over. Raises InputError where the root itself cannot be read.
    """
    walk = _Walk(root, Caps() if caps is None else caps)
    if root.is_dir():
        yield from walk.folder(root, root.absolute().name)
    elif root.is_file():
        yield from walk.file(root, root.name)
    elif root.exists():
        raise InputError(f"{root}: is neither a file nor a folder")
    else:
        raise InputError(f"{root}: there is no such file or folder")


class _Walk:
    """What one walk has to remember: its root, and how much it has seen."""

    def __init__(self, root: Path, caps: Caps) -> None:
        self._root = root.resolve()
        self._caps = caps
        self._files = 0
        self._bytes = 0

    def folder(self, folder: Path, name: str) -> Iterator[CorpusFile | RecordError]:
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield _refuse(str(folder), f"cannot be read: {error.strerror}")
            return
        for entry in entries:
            if entry.name.startswith("."):
                continue
            path, inside = Path(entry.path), f"{name}/{entry.name}"
            if entry.is_symlink():
                yield from self._link(path, inside)
            elif entry.is_dir(follow_symlinks=False):
                yield from self.folder(path, inside)
            elif entry.is_file(follow_symlinks=False):
                yield from self.file(path, inside)
            else:
                yield _refuse(str(path), "refused: not a regular file")

    def _link(self, path: Path, name: str) -> Iterator[CorpusFile | RecordError]:
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):  # RuntimeError: a ring of links, before Python 3.13
            yield _refuse(str(path), "refused: a link that leads nowhere")
            return
        if not target.is_relative_to(self._root):
            yield _refuse(
                str(path),
                "refused: a link out of the given folder; copy the file here, "
                "or give a folder that holds both",
            )
        elif target.is_file():
            yield from self.file(target, name, shown=str(path))
        # A link to a folder inside is passed over: the folder is walked where it stands.

    def file(
        self, path: Path, name: str, *, shown: str | None = None
    ) -> Iterator[CorpusFile | RecordError]:
        place = str(path) if shown is None else shown
        if is_archive(name):
            try:
                with path.open("rb") as stream:
                    yield from self._archive(stream, name, place, depth=1)
            except OSError as error:
                yield _refuse(place, f"cannot be read: {error.strerror or error}")
        elif (refused := self._count(place, 0)) is not None:
            yield refused
        else:
            yield CorpusFile(
                name=name, place=place, path=path, read=lambda: self._read_path(path, place)
            )

    def _read_path(self, path: Path, place: str) -> bytes:
        try:
            with path.open("rb") as stream:
                if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                    raise InputError(f"{place}: not a regular file")
                return self._read_stream(stream, place)
        except OSError as error:
            raise InputError(f"{place}: cannot be read: {error.strerror}") from None

    def _read_stream(self, stream: IO[bytes], place: str) -> bytes:
        try:
            data = stream.read(self._caps.file_bytes + 1)
        except _DAMAGE as error:
            raise InputError(f"{place}: cannot be read: {error}") from None
        if len(data) > self._caps.file_bytes:
            raise InputError(f"{place}: {_too_large(self._caps.file_bytes)}")
        return data

    def _archive(
        self, stream: IO[bytes], name: str, place: str, *, depth: int
    ) -> Iterator[CorpusFile | RecordError]:
        if depth > self._caps.depth:
            yield _refuse(place, f"refused: archives nested more than {self._caps.depth} deep")
            return
        try:
            with tarfile.open(fileobj=stream, mode="r|*", tarinfo=_Member) as archive:
                while (member := archive.next()) is not None:
                    yield from self._member(archive, member, name, place, depth=depth)
                    # It would keep every header until the end; the stubs do not know of it.
                    archive.members.clear()  # type: ignore[attr-defined]
        except _Full as full:
            if depth > 1:
                raise  # the archive around this one is not read on, either
            yield full.error
        except _DAMAGE as error:
            yield _refuse(place, f"damaged, or no tar archive; the rest of it is lost: {error}")

    def _member(
        self,
        archive: tarfile.TarFile,
        member: tarfile.TarInfo,
        name: str,
        place: str,
        *,
        depth: int,
    ) -> Iterator[CorpusFile | RecordError]:
        parts = member.name.replace("\\", "/").split("/")
        inner = "/".join(part for part in parts if part not in ("", "."))
        shown = f"{place}/{_printable(member.name if parts[0] == '' else inner)}"
        if member.name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]:
            yield _refuse(shown, "refused: its name leads out of the archive")
        elif member.isdir():
            return
        elif member.issym() or member.islnk():
            yield _refuse(shown, "refused: a link; links in archives are not followed")
        elif not member.isreg():
            yield _refuse(shown, "refused: not a regular file")
        elif any(part.startswith(".") for part in inner.split("/")):
            return
        elif (refused := self._count(shown, member.size)) is not None:
            raise _Full(refused)
        elif is_archive(inner):
            if (nested := archive.extractfile(member)) is not None:
                yield from self._archive(nested, f"{name}/{inner}", shown, depth=depth + 1)
        elif member.size > self._caps.file_bytes:
            yield _refuse(shown, _too_large(self._caps.file_bytes))
        elif (content := archive.extractfile(member)) is not None:
            yield CorpusFile(
                name=f"{name}/{inner}",
                place=shown,
                path=None,
                read=lambda: self._read_stream(content, shown),
            )

    def _count(self, place: str, size: int) -> RecordError | None:
        self._files += 1
        self._bytes += size
        if self._files > self._caps.files:
            return _refuse(place, f"refused from here on: more than {self._caps.files} files")
        if self._bytes > self._caps.total_bytes:
            gigabytes = self._caps.total_bytes / (1 << 30)
            return _refuse(place, f"refused from here on: more than {gigabytes:.3g} GiB unpacked")
        return None


class _Full(Exception):  # noqa: N818 - a signal between the archives of one walk
    """The walk's caps are reached: no more of this archive."""

    def __init__(self, error: RecordError) -> None:
        super().__init__(error.reason)
        self.error = error


class _Member(tarfile.TarInfo):
    """A header of an archive; refuses long-name headers that are themselves a bomb."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        info = super().frombuf(buf, encoding, errors)
        if not info.isreg() and not info.isdir() and info.size > _LONGEST_HEADER:
            raise tarfile.ReadError(f"a header of {info.size} bytes")
        return info


def _too_large(cap: int) -> str:
    return f"refused: larger than {cap / (1 << 20):.3g} MiB"


def _printable(name: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


def _refuse(place: str, reason: str) -> RecordError:
    return RecordError(place, 1, reason, place)
