"""Values that no public function can use are InputErrors, which name the parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oraclesum
from oraclesum import InputError, Instance, Limits, OracleFamily, Rouge
from oraclesum.message import show_value

SENTENCES = ["A cat sat on the mat.", "Dogs bark at night.", "The cat sat."]
REFERENCES = ["The cat sat. Dogs bark."]
ARRAY = np.array([["a", "b"]])
HUGE = 10**5000  # Python refuses to print it
ROWS = [{"sentences": SENTENCES, "references": REFERENCES}]
TEXT_CALLS: list[Callable[..., Any]] = [
    oraclesum.enumerate_oracles,
    oraclesum.find_oracle,
    oraclesum.compare,
    oraclesum.label_sentences,
]


@pytest.fixture(scope="module")
def instance() -> Instance:
    return oraclesum.build_instance(SENTENCES, REFERENCES, Rouge(n=1), Limits(max_words=8))


@pytest.fixture(scope="module", params=["search", "exhaustive"])
def family(request: pytest.FixtureRequest) -> OracleFamily:
    return oraclesum.enumerate_oracles(SENTENCES, REFERENCES, method=request.param, max_words=8)


@pytest.mark.parametrize("question", ["hits", "feasible"])
@pytest.mark.parametrize(
    ("selected", "reason"),
    [
        ([1.5], r"index in selected must be a whole number, not 1\.5"),
        (["a"], "index in selected must be a whole number, not 'a'"),
        ([None], "index in selected must be a whole number, not None"),
        ([True], "index in selected must be a whole number, not True"),
        (np.array([[0, 1]]), "index in selected must be a whole number, not array"),
        ([-1], "selected: sentence -1 is not among the 3 sentences"),
        ([3], "selected: sentence 3 is not among the 3 sentences"),
        ([HUGE], "selected: sentence a number of more than 300 digits is not among"),
        (None, "selected must be a list of sentence indices, not None"),
        (3, "selected must be a list of sentence indices, not 3"),
        (b"\0", "selected must be a list of sentence indices"),
        (np.array(1), "selected must be a list of sentence indices, not array"),
        (range(10**12), "selected must have at most 10,000,000 entries"),
        (range(10**30), "selected must have at most 10,000,000 entries"),
    ],
)
def test_only_sentences_of_an_instance_can_be_selected(
    instance: Instance, question: str, selected: Any, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        getattr(instance, question)(selected)


def test_sets_arrays_and_generators_of_sentences_can_be_selected(instance: Instance) -> None:
    expected = instance.hits([1, 2])
    for selected in ({1, 2}, np.array([1, 2]), range(1, 3), (i for i in (1, 2))):
        assert instance.hits(selected) == expected


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("limits", None, "limits must be a list of Limits, not None"),
        ("limits", [3], r"limits\[0\] must be a Limit, not 3"),
        ("gains", range(10**12), "gains must have at most"),
    ],
)
def test_an_instance_is_made_of_lists(
    instance: Instance, field: str, value: Any, reason: str
) -> None:
    names = ("total", "gains", "counts", "limits")
    settings = {name: getattr(instance, name) for name in names}
    with pytest.raises(InputError, match=reason):
        Instance(**{**settings, field: value})


def test_an_instance_is_built_under_limits() -> None:
    with pytest.raises(InputError, match=r"limits must be Limits, e\.g\. .*, not None"):
        oraclesum.build_instance(SENTENCES, REFERENCES, Rouge(), None)  # type: ignore[arg-type]


@pytest.mark.parametrize(("id", "reason"), [(5, "not 5"), ("\ud800", "Unicode")])
def test_the_name_of_an_instance_can_be_written(id: Any, reason: str) -> None:
    with pytest.raises(InputError, match=f"id .*{reason}"):
        oraclesum.build_instance(SENTENCES, REFERENCES, Rouge(), Limits(max_words=8), id=id)


@pytest.mark.parametrize("call", TEXT_CALLS)
@pytest.mark.parametrize(
    ("keywords", "reason"),
    [
        ({"required": 0}, "required must be a list of sentence indices, not 0"),
        ({"forbidden": 1.5}, r"forbidden must be a list of sentence indices, not 1\.5"),
        ({"required": [-1]}, "required: a sentence index must not be negative, not -1"),
        ({"required": [3]}, "required: there is no sentence 3 of 3"),
        ({"required": [HUGE]}, r"required: a sentence index must be below 2\^63"),
        ({"within": Fraction(HUGE)}, "within must be from 0 to 1, not .*Fraction"),
        ({"within": Fraction(3, 2)}, "within must be from 0 to 1, not 3/2"),
        ({"required": range(10**12)}, "required must have at most"),
        ({"costs": 3, "max_cost": 3}, "costs must be a list with a whole number per sentence"),
        ({"max_words": HUGE}, "max_words must have at most 1,000 digits"),
        ({"max_words": -HUGE}, "max_words must be at least 1, not a number of more than"),
        ({"time_limit": -(10**400)}, "time_limit must be a number of seconds from 0 on"),
        ({"family": ARRAY}, "family must be 'all' or 'minimal', not array"),
        ({"within_hits": ARRAY}, "within_hits must be a whole number, not array"),
        ({"top": ARRAY}, "top must be a whole number, not array"),
        ({"rouge": 2}, "rouge must be a Rouge"),
    ],
)
def test_settings_of_a_wrong_type_are_named(
    call: Callable[..., Any], keywords: dict[str, Any], reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        call(SENTENCES, REFERENCES, **{"max_words": 8, **keywords})


def test_none_is_no_condition_as_of_every_limit() -> None:
    plain = oraclesum.find_oracle(SENTENCES, REFERENCES, max_words=8)
    none = oraclesum.find_oracle(
        SENTENCES, REFERENCES, max_words=8, required=None, forbidden=None, costs=None
    )
    assert none == plain
    [record] = oraclesum.enumerate_corpus(ROWS, max_words=8, required=None)
    assert record["status"] == "complete"


@pytest.mark.parametrize("method", [[], {}, None, 3, ARRAY, "magic"])
@pytest.mark.parametrize("rouge", [Rouge(n=1), "r1-f1"])
def test_a_method_is_a_known_name(method: Any, rouge: Any) -> None:
    settings = {"rouge": rouge, "max_words": 8}
    calls: list[Callable[[], Any]] = [
        lambda: oraclesum.enumerate_oracles(SENTENCES, REFERENCES, method=method, **settings),
        lambda: oraclesum.find_oracle(SENTENCES, REFERENCES, method=method, **settings),
        lambda: oraclesum.enumerate_corpus(ROWS, method=method, **settings),
        lambda: oraclesum.compare(SENTENCES, REFERENCES, methods=[method], **settings),
    ]
    for call in calls:
        with pytest.raises(InputError, match=r"unknown method .*; known: search"):
            call()


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda: oraclesum.compare(SENTENCES, REFERENCES, max_words=8, methods=3), "methods must"),
        (lambda: oraclesum.count_feasible(5, 3), "lengths must be a list of whole numbers, not 5"),
        (lambda: oraclesum.evaluate([0], None), "family must be an OracleFamily.*, not None"),
        (lambda: oraclesum.evaluate([0], [(0,)]), "family must be an OracleFamily.*, not a list"),
        (lambda: Limits(max_words=3, needed=ARRAY), "needed must be True or False, not array"),
        (lambda: Limits(max_words=3).measure(None), "sentences must be a list of str"),
        (lambda: Rouge(2), "an objective is text such as .*, not 2; .* write n=2"),
        (lambda: Rouge(counting=ARRAY), "counting must be 'clipped' or 'sets', not array"),
        (lambda: Rouge(tokenizer=ARRAY), "tokenizer must be a callable .*, not array"),
        (lambda: oraclesum.score("a", ["a"], aggregate=ARRAY), "aggregate must be 'average' or"),
        (lambda: oraclesum.split_sentences("A.", split=ARRAY), "split must be one of"),
        (lambda: oraclesum.enumerate_corpus(ROWS, rouge="r1-f1", clean=ARRAY), "clean must be"),
        (lambda: oraclesum.enumerate_corpus(ROWS, rouge="r1-f1", format=ARRAY), "format must be"),
        (lambda: oraclesum.enumerate_corpus(ROWS, rouge="r1-f1", language=ARRAY), "language must"),
        (lambda: oraclesum.enumerate_corpus(ROWS, rouge="r1-f1", references=ARRAY), "references"),
        (lambda: oraclesum.enumerate_corpus(ROWS, rouge="r1-f1", costs=ARRAY), "costs is for one"),
        (lambda: oraclesum.label_dataset(ROWS, language=ARRAY), "language must be 'auto' or None"),
        (lambda: oraclesum.label_dataset(ROWS, jobs=None), "jobs must be a whole number, not None"),
        (lambda: oraclesum.label_dataset(np.array(3)), "a data set has rows; this is ndarray"),
        (lambda: oraclesum.open_corpus(np.array(3)), "a corpus is a path or a table, not ndarray"),
        (lambda: oraclesum.open_corpus("demo", caps=3), "caps must be Caps, not 3"),
        (lambda: oraclesum.read_topics(None), "source must be what open_source gives, not None"),
    ],
)
def test_what_is_of_a_wrong_type_is_named(ask: Callable[[], Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        ask()


@pytest.mark.parametrize(
    ("keywords", "reason"),
    [
        ({"doc_ids": 0}, "doc_ids must be a list with a whole number per sentence, not 0"),
        ({"doc_ids": [0, 0, "b"]}, r"doc_ids\[2\] must be a whole number, not 'b'"),
        ({"choose": ARRAY}, "choose must be one of 'first', .*, not array"),
        ({"temperature": 10**400, "within": 0.1}, "temperature must be a number above 0"),
        ({"temperature": -(10**400), "within": 0.1}, "temperature must be a number above 0"),
    ],
)
def test_settings_of_labels_of_a_wrong_type_are_named(
    keywords: dict[str, Any], reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        oraclesum.label_sentences(SENTENCES, REFERENCES, **keywords)


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda family: family.nearest(None), "selected must be a list of sentence indices"),
        (lambda family: family.nearest([0], by=ARRAY), "by must be 'difference' or 'overlap'"),
        (lambda family: family.count_shared(0), "selected must be a list of sentence indices"),
        (lambda family: family.iterate(0), "start must be a list of sentence indices, not 0"),
        (lambda family: family.iterate(None), "start must be a list of sentence indices, not None"),
        (lambda family: family.iterate([-1]), "start: a sentence index must not be negative"),
        (lambda family: family.spread(None), "k must be a whole number, not None"),
        (lambda family: family.spread(-1), "k must be at least 0, not -1"),
        (lambda family: family.sample(10_000_001), "k must be at most 10000000"),
        (lambda family: family.best(np.array(3)), "weights must be a list of numbers, not array"),
        (lambda family: family.write(None), "path must be a str or a Path, not None"),
        (lambda family: family.write(""), "path must name a file, not '.'"),
        (lambda family: family.write("/"), "path must name a file, not '/'"),
        (lambda family: family.to_jsonl("a\0b"), "path must not contain a NUL character"),
        (lambda family: OracleFamily.read(None), "path must be a str or a Path, not None"),
        (lambda family: OracleFamily.read("\0"), "path must not contain a NUL character"),
    ],
)
def test_questions_of_a_wrong_type_to_a_family_are_refused(
    family: OracleFamily, ask: Callable[[OracleFamily], Any], reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        ask(family)


def test_no_set_is_spread_over_a_family_if_none_is_asked_for(family: OracleFamily) -> None:
    assert family.spread(0) == []


@pytest.mark.parametrize("other", [None, 3, np.array(3), [1.5], [-1], range(10**12), "0"])
def test_what_is_no_set_of_sentences_is_no_oracle(family: OracleFamily, other: object) -> None:
    assert other not in family


def test_a_path_that_cannot_be_used_is_an_input_error(instance: Instance, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("{}")
    for path, reason in {
        None: "path must be a str or a Path, not None",
        "\0": "path must not contain a NUL character",
        str(tmp_path): "cannot be {}: Is a directory",
        str(file / "below"): "cannot be {}: Not a directory",
    }.items():
        with pytest.raises(InputError, match=reason.format("written")):
            instance.write(path)  # type: ignore[arg-type]
        with pytest.raises(InputError, match=reason.format("read")):
            Instance.read(path)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="source must not contain a NUL character"):
        oraclesum.open_corpus("\0")
    for name, reason in {None: "name must be a str or a Path", "\0": "name must not"}.items():
        with pytest.raises(InputError, match=reason), oraclesum.open_source(name):  # type: ignore[arg-type]
            pass


def test_a_row_of_an_upper_bound_has_a_name() -> None:
    found = oraclesum.upper_bound(ROWS, max_words=8)
    for keywords, reason in (
        ({"name": "last"}, "name 'last' is no row; there is oracle"),
        ({"name": None}, "name None is no row; there is oracle"),
        ({"style": ARRAY}, "style must be 'rouge-score' or"),
        ({"statistics": 3}, "statistics must be a list of names, not 3"),
        ({"digits": None}, "digits must be a whole number, not None"),
    ):
        with pytest.raises(InputError, match=reason):
            found.latex_row(**keywords)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="width must be a whole number"):
        found.to_text(1.5)  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="there is no row None"):
        found[None]  # type: ignore[index]


def test_a_value_is_shown_in_one_short_line_whatever_it_is() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError

    assert show_value(Odd()) == "a value of type Odd"
    assert show_value(HUGE) == "a number of more than 300 digits"
    shown = show_value(np.zeros((9, 9)))
    assert len(shown) < 70
    assert "\n" not in shown


def test_a_minimal_set_of_the_best_of_several_references_is_minimal_for_all_of_them() -> None:
    rouge = Rouge("r1-recall", stem=False, multi_reference="best")
    oracle = oraclesum.find_oracle(
        ["b", "a"], ["b a", "b"], rouge=rouge, max_sentences=2, family="minimal"
    )
    assert oracle.indices == (0,)


def test_a_distance_with_too_many_digits_for_the_kernel_is_an_input_error() -> None:
    rouge = Rouge("r1-f0.001", stem=False, multi_reference="best")
    with pytest.raises(InputError, match="too many digits"):
        oraclesum.enumerate_oracles(["a d c"], ["c c", "a"], within=0.732039434, rouge=rouge)


def test_costs_that_can_be_read_once_are_read_once() -> None:
    labels = oraclesum.label_sentences(
        ["a b c", "b c d", "c a"],
        ["a b c d"],
        rouge="r1-f1",
        costs=(1 for _ in range(3)),
        max_cost=2,
        choose="lead",
    )
    assert len(labels.labels) == 3


def count_up_to(most: int) -> Iterator[int]:
    """Numbers that nobody may read to their end."""
    yield from (0 for _ in range(most))
    raise AssertionError(f"more than {most} were read")


@pytest.mark.parametrize("name", ["required", "forbidden", "costs"])
@pytest.mark.parametrize("call", TEXT_CALLS)
def test_a_condition_without_end_is_not_read_to_its_end(
    call: Callable[..., Any], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oraclesum.given.MOST", 1000)
    limits = {"max_cost": 2} if name == "costs" else {"max_words": 3}
    with pytest.raises(InputError, match=f"{name} must have at most 1,000 entries"):
        call(["a b", "b c"], ["a b c"], **limits, **{name: count_up_to(1001)})


@pytest.mark.parametrize("question", ["longest", "shortest", "best"])
def test_of_weights_without_end_one_more_than_sentences_is_read(question: str) -> None:
    family = oraclesum.enumerate_oracles(["a b", "b c"], ["a b c"], max_words=3)
    with pytest.raises(InputError, match="2 sentences, 3 "):
        getattr(family, question)(count_up_to(3))


def test_files_may_have_the_longest_name_and_a_longer_one_is_refused(tmp_path: Path) -> None:
    family = oraclesum.enumerate_oracles(["a b", "b c"], ["a b c"], max_words=3)
    longest = tmp_path / ("a" * 250)
    family.write(longest)
    assert list(oraclesum.OracleFamily.read(longest)) == list(family)
    for name, reason in {"a" * 300: "File name too long", "\ud800": "no file can have"}.items():
        with pytest.raises(InputError, match=reason):
            family.write(tmp_path / name)


def test_lengths_are_called_so() -> None:
    family = oraclesum.enumerate_oracles(["a b", "b c"], ["a b c"], max_words=3)
    with pytest.raises(InputError, match="lengths must be a list of numbers, not None"):
        family.shortest(None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="2 sentences, 1 lengths"):
        family.longest([1])
