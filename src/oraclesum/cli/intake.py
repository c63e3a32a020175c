"""What a run reads: JSON lines, or a folder, archive or table file that a corpus reader takes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..corpora import (
    Caps,
    Line,
    Source,
    Topic,
    is_line_file,
    open_corpus,
    open_source,
    read_source,
    refuse_repeats,
)
from ..errors import InputError, RecordError
from ..text import split_sentences
from .settings import Settings

__all__ = ["Intake", "open_intake"]


@dataclass(frozen=True, kw_only=True)
class Intake:
    """The topics of a run, and where they come from."""

    items: Iterable[Topic | Line | RecordError]
    path: Path | None = None  # what the output must not overwrite
    source: Source | None = None  # tells how far reading has come; None where nobody knows

    def parse(self) -> Iterator[Topic | RecordError]:
        """The items, lines parsed here."""
        return refuse_repeats(
            item.parse() if isinstance(item, Line) else item for item in self.items
        )


@contextmanager
def open_intake(name: str, settings: Settings, *, output: str | None) -> Iterator[Intake]:
    """Open IN: a path, `-` for standard input, or `demo`. Raises InputError."""
    path = Path(name)
    by_lines = settings.format in ("auto", "jsonl") and not settings.also
    if name == "-":
        _refuse_closed_input()
    if by_lines and (name == "-" or is_line_file(path)):
        with open_source(name, record_bytes=settings.record_bytes) as source:
            yield Intake(items=read_source(source), path=source.path, source=source)
        return
    if name == "-":
        raise InputError(f"standard input is read as JSON lines, not as {settings.format}")
    if output not in (None, "-") and path.is_dir():
        _refuse_inside(Path(output or ""), path)
    items = open_corpus(
        [path, *settings.also],
        format=settings.format,
        split=partial(split_sentences, language=settings.language or "en"),
        length=settings.reference_length,
        task=settings.task,
        caps=Caps(record_bytes=settings.record_bytes),
    )
    yield Intake(items=items, path=path)


def _refuse_closed_input() -> None:
    with suppress(io.UnsupportedOperation):  # no file behind it
        number = sys.stdin.fileno()
        try:
            os.read(number, 0)
        except OSError as error:
            raise InputError(f"standard input cannot be read: {error.strerror}") from None


def _refuse_inside(output: Path, folder: Path) -> None:
    """A file written into the corpus would be read as a part of it, if not now then next time."""
    if output.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{output}: is inside the input {folder}; choose another place")
