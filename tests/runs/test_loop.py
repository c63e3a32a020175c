"""The loop over records: order, errors in between, and a worker that dies."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, NoReturn

import orjson
import pytest

from oraclesum.answers import Item, Written
from oraclesum.answers.record import allow_long_integers
from oraclesum.corpora import Line, Topic
from oraclesum.errors import RecordError
from oraclesum.runs.loop import answer_batches, answer_in_order, run_in_order
from oraclesum.stopping import Stopped
from oraclesum.workers import Call, Caller, Here, Threads, WorkerDiedError, Workers
from runs.deadly import Mortal


def make_topic(id: str, line: int) -> Topic:
    return Topic(id=id, sentences=("a",), references=("a",), file="in.jsonl", line=line)


def make_caller(jobs: int) -> Caller:
    return Threads(1) if jobs == 1 else Workers(jobs, prepare=allow_long_integers)


@pytest.mark.parametrize("place", [0, 5, 19])
def test_a_worker_that_dies_costs_only_the_topic_that_killed_it(place: int) -> None:
    names = [str(i) for i in range(20)]
    names[place] = "deadly"
    topics = [make_topic(name, line) for line, name in enumerate(names, 1)]
    answers = list(answer_in_order(topics, Mortal(), make_caller(2)))
    records = [answer.rows[0].record for answer in answers]
    assert [record["id"] for record in records] == names
    assert [record["status"] for record in records].count("error") == 1
    reason = f"in.jsonl:{place + 1}: the worker process died on this record"
    assert records[place]["error"].startswith(reason)


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("jobs", [1, 2])
def test_records_that_could_not_be_read_stay_in_their_place(jobs: int, ahead: bool) -> None:
    bad = RecordError("in.jsonl", 2, "broken", "bad")
    items = [make_topic("a", 1), bad, make_topic("c", 3)]
    answers = list(
        chain.from_iterable(answer_batches(items, Mortal(), make_caller(jobs), ahead=ahead))
    )
    assert [answer.rows[0].record["id"] for answer in answers] == ["a", "bad", "c"]
    assert answers[1].messages == ["in.jsonl:2: broken"]


def test_a_line_that_memory_does_not_suffice_for_is_an_error_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load = orjson.loads

    def fail(line: bytes) -> object:
        if b"long" in line:  # what orjson raises then
            raise orjson.JSONDecodeError("Not enough memory to allocate buffer for parsing", "", 0)
        return load(line)

    monkeypatch.setattr("oraclesum.corpora.record.orjson.loads", fail)
    data = b'{"sentences": ["%s"], "references": ["a"]}'
    texts = (b"a", b"long", b"b")
    lines = [Line("in.jsonl", at, f"in:{at}", data % text) for at, text in enumerate(texts, 1)]
    answers = list(answer_in_order(lines, Mortal(), Here()))
    records = [answer.rows[0].record for answer in answers]
    assert [record["id"] for record in records] == ["in:1", "in:2", "in:3"]
    assert records[1]["error"] == "in.jsonl:2: out of memory"


def test_no_more_is_read_ahead_than_the_workers_need() -> None:
    read = []

    def items() -> object:
        for line in range(1, 100):
            read.append(line)
            yield make_topic(str(line), line)

    answers = answer_batches(items(), Mortal(), Threads(1), ahead=False)
    for asked in range(1, 20):
        next(answers)
        assert len(read) == asked


def test_many_small_topics_share_a_batch() -> None:
    sizes = []

    class Watched(Mortal):
        def answer_some(self, items: Sequence[Item]) -> list[Written]:
            sizes.append(len(items))
            return super().answer_batch(items)

    topics = [make_topic(str(line), line) for line in range(1, 500)]
    answers = list(answer_in_order(topics, Watched(), Threads(1)))
    assert [answer.rows[0].record["id"] for answer in answers] == [topic.id for topic in topics]
    assert max(sizes) > 1


@pytest.mark.parametrize("caller", [Here, lambda: Threads(1), lambda: Threads(3, join=True)])
def test_threads_answer_in_order_and_refuse_a_repeated_id(caller: Callable[[], Caller]) -> None:
    names = ["a", "b", "a", *(str(k) for k in range(300))]
    lines = [
        Line(
            file="in.jsonl",
            number=number,
            fallback_id=f"in.jsonl:{number}",
            data=b'{"id": "%s", "sentences": ["x"], "references": ["x"]}' % name.encode(),
        )
        for number, name in enumerate(names, 1)
    ]
    answers = list(answer_in_order(lines, Mortal(), caller()))
    assert [answer.rows[0].id for answer in answers] == names
    assert [answer.rows[0].status for answer in answers[:4]] == [
        "complete",
        "complete",
        "error",
        "complete",
    ]
    assert "was already used at in.jsonl:1" in answers[2].messages[0]


def test_a_job_that_is_half_done_goes_on_before_the_next() -> None:
    def halve(job: list[int]) -> list[int]:
        return job[: max(1, len(job) // 2)]

    def find_rest(job: list[int], result: list[int]) -> list[int] | None:
        return job[len(result) :] or None

    jobs = [[1, 2, 3, 4], [5], [6, 7]]
    done = run_in_order(jobs, halve, halve, Threads(2, join=True), find_rest=find_rest)
    assert [number for _, result in done for number in result] == [1, 2, 3, 4, 5, 6, 7]


def test_memory_that_runs_out_is_met_by_the_other_way_of_a_job() -> None:
    def fail(job: str) -> str:
        raise MemoryError

    assert list(run_in_order(["a"], fail, str.upper, Threads(1))) == [("a", "A")]


def test_more_calls_than_a_pipe_holds_may_be_done_before_they_are_waited_for() -> None:
    threads = Threads(1, join=True)
    calls = [threads.submit(int, "1") for _ in range(70_000)]
    assert sum(map(threads.wait, reversed(calls))) == 70_000
    threads.close()


class DyingFirst(Here):
    """Makes calls at once, of which the first dies; that they are done is seen later."""

    window = 3

    def __init__(self) -> None:
        self.seen = False

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Call:
        call = Call()
        if arguments == ("a",):
            call.settle(None, WorkerDiedError())
        else:
            call.settle(function(*arguments), None)
        return call

    def is_done(self, call: Call) -> bool:
        return self.seen

    def wait(self, call: Call) -> Any:
        return call.take()


def stop() -> NoReturn:
    raise Stopped(signal.SIGTERM)


def test_a_signal_while_a_dead_job_is_repeated_leaves_no_hole() -> None:
    caller = DyingFirst()

    def repeat(job: str) -> str:
        caller.seen = True
        stop()

    given: list[object] = []
    with pytest.raises(Stopped):
        given.extend(run_in_order("abc", str.upper, repeat, caller))
    assert given == []


def test_after_a_signal_a_dead_job_is_not_repeated() -> None:
    caller = DyingFirst()
    repeated: list[str] = []

    def jobs() -> Iterator[str]:
        yield from "ab"
        caller.seen = True
        stop()

    def repeat(job: str) -> str:
        repeated.append(job)
        return job

    given: list[object] = []
    with pytest.raises(Stopped):
        given.extend(run_in_order(jobs(), str.upper, repeat, caller))
    assert (given, repeated) == ([], [])
