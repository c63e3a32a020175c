"""The public call for whole corpora: records in input order, as they are ready."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any, Literal

from ..answers import Answer, Answerer, Enumeration, ErrorRecord, Json
from ..answers.record import Record
from ..corpora import Caps, Opened, Reading, open_items
from ..corpora.caps import MAX_RECORD_BYTES
from ..errors import OraclesumWarning
from ..instances.limits import Limits
from ..oracles.methods import get_enumerator
from ..oracles.options import Options
from ..rouge import Rouge, check_rouge
from ..text import split_sentences
from ..whole import require_whole
from ..workers import MAX_JOBS, Here, Threads
from .loop import answer_in_order

__all__ = ["enumerate_corpus"]


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
    is read ahead. `jobs` threads work at once, as the kernel releases Python's lock. A record
    that cannot be used, or is larger than `record_bytes` (256 MiB), gives `{"id": …, "status":
    "error", "error": …}` and stops nothing. Settings are checked before this returns.
    """
    measure = Rouge() if rouge is None else rouge
    check_rouge(measure)
    jobs = require_whole("jobs", jobs, least=1, most=MAX_JOBS)
    get_enumerator(method)
    task = Enumeration(
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
    reading = Reading(
        format=format,
        split=partial(split_sentences, language=measure.language),
        record_bytes=require_whole("record_bytes", record_bytes, least=1, most=MAX_RECORD_BYTES),
    )
    stack = ExitStack()
    opened = stack.enter_context(open_items(source, reading))
    return _stream(opened, stack, Answerer(task=task), jobs)


def _stream(opened: Opened, stack: ExitStack, answerer: Answerer, jobs: int) -> Iterator[Json]:
    with stack:
        caller = Here() if jobs == 1 else Threads(jobs, join=True)
        for answer in answer_in_order(opened.items, answerer, caller):
            for message in answer.messages:
                if not _is_told(message, answer):
                    warnings.warn(message, OraclesumWarning, stacklevel=2)
            for row in answer.rows:
                assert isinstance(row.record, Record)
                yield row.record.to_dict()


def _is_told(message: str, answer: Answer) -> bool:
    """Whether a record says it already."""
    return any(
        isinstance(row.record, ErrorRecord) and row.record.error == message for row in answer.rows
    )
