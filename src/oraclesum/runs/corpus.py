"""The public call for whole corpora: records in input order, as they are ready."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Unpack

from ..answers import Answer, Answerer, EnumerationTask, ErrorRecord, Json
from ..answers.record import Record
from ..corpora import Caps, Opened, Reading, open_items
from ..corpora.caps import MAX_RECORD_BYTES
from ..corpora.columns import check_columns
from ..errors import InputError, OraclesumWarning
from ..notices import Told, warn
from ..oracles.api import ListTextKeywords, read_keywords
from ..oracles.methods import get_enumerator
from ..oracles.options import refuse_hits
from ..rouge import Rouge, check_rouge
from ..text import Preparation, Splitter, split_sentences, wants_detection
from ..whole import require_whole
from ..workers import MAX_JOBS, Caller, Here, Threads
from .loop import answer_in_order

__all__ = ["ask_corpus", "choose_caller", "enumerate_corpus", "make_reading"]


def enumerate_corpus(
    source: Any,
    *,
    rouge: Rouge | str | None = None,
    references: Literal["multi", "single"] = "multi",
    method: str = "search",
    jobs: int = 1,
    format: str = "auto",
    split: str | Splitter | None = None,
    clean: str | None = None,
    record_bytes: int = Caps.record_bytes,
    columns: Mapping[str, str] | str | None = None,
    language: Literal["auto"] | None = None,
    **keywords: Unpack[ListTextKeywords],
) -> Iterator[Json]:
    """All oracles of every record of a corpus, one output record (a dict) after another.

    Parameters
    ----------
    source
        A path that `open_corpus` reads, a table (pandas, datasets, polars, pyarrow), or any
        iterable of mappings or Topics.
    rouge, method, max_words, max_sentences, …, within, top, time_limit
        As for `enumerate_oracles`; `costs`, `required` and `forbidden` are for one document and not
        taken. `max_list` is 1000 by default, and `rouge` ROUGE-2 recall.
    references
        "multi" (default): all references of a record together; "single": a record for each.
    jobs
        Threads that work at once, as the kernel releases Python's lock. Default 1.
    format
        Of a file. Default: recognised.
    split, clean
        How `text` is split, as for `split_sentences`; "markup" removes `<t>`, `-lrb-`, `&amp;` and
        the like first, as `clean_text` does. Default: "auto", nothing is removed.
    record_bytes
        A longer line, or a larger file that must be read whole, is refused. Default 256 MiB.
    columns
        Which column of the source has what, as for `open_corpus`.
    language
        "auto": a record without a `language` is in the one that `detect_language` finds, and its
        output record says which. Default: such a record is in the language of `rouge`.

    Returns
    -------
    Iterator of dict
        What `oraclesum enumerate` writes, in input order, while the source is read; little is read
        ahead. A record that cannot be used gives `{"id": …, "status": "error", "error": …}` and
        stops nothing.

    Raises
    ------
    InputError
        If a setting cannot be used, the source cannot be opened, or its first records have no
        document or no references; before more than these is read.

    Examples
    --------
    >>> rows = [{"id": "a", "sentences": ["A cat sat.", "It rained."], "references": ["A cat."]}]
    >>> [record] = enumerate_corpus(rows, rouge="r1-f1")
    >>> record["oracles"], record["value"]
    ([[0]], '4/5')
    """
    measure = Rouge(rouge) if isinstance(rouge, str) else Rouge() if rouge is None else rouge
    check_rouge(measure)
    jobs = require_whole("jobs", jobs, least=1, most=MAX_JOBS)
    get_enumerator(method)
    detect = wants_detection(language)
    if detect and measure.language != "en":
        raise InputError("language='auto' does not go with Rouge(language=…): give one of them")
    asked = ask_corpus(
        measure,
        {"max_list": 1000, **keywords},
        own_language=measure.language == "en",
        references=references,
        method=method,
        preparation=Preparation(split=split, clean=clean, detect=detect),
    )
    reading = make_reading(
        measure, format=format, split=split, record_bytes=record_bytes, columns=columns
    )
    stack = ExitStack()
    opened = stack.enter_context(open_items(source, reading))
    return _stream(opened, stack, asked, jobs)


def ask_corpus(
    rouge: Rouge,
    keywords: Mapping[str, Any],
    *,
    own_language: bool,
    references: Literal["multi", "single"],
    method: str,
    preparation: Preparation,
) -> EnumerationTask:
    """What the keywords of a call on a corpus ask of every record."""
    for name in ("costs", "max_cost", "required", "forbidden"):
        given = keywords.get(name)
        if given is not None and not (isinstance(given, list | tuple) and not given):
            raise InputError(f"{name} is for one document: use enumerate_oracles")
    limits, options = read_keywords(keywords, rouge)
    refuse_hits(options, rouge)
    return EnumerationTask(
        rouge=rouge,
        own_language=own_language,
        limits=limits,
        options=options,
        references=references,
        method=method,
        preparation=preparation,
    )


def make_reading(
    rouge: Rouge,
    *,
    format: str,
    split: str | Splitter | None,
    record_bytes: int,
    columns: Mapping[str, str] | str | None,
) -> Reading:
    """How the source of a call on a corpus is read."""
    return Reading(
        format=format,
        split=partial(split_sentences, language=rouge.language, split=split),
        record_bytes=require_whole("record_bytes", record_bytes, least=1, most=MAX_RECORD_BYTES),
        columns=check_columns(columns),
    )


def choose_caller(asked: EnumerationTask, jobs: int) -> tuple[Caller, EnumerationTask]:
    """Who answers the records of a call on a corpus, and the task that it is to be given.

    Ctrl-C is heard by the main thread alone: the searches of other threads end with their caller.
    """
    if jobs == 1:
        return Here(), asked
    caller = Threads(jobs, join=True)
    is_over, own = caller.is_over, asked.options.stop

    def stop() -> object:
        return is_over() or (own is not None and own())

    return caller, replace(asked, options=replace(asked.options, stop=stop))


def _stream(opened: Opened, stack: ExitStack, asked: EnumerationTask, jobs: int) -> Iterator[Json]:
    with stack:
        caller, task = choose_caller(asked, jobs)
        told = Told()
        for answer in answer_in_order(opened.items, Answerer(task=task), caller):
            for message in told.pick(answer.messages):
                if not _is_told(message, answer):
                    warn(message, OraclesumWarning)
            for row in answer.rows:
                assert isinstance(row.record, Record)
                yield row.record.to_dict()


def _is_told(message: str, answer: Answer) -> bool:
    """Whether a record says it already."""
    return any(
        isinstance(row.record, ErrorRecord) and row.record.error == message for row in answer.rows
    )
