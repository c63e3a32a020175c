"""A run over a corpus into a folder of shards: begun, or resumed after whatever ended it.

Shards are made in any order and entered into the manifest in input order, so that those entered are
always a prefix of the input. A run that is resumed reads that prefix again, and refuses if it is
not the input that the shards were made of, before anything is added.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from ..answers import Json, Written
from ..answers.answerer import write_row
from ..corpora import Repeats
from ..errors import InputError, RecordError
from ..frozen import dataclass
from ..message import show_name
from ..notices import Told
from ..stopping import deferred, finish, interruptible
from ..workers import Caller
from .cutting import Corpus
from .loop import Answering, run_in_order
from .manifest import MANIFEST, Manifest, checksum, is_shard_name, shard_name
from .progress import Progress
from .shard import (
    FORMATS,
    Done,
    Place,
    ShardJob,
    decode_shard,
    find_topics,
    rerun_shard,
    run_shard,
)
from .storage import LocalFolder, Storage
from .tally import Tally

__all__ = ["CONCLUSION", "Run", "run_folder"]

CONCLUSION = "_conclusion.jsonl"
"""Records about all others, such as averages: the last ones of a merged file."""

_WRITING_SHARE = 20  # a manifest that takes t seconds to write is written every 20 t at most

Conclude = Callable[[list[Json]], tuple[list[Json], list[str]]]
"""The last records and messages of a run, from all others."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """What is to be done."""

    corpus: Corpus
    answering: Answering[Written]
    settings: dict[str, Any]
    storage: Storage
    format: str
    shard_size: int
    verb: str = "enumerate"
    resume: bool = False
    force: bool = False  # throw away what an earlier run left in the folder
    conclude: Conclude | None = None


def run_folder(run: Run, caller: Caller, progress: Progress) -> Tally:
    """Make every shard that is not there yet. Raises InputError, and OSError if writing fails.

    What was entered before an exception stays, and a later run continues from there.
    """
    if run.format not in FORMATS:
        raise InputError(f"the output format must be one of {', '.join(FORMATS)}")
    with ExitStack() as stack:
        stack.callback(caller.close)  # also if another run has the folder
        if isinstance(run.storage, LocalFolder):
            stack.enter_context(run.storage.lock())
            stack.callback(caller.close)  # before the folder is given back: workers write to it
        manifest = _begin(run, progress)
        writer = _Writer(manifest, run.storage)
        stack.enter_context(progress)
        stack.enter_context(deferred())
        try:
            _make_shards(run, manifest, writer, caller, progress)
            messages = _conclude(run, manifest)
            manifest.complete = True
            writer.write()
            finish()
        except BaseException:
            writer.write_if_new()
            raise
    for message in messages:
        progress.say(f"note: {message}")
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
                f"the folder contains a run already ({len(known.shards)} shards); give --resume "
                "to continue it, --force to throw it away, or choose another folder"
            )
        manifest.refuse_difference(known)
        _drop_damaged(known, run.storage, progress)
        known.complete = False
        return known
    names = run.storage.names()
    if not run.force:
        _refuse_parts(names)  # also to resume: without a manifest there is nothing to continue
    elif MANIFEST in names:
        run.storage.remove(MANIFEST)  # first: it must not speak of shards that are gone
    for name in filter(_is_ours, names):
        run.storage.remove(name)
    manifest.write(run.storage)
    return manifest


def _refuse_parts(names: list[str]) -> None:
    """Raise an InputError if there are parts of a data set that no manifest speaks of."""
    for name in names:
        if _is_ours(name):
            raise InputError(
                f"the folder contains {name} of another run, and no {MANIFEST}; "
                "choose another folder or give --force to overwrite"
            )
        if name.startswith("part-"):  # readers would take it for one of ours
            raise InputError(
                f"the folder contains {show_name(name)}, which is no shard of ours; choose another "
                "folder, or give --force to write beside it"
            )


def _is_ours(name: str) -> bool:
    return name == CONCLUSION or is_shard_name(name)


def _drop_damaged(manifest: Manifest, storage: Storage, progress: Progress) -> None:
    """Forget shards that are not what the manifest says, so that they are made anew."""
    damaged = []
    for number, entry in manifest.shards.items():
        data = storage.get(entry.name)
        if data is None or checksum(data) != entry.sha256:
            problem = "is gone" if data is None else "was changed since it was written"
            progress.say(f"{entry.name}: {problem}; it is made anew")
            damaged.append(number)
    for number in damaged:
        del manifest.shards[number]
    if manifest.records == manifest.tally.records:
        return
    # What is known of the records is counted anew from those that are left; their times are lost.
    manifest.tally = Tally()
    for records in _read_shards(manifest, storage):
        manifest.tally.add(Written([write_row(record)], []) for record in records)


def _read_shards(manifest: Manifest, storage: Storage) -> Iterator[Iterator[Json]]:
    for _, entry in sorted(manifest.shards.items()):
        yield decode_shard(storage.get(entry.name) or b"", entry.name, manifest.verb)


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
    run: Run, manifest: Manifest, writer: _Writer, caller: Caller, progress: Progress
) -> None:
    jobs = _Jobs(run, manifest, progress)
    told = Told()
    for job, done in run_in_order(
        jobs, run_shard, rerun_shard, caller, find_rest=jobs.refuse_repeats
    ):
        if jobs.is_made_again(job):
            continue
        manifest.shards[job.number] = done.entry
        manifest.tally.merge(done.tally)
        for message in told.pick(done.messages):
            progress.say(message)
        writer.write_if_cheap()
        jobs.done += job.piece.size
        progress.show(manifest.tally, jobs.done)
    if jobs.count <= jobs.last:
        raise InputError("the folder contains more shards than the input: is it another input?")


class _Jobs:
    """The shards that are not there yet; those that are, are compared with the input again."""

    def __init__(self, run: Run, manifest: Manifest, progress: Progress) -> None:
        self._run = run
        self._manifest = manifest
        self._progress = progress
        self._used = Repeats()
        self._again: set[int] = set()
        self.last = max(manifest.shards, default=-1)
        self.count = 0
        self.done = 0  # of the input, in its own units

    def __iter__(self) -> Iterator[ShardJob]:
        earlier = self._manifest.tally.documents
        skipped = 0
        for number, piece in enumerate(self._run.corpus.pieces):
            self.count = number + 1
            refused: dict[int, RecordError] = {}
            if number <= self.last:
                items, digest = piece.read()
                refused = self._find_repeats(find_topics(items))
            if number in self._manifest.shards:
                self._verify_input(number, digest)
                self.done += piece.size
                skipped += piece.size
                self._progress.start_from(earlier, skipped)
                continue
            yield ShardJob(
                number=number,
                piece=piece,
                answering=self._run.answering,
                storage=self._run.storage,
                format=self._run.format,
                verb=self._run.verb,
                refused=refused,
            )

    def refuse_repeats(self, job: ShardJob, done: Done) -> ShardJob | None:
        """The shard once more, without the records whose id was used before; None if none was."""
        if job.number <= self.last or job.refused:
            return None  # was seen to before it was made
        refused = self._find_repeats(done.topics)
        if not refused:
            return None
        self._again.add(job.number)
        return replace(job, refused=refused)

    def is_made_again(self, job: ShardJob) -> bool:
        """Whether a shard is not to be entered, as it is made once more."""
        return job.number in self._again and not job.refused

    def _find_repeats(self, topics: Iterable[Place]) -> dict[int, RecordError]:
        found = {place: self._used.find(id, file, line) for place, id, file, line in topics}
        return {place: error for place, error in found.items() if error is not None}

    def _verify_input(self, number: int, digest: str) -> None:
        if digest != self._manifest.shards[number].input_sha256:
            name = shard_name(number, self._manifest.format)
            raise InputError(
                f"the folder contains results of another input: {name} was made of other records; "
                "choose another folder"
            )


def _conclude(run: Run, manifest: Manifest) -> list[str]:
    """Write what is said about all records together."""
    if run.conclude is None:
        return []
    with interruptible():
        every = [r for records in _read_shards(manifest, run.storage) for r in records]
        records, messages = run.conclude(every)
    data = b"".join(write_row(record).line for record in records)
    run.storage.put(CONCLUSION, data)
    manifest.conclusion = checksum(data)
    return messages
