"""What a worker does with one topic: answers its cases, makes error records of what goes wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ..answers import Answer, Json, Row
from ..answers.emptiness import warn_of_empty_references
from ..answers.record import ErrorRecord, Record
from ..corpora import Topic
from ..errors import OraclesumError, RecordError
from ..notices import collect_warnings
from ..oracles.bounds import answer_within
from .cases import Case, split_topic
from .settings import Settings
from .wording import name_options

__all__ = ["AnswerCase", "answer_error", "answer_some", "answer_topic", "answer_topics"]

_PATIENCE = 0.05  # seconds of one record, where others wait to be written

AnswerCase = Callable[[Case, Settings], Iterable[Record | Json]]


def answer_topics(
    answer_case: AnswerCase, topics: Sequence[Topic], settings: Settings
) -> list[Answer[Json]]:
    """One answer per topic, in order."""
    return [answer_topic(answer_case, topic, settings) for topic in topics]


def answer_some(
    answer_case: AnswerCase, topics: Sequence[Topic], settings: Settings
) -> list[Answer[Json]]:
    """The same for the first topics: one that takes long ends it, so that they need not wait.

    At least one topic is answered, however long it takes. The others are given little time, and an
    answer that needed all of it is thrown away.
    """
    if settings.time_limit is not None and settings.time_limit <= _PATIENCE:
        return answer_topics(answer_case, topics, settings)
    answers = answer_topics(answer_case, topics[:1], settings)
    hurried = replace(settings, time_limit=_PATIENCE)
    for topic in topics[1:]:
        started = time.perf_counter()
        answer = answer_topic(answer_case, topic, hurried)
        if time.perf_counter() - started > 0.9 * _PATIENCE:
            break
        answers.append(answer)
    return answers


def answer_topic(answer_case: AnswerCase, topic: Topic, settings: Settings) -> Answer[Json]:
    """Answer all cases of a topic; never raises for what a record contains."""
    answer: Answer[Json] = Answer()
    with collect_warnings() as collected:
        try:
            if settings.references == "multi":
                warn_of_empty_references(topic)
            cases = list(split_topic(topic, settings))
        except OraclesumError as error:
            _add_error(answer, topic, None, str(error))
            cases = []
        for case in cases:
            started = time.perf_counter()
            try:
                # What is asked of a family after its search is inside the same clock; `compare`
                # has a clock for each method.
                with answer_within(seconds=None if settings.methods else settings.time_limit):
                    records = [
                        record.to_json() if isinstance(record, Record) else record
                        for record in answer_case(case, settings)
                    ]
            except OraclesumError as error:
                _add_error(answer, topic, case.reference, str(error))
            except MemoryError:
                _add_error(answer, topic, case.reference, "out of memory")
            except Exception as error:  # a bug of ours must not cost the user the other records
                reason = f"internal error, please report it: {type(error).__name__}: {error}"
                _add_error(answer, topic, case.reference, reason)
            else:
                seconds = (time.perf_counter() - started) / max(1, len(records))
                answer.rows.extend(Row(record=record, seconds=seconds) for record in records)
                errors = (record["error"] for record in records if record["status"] == "error")
                answer.messages.extend(errors)
    for flaw in topic.flaws:
        message = f"{topic.place}: {flaw.reason}"
        if message not in answer.messages:  # no error for this verb, which does not look at it
            answer.messages.append(f"{topic.place}: warning: {flaw.reason}")
    for text in dict.fromkeys(map(str, collected)):
        answer.messages.append(f"{topic.place}: warning: {name_options(text)}")
    return answer


def _add_error(answer: Answer[Json], topic: Topic, reference: int | None, reason: str) -> None:
    which = "" if reference is None else f"reference {reference}: "
    message = f"{topic.place}: {which}{name_options(reason)}"
    record = ErrorRecord(id=topic.id, reference=reference, error=message)
    answer.rows.append(Row(record=record.to_json()))
    answer.messages.append(message)


def answer_error(error: RecordError) -> Answer[Json]:
    """The answer to a record that could not be read."""
    record = ErrorRecord(id=error.record_id, error=str(error))
    return Answer(rows=[Row(record=record.to_json())], messages=[str(error)])
