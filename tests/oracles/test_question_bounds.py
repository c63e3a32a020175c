"""Questions to a family keep to bounds of time and memory; huge families are counted exactly."""

from __future__ import annotations

import itertools
import math
import pickle
import random
import signal
from collections.abc import Callable
from fractions import Fraction
from itertools import islice

import pytest

import oraclesum
from oraclesum import Rouge
from oraclesum.answers.record import FamilyRecord
from oraclesum.errors import LimitError
from oraclesum.evaluation import evaluate
from oraclesum.instances import Instance, Limit
from oraclesum.oracles import OracleFamily, enumerate_instance
from oraclesum.oracles.bounds import answer_within
from oraclesum.oracles.objective import score_text
from oraclesum.oracles.status import Status
from oraclesum.oracles.store import ListedStore


def make_knapsack(sentences: int, budget: int) -> OracleFamily:
    """Every set that fits is an oracle: one n-gram, which every sentence has."""
    rng = random.Random(9)
    instance = Instance(
        total=1,
        gains=[[1]],
        counts=[[(0, 1)]] * sentences,
        limits=[
            Limit(
                unit="words",
                budget=budget,
                lengths=tuple(rng.randint(5, 41) for _ in range(sentences)),
            )
        ],
    )
    return enumerate_instance(instance, max_list=0)


@pytest.fixture(scope="module")
def pristine() -> bytes:
    """A family of some 2^140 oracles that was asked nothing yet, pickled."""
    return pickle.dumps(make_knapsack(150, 1500))


