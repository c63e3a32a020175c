"""The public call for whole corpora: records in input order, as they are ready."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Literal

from ..answers import Answer, Answerer, ErrorRecord, Item, Json, Output, Task
from ..corpora import Caps
from ..corpora.files import MOST_RECORD_BYTES
from ..errors import OraclesumWarning
from ..instances.limits import Limits
from ..oracles.methods import get_enumerator
from ..oracles.options import Options
from ..rouge import Rouge, check_rouge
from ..whole import require_whole
from ..workers import MOST_JOBS
from .cutting import read_items

__all__ = ["enumerate_corpus"]

_LARGEST_BATCH = 64
_BATCHES_PER_JOB = 3


def enumerate_corpus(
    source: Any,
    *,
    rouge: Rouge | None = None,
    max_words: int | None = None,
    max_sentences: int | None = None,
    max_bytes: int | None = None,
    references: Literal["multi", "single"] = "multi",
    method: str = "search",
    time_limit: float | None = None,
    max_list: int = 1000,
    family: str = "all",
    within_hits: int = 0,
    jobs: int = 1,
    threads: int = 1,
    seed: int = 0,
    format: str = "auto",
    record_bytes: int = Caps.record_bytes,
) -> Iterator[Json]:
    """All oracles of every record of a corpus, one output record (a dict) after another.

    `source` is a path that open_corpus reads, a table (pandas, datasets, polars, pyarrow), or any
    iterable of mappings or Topics. Records come in input order, while the source is read; little
    is read ahead. `jobs` threads work at once, as the kernel does not hold Python's lock. A record
    that cannot be used, or is larger than `record_bytes` (256 MiB), gives `{"id": …, "status":
    "error", "error": …}` and stops nothing. Settings are checked before this returns.
    """
    measure = Rouge() if rouge is None else rouge
    check_rouge(measure)
    jobs = require_whole("jobs", jobs, least=1, most=MOST_JOBS)
    get_enumerator(method)
    task = Task(
        rouge=measure,
        own_language=rouge is None or (measure.language == "en" and measure.tokenizer is None),
        limits=Limits(max_words=max_words, max_sentences=max_sentences, max_bytes=max_bytes),
        options=Options(
            time_limit=time_limit,
            max_list=max_list,
            family=family,
            within_hits=within_hits,
            threads=threads,
            seed=seed,
        ),
        references=references,
        method=method,
    )
    items = read_items(
        source,
        format=format,
        language=measure.language,
        record_bytes=require_whole("record_bytes", record_bytes, least=1, most=MOST_RECORD_BYTES),
    )
    return _stream(items, Answerer(task=task), jobs)


def _stream(items: Iterable[Item], answerer: Answerer, jobs: int) -> Iterator[Json]:
    for answer in _answer(items, answerer, jobs):
        for message in answer.messages:
            if not _is_told(message, answer):
                warnings.warn(message, OraclesumWarning, stacklevel=2)
        for row in answer.rows:
            yield row.record.to_dict()


def _is_told(message: str, answer: Answer[Output]) -> bool:
    """Whether a record says it already."""
    return any(
        isinstance(row.record, ErrorRecord) and row.record.error == message for row in answer.rows
    )


def _answer(items: Iterable[Item], answerer: Answerer, jobs: int) -> Iterator[Answer[Output]]:
    batches = _cut(items)
    if jobs == 1:
        for batch in batches:
            while batch:
                answers = answerer.answer_some(batch)
                yield from answers
                batch = batch[len(answers) :]
        return
    pending: deque[Future[list[Answer[Output]]]] = deque()
    with ThreadPoolExecutor(jobs) as executor:
        try:
            for batch in batches:
                pending.append(executor.submit(answerer.answer_batch, batch))
                while len(pending) >= _BATCHES_PER_JOB * jobs or (pending and pending[0].done()):
                    yield from pending.popleft().result()
            while pending:
                yield from pending.popleft().result()
        finally:  # also where the caller wants no more
            for future in pending:
                future.cancel()


def _cut(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Batches that begin with one record and grow: the first answer comes at once."""
    size = 1
    batch: list[Item] = []
    for item in items:
        batch.append(item)
        if len(batch) >= size:
            yield batch
            batch = []
            size = min(2 * size, _LARGEST_BATCH)
    if batch:
        yield batch
