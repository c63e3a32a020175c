"""A run ends when its caller says so, with what it has until then."""

from __future__ import annotations

import itertools
import os
import random
import sys
import threading
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

import pytest

import oraclesum
from oraclesum import Oracle
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import milp
from oraclesum.oracles.bounds import answer_within
from oraclesum.oracles.options import Options
from oraclesum.oracles.ratio_ilp import RatioAnswer, RatioProgram
from oraclesum.oracles.status import Status
from oraclesum.workers import Call, Workers

N = 60
TIED = Instance(
    total=N,
    gains=[[1]] * N,
    counts=[[(i, 1)] for i in range(N)],
    limits=[Limit(unit="words", budget=N // 2, lengths=(1,) * N)],
)


def hard_document() -> tuple[list[str], list[str]]:
    """Under recall the search takes seconds; under sums of F1 nobody has seen it end."""
    draw = random.Random(1)
    words = [f"w{k}" for k in range(400)]
    weights = [1 / (k + 1) for k in range(400)]
    sentences = [" ".join(draw.choices(words, weights, k=draw.randint(8, 30))) for _ in range(400)]
    return sentences, [" ".join(draw.choices(words, weights, k=300)) for _ in range(4)]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_search_ends_as_interrupted_on_any_number_of_threads(threads: int) -> None:
    asked = threading.Event()
    timer = threading.Timer(0.2, asked.set)
    timer.start()
    sentences, references = hard_document()
    family = oraclesum.enumerate_oracles(
        sentences,
        references,
        rouge=oraclesum.Rouge(n=1),
        max_words=250,
        threads=threads,
        time_limit=60,
        stop=asked.is_set,
    )
    timer.join()
    assert family.status == "interrupted"
    assert not family.exact
    assert 0 < family.hits <= family.upper_bound
    assert family.count == 1


@pytest.mark.parametrize("method", ["paper", "exhaustive"])
def test_the_other_enumerators_end_as_well(method: str) -> None:
    asked: list[None] = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) > 3

    family = oraclesum.enumerate_instance(
        TIED, method=method, max_list=10, time_limit=60, stop=stop
    )
    assert family.status == "interrupted"
    assert len(asked) == 4


@pytest.mark.parametrize(
    ("objective", "method"),
    [
        ("r1-recall", "search"),
        ("r1-recall", "paper"),
        ("r1-recall", "exhaustive"),
        ("r1-recall", "ilp"),
        ("r1-recall", "pairwise"),
        ("r1-recall", "genetic"),
        ("r1-f1+r2-f1", "search"),
        ("r1-f1", "ilp"),
        ("r1-recall", "beam"),
        ("r1-f1+r2-f1", "beam"),
        ("r1-f1+r2-f1", "greedy"),
        ("r1-f1+r2-f1", "presumm-greedy"),
    ],
)
def test_one_oracle_that_its_caller_stopped_is_not_said_to_be_out_of_time(
    objective: str, method: str
) -> None:
    sentences, references = hard_document()
    asked = itertools.count()
    oracle = oraclesum.find_oracle(
        sentences,
        references,
        rouge=objective,
        max_words=250,
        method=method,
        stop=lambda: next(asked) > 3,
    )
    assert oracle.status == "interrupted"
    assert not oracle.proven


@pytest.mark.parametrize("threads", [1, 2])
def test_what_stop_raises_is_raised_to_the_caller(threads: int) -> None:
    def stop() -> bool:
        raise LookupError("asked on a bad day")

    sentences, references = hard_document()
    with pytest.raises(LookupError, match="bad day"):
        oraclesum.enumerate_oracles(
            sentences,
            references,
            rouge=oraclesum.Rouge(n=1),
            max_words=250,
            threads=threads,
            time_limit=60,
            stop=stop,
        )


def test_a_run_that_is_never_stopped_is_as_without() -> None:
    asked = oraclesum.enumerate_oracles(
        ["a b c", "b c d"], ["a b c d"], max_words=3, stop=lambda: False
    )
    plain = oraclesum.enumerate_oracles(["a b c", "b c d"], ["a b c d"], max_words=3)
    assert (list(asked), asked.status, asked.signature) == (
        list(plain),
        plain.status,
        plain.signature,
    )


def test_greedy_ends_as_well() -> None:
    many = 20_000  # the square of that takes far longer than 10 ms
    instance = Instance(
        total=many,
        gains=[[1]] * many,
        counts=[[(i, 1)] for i in range(many)],
        limits=[Limit(unit="words", budget=many, lengths=(1,) * many)],
    )
    stopped = oraclesum.find_in_instance(instance, method="greedy", stop=lambda: True)
    assert stopped.status == "interrupted"
    assert stopped.hits == len(stopped.indices) < many
    late = oraclesum.find_in_instance(TIED, method="greedy", time_limit=0)
    assert (late.status, late.indices, late.upper_bound) == ("time_limit", (), N // 2)
    assert oraclesum.find_in_instance(TIED, method="greedy", time_limit=60).hits == N // 2


@pytest.mark.parametrize("method", ["paper", "pairwise"])
def test_a_greedy_start_ends_as_well(method: str) -> None:
    many = 20_000
    instance = Instance(
        total=many,
        gains=[[1]] * many,
        counts=[[(i, 1)] for i in range(many)],
        limits=[Limit(unit="words", budget=many // 2, lengths=(1,) * many)],
    )
    oracle = oraclesum.find_in_instance(instance, method=method, stop=lambda: True)
    assert oracle.status == "interrupted"
    assert oracle.hits == len(oracle.indices) < many // 2 <= oracle.upper_bound


@pytest.mark.parametrize("method", ["ilp", "pairwise"])
@pytest.mark.parametrize("calls", [0, 1, 20])
def test_a_solver_ends_with_what_it_has(method: str, calls: int) -> None:
    sentences, references = hard_document()
    asked = itertools.count()
    oracle = oraclesum.find_oracle(
        sentences,
        references,
        rouge="r1-recall",
        max_words=250,
        method=method,
        stop=lambda: next(asked) >= calls,
    )
    assert oracle.status == "interrupted"
    assert oracle.hits < oracle.upper_bound


@pytest.mark.parametrize("multi_reference", ["pooled", "best"])
def test_programs_of_a_ratio_end_with_bounds_that_hold(multi_reference: str) -> None:
    sentences, references = hard_document()
    rouge = oraclesum.Rouge("r1-f1", multi_reference=multi_reference)  # type: ignore[arg-type]  # a literal
    asked = itertools.count()
    greedy = oraclesum.find_oracle(
        sentences,
        references,
        rouge=rouge,
        max_words=250,
        method="greedy",
        stop=lambda: not next(asked) < 10**9,
    )
    beyond = next(asked) + 3  # the start is done, and a program is at work
    asked = itertools.count()
    oracle = oraclesum.find_oracle(
        sentences,
        references,
        rouge=rouge,
        max_words=250,
        method="ilp",
        stop=lambda: next(asked) >= beyond,
    )
    assert oracle.status == "interrupted"
    assert greedy.value <= oracle.value < oracle.upper_value
    assert next(asked) > beyond


def test_a_set_that_a_reference_nobody_came_to_likes_more_has_its_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sentences = ["a b c x y", "a b q r s"]
    references = ["a b z z z", "a b c x y"]  # the first sentence is the second reference

    def end_at_once(program: RatioProgram, start: tuple[int, ...], options: Options) -> RatioAnswer:
        ended.append(None)
        program.count(options.start_clock())
        best = (0,) if len(ended) == 1 else (1,)
        return RatioAnswer(
            indices=best,
            value=program.score(best),
            upper=Fraction(1),
            status=Status.TIME_LIMIT,
            nodes=0,
        )

    ended: list[None] = []
    monkeypatch.setattr(RatioProgram, "solve", end_at_once)
    rouge = oraclesum.Rouge("r1-f1", multi_reference="best")
    oracle = oraclesum.find_oracle(
        sentences, references, rouge=rouge, max_sentences=1, method="ilp", time_limit=60
    )
    assert (oracle.indices, oracle.value, oracle.status) == ((0,), 1, "time_limit")


def test_stop_must_be_callable() -> None:
    with pytest.raises(oraclesum.InputError, match="stop must be a callable"):
        oraclesum.enumerate_oracles(["a b"], ["a b"], max_words=3, stop=True)  # type: ignore[arg-type] # the point


def count_to(last: int) -> tuple[list[None], Callable[[], bool]]:
    """A `stop` that says true when it has been asked so often, and the times it was asked."""
    asked: list[None] = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) >= last

    return asked, stop


WORDS = [f"w{k % 5} w{k} w{k + 1}" for k in range(8)]
REFERENCE = " ".join(WORDS[::2])


def test_exhaustive_under_an_objective_asks_for_every_set() -> None:
    """A set may take as long to score as a long reference takes."""
    asked, stop = count_to(20)
    family = oraclesum.enumerate_oracles(
        WORDS, [REFERENCE], rouge="r1-f1", method="exhaustive", stop=stop
    )
    assert (family.status, family.checked, len(asked)) == ("interrupted", 20, 20)
    assert family.value < family.upper_value == 1


@pytest.mark.parametrize("references", [[REFERENCE], [REFERENCE, " ".join(WORDS[1::2])]])
def test_minimal_sets_are_told_apart_only_while_there_is_time(references: list[str]) -> None:
    rouge = oraclesum.Rouge("r1-f1", multi_reference="best")
    sets = 2 ** len(WORDS) - 1
    how: dict[str, Any] = {"rouge": rouge, "family": "minimal", "within": 1}
    asked, stop = count_to(sets + 2)  # all sets were scored by then
    family = oraclesum.enumerate_oracles(WORDS, references, method="exhaustive", stop=stop, **how)
    assert family.status == "interrupted"
    assert len(asked) == sets + 2
    assert family.value == family.upper_value  # which the sets themselves prove
    whole = oraclesum.enumerate_oracles(WORDS, references, method="exhaustive", **how)
    (known,) = family
    assert known in whole


def test_families_of_several_references_are_put_together_only_while_there_is_time() -> None:
    rouge = oraclesum.Rouge("r1-f1", multi_reference="best")
    references = [REFERENCE, " ".join(WORDS[1::2])]
    asked, stop = count_to(10)
    family = oraclesum.enumerate_oracles(WORDS, references, rouge=rouge, within=1, stop=stop)
    whole = oraclesum.enumerate_oracles(WORDS, references, rouge=rouge, within=1)
    assert (family.status, family.count, len(asked)) == ("interrupted", 1, 10)
    assert family.value == family.upper_value == whole.value
    assert whole.count > 200


@pytest.mark.parametrize("objective", ["r1-f1", "r1-recall"])
def test_a_program_is_written_only_while_there_is_time(
    monkeypatch: pytest.MonkeyPatch, objective: str
) -> None:
    def solve(*_: object) -> None:
        raise AssertionError("HiGHS has no time left")

    monkeypatch.setattr("oraclesum.oracles.milp.Program.solve", solve)
    asked, stop = count_to(16)
    oracle = oraclesum.find_oracle(
        WORDS, [REFERENCE], rouge=objective, max_sentences=3, method="ilp", stop=stop
    )
    assert (oracle.status, len(asked)) == ("interrupted", 16)
    assert oracle.indices


class OddError(ValueError):
    """What a caller's own `stop` raises."""


@pytest.mark.parametrize("raised", [ValueError, TimeoutError, OddError])
def test_what_stop_raises_reaches_the_caller_as_it_is(raised: type[Exception]) -> None:
    def stop() -> bool:
        raise raised("mine")

    sentences, references = hard_document()
    with pytest.raises(raised, match="mine") as caught:
        oraclesum.enumerate_oracles(
            sentences, references, rouge="r1-f1+r2-f1", max_words=100, stop=stop
        )
    assert caught.type is raised
    family = oraclesum.enumerate_instance(TIED)
    with answer_within(stop=stop), pytest.raises(raised, match="mine") as caught:
        print(family.sizes)
    assert caught.type is raised


@pytest.mark.filterwarnings("ignore::oraclesum.errors.NoOverlapWarning")
@pytest.mark.parametrize("seed", range(60))
def test_whenever_it_is_stopped_a_run_is_honest_about_the_best_of_several_references(
    seed: int,
) -> None:
    draw = random.Random(seed)

    def write(shortest: int, longest: int) -> str:
        return " ".join(draw.choices("abcde", k=draw.randint(shortest, longest)))

    sentences = [write(1, 6) for _ in range(7)]
    references = [write(3, 12) for _ in range(2)]
    references.append(references[0])
    rouge = oraclesum.Rouge(
        draw.choice(["r1-f1", "r1-recall", "rlsum-f1"]),
        tokenizer="whitespace",
        stem=False,
        multi_reference="best",
    )
    how: dict[str, Any] = {
        "rouge": rouge,
        "family": draw.choice(["all", "minimal"]),
        "within": draw.choice([0, 0.1, 1]),
        "max_sentences": draw.randint(2, 7),
    }
    whole = oraclesum.enumerate_oracles(sentences, references, method="exhaustive", **how)
    for method in ("search", "exhaustive"):
        _, stop = count_to(draw.randint(1, 150))
        found = oraclesum.enumerate_oracles(sentences, references, method=method, stop=stop, **how)
        assert found.value <= whole.value <= found.upper_value
        if found.complete:
            assert (found.value, list(found)) == (whole.value, list(whole))
        else:
            assert found.status == "interrupted"
        if how["within"] == 1:
            assert set(found) <= set(whole)


@pytest.mark.parametrize("method", ["exhaustive", "paper"])
def test_sums_over_hundreds_of_sizes_are_bounded(method: str) -> None:
    n = 20_000
    long = Instance(
        total=1,
        gains=[[1]],
        counts=[[(0, 1)]] * n,
        limits=[Limit(unit="words", budget=n, lengths=(1,) * n)],
    )
    family = oraclesum.enumerate_instance(long, method=method)
    assert family.status is Status.MEMORY_LIMIT
    assert (family.hits, family.upper_bound) == (1, 1)
    assert family.count > 100
    assert all(oracle == tuple(range(len(oracle))) for oracle in itertools.islice(family, 100))


@pytest.mark.parametrize("method", ["exhaustive", "paper"])
def test_of_what_a_stopped_walk_met_a_million_sets_are_listed_at_most(method: str) -> None:
    asked = itertools.count()
    family = oraclesum.enumerate_instance(
        TIED, method=method, max_list=10**9, within_hits=N, stop=lambda: next(asked) >= 60
    )
    assert family.status is Status.INTERRUPTED
    assert 0 < len(family) <= 1_000_000
    assert family.count >= len(family)
    assert sum(family.sizes.values()) == family.count


class NeverDone(Workers):
    """A process in which HiGHS is in one of its long steps."""

    busy: ClassVar[list[Call]] = []

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Call:
        self.busy.append(super().submit(time.sleep, 600.0))
        return self.busy[-1]


@pytest.mark.parametrize("method", ["ilp", "pairwise"])
def test_a_step_of_highs_that_hears_nothing_is_ended(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(milp, "_LARGE", 0)
    monkeypatch.setattr(milp, "Workers", NeverDone)
    monkeypatch.setattr(NeverDone, "busy", [])

    def ask(**options: Any) -> Oracle:
        return oraclesum.find_oracle(
            WORDS, [REFERENCE], rouge="r1-recall", max_sentences=3, method=method, **options
        )

    assert ask(stop=lambda: bool(NeverDone.busy)).status == "interrupted"
    monkeypatch.setattr(milp, "_LATE", 0.0)
    limited = ask(time_limit=0.5)
    assert limited.status == "time_limit"
    assert limited.value <= limited.upper_value

    def interrupt() -> bool:
        if len(NeverDone.busy) > 2:
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        ask(stop=interrupt)
    assert len(NeverDone.busy) == 3
    assert not any(call.done for call in NeverDone.busy)


@pytest.mark.parametrize("begun", [False, True])
def test_ctrl_c_while_the_thread_of_highs_starts_leaves_none_behind(
    begun: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start
    runners: list[threading.Thread] = []

    def start_interrupted(thread: threading.Thread) -> None:
        runners.append(thread)
        if begun:
            start(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", start_interrupted)
    monkeypatch.setattr(milp, "_LARGE", sys.maxsize)
    sentences, references = hard_document()
    with pytest.raises(KeyboardInterrupt):
        oraclesum.find_oracle(
            sentences, references, rouge="r1-recall+r2-recall", max_words=400, method="ilp"
        )
    (runner,) = runners
    if begun:
        runner.join(60)
    assert not runner.is_alive()


def test_a_process_of_highs_that_dies_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dying(Workers):
        def submit(self, function: Callable[..., Any], *arguments: Any) -> Call:
            return super().submit(os._exit, 1)

    monkeypatch.setattr(milp, "_LARGE", 0)
    monkeypatch.setattr(milp, "Workers", Dying)
    with pytest.raises(MemoryError, match="the process that HiGHS ran in has died"):
        oraclesum.find_oracle(WORDS, [REFERENCE], rouge="r1-recall", max_sentences=3, method="ilp")


@pytest.mark.parametrize("objective", ["r1-recall", "r1-f1", "r1-recall+r2-recall"])
def test_a_process_of_its_own_changes_no_answer_of_highs(
    objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask() -> Oracle:
        return oraclesum.find_oracle(
            WORDS, [REFERENCE], rouge=objective, max_sentences=3, method="ilp"
        )

    here = ask()
    monkeypatch.setattr(milp, "_LARGE", 0)
    assert ask() == here
