"""Folders that results are put into: a file is there whole or not at all."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from ..errors import InputError
from ..frozen import dataclass
from ..message import show_name

__all__ = ["LocalFolder", "RemoteFolder", "Storage", "open_storage"]

# As `put` and `open_whole` name them.
_UNFINISHED = re.compile(r"[.].+[.][0-9]+-[0-9a-f]{8}[.]tmp|[.][0-9a-f]{8}[.][0-9]+[.]tmp")


class Storage(Protocol):
    """What a run asks of the folder it writes to; can be sent to another process."""

    def put(self, name: str, data: bytes) -> None:
        """Write a file whole; one that is there is replaced."""

    def settle(self) -> None:
        """Have the names of all files outlive a power loss."""

    def get(self, name: str) -> bytes | None:
        """The bytes of a file; None if there is none."""

    def names(self) -> list[str]:
        """The files that are there, sorted."""

    def remove(self, name: str) -> None:
        """Take a file away."""


def open_storage(name: str, *, create: bool) -> Storage:
    """A folder on this machine, or at an address such as s3://bucket/results. Raises InputError."""
    folder = Path(name)
    if "://" in name:
        from pyarrow import fs

        try:
            system, path = fs.FileSystem.from_uri(name)
            is_local = isinstance(system, fs.LocalFileSystem)
            if create and not is_local:
                system.create_dir(path, recursive=True)
        except (OSError, ValueError) as error:
            raise InputError(f"{show_name(name)}: cannot be opened: {error}") from None
        if not is_local:
            return RemoteFolder(system=system, path=path.rstrip("/"))
        folder = Path(path)  # file://
    if create:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{show_name(folder)}: cannot be made: {error.strerror}") from None
    elif not folder.is_dir():
        raise InputError(f"{show_name(folder)}: there is no such folder")
    return LocalFolder(path=folder)


@dataclass(frozen=True, kw_only=True)
class LocalFolder:
    """A folder of this machine, or one that all machines of a cluster see."""

    path: Path

    def put(self, name: str, data: bytes) -> None:
        # Unique, as a task that was given up for lost may still be writing the same file.
        draft = self.path / f".{name}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
        try:
            with draft.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            draft.replace(self.path / name)
        except OSError:
            draft.unlink(missing_ok=True)
            raise

    def settle(self) -> None:
        folder = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def get(self, name: str) -> bytes | None:
        place = show_name(self.path / name)
        try:
            with open(self.path / name, "rb", opener=_open_at_once) as stream:
                if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                    raise InputError(f"{place}: not a regular file")
                return stream.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(f"{place}: cannot be read: {error.strerror}") from None

    def names(self) -> list[str]:
        return sorted(entry.name for entry in self.path.iterdir() if entry.is_file())

    def remove(self, name: str) -> None:
        (self.path / name).unlink(missing_ok=True)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other runs out of the folder, and take away what a killed one left half written.

        What is half written at the end is taken away, too: workers may be ended while they write.
        """
        descriptor = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                place = show_name(self.path)
                raise InputError(f"{place}: another run is writing to this folder") from None
            self._remove_drafts()
            try:
                yield
            finally:
                self._remove_drafts()
        finally:
            os.close(descriptor)

    def _remove_drafts(self) -> None:
        for name in filter(_UNFINISHED.fullmatch, self.names()):
            self.remove(name)


def _open_at_once(name: str, flags: int) -> int:
    """Open a file; a pipe too, to which nobody may ever write."""
    return os.open(name, flags | os.O_NONBLOCK)


@dataclass(frozen=True, kw_only=True)
class RemoteFolder:
    """A folder behind one of pyarrow's file systems; an object store shows only whole objects."""

    system: Any
    path: str

    def put(self, name: str, data: bytes) -> None:
        with self.system.open_output_stream(f"{self.path}/{name}") as stream:
            stream.write(data)

    def settle(self) -> None:
        pass  # what a store has taken, it keeps

    def get(self, name: str) -> bytes | None:
        try:
            with self.system.open_input_stream(f"{self.path}/{name}") as stream:
                return bytes(stream.read())
        except FileNotFoundError:
            return None

    def names(self) -> list[str]:
        from pyarrow import fs

        selector = fs.FileSelector(self.path, allow_not_found=True)
        return sorted(info.base_name for info in self.system.get_file_info(selector))

    def remove(self, name: str) -> None:
        self.system.delete_file(f"{self.path}/{name}")
