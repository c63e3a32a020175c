"""Our frozen dataclasses behave as Python's own do."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from functools import cached_property
from typing import Any

import pytest

from oraclesum import frozen


def define(dataclass: Callable[..., Any]) -> Any:
    @dataclass(frozen=True, kw_only=True)
    class Base:
        """A class with a field."""

        first: int

    @dataclass(frozen=True, kw_only=True)
    class Example(Base):
        """A class with fields of all kinds."""

        second: str = "b"
        third: list[int] = field(default_factory=list)
        hidden: int = field(default=0, repr=False)
        aside: int = field(default=0, compare=False, metadata={"known": True})

        def __post_init__(self) -> None:
            if self.first < 0:
                raise ValueError("negative")

        @cached_property
        def double(self) -> int:
            return 2 * self.first

    return Example


OURS, PYTHONS = define(frozen.dataclass), define(dataclasses.dataclass)
KINDS = pytest.mark.parametrize("kind", [OURS, PYTHONS], ids=["ours", "python's"])


@frozen.dataclass(frozen=True, kw_only=True)
class Portable:
    """One that can be sent."""

    number: int
    other: str = "x"


@KINDS
def test_fields_are_given_by_name_and_stand_in_their_order(kind: Any) -> None:
    made = kind(aside=5, first=1)
    assert list(vars(made)) == ["first", "second", "third", "hidden", "aside"]
    assert asdict(made) == {"first": 1, "second": "b", "third": [], "hidden": 0, "aside": 5}
    assert [one.name for one in fields(made)] == list(vars(made))
    assert kind(first=1).third is not kind(first=1).third
    with pytest.raises(TypeError):
        kind(1)


@KINDS
@pytest.mark.parametrize(
    ("given", "named"),
    [({}, "missing.*'first'"), ({"first": 1, "fourth": 2}, "unexpected keyword.*'fourth'")],
)
def test_what_is_missing_or_unknown_is_named(kind: Any, given: Any, named: str) -> None:
    with pytest.raises(TypeError, match=named):
        kind(**given)


@KINDS
def test_nothing_can_be_changed(kind: Any) -> None:
    made = kind(first=1)
    with pytest.raises(FrozenInstanceError, match="first"):
        made.first = 2
    with pytest.raises(FrozenInstanceError, match="first"):
        del made.first
    with pytest.raises(FrozenInstanceError, match="new"):
        made.new = 1
    assert replace(made, first=2).first == 2
    assert made.double == 2  # cached properties go past it


@KINDS
def test_the_check_after_making_is_run(kind: Any) -> None:
    with pytest.raises(ValueError, match="negative"):
        kind(first=-1)
    with pytest.raises(ValueError, match="negative"):
        replace(kind(first=1), first=-1)


@KINDS
def test_equality_and_hash_look_at_the_compared_fields(kind: Any) -> None:
    assert kind(first=1, aside=1) == kind(first=1, aside=2)
    assert kind(first=1) != kind(first=2)
    assert kind(first=1) != 1
    assert hash(kind(first=1, third=(), aside=1)) == hash(kind(first=1, third=(), aside=2))
    with pytest.raises(TypeError, match="unhashable"):
        hash(kind(first=1))
    other = define(frozen.dataclass if kind is OURS else dataclasses.dataclass)
    assert kind(first=1) != other(first=1)


@KINDS
def test_it_is_shown_as_it_would_be_written(kind: Any) -> None:
    assert repr(kind(first=1)).endswith("Example(first=1, second='b', third=[], aside=0)")


def test_help_knows_the_parameters() -> None:
    ours, pythons = inspect.signature(OURS), inspect.signature(PYTHONS)
    assert list(ours.parameters) == list(pythons.parameters)
    for one, other in zip(ours.parameters.values(), pythons.parameters.values(), strict=True):
        assert (one.kind, one.annotation) == (other.kind, other.annotation)
        assert (one.default is one.empty) == (other.default is other.empty)


def test_it_can_be_sent_to_another_process() -> None:
    made = Portable(number=1)
    assert pickle.loads(pickle.dumps(made)) == made


def test_methods_of_a_class_are_its_own() -> None:
    @frozen.dataclass(frozen=True, kw_only=True)
    class Own:
        """A class that says how it is compared."""

        number: int

        def __eq__(self, other: object) -> bool:
            return True

        def __repr__(self) -> str:
            return "own"

    assert Own(number=1) == 2
    assert repr(Own(number=1)) == "own"
    assert hash(Own(number=1)) == hash((1,))


def test_other_dataclasses_are_pythons() -> None:
    @frozen.dataclass
    class Plain:
        number: int

    @frozen.dataclass(kw_only=True)
    class Named:
        number: int

    changed = Plain(1)
    changed.number = 2
    named = Named(number=1)
    named.number = 2
    assert changed == Plain(2)
    assert named == Named(number=2)
