"""Stand-ins for runs over a corpus: a full disk, documents that kill, a task to run."""

from __future__ import annotations

import errno
import io
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oraclesum.answers import Answerer, EnumerationTask, Item, Writer, Written
from oraclesum.frozen import dataclass
from oraclesum.instances import Limits
from oraclesum.oracles.options import Options
from oraclesum.rouge import Rouge
from oraclesum.runs.cutting import cut_corpus
from oraclesum.runs.folder import Run, run_folder
from oraclesum.runs.progress import Progress
from oraclesum.runs.storage import LocalFolder, Storage
from oraclesum.runs.tally import Tally
from oraclesum.workers import Caller, Here

__all__ = ["Deadly", "FullDisk", "Hungry", "Watched", "make_task", "make_writer", "run"]


@dataclass(frozen=True, kw_only=True)
class FullDisk(LocalFolder):
    """A folder with no room for one shard: half of it is written."""

    shard: str

    def put(self, name: str, data: bytes) -> None:
        if name.startswith(self.shard):
            (self.path / f".{name}.1-0123abcd.tmp").write_bytes(data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        super().put(name, data)


@dataclass(frozen=True, kw_only=True)
class Deadly(Writer):
    """Kills its process on the document that is called so."""

    name: str

    def answer_batch(self, items: Sequence[Item]) -> list[Written]:
        if any(getattr(item, "id", None) == self.name for item in items):
            os._exit(9)
        return super().answer_batch(items)


@dataclass(frozen=True, kw_only=True)
class Hungry(Writer):
    """Runs out of memory on the document that is called so."""

    name: str

    def answer_batch(self, items: Sequence[Item]) -> list[Written]:
        if any(getattr(item, "id", None) == self.name for item in items):
            raise MemoryError
        return super().answer_batch(items)


@dataclass(frozen=True, kw_only=True)
class Watched(Writer):
    """Leaves a note of each process that answers; the first waits until there are `least`."""

    notes: Path
    least: int = 1

    def answer_batch(self, items: Sequence[Item]) -> list[Written]:
        (self.notes / f"{os.getpid()}").touch()
        while len(list(self.notes.iterdir())) < self.least:
            time.sleep(0.01)
        time.sleep(0.1)  # so that a shard is in the middle when another one is done
        return super().answer_batch(items)


def make_task(**changes: Any) -> EnumerationTask:
    """A task over words; changes are those of Options, Limits, Rouge or Task."""
    limits = {
        key: changes.pop(key)
        for key in ("max_words", "max_sentences", "max_bytes")
        if key in changes
    }
    rouge = {key: changes.pop(key) for key in ("n", "stem", "remove_stopwords") if key in changes}
    own = {key: changes.pop(key) for key in ("references", "method", "seconds") if key in changes}
    return EnumerationTask(
        rouge=Rouge(**rouge),
        limits=Limits(**(limits or {"max_words": 16})),
        options=Options(**{"max_list": 20, **changes}),
        **own,
    )


def make_writer(task: EnumerationTask | None = None) -> Writer:
    """What answers the items of a run."""
    return Writer(answerer=Answerer(task=make_task() if task is None else task))


def run(
    source: Any,
    folder: Path,
    *,
    task: EnumerationTask | None = None,
    shard_size: int = 7,
    format: str = "jsonl",
    caller: Caller | None = None,
    storage: Storage | None = None,
    answering: Writer | None = None,
    **how: Any,
) -> tuple[Tally, str]:
    """A run into a folder: its tally, and what it said."""
    folder.mkdir(exist_ok=True)
    task = make_task() if task is None else task
    corpus = cut_corpus(source, shard_size)
    said = io.StringIO()
    tally = run_folder(
        Run(
            corpus=corpus,
            answering=answering or make_writer(task),
            settings=task.describe(),
            storage=storage or LocalFolder(path=folder),
            format=format,
            shard_size=shard_size,
            **how,
        ),
        Here() if caller is None else caller,
        Progress("json", size=corpus.size, stream=said),
    )
    return tally, said.getvalue()
