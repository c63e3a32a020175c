"""One shard from its piece of the input to the file in the folder: what every engine runs."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..answers import Answer, Item, Output
from ..answers.record import allow_long_integers
from ..corpora.topic import Topic
from ..errors import RecordError
from ..workers import WorkerDiedError, Workers
from .encoding import encode_shard
from .manifest import Entry, checksum, shard_name
from .pieces import Piece
from .storage import Storage
from .tally import Tally

__all__ = ["Answering", "Done", "Job", "prepare_worker", "run_carefully", "run_shard"]

_BATCH = 64
_MOST_MESSAGES = 100  # of one shard; the records have them all


class Answering(Protocol):
    """What answers items: Answerer, or a stand-in for tests."""

    def answer_batch(self, items: Sequence[Item]) -> list[Answer[Output]]:
        """One answer per item, in order."""

    def answer(self, item: Item) -> Answer[Output]:
        """The answer to one item."""

    def refuse(self, error: RecordError) -> Answer[Output]:
        """The answer to an item that cannot be worked on."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A shard to be made."""

    number: int
    piece: Piece
    answering: Answering
    storage: Storage
    format: str


@dataclass(frozen=True, kw_only=True)
class Done:
    """A shard that is there whole, and what the run wants to know of it."""

    entry: Entry
    tally: Tally
    messages: list[str]


def run_shard(job: Job) -> Done:
    """Read, answer and write one shard in this process."""
    items, digest = job.piece.read()
    answers: list[Answer[Output]] = []
    for start in range(0, len(items), _BATCH):
        answers.extend(job.answering.answer_batch(items[start : start + _BATCH]))
    done = _finish(job, answers, digest)
    del items, answers
    gc.collect()
    return done


def run_carefully(job: Job) -> Done:
    """The same with every document alone in a child process: one that kills it is recorded.

    For a shard whose worker died or ran out of memory. The answers are those of `run_shard`.
    """
    items, digest = job.piece.read()
    answers: list[Answer[Output]] = []
    child = Workers(1, prepare=prepare_worker)
    try:
        for item in items:
            if isinstance(item, Topic):
                try:
                    answers.extend(child.wait(child.submit(job.answering.answer_batch, [item])))
                except WorkerDiedError:
                    reason = "the worker process died on this record; is there enough memory?"
                    answers.append(_give_up(job, item, reason))
                except MemoryError:
                    answers.append(_give_up(job, item, "out of memory"))
            else:
                answers.append(job.answering.refuse(item))
    finally:
        child.close()
    return _finish(job, answers, digest)


def _give_up(job: Job, topic: Topic, reason: str) -> Answer[Output]:
    return job.answering.refuse(RecordError(topic.file, topic.line, reason, topic.id))


def prepare_worker() -> None:
    """What a worker process does first."""
    allow_long_integers()
    gc.disable()  # records have no cycles; what else leaves some is collected after each shard
    gc.freeze()  # modules stay: that collection need not look at them


def _finish(job: Job, answers: list[Answer[Output]], digest: str) -> Done:
    records = [row.record for answer in answers for row in answer.rows]
    data = encode_shard(records, job.format)
    name = shard_name(job.number, job.format)
    job.storage.put(name, data)
    tally = Tally()
    tally.add(answers)
    messages = [message for answer in answers for message in answer.messages]
    if len(messages) > _MOST_MESSAGES:
        left = len(messages) - _MOST_MESSAGES
        messages = [*messages[:_MOST_MESSAGES], f"{name}: {left} more messages"]
    entry = Entry(
        name=name,
        records=len(records),
        errors=tally.errors,
        bytes=len(data),
        sha256=checksum(data),
        input_sha256=digest,
    )
    return Done(entry=entry, tally=tally, messages=messages)
