"""The loop that every verb runs: read, work, write in order, and end well whatever happens."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO, NoReturn, Protocol

import click

from ..answers import Answer, Json, Row
from ..answers.record import allow_long_integers
from ..corpora import Topic
from ..errors import InputError
from ..stopping import Stopped, deferred, finish, interruptible, leave
from ..streams import stop_writing
from .closing import Tally, say
from .intake import Intake, open_intake
from .output import JsonLines, Sink, name_output, open_output
from .pool import answer_in_order
from .progress import Progress
from .settings import Settings
from .wording import name_options
from .work import AnswerCase, answer_topics

__all__ = ["Job", "run_job"]

Records = list[Json]
Conclude = Callable[[Records, Settings, Callable[[int, int], None]], tuple[Records, list[str]]]
"""Takes all records, and tells how many steps of how many are done."""


class AnswerBatch(Protocol):
    """Answers topics in order, one or more from the first."""

    def __call__(self, topics: Sequence[Topic], settings: Settings) -> list[Answer[Json]]:
        """One answer per topic; fewer where one takes long and those before it need not wait."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """What a verb asks for: how to answer a case, and how answers look on a terminal."""

    answer_case: AnswerCase | None = None
    answer_batch: AnswerBatch | None = None  # instead, where a verb has a quicker way for many
    show: Callable[[Settings], Sink]
    settings: Settings
    input: str | None  # None where the verb hands over topics itself
    output: str | None
    force: bool
    quiet: bool
    jobs: int = 1
    needs_limit: bool = True
    closing_scores: bool = True  # whether a mean over all records means anything
    conclude: Conclude | None = None  # makes the last records and messages from all others
    only_conclusion: bool = False  # the other records are not shown
    open_file: Callable[[BinaryIO, Settings], Sink] | None = None  # None: JSON lines
    can_resume: bool = False  # if the output is a folder of shards
    wording: str | None = None  # the settings in words, where the usual ones do not say it


def run_job(job: Job, topics: Callable[[], Iterable[Topic]] | None = None) -> None:
    """Run a verb over its input, or over `topics`, and leave with its exit status."""
    allow_long_integers()
    try:
        job.settings.check(needs_limit=job.needs_limit)
        with ExitStack() as stack:
            intake = Intake(items=topics() if topics else ())
            if job.input is not None:
                opening = open_intake(job.input, job.settings, output=job.output)
                intake = stack.enter_context(opening)
            opened = open_output(job.output, source=intake.path, force=job.force)
            stream = stack.enter_context(opened)
            if stream is None:
                sink = job.show(job.settings)
            elif job.open_file is None:
                sink = JsonLines(stream)
            else:
                sink = job.open_file(stream, job.settings)
            with deferred():
                errors = _run(job, intake, sink)
                finish()
    except InputError as error:
        raise click.UsageError(name_options(str(error))) from error
    except OSError as error:
        stop_writing(name_output(job.output), error)
    sys.exit(1 if errors else 0)


def _answer_by_case(job: Job) -> AnswerBatch:
    assert job.answer_case is not None
    return partial(answer_topics, job.answer_case)


def _run(job: Job, intake: Intake, sink: Sink) -> int:
    work = partial(job.answer_batch or _answer_by_case(job), settings=job.settings)
    # Case by case, nobody knows before a case is done that those before it had to wait for it.
    ahead = job.answer_batch is not None and intake.path is not None and not intake.path.is_fifo()
    tally = Tally(with_scores=job.closing_scores)
    held: Records = []
    # Of a run that only concludes: written once it is known to be right.
    failed: list[Row[Json]] = []
    messages: list[str] = []
    records: Records = []
    started = time.perf_counter()
    with Progress(intake.source, quiet=job.quiet) as progress:
        try:
            for answer in answer_in_order(intake.items, work, jobs=job.jobs, ahead=ahead):
                for message in answer.messages:
                    progress.say(message)
                for row in answer.rows:
                    if not job.only_conclusion:
                        sink.write(row)
                    elif row.record["status"] == "error":
                        failed.append(row)
                    if job.conclude is not None:
                        held.append(row.record)
                    tally.add(row.record)
                tally.topics += 1
                progress.show(topics=tally.topics, errors=tally.errors)
            if job.conclude is not None:
                with interruptible():
                    records, messages = job.conclude(held, job.settings, progress.show_steps)
        except Stopped as stopped:
            progress.stop()
            _stop(job, stopped, sink, failed, tally)
    if job.conclude is not None:
        for row in failed:
            sink.write(row)
        for record in records:
            sink.write(Row(record=record))
    sink.close()
    for message in messages:
        say(f"note: {message}")
    if not job.quiet:
        tally.print_closing(job.settings, time.perf_counter() - started, job.wording)
    return tally.errors


def _stop(
    job: Job, stopped: Stopped, sink: Sink, failed: list[Row[Json]], tally: Tally
) -> NoReturn:
    """Write what is ready, say what that is and how to continue, and leave."""
    for row in failed:
        sink.write(row)
    sink.close()
    where = name_output(job.output)
    if job.only_conclusion:
        done = f"no result was written to {where}, as not all topics were looked at"
    else:
        topics = f"{tally.topics} topic{'s' if tally.topics != 1 else ''}"
        done = f"{topics} done and written to {where}, the rest was not looked at"
    again = "run it again to start over"
    if job.can_resume:
        again += "; a run into a folder (-o FOLDER/) can be continued by --resume"
    leave(128 + stopped.number, f"{stopped.word}: {done}; {again}")
