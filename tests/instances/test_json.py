"""The JSON form of an instance: what is wrong with it is said with the field and the place."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from oraclesum.errors import InputError
from oraclesum.instances import Instance
from oraclesum.instances.limits import Limit

RECORD: dict[str, Any] = {
    "id": "one",
    "budget": 5,
    "total": 9,
    "gains": [[2, 1], [1], [3, 3, 0]],
    "lengths": [2, 3, 4],
    "counts": [[[0, 1], [2, 2]], [[1, 1]], []],
    "unit": "words",
    "more_limits": [{"unit": "sentences", "budget": 2, "lengths": [1, 1, 1]}],
    "signature": "rouge:2",
}
WRONG: tuple[Any, ...] = (
    *(None, True, False, 1.5, 2.0, float("nan"), float("inf"), "2", "", "\ud800", b"2"),
    *(-1, 0, 1, 7, 2**24 + 1, 2**31, 2**32, 2**40 + 1, 2**63, 2**64, -(2**63) - 1, 10**5000),
    *([], [1], [[1]], [[[0, 1]]], [0, 1, 2], (0, 1), {}, {"unit": "words"}, {1}, object()),
)


def find_places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a nested value, the whole of it first."""
    yield place
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in inside:
        yield from find_places(part, (*place, key))


def mutate(generator: random.Random) -> tuple[Any, tuple[Any, ...]]:
    """The record with one place removed, doubled or given another value; and that place."""
    record = copy.deepcopy(RECORD)
    place = generator.choice([place for place in find_places(record) if place])
    parent: Any = record
    for key in place[:-1]:
        parent = parent[key]
    kind = generator.randrange(8)
    if kind == 0:
        del parent[place[-1]]
    elif kind == 1 and isinstance(parent, list):
        parent.insert(place[-1], copy.deepcopy(parent[place[-1]]))
    elif kind == 2 and isinstance(parent, list):
        parent.insert(place[-1], generator.choice(WRONG))
    else:
        parent[place[-1]] = generator.choice(WRONG)
    return record, place


def read_or_complain(record: Any) -> Instance | str:
    """The instance of a mutated record, or what the InputError said."""
    try:
        return Instance.from_dict(record)
    except InputError as error:
        return str(error)


def check_mutations(seed: int, number: int) -> int:
    """Every mutation is either refused, or is an instance that keeps all its numbers."""
    generator = random.Random(seed)
    refused = 0
    for _ in range(number):
        record, _ = mutate(generator)
        instance = read_or_complain(record)
        if isinstance(instance, str):
            assert any(name in instance for name in RECORD), instance
            refused += 1
            continue
        numbers = [
            record["budget"],
            record["total"],
            *record["lengths"],
            *(gain for row in record["gains"] for gain in row),
            *(number for row in record["counts"] for pair in row for number in pair),
        ]
        assert all(type(number) is int for number in numbers), record
        assert Instance.from_dict(instance.to_dict()).to_dict() == instance.to_dict()
        orjson.dumps(instance.to_dict())
    return refused


