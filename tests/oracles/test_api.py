"""The public calls: text in, oracles out; what is wrong with the input is said plainly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from oraclesum import label_every_oracle, label_sentences
from oraclesum.errors import (
    InputError,
    NoOverlapWarning,
    NoTokensWarning,
    OraclesumError,
    OraclesumWarning,
)
from oraclesum.instances import Instance, Limit, Limits
from oraclesum.instances.build import build_instance
from oraclesum.oracles import (
    Enumeration,
    Options,
    Status,
    enumerate_instance,
    enumerate_oracles,
    find_in_instance,
    find_oracle,
)
from oraclesum.oracles.api import compare
from oraclesum.oracles.methods import ENUMERATORS, EXACT, FINDERS
from oraclesum.oracles.store import ListedStore
from oraclesum.rouge import Rouge

SENTENCES = [
    "The cat sat on the mat.",
    "A dog barked at the cat.",
    "The mat was red and the cat was black.",
    "It rained all day long.",
]
REFERENCES: list[str | list[str]] = [
    "The black cat sat on a red mat while it rained.",
    ["A dog barked.", "The cat sat on the mat."],
]


def test_text_in_oracles_out() -> None:
    family = enumerate_oracles(SENTENCES, REFERENCES, max_words=15, method="paper")
    assert list(family) == [(0, 1)]
    assert (family.hits, family.total) == (9, 18)
    assert family.score == 0.5
    assert family.complete
    assert (0, 1) in family
    assert family.inclusion == [1.0, 1.0, 0.0, 0.0]
    assert family.sample(3) == [(0, 1)] * 3
    assert "limit:words<=15" in family.signature
    assert family.signature.endswith("|family:all")
    oracle = find_oracle(SENTENCES, REFERENCES, max_words=15, method="ilp")
    assert (oracle.indices, oracle.hits, oracle.proven) == ((0, 1), 9, True)


def test_settings_that_move_the_family_stand_in_the_signature() -> None:
    family = enumerate_oracles(
        SENTENCES, REFERENCES, max_words=15, method="paper", family="minimal", within_hits=2
    )
    assert family.signature.endswith("|family:minimal|within_hits:2")


def test_an_unknown_method_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"unknown method 'magic'; known: .*paper"):
        enumerate_oracles(SENTENCES, REFERENCES, max_words=15, method="magic")
    with pytest.raises(InputError, match=r"unknown method 'magic'; known: .*greedy"):
        find_oracle(SENTENCES, REFERENCES, max_words=15, method="magic")
    with pytest.raises(InputError, match="'greedy' finds one set and cannot enumerate"):
        enumerate_oracles(SENTENCES, REFERENCES, max_words=15, method="greedy")
    with pytest.raises(InputError, match="unknown method 'magic'"):
        compare(SENTENCES, REFERENCES, max_words=15, methods=["greedy", "magic"])


@pytest.mark.parametrize("method", sorted(set(FINDERS) - set(ENUMERATORS)))
def test_a_method_says_what_it_cannot_do(method: str) -> None:
    with pytest.raises(InputError, match=f"'{method}' cannot do family='minimal'"):
        find_oracle(SENTENCES, REFERENCES, max_words=9, method=method, family="minimal")
    with pytest.raises(InputError, match=f"'{method}' cannot do within_hits=1"):
        find_oracle(SENTENCES, REFERENCES, max_words=9, method=method, within_hits=1)


@pytest.mark.parametrize("method", ["greedy", "beam", "presumm-greedy", "ilp"])
def test_a_method_that_finds_one_set_does_not_call_it_minimal(method: str) -> None:
    given: dict[str, Any] = {"rouge": "r1-f1", "max_sentences": 2, "family": "minimal"}
    with pytest.raises(
        InputError, match=f"'{method}' is not available: .*; use search, exhaustive"
    ):
        find_oracle(SENTENCES, REFERENCES, method=method, **given)
    [row] = compare(SENTENCES, REFERENCES, methods=[method], **given)
    assert row.status == "not_available"


@pytest.mark.parametrize(
    "given", [{"max_words": 9}, {"required": [0]}, {"costs": [1], "max_cost": 1}, {"top": 3}]
)
def test_an_instance_takes_no_limits_of_a_text(given: dict[str, Any]) -> None:
    instance = build_instance(SENTENCES, REFERENCES, Rouge(n=1), Limits(max_words=9))
    for solve in (enumerate_instance, find_in_instance):
        with pytest.raises(InputError, match="an instance "):
            solve(instance, **given)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sentences": "One str."}, "sentences must be a list of str, not str"),
        ({"sentences": []}, "the document is empty"),
        ({"sentences": ["Good.", 7]}, "entry 1 must be a str, not int"),
        ({"references": "One str."}, "references must be a list of references, not str"),
        ({"references": []}, "at least one reference"),
        ({"references": ["Good one.", 3]}, "reference 1 must be a list of str, not int"),
        ({"references": [["Good one.", None]]}, "reference 0: entry 1 must be a str"),
        ({"references": ["", "one"]}, "no 2-gram"),
        ({"max_words": None}, "set a length limit"),
        ({"max_words": 0}, "max_words must be at least 1"),
        ({"max_words": 2.5}, "max_words must be a whole number"),
        ({"time_limit": -1}, "time_limit must be a number of seconds from 0 on"),
        ({"time_limit": float("nan")}, "time_limit must be a number of seconds from 0 on"),
        ({"time_limit": "soon"}, "time_limit must be a number of seconds"),
        ({"max_list": -1}, "max_list must be at least 0"),
        ({"max_list": 2**70}, r"max_list must be below 2\^63"),
        ({"within_hits": 1.5}, "within_hits must be a whole number"),
        ({"family": "some"}, "family must be 'all' or 'minimal', not 'some'"),
        ({"threads": 0}, "threads must be at least 1"),
        ({"threads": 2**32}, "threads must be at most 1024"),
        ({"threads": 2**63}, r"threads must be at most 1024"),
        ({"seed": 2**63}, r"seed must be below 2\^63"),
        ({"seed": -3}, "seed must be at least 0"),
        ({"rouge": 2}, "rouge must be a Rouge, not int"),
    ],
)
def test_input_that_cannot_be_used_gets_a_clear_message(
    changes: dict[str, Any], message: str
) -> None:
    given: dict[str, Any] = {"sentences": SENTENCES, "references": REFERENCES, "max_words": 15}
    given |= {"method": "paper"} | changes
    for call in (enumerate_oracles, find_oracle):
        with pytest.raises(InputError, match=message):
            call(given["sentences"], given["references"], **dict(list(given.items())[2:]))


@pytest.mark.parametrize("method", ["search", "paper", "exhaustive"])
@pytest.mark.parametrize(
    "limit",
    [{"time_limit": 1e400}, {"time_limit": 10**400}, {"max_words": 2**63}, {"max_bytes": 10**400}],
    ids=str,
)
def test_a_limit_beyond_any_number_of_the_kernel_is_no_limit(
    limit: dict[str, Any], method: str
) -> None:
    given: dict[str, Any] = {"max_words": 10_000, "method": method}
    wanted = enumerate_oracles(SENTENCES, REFERENCES, **given)
    assert set(enumerate_oracles(SENTENCES, REFERENCES, **{**given, **limit})) == set(wanted)


def test_no_overlap_warns_and_hands_back_an_empty_answer() -> None:
    other = ["Nothing shared here whatsoever."]
    with pytest.warns(NoOverlapWarning, match="no sentence shares an n-gram"):
        family = enumerate_oracles(other, REFERENCES, max_words=15, method="paper")
    assert (family.status, family.hits, family.count) == (Status.NO_OVERLAP, 0, 0)
    with pytest.warns(NoOverlapWarning, match="fits the limits; raise them"):
        oracle = find_oracle(SENTENCES, REFERENCES, max_words=2, method="greedy")
    assert (oracle.status, oracle.indices, oracle.hits) == (Status.NO_OVERLAP, (), 0)


def test_a_sentence_longer_than_the_limit_is_left_out_and_indices_stay() -> None:
    sentences = ["The cat sat on the mat and then it slept for a very long time.", *SENTENCES]
    family = enumerate_oracles(sentences, REFERENCES, max_words=12, method="paper")
    assert list(family) == [(1, 2)]


def test_compare_runs_every_method_once_on_text_or_instance() -> None:
    rows = compare(SENTENCES, REFERENCES, max_words=15, rouge=Rouge(n=1))
    assert [row.method for row in rows] == [*FINDERS, "presumm-greedy", "beam"]
    best = max(row.hits for row in rows)
    for row in rows:
        assert row.hits == best if row.proven else row.hits <= best
        assert row.score == row.hits / 20
        assert (row.count is None) == (row.method not in ENUMERATORS)
        assert row.hits <= row.upper_bound
        assert row.seconds > 0
        assert row.status == (Status.COMPLETE if row.method in EXACT else Status.HEURISTIC)
    instance = make_instance()
    assert [row.method for row in compare(instance)] == list(FINDERS)
    paper, beam = compare(instance, methods=["paper", "beam"])
    assert paper.proven
    assert (beam.status, beam.score) == (Status.NOT_AVAILABLE, None)
    assert beam.reason == "it needs the text, which an instance does not have"
    with pytest.raises(InputError, match="an instance brings its own"):
        compare(instance, REFERENCES)
    with pytest.raises(InputError, match="references are missing"):
        compare(SENTENCES, max_words=3)
    with pytest.raises(InputError, match="methods must be a list"):
        compare(instance, methods="paper")


def make_instance() -> Instance:
    return Instance(
        id="small",
        total=4,
        gains=[[1], [1]],
        counts=[[(0, 1)], [(1, 1)], [(0, 1)]],
        limits=[Limit(unit="words", budget=2, lengths=(1, 1, 1))],
    )


def test_a_wrong_answer_never_leaves_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def lie(instance: Instance, options: Options) -> Enumeration:
        return Enumeration(
            hits=2,
            upper_bound=2,
            checked=0,
            status=Status.COMPLETE,
            store=ListedStore([(0, 2)], instance.n_sentences),
        )

    monkeypatch.setitem(ENUMERATORS, "paper", lie)
    with pytest.raises(OraclesumError, match=r"set \(0, 2\) has 1 hits, not 2"):
        enumerate_instance(make_instance(), method="paper")


def test_an_instance_call_wants_an_instance() -> None:
    for call in (enumerate_instance, find_in_instance):
        with pytest.raises(InputError, match="expected an Instance, not list"):
            call(SENTENCES, method="paper")  # type: ignore[operator]  # wrong on purpose


def test_a_draw_from_a_list_that_was_cut_is_refused() -> None:
    family = enumerate_instance(make_instance(), method="paper", max_list=1)
    assert family.status == Status.LIST_LIMIT
    assert family.count == 2
    with pytest.raises(InputError, match="only 1 of 2 sets are stored"):
        family.sample(1)


@pytest.mark.parametrize("objective", ["r1-recall", "r1-f1", "rl-f1"])
def test_a_warning_names_the_line_that_called(objective: str) -> None:
    calls: list[Callable[..., object]] = [
        enumerate_oracles,
        find_oracle,
        compare,
        label_sentences,
        label_every_oracle,
    ]
    for call in calls:
        with pytest.warns(NoOverlapWarning) as caught:
            call(["A dog."], ["The cat."], rouge=objective, max_sentences=1)
        assert {warning.filename for warning in caught} == {__file__}, call


def test_a_lost_text_names_the_line_that_called() -> None:
    with pytest.warns(OraclesumWarning) as caught:
        enumerate_oracles(["…"], ["The cat sat."], max_sentences=1)
    assert {warning.category for warning in caught} == {NoTokensWarning, NoOverlapWarning}
    assert {warning.filename for warning in caught} == {__file__}
