"""A run over a corpus into a folder of shards: begun, or gone on with after whatever ended it.

Shards are made in any order and entered into the manifest in input order, so that those entered are
always a prefix of the input. A run that goes on reads that prefix again, and refuses where it is
not the input that the shards were made of, before anything is added.
"""

from __future__ import annotations

import time
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from ..answers import Answer, Row
from ..errors import InputError
from ..stopping import deferred, finish, interruptible
from .cutting import Corpus
from .encoding import FORMATS, decode_shard
from .engines import Engine
from .manifest import MANIFEST, Manifest, checksum, shard_name
from .pieces import Piece
from .progress import Progress
from .shard import Answering, Done, Job
from .storage import LocalFolder, Storage
from .tally import Tally

__all__ = ["Run", "run_folder"]

_WRITING_SHARE = 20  # a manifest that takes t seconds to write is written every 20 t at most


@dataclass(frozen=True, kw_only=True)
class Run:
    """What is to be done."""

    corpus: Corpus
    answering: Answering
    settings: dict[str, Any]
    storage: Storage
    format: str
    shard_size: int
    resume: bool = False
    force: bool = False  # throw away what an earlier run left in the folder


def run_folder(run: Run, engine: Engine, progress: Progress) -> Tally:
    """Make every shard that is not there yet. Raises InputError, and OSError where writing fails.

    What was entered before an exception stays, and a later run goes on from there.
    """
    if run.format not in FORMATS:
        raise InputError(f"the output format must be one of {', '.join(FORMATS)}")
    with ExitStack() as stack:
        if isinstance(run.storage, LocalFolder):
            stack.enter_context(run.storage.lock())
        manifest = _begin(run, progress)
        writer = _Writer(manifest, run.storage)
        stack.enter_context(deferred())
        try:
            _make_shards(run, manifest, writer, engine, progress)
            manifest.complete = True
            writer.write()
            finish()
        except BaseException:
            writer.write_if_new()
            raise
    progress.end(manifest.tally)
    return manifest.tally


def _begin(run: Run, progress: Progress) -> Manifest:
    manifest = Manifest(
        settings=run.settings,
        input=run.corpus.fingerprint,
        format=run.format,
        shard_size=run.shard_size,
    )
    known = None if run.force else Manifest.read(run.storage)
    if known is not None:
        if not run.resume:
            raise InputError(
                f"the folder holds a run already ({len(known.shards)} shards); give --resume to "
                "go on with it, --force to throw it away, or choose another folder"
            )
        manifest.refuse_difference(known)
        _drop_damaged(known, run.storage, progress)
        known.complete = False
        return known
    others = [name for name in run.storage.names() if name.startswith("part-")]
    if others and not run.force and not run.resume:
        raise InputError(
            f"the folder holds {others[0]} of another run, and no {MANIFEST}; "
            "choose another folder or give --force to overwrite"
        )
    for name in others:
        run.storage.remove(name)
    manifest.write(run.storage)
    return manifest


def _drop_damaged(manifest: Manifest, storage: Storage, progress: Progress) -> None:
    """Forget shards that are not what the manifest says, so that they are made anew."""
    damaged = []
    for number, entry in manifest.shards.items():
        data = storage.get(entry.name)
        if data is None or checksum(data) != entry.sha256:
            problem = "is gone" if data is None else "was changed since it was written"
            progress.say(f"{entry.name}: {problem}; it is made anew")
            damaged.append(number)
    if not damaged:
        return
    for number in damaged:
        del manifest.shards[number]
    # What is known of the records is counted anew from those that are left; their times are lost.
    manifest.tally = Tally()
    for _, entry in sorted(manifest.shards.items()):
        records = decode_shard(storage.get(entry.name) or b"", entry.name)
        manifest.tally.add(Answer(rows=[Row(record=record)]) for record in records)


class _Writer:
    """Writes the manifest as often as it is cheap: what is not written yet would be made again."""

    def __init__(self, manifest: Manifest, storage: Storage) -> None:
        self._manifest = manifest
        self._storage = storage
        self._next = 0.0
        self._written = len(manifest.shards)

    def write(self) -> None:
        started = time.monotonic()
        self._written = len(self._manifest.shards)
        self._manifest.write(self._storage)
        self._next = started + (1 + _WRITING_SHARE) * (time.monotonic() - started)

    def write_if_new(self) -> None:
        if len(self._manifest.shards) > self._written:
            self.write()

    def write_if_cheap(self) -> None:
        if time.monotonic() >= self._next:
            self.write()


def _make_shards(
    run: Run, manifest: Manifest, writer: _Writer, engine: Engine, progress: Progress
) -> None:
    pending: deque[tuple[Job, Any]] = deque()
    done = skipped = 0
    earlier = manifest.tally.documents
    last = max(manifest.shards, default=-1)
    numbers = 0

    def take() -> None:
        nonlocal done
        job, ticket = pending.popleft()
        _enter(manifest, job, engine.wait(job, ticket), progress)
        writer.write_if_cheap()
        done += job.piece.size
        progress.show(manifest.tally, done)

    pieces = enumerate(run.corpus.pieces)
    while True:
        with interruptible():
            number, piece = next(pieces, (0, None))
        if piece is None:
            break
        numbers = number + 1
        if number in manifest.shards:
            with interruptible():
                _verify_input(manifest, number, piece)
            done += piece.size
            skipped += piece.size
            progress.start_from(earlier, skipped)
            continue
        job = Job(
            number=number,
            piece=piece,
            answering=run.answering,
            storage=run.storage,
            format=run.format,
        )
        pending.append((job, engine.submit(job)))
        while len(pending) >= engine.window:
            take()
    if numbers <= last:
        raise InputError("the folder holds more shards than the input has: is it another input?")
    while pending:
        take()


def _verify_input(manifest: Manifest, number: int, piece: Piece) -> None:
    if piece.digest() != manifest.shards[number].input_sha256:
        name = shard_name(number, manifest.format)
        raise InputError(
            f"the folder holds results of another input: {name} was made of other records; "
            "choose another folder"
        )


def _enter(manifest: Manifest, job: Job, done: Done, progress: Progress) -> None:
    manifest.shards[job.number] = done.entry
    manifest.tally.merge(done.tally)
    for message in done.messages:
        progress.say(message)
