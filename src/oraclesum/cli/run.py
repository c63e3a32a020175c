"""What every verb runs: options to a task, the task over a corpus, into a stream or a folder.

The loop itself is `runs/loop.py`. Here is what only the command has: usage errors, tables on a
terminal, closing lines, exit statuses.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click
import orjson

from ..answers import Answerer, Case, Json, Task, Writer, WrittenRow
from ..answers.answerer import write_row
from ..answers.case import References
from ..answers.record import KINDS, Record, allow_long_integers
from ..corpora import Opened, Topic, open_items
from ..errors import InputError, MissingExtraError
from ..frozen import dataclass
from ..message import name_options, show_name
from ..notices import Told
from ..oracles.bounds import answer_within
from ..rouge import Rouge
from ..runs.loop import answer_batches
from ..runs.progress import Progress
from ..stopping import Stopped, deferred, explain_failure, finish, finishing, interruptible, leave
from ..streams import stop_writing
from ..text import Preparation
from ..workers import Threads, Workers
from .closing import Closing, say
from .output import (
    JsonLines,
    Sink,
    forget_output,
    name_output,
    open_output,
    refuse_containing,
    refuse_ending,
    refuse_input,
)
from .settings import Settings

__all__ = ["AnswerCase", "CaseTask", "Conclude", "Running", "Verb", "run_verb"]

AnswerCase = Callable[[Case, Settings], Iterable[Record | Json]]
Conclude = Callable[
    [list[Json], Settings, Callable[[int, int], None]], tuple[list[Json], list[str]]
]
"""Makes the last records and messages from all others; tells how many steps are done of all."""

_SHARD_SIZE = 1000
_MANY = 500  # topics that take a moment to be shown
_SHARDS = ("jsonl", "parquet")  # of all that `labels` writes
# Where the input is and how it is read, and what moves nothing that is written.
_NOT_SETTINGS = {"format", "also", "reference_length", "task", "record_bytes", "to", "threads"}


@dataclass(frozen=True, kw_only=True)
class Verb:
    """What a verb does: how a case is answered, and how answers look on a terminal."""

    name: str
    answer_case: AnswerCase | None = None
    make_task: Callable[[Settings], Task] | None = None  # instead, for more than case by case
    describe: Callable[[Settings], Json] | None = None  # the settings, for the manifest
    show: Callable[[Settings], Sink]
    needs_limit: bool = True
    closing_scores: bool = True  # whether a mean over all records means anything
    conclude: Conclude | None = None
    only_conclusion: bool = False  # the other records are not shown
    shows_failed: bool = True  # but those that failed are
    keep: Callable[[WrittenRow], Json] = lambda row: row.record  # what the conclusion looks at
    open_file: Callable[[BinaryIO, Settings], Sink] | None = None  # None: JSON lines
    wording: str | None = None  # the settings in words, if the usual ones do not say it
    notes: Callable[[Settings], list[str]] = lambda _: []  # what to keep in mind about settings

    def make_answerer(self, settings: Settings) -> Answerer:
        """What answers the records of a run."""
        if self.make_task is not None:
            task = self.make_task(settings)
        else:
            assert self.answer_case is not None
            task = CaseTask(answer=self.answer_case, settings=settings)
        return Answerer(task=task, wording=name_options)

    def describe_settings(self, settings: Settings) -> Json:
        """Every setting that moves what is written; of threads, whether there is one."""
        if self.describe is not None:
            described = self.describe(settings)
            # Manifests of `enumerate` are older than those of other verbs, and name none.
            return described if self.name == "enumerate" else {"verb": self.name, **described}
        known = {k: v for k, v in asdict(settings).items() if k not in _NOT_SETTINGS}
        known["signature"] = settings.make_rouge().signature
        known["checked"] = settings.threads == 1
        plain: Json = orjson.loads(orjson.dumps({"verb": self.name, **known}))
        return plain


@dataclass(frozen=True, kw_only=True)
class CaseTask(Task):
    """A task that is answered case by case."""

    answer: AnswerCase
    settings: Settings
    _shortened: dict[float | None, Settings] = field(default_factory=dict, compare=False)

    @property
    def references(self) -> References:
        """All references together, or one by one."""
        return self.settings.references

    @property
    def preparation(self) -> Preparation:
        """What is done to text before it is scored."""
        return self.settings.preparation

    @property
    def time_limit(self) -> float | None:
        """Seconds for one case; `compare` has a clock for each method instead."""
        return None if self.settings.clock_per_method else self.settings.time_limit

    @cached_property
    def counts_words(self) -> bool:
        """Whether a limit counts words."""
        return self.settings.make_limits(needed=False).counts_words

    def rouge_for(self, language: str | None, *, detected: bool = False) -> Rouge:
        """The measure for a record in `language`."""
        return self.settings.make_rouge(language, detected=detected)

    def answer_case(self, case: Case, time_limit: float | None) -> list[Record | Json]:
        """The records of one case; questions after a search are inside the same clock."""
        settings = self.settings
        if time_limit != self.time_limit:
            settings = self._shortened.get(time_limit) or replace(settings, time_limit=time_limit)
            self._shortened[time_limit] = settings
        with answer_within(seconds=time_limit):
            return list(self.answer(case, settings))


@dataclass(frozen=True, kw_only=True)
class Running:
    """The options of a run that say nothing about what is asked; named as the options."""

    output: str | None = None
    force: bool = False
    quiet: bool = False
    jobs: int = 1
    shard_size: int | None = None
    output_format: str | None = None
    resume: bool = False
    engine: str | None = None
    ray_address: str | None = None
    progress: str = "auto"

    @classmethod
    def take(cls, options: dict[str, Any]) -> Running:
        """Take these options out of all."""
        names = [name for name in cls.__dataclass_fields__ if name in options]
        return cls(**{name: options.pop(name) for name in names})

    @property
    def style(self) -> str:
        """How progress is shown."""
        return "none" if self.quiet else self.progress

    @property
    def names_folder(self) -> bool:
        """Whether the output is a folder of shards; a usage error if the options contradict it."""
        names = ("shard_size", "output_format", "resume", "engine", "ray_address")
        given = [f"--{name.replace('_', '-')}" for name in names if getattr(self, name)]
        if self.output is None or self.output == "-":
            if given:
                raise click.UsageError(f"{given[0]} needs a folder to write to: -o FOLDER/")
            return False
        output = self.output
        return bool(given) or output.endswith("/") or "://" in output or Path(output).is_dir()


def run_verb(
    verb: Verb,
    input: str | None,
    options: dict[str, Any],
    topics: Callable[[], Iterable[Topic]] | None = None,
    *,
    files: Sequence[str] = (),
    folders: bool = False,
) -> NoReturn:
    """Run a verb over its input, or over `topics` of `files`, and leave with its exit status."""
    allow_long_integers()
    running = Running.take(options)
    settings = Settings(**options)
    if running.names_folder:
        if not folders or input is None:
            output = show_name(str(running.output))
            raise click.UsageError(f"{output}: is a folder; `{verb.name}` writes one file here")
        _run_to_folder(verb, input, settings, running)
    try:
        settings.check(needs_limit=verb.needs_limit)
        refuse_ending(running.output, settings.to)
        refuse_input(running.output, _list_inputs(input, settings, files))
        with ExitStack() as stack:
            opened = Opened(items=topics() if topics else ())
            if input is not None:
                opened = stack.enter_context(open_items(input, settings.make_reading()))
            out = open_output(running.output, force=running.force)
            with deferred():  # a signal while the file is made comes when it can be removed again
                stream = stack.enter_context(out)
            if stream is None:
                sink = verb.show(settings)
            elif verb.open_file is None:
                sink = JsonLines(stream)
            else:
                sink = verb.open_file(stream, settings)
            with deferred():
                run = _Stream(verb, settings, running, opened, sink, stream, can_resume=folders)
                errors = run.run()
                finish()
    except (InputError, MissingExtraError) as error:
        raise click.UsageError(name_options(error)) from error
    except OSError as error:
        stop_writing(name_output(running.output), error)
    sys.exit(1 if errors else 0)


def _list_inputs(input: str | None, settings: Settings, files: Sequence[str] = ()) -> Iterator[str]:
    if input is not None:
        yield input
    yield from settings.also
    yield from files


class _Stream:
    """A run into a file, a pipe or a terminal."""

    def __init__(
        self,
        verb: Verb,
        settings: Settings,
        running: Running,
        opened: Opened,
        sink: Sink,
        stream: BinaryIO | None,
        *,
        can_resume: bool,
    ) -> None:
        self._verb = verb
        self._settings = settings
        self._running = running
        self._opened = opened
        self._sink = sink
        self._stream = stream  # what the sink writes to; None for a terminal
        self._can_resume = can_resume
        self._closing = Closing(with_scores=verb.closing_scores)
        self._records: list[Json] = []  # for the conclusion
        self._failed: list[WrittenRow] = []  # of a run that only concludes

    def run(self) -> int:
        """Answer everything; how many records failed."""
        source, path = self._opened.source, self._opened.path
        progress = Progress(
            self._running.style,
            size=None if source is None else source.size,
            position=lambda: None if source is None else source.position,
        )
        # One job works on a thread beside the main one, which stays free to hear Ctrl-C.
        jobs = self._running.jobs
        caller = Threads(1) if jobs == 1 else Workers(jobs, prepare=allow_long_integers)
        answers = answer_batches(
            self._opened.items,
            Writer(answerer=self._verb.make_answerer(self._settings)),
            caller,
            ahead=path is not None and not path.is_fifo(),
        )
        messages: list[str] = []
        told = Told()
        with progress:
            try:
                for batch in answers:
                    for answer in batch:
                        for message in told.pick(answer.messages) if answer.messages else ():
                            progress.say(message)
                        for row in answer.rows:
                            self._take(row)
                    self._closing.add(batch)
                    if self._stream is not None:
                        self._stream.flush()  # an interrupted run keeps them
                    progress.show(self._closing.tally)
                if self._verb.conclude is not None:
                    steps = partial(progress.show_steps, what="correlations and tests")
                    with interruptible():
                        last, messages = self._verb.conclude(self._records, self._settings, steps)
                    for row in (*self._failed, *map(write_row, last)):
                        self._sink.write(row)
            except Stopped as stopped:
                progress.stop()
                self._stop(stopped)
        self._close()
        if not self._running.quiet:
            messages += self._verb.notes(self._settings)
        for message in messages:
            say(f"note: {message}")
        progress.end(
            self._closing.tally,
            lambda: self._closing.print_closing(self._settings, self._verb.wording),
        )
        return self._closing.tally.errors

    def _count_topics(self) -> str:
        count = self._closing.tally.documents
        return f"{count} topic{'s' if count != 1 else ''}"

    def _take(self, row: WrittenRow) -> None:
        if not self._verb.only_conclusion:
            self._sink.write(row)
        elif row.status == "error" and self._verb.shows_failed:
            self._failed.append(row)  # written once the conclusion is known to be right
        if self._verb.conclude is not None:
            self._records.append(self._verb.keep(row))

    def _close(self) -> None:
        """Show or write what was kept until the end."""
        if self._stream is not None:
            self._sink.close()
            return
        try:
            with interruptible():  # a table of thousands of rows takes seconds
                self._sink.close()
        except Stopped as stopped:
            topics = self._count_topics()
            message = f"{stopped.word}: {topics} done, but not all of the output was shown"
            leave(128 + stopped.number, f"{message}; -o FILE keeps it")

    def _stop(self, stopped: Stopped) -> NoReturn:
        """Write what is ready, say what that is and how to continue, and leave."""
        for row in self._failed:
            self._sink.write(row)
        if self._stream is None and self._closing.tally.documents > _MANY:
            say(f"{stopped.word}: shows what is done; a second signal ends it at once")
        with finishing():
            self._sink.close()
        where = name_output(self._running.output)
        if self._verb.only_conclusion:
            forget_output(self._stream)
            done = f"no result was written to {where}, as not all topics were looked at"
        else:
            topics = self._count_topics()
            done = f"{topics} done and written to {where}, the rest was not looked at"
        again = "run it again to start over"
        shards = self._settings.to in _SHARDS
        if self._can_resume and shards and not self._verb.only_conclusion:
            again += "; a run into a folder (-o FOLDER/) can be continued by --resume"
        leave(128 + stopped.number, f"{stopped.word}: {done}; {again}")


def _run_to_folder(verb: Verb, input: str, settings: Settings, running: Running) -> NoReturn:
    """Run a verb into a folder of shards, and leave with its exit status."""
    from ..runs.cutting import cut_corpus
    from ..runs.folder import Run, run_folder
    from ..runs.ray_tasks import RayTasks
    from ..runs.shard import prepare_worker
    from ..runs.storage import Storage, open_storage

    output = str(running.output)
    _check_folder(verb, settings, running, output)
    storage: Storage | None = None
    size = running.shard_size or _SHARD_SIZE
    to_parquet = "parquet" in (running.output_format, settings.to)
    try:
        settings.check(needs_limit=verb.needs_limit)
        answerer = verb.make_answerer(settings)
        inputs = list(_list_inputs(input, settings))
        refuse_input(output, inputs)
        refuse_containing(output, inputs)
        corpus = cut_corpus(input, size, settings.make_reading())
        storage = open_storage(output, create=True)
        conclude = None
        if verb.conclude is not None:
            conclude = partial(_conclude, verb.conclude, settings)
        run = Run(
            corpus=corpus,
            answering=Writer(answerer=answerer),
            settings=verb.describe_settings(settings),
            storage=storage,
            format="parquet" if to_parquet else "jsonl",
            shard_size=size,
            verb=verb.name,
            resume=running.resume,
            force=running.force,
            conclude=conclude,
        )
        if running.engine == "ray":
            caller: RayTasks | Workers = RayTasks(running.ray_address)
        else:
            caller = Workers(running.jobs, prepare=prepare_worker)
        tally = run_folder(run, caller, Progress(running.style, size=corpus.size))
    except (InputError, MissingExtraError) as error:
        raise click.UsageError(name_options(error)) from error
    except OSError as error:
        reason = f"{show_name(output)}: writing stopped: {error.strerror or error}"
        _leave_folder(*explain_failure(reason), storage)
    except Stopped as stopped:
        _leave_folder(128 + stopped.number, f"{show_name(output)}: {stopped.word}", storage)
    sys.exit(1 if tally.errors else 0)


def _check_folder(verb: Verb, settings: Settings, running: Running, output: str) -> None:
    if running.force and running.resume:
        raise click.UsageError("--force throws away what --resume would continue")
    if Path(output).is_file():
        raise click.UsageError(f"{show_name(output)}: is a file; shards need a folder")
    if settings.to not in _SHARDS:
        raise click.UsageError(f"a folder has shards of jsonl or parquet, not of {settings.to}")
    if not verb.shows_failed:
        raise click.UsageError("--summary goes to a terminal, a pipe or a file, not to a folder")
    kind = KINDS.get(verb.name)
    if running.output_format == "parquet" and not (kind and kind.has_columns()):
        raise click.UsageError(f"`{verb.name}` writes shards of JSON lines only")


def _conclude(
    conclude: Conclude, settings: Settings, records: list[Json]
) -> tuple[list[Json], list[str]]:
    return conclude(records, settings, lambda done, total: None)


def _leave_folder(status: int, message: str, storage: Any) -> NoReturn:
    from ..runs.manifest import Manifest

    try:
        manifest = None if storage is None else Manifest.read(storage)
    except (InputError, OSError):
        manifest = None
    written = "nothing was written"
    if manifest is not None:
        shards, documents = len(manifest.shards), manifest.tally.documents
        written = f"{_count(shards, 'shard')} with {_count(documents, 'document')} written"
    again = "run the same command with --resume to continue"
    leave(status, f"{message}: {written}; {again if manifest is not None else 'run it again'}")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
