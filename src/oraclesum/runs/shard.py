"""One shard: a piece of the input answered, and put into the folder whole; its bytes and back."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from io import BytesIO
from itertools import chain

from ..answers import Item, Json, Written, WrittenRow
from ..answers.record import KINDS, Record, allow_long_integers
from ..corpora import Topic
from ..corpora.bad import BadRecord
from ..corpora.record import load_json
from ..errors import InputError, RecordError
from ..frozen import dataclass
from .loop import Answering, answer_alone
from .manifest import Entry, checksum, shard_name
from .pieces import Piece
from .storage import Storage
from .tally import Tally

__all__ = [
    "FORMATS",
    "Done",
    "Place",
    "ShardJob",
    "decode_shard",
    "encode_shard",
    "find_topics",
    "prepare_worker",
    "read_record",
    "rerun_shard",
    "run_shard",
]

FORMATS = ("jsonl", "parquet")

_BATCH = 64
_MAX_MESSAGES = 100  # of one shard; the records have them all


Place = tuple[int, str, str, int]
"""Where a topic is: its number in the piece, its id, file and line."""


@dataclass(frozen=True, kw_only=True)
class ShardJob:
    """A shard to be made."""

    number: int
    piece: Piece
    answering: Answering[Written]
    storage: Storage
    format: str
    verb: str = "enumerate"  # whose records they are
    refused: Mapping[int, RecordError] = field(default_factory=dict)  # by place in the piece


@dataclass(frozen=True, kw_only=True)
class Done:
    """A shard that is there whole, and what the run wants to know of it."""

    entry: Entry
    tally: Tally
    messages: list[str]
    topics: list[Place]


def run_shard(job: ShardJob) -> Done:
    """Read, answer and write one shard in this process."""
    items, digest = job.piece.read()
    items = _refuse(items, job)
    answers: list[Written] = []
    for start in range(0, len(items), _BATCH):
        answers.extend(job.answering.answer_batch(items[start : start + _BATCH]))
    done = _finish(job, items, answers, digest)
    del items, answers
    gc.collect()
    return done


def rerun_shard(job: ShardJob) -> Done:
    """The same with every document alone in a child process: one that kills it is recorded.

    For a shard whose worker died or ran out of memory. The answers are those of `run_shard`.
    """
    items, digest = job.piece.read()
    items = _refuse(items, job)
    return _finish(job, items, answer_alone(job.answering, items), digest)


def prepare_worker() -> None:
    """What a worker process does first."""
    allow_long_integers()
    gc.disable()  # records have no cycles; what else leaves some is collected after each shard
    gc.freeze()  # modules stay: that collection need not look at them


def _refuse(items: list[Item], job: ShardJob) -> list[Item]:
    return [job.refused.get(place, item) for place, item in enumerate(items)]


def _finish(job: ShardJob, items: Sequence[Item], answers: list[Written], digest: str) -> Done:
    rows = [row for answer in answers for row in answer.rows]
    data = encode_shard(rows, job.format, job.verb)
    name = shard_name(job.number, job.format)
    job.storage.put(name, data)
    tally = Tally()
    tally.add(answers)
    messages = [message for answer in answers for message in answer.messages]
    if len(messages) > _MAX_MESSAGES:
        left = len(messages) - _MAX_MESSAGES
        messages = [*messages[:_MAX_MESSAGES], f"{name}: {left} more messages"]
    entry = Entry(
        name=name,
        records=len(rows),
        errors=tally.errors,
        bytes=len(data),
        sha256=checksum(data),
        input_sha256=digest,
    )
    return Done(entry=entry, tally=tally, messages=messages, topics=find_topics(items))


def find_topics(items: Sequence[Item]) -> list[Place]:
    """Where the topics of a piece are."""
    return [
        (number, item.id, item.file, item.line)
        for number, item in enumerate(items)
        if isinstance(item, Topic)
    ]


def encode_shard(rows: Iterable[WrittenRow], format: str, verb: str) -> bytes:
    """The bytes of a shard: equal records give equal bytes."""
    if format == "jsonl":
        return b"".join(row.line for row in rows)
    import pyarrow.parquet as pq

    kind = KINDS[verb]
    stream = BytesIO()
    table = kind.tabulate(kind.read(row.record) for row in rows)
    pq.write_table(table, stream, compression="zstd")
    return stream.getvalue()


def decode_shard(data: bytes, name: str, verb: str) -> Iterator[Json]:
    """The records of a shard as JSON has them; its name tells the format. Raises InputError."""
    if not name.endswith(".parquet"):
        yield from _load_lines(data, name)
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(BytesIO(data))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name}: cannot be read as Parquet: {error}") from None
    rows = chain.from_iterable(one.to_pylist() for one in table.to_batches(max_chunksize=1024))
    for number, values in enumerate(rows, 1):
        yield read_record(values, f"{name}:{number}", verb).to_json()


def _load_lines(data: bytes, name: str) -> Iterator[Json]:
    for number, line in enumerate(data.splitlines(), 1):
        try:
            record = load_json(line)
        except BadRecord as bad:
            raise InputError(f"{name}:{number}: {bad.reason}") from None
        if not isinstance(record, dict):
            raise InputError(f"{name}:{number}: is not a record: a JSON object is expected")
        yield record


def read_record(values: Json, place: str, verb: str) -> Record:
    """The record of a verb, from where it stands. Raises InputError if it is none."""
    kind = KINDS.get(verb)
    if kind is None:
        raise InputError(f"{place}: records of `{verb}` are not known")
    try:
        return kind.read(values)
    except KeyError as error:
        reason = f"{error.args[0]} is missing"
    except (TypeError, ValueError) as error:  # what should be a whole number
        reason = str(error)
    raise InputError(f"{place}: is no record of `{verb}`: {reason}")