def test_every_mutation_is_refused_by_name_or_keeps_its_numbers() -> None:
    assert check_mutations(seed=1, number=600) > 300


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("budget", 1.5, "budget must be a whole number, not 1.5"),
        ("budget", True, "budget must be a whole number, not True"),
        ("budget", 2**63, "budget must be at most"),
        ("total", "2", "total must be a whole number, not '2'"),
        ("total", -1, "total must not be negative"),
        ("id", 5, "id must be a string, not 5"),
        ("unit", None, "unit must be a string"),
        ("signature", ["x"], "signature must be a string"),
        ("gains", [[2], [1, 1.0], [3]], "gains[1][1] must be a whole number, not 1.0"),
        ("gains", [[2], 7, [3]], "gains[1] must be a list, not 7"),
        ("gains", [[2], [1, 2], [3]], "gains[1][1] must not be larger than the gain before it"),
        ("lengths", [2, "3", 4], "lengths[1] must be a whole number, not '3'"),
        ("lengths", "234", "lengths must be a list, not '234'"),
        ("lengths", [2, 3], "lengths has 2 entries, but counts has 3 sentences"),
        ("counts", [[[0, 1]], [[1, True]], []], "counts[1][0][1] must be a whole number, not True"),
        ("counts", [[[0, 1]], [[1]], []], "counts[1][0] must be a pair"),
        ("counts", [[[0, 1]], [[3, 1]], []], "counts[1][0][0] names n-gram 3, but gains has 3"),
        ("counts", [[[0, 1]], None, []], "counts[1] must be a list, not None"),
        ("more_limits", {}, "more_limits must be a list"),
        ("more_limits", [3], "more_limits[0] must be an object"),
        ("more_limits", [{"unit": "bytes", "budget": 1}], "more_limits[0] lacks the field"),
        (
            "more_limits",
            [{"unit": "bytes", "budget": 1, "lengths": [1, None, 2]}],
            "more_limits[0].lengths[1] must be a whole number, not None",
        ),
    ],
)
def test_an_error_names_the_field_and_the_place(field: str, value: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        Instance.from_dict({**RECORD, field: value})
    assert said in str(caught.value)


def test_counts_that_repeat_an_ngram_add_up_within_the_range() -> None:
    twice = Instance.from_dict({**RECORD, "counts": [[[0, 1], [0, 1]], [], []]})
    assert twice.counts[0] == [(0, 2)]
    with pytest.raises(InputError, match=r"counts\[0\]\[1\]\[1\], with those before it"):
        Instance.from_dict({**RECORD, "counts": [[[0, 2**32 - 1], [0, 1]], [], []]})


def test_numbers_of_numpy_are_whole_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    instance = Instance(
        total=numpy.int64(9),
        gains=[numpy.array([2, 1]), numpy.array([1]), numpy.array([3, 3])],
        counts=numpy.array([[[0, 1], [2, 2]], [[1, 1], [0, 0]]]),
        limits=[Limit(unit="words", budget=numpy.int32(5), lengths=numpy.array([2, 3]))],
    )
    assert instance.to_dict()["counts"] == [[(0, 1), (2, 2)], [(1, 1)]]
    with pytest.raises(InputError, match=r"gains\[0\]\[0\] must be a whole number"):
        Instance(total=1, gains=numpy.array([[1.0]]), counts=[], limits=[])


def test_a_file_that_is_wrong_is_named(tmp_path: Path) -> None:
    path = tmp_path / "instance.json"
    Instance.from_dict(RECORD).write(path)
    assert Instance.read(path).to_dict() == Instance.from_dict(RECORD).to_dict()
    for content, said in [
        (b"[]", "an instance is a JSON object, not list"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (orjson.dumps({**RECORD, "total": 1.0}), "total must be a whole number, not 1.0"),
    ]:
        path.write_bytes(content)
        with pytest.raises(InputError) as caught:
            Instance.read(path)
        assert str(path) in str(caught.value)
        assert said in str(caught.value)


def test_a_file_that_is_too_large_or_endless_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "instance.json"
    Instance.from_dict(RECORD).write(path)
    size = path.stat().st_size
    assert Instance.read(path, max_bytes=size).n_sentences
    for source in (path, Path("/dev/zero")):
        with pytest.raises(InputError, match="raise max_bytes if you trust it"):
            Instance.read(source, max_bytes=size - 1)


def test_an_instance_refuses_a_floor_which_it_would_not_keep() -> None:
    limit = Limit(unit="sentences", budget=2, lengths=(1, 1), floor=2)
    with pytest.raises(InputError, match="floor must be 0: an instance has upper limits only"):
        Instance(total=1, gains=[[1]], counts=[[(0, 1)], [(0, 1)]], limits=[limit])


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_an_instance_can_be_pickled_and_copied(protocol: int) -> None:
    instance = Instance.from_dict(RECORD)
    for other in (pickle.loads(pickle.dumps(instance, protocol)), copy.deepcopy(instance)):
        assert other.to_dict() == instance.to_dict()
        assert other.hits([0, 1]) == instance.hits([0, 1])
