"""What a worker does with one topic: answers its cases, makes error records of what goes wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..answers import Answer, Row
from ..answers.emptiness import warn_of_empty_references
from ..corpora import Topic
from ..errors import OraclesumError, RecordError
from ..notices import collect_warnings
from .cases import Case, split_topic
from .settings import Settings
from .wording import name_options

__all__ = ["AnswerCase", "answer_error", "answer_topic", "answer_topics"]

AnswerCase = Callable[[Case, Settings], Iterable[dict[str, Any]]]


def answer_topics(
    answer_case: AnswerCase, topics: Sequence[Topic], settings: Settings
) -> list[Answer]:
    """One answer per topic, in order."""
    return [answer_topic(answer_case, topic, settings) for topic in topics]


def answer_topic(answer_case: AnswerCase, topic: Topic, settings: Settings) -> Answer:
    """Answer all cases of a topic; never raises for what a record contains."""
    answer = Answer()
    with collect_warnings() as collected:
        try:
            if settings.references == "multi":
                warn_of_empty_references(topic)
            cases = list(split_topic(topic, settings))
        except OraclesumError as error:
            _add_error(answer, topic, {"id": topic.id}, str(error))
            cases = []
        for case in cases:
            started = time.perf_counter()
            try:
                records = list(answer_case(case, settings))
            except OraclesumError as error:
                _add_error(answer, topic, case.head, str(error))
            except MemoryError:
                _add_error(answer, topic, case.head, "out of memory")
            except Exception as error:  # a bug of ours must not cost the user the other records
                reason = f"internal error, please report it: {type(error).__name__}: {error}"
                _add_error(answer, topic, case.head, reason)
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


def _add_error(answer: Answer, topic: Topic, head: dict[str, Any], reason: str) -> None:
    which = "" if "reference" not in head else f"reference {head['reference']}: "
    message = f"{topic.place}: {which}{name_options(reason)}"
    answer.rows.append(Row(record={**head, "status": "error", "error": message}))
    answer.messages.append(message)


def answer_error(error: RecordError) -> Answer:
    """The answer to a record that could not be read."""
    record = {"id": error.record_id, "status": "error", "error": str(error)}
    return Answer(rows=[Row(record=record)], messages=[str(error)])