QUESTIONS: dict[str, Callable[[OracleFamily], object]] = {
    "inclusion": lambda family: family.inclusion,
    "sizes": lambda family: family.sizes,
    "inclusion_by_size": lambda family: family.inclusion_by_size,
    "evaluate": lambda family: evaluate([1, 2], family),
    "pair_counts": lambda family: family.pair_counts(0),
    "pairs_apart": lambda family: family.pairs_apart(),
    "sample": lambda family: family.sample(1),
    "longest": lambda family: family.longest(range(family.n_sentences)),
    "iterate": lambda family: next(family.iterate()),
    "iterate_at": lambda family: next(family.iterate_at(family.count // 2)),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_without_time_is_not_answered_and_can_be_asked_again(
    name: str, pristine: bytes
) -> None:
    family = pickle.loads(pristine)
    with answer_within(seconds=0.0), pytest.raises(LimitError, match="the time limit ended it"):
        QUESTIONS[name](family)
    if name not in ("inclusion_by_size", "evaluate"):  # which take a second
        QUESTIONS[name](family)


def test_a_stop_and_ctrl_c_end_a_question(pristine: bytes) -> None:
    family = pickle.loads(pristine)
    with answer_within(stop=lambda: True), pytest.raises(LimitError, match="interrupted"):
        evaluate([1, 2], family)

    def press() -> bool:
        signal.raise_signal(signal.SIGINT)
        return False

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with answer_within(stop=press), pytest.raises(KeyboardInterrupt):
            evaluate([1, 2], family)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_table_beyond_the_bound_is_refused_by_name(pristine: bytes) -> None:
    family = pickle.loads(pristine)
    message = r"sample|more than the limit of 2 MiB; set a tighter limit"
    with answer_within(max_bytes=1 << 20):
        with pytest.raises(LimitError, match=message):
            family.sample(1)
        assert len(family.inclusion) == family.n_sentences


def test_inclusion_needs_no_table_by_size(pristine: bytes) -> None:
    family = pickle.loads(pristine)
    counts = family.inclusion_counts
    sizes = family.sizes
    assert sum(counts) == sum(size * number for size, number in sizes.items())
    assert sum(sizes.values()) == family.count
    assert family.count.bit_length() > 128
    drawn = family.sample(400, seed=3)
    for i in (0, 70, 149):
        share = sum(i in oracle for oracle in drawn) / len(drawn)
        assert abs(share - family.inclusion[i]) < 0.12
        assert family.pair_counts(i)[i] == counts[i]
    assert sum(family.pair_counts(4)) > counts[4]


def test_thousands_of_equal_sentences_are_counted_in_closed_form() -> None:
    n = 4000
    instance = Instance(
        total=1,
        gains=[[1]],
        counts=[[(0, 1)]] * n,
        limits=[Limit(unit="sentences", budget=n // 2, lengths=(1,) * n)],
    )
    family = enumerate_instance(instance, max_list=0)
    assert family.sizes == {k: math.comb(n, k) for k in range(1, n // 2 + 1)}
    assert set(family.inclusion_counts) == {sum(math.comb(n - 1, k) for k in range(n // 2))}
    shared = family.count_shared([3, 5])
    assert shared[7] == 2 * math.comb(n - 1, 6)
    assert next(islice(family.iterate(), 2, None)) == (0, 1, 2)


def test_a_record_says_what_time_sufficed_for() -> None:
    family = make_knapsack(30, 200)

    def describe() -> FamilyRecord:
        return FamilyRecord.describe(
            family,
            id="a",
            reference=None,
            max_list=5,
            counts_nodes=True,
            method="search",
            signature="",
            sentences=None,
        )

    with answer_within(seconds=0.0):
        record = describe()
    assert (record.status, record.inclusion, record.oracles) == ("counted", None, [])
    record = describe()
    assert (record.status, record.inclusion) == ("list_limit", family.inclusion)


TEXTS = ["the ferry left the harbour", "nobody was hurt on board"]
REFERENCES = ["the ferry left and nobody was hurt"]


@pytest.mark.parametrize("objective", ["r1-f1", "rl-f1", "rlsum-f1"])
def test_the_value_of_a_text_keeps_to_time_and_stop(
    objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rouge = Rouge(objective)
    value = score_text(TEXTS, REFERENCES, rouge)
    with answer_within(seconds=0.0):  # it takes milliseconds, and no record can do without
        assert score_text(TEXTS, REFERENCES, rouge) == value
    with (
        answer_within(stop=lambda: True),
        pytest.raises(LimitError, match="scoring has no answer: it was interrupted"),
    ):
        score_text(TEXTS, REFERENCES, rouge)
    monkeypatch.setattr("oraclesum.oracles.objective.TEXT_SECONDS", -1.0)
    with answer_within(seconds=0.0), pytest.raises(LimitError, match="the time limit ended it"):
        score_text(TEXTS, REFERENCES, rouge)


def test_a_count_can_be_stopped_while_it_runs() -> None:
    words = [f"w{k % 7}" for k in range(300_000)]
    calls: list[None] = []

    def stop() -> bool:
        calls.append(None)
        return len(calls) > 1  # to the end, it would be asked hundreds of times

    with answer_within(stop=stop), pytest.raises(LimitError, match="interrupted"):
        score_text([" ".join(words[::-1])], [" ".join(words)], Rouge("rl-f1"))
    assert len(calls) == 2


def test_sets_that_a_search_found_are_scored_whatever_the_time() -> None:
    found = oraclesum.enumerate_oracles(TEXTS, REFERENCES, rouge="rl-f1", max_words=5)
    with answer_within(seconds=0.0):
        again = oraclesum.enumerate_oracles(TEXTS, REFERENCES, rouge="rl-f1", max_words=5)
    assert again.value == found.value


def test_inclusion_by_size_keeps_to_the_bounds() -> None:
    family = oraclesum.enumerate_oracles(["a b"] * 2000, ["a b"], max_words=4000)
    asked: list[None] = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) > 50

    assert sum(row[0] for row in family.inclusion_by_size.values()) == family.inclusion_counts[0]
    with answer_within(max_bytes=1 << 20), pytest.raises(LimitError, match="memory"):
        print(family.inclusion_by_size)
    with answer_within(stop=stop), pytest.raises(LimitError, match="stopped"):
        print(family.inclusion_by_size)
    assert len(asked) == 51


def find_long() -> OracleFamily:
    return oraclesum.enumerate_oracles(["a b"] * 3000, ["a b"], max_words=6000)


@pytest.mark.parametrize("question", ["sample", "mean_jaccard"])
def test_draws_of_long_oracles_ask_stop(question: str) -> None:
    family = find_long()
    asked: list[None] = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) > 30

    with answer_within(stop=stop), pytest.raises(LimitError):
        print(family.sample(1000) if question == "sample" else family.mean_jaccard())
    assert len(asked) == 31


def test_oracles_that_are_compared_take_no_more_room_than_two() -> None:
    family = find_long()
    with answer_within(max_bytes=1 << 23):
        assert 0.3 < family.mean_jaccard(draws=1000).value < 0.4
        with pytest.raises(LimitError, match="memory"):
            family.sample(2000)


def test_pairs_of_a_listed_family_keep_to_the_bounds() -> None:
    sentences = [f"a{i} x" for i in range(300)]
    family = oraclesum.enumerate_oracles(
        sentences, ["x"], rouge=Rouge("r1-f1"), max_sentences=1, method="exhaustive"
    )
    assert family.count == 300
    with answer_within(max_bytes=1 << 20), pytest.raises(LimitError, match="memory"):
        family.pairs_together()
    assert len(family.pairs_apart()) == 300 * 299 // 2


LISTED: dict[str, Callable[[ListedStore], object]] = {
    "pairs": lambda store: store.pairs(),
    "heaviest": lambda store: store.heaviest([1] * 500),
    "inclusion_with": lambda store: store.inclusion_with(0),
    "inclusion_by_size": lambda store: store.inclusion_by_size,
    "inclusion_counts": lambda store: store.inclusion_counts,
    "sizes": lambda store: store.sizes,
}


@pytest.mark.parametrize("question", LISTED)
def test_questions_to_stored_sets_ask_whether_to_stop_all_along(question: str) -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 4

    store = ListedStore([tuple(range(k, 500)) for k in range(0, 500, 2)] * 10, 500)
    with answer_within(stop=stop), pytest.raises(LimitError, match="it was stopped"):
        LISTED[question](store)
    assert asked == 5
    LISTED[question](store)


def test_pairs_of_one_large_set_are_refused_before_they_take_more_than_a_gibibyte() -> None:
    store = ListedStore([tuple(range(5000))], 5000)
    with pytest.raises(LimitError, match="it needs 2,499,500,000 bytes of memory"):
        store.pairs()
    with answer_within(max_bytes=1 << 20), pytest.raises(LimitError, match="bytes of memory"):
        ListedStore([tuple(range(200))], 200).pairs()


def list_sizes(sentences: int, sizes: int) -> OracleFamily:
    """A family of one set of each size, stored set by set."""
    return OracleFamily(
        store=ListedStore([tuple(range(k)) for k in range(1, sizes + 1)], sentences),
        n_sentences=sentences,
        hits=1,
        total=1,
        status=Status.COMPLETE,
        upper_bound=1,
        checked=0,
        method="exhaustive",
    )


def test_inclusion_of_stored_sets_needs_no_table_by_size() -> None:
    family = list_sizes(100_000, 40)
    with answer_within(max_bytes=1 << 24):
        assert family.inclusion_counts == [*range(40, 0, -1), *[0] * 99_960]
        with pytest.raises(LimitError, match="it needs more than 16,800,000 bytes of memory"):
            print(family.inclusion_by_size)
    by_size = family.inclusion_by_size
    assert [row[20] for row in by_size.values()] == [0] * 20 + [1] * 20
    # With that table at hand, inclusion is its sum.
    table = ListedStore([], 3, count=5, inclusion_by_size={1: [1, 0, 2], 2: [1, 1, 2]})
    assert table.inclusion_counts == [2, 1, 4]


@pytest.mark.parametrize("question", ["inclusion_by_size", "count_shared", "inclusion"])
def test_tables_by_size_of_stored_sets_ask_whether_to_stop_at_each_size(question: str) -> None:
    family = list_sizes(1000, 40)
    print(family.inclusion_by_size)
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 9

    with answer_within(stop=stop), pytest.raises(LimitError, match="it was stopped"):
        print(family.count_shared([1]) if question == "count_shared" else getattr(family, question))
    assert asked == 10


def test_draws_of_stored_sets_ask_stop_and_are_those_of_one_draw() -> None:
    family = list_sizes(20, 5)
    drawn = family.sample(200_000, seed=4)
    assert drawn == random.Random(4).choices(list(family), k=200_000)
    with answer_within(stop=lambda: True), pytest.raises(LimitError, match="drawing oracles has"):
        family.sample(200_000)


def test_the_mean_over_all_pairs_asks_to_its_end() -> None:
    sets = [tuple(range(size)) for size in range(1, 60)]
    asked = itertools.count()
    family = OracleFamily(
        store=ListedStore(sets, 59),
        n_sentences=59,
        hits=1,
        total=1,
        upper_bound=1,
        status=Status.COMPLETE,
        checked=0,
        method="exhaustive",
        signature="",
    )

    def count() -> bool:
        last.append(next(asked))
        return False

    last: list[int] = []
    pairs = [(set(one), set(other)) for one, other in itertools.combinations(sets, 2)]
    mean = sum(Fraction(len(a & b), len(a | b)) for a, b in pairs) / len(pairs)
    with answer_within(stop=count):
        assert family.mean_jaccard().value == float(mean)
    with (
        answer_within(stop=lambda: next(asked) >= 2 * last[-1]),
        pytest.raises(LimitError, match="it was stopped"),
    ):
        family.mean_jaccard()
    assert last[-1] > 58
