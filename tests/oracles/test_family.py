"""A family behaves like a collection of index tuples, with exact counts and fair draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from oraclesum.errors import InputError, LimitError
from oraclesum.instances import Instance, Limit
from oraclesum.labels import Labels
from oraclesum.oracles import OracleFamily, Status, enumerate_instance
from oraclesum.oracles.methods import ENUMERATORS
from oraclesum.oracles.store import ListedStore

METHODS = sorted(ENUMERATORS)


@pytest.fixture(params=METHODS)
def family(request: pytest.FixtureRequest) -> OracleFamily:
    """Two of four equal sentences, each with an n-gram of its own: six oracles."""
    instance = Instance(
        id="four",
        total=8,
        gains=[[1]] * 4,
        counts=[[(0, 1)], [], [(1, 1)], [(2, 1)], [(3, 1)]],
        limits=[Limit(unit="sentences", budget=2, lengths=(1,) * 5)],
    )
    return enumerate_instance(instance, method=request.param)


def test_a_family_is_a_collection_in_lexicographic_order(family: OracleFamily) -> None:
    assert isinstance(family, Collection)
    assert list(family) == [(0, 2), (0, 3), (0, 4), (2, 3), (2, 4), (3, 4)]
    assert len(family) == family.count == 6
    assert (family.hits, family.total, family.score) == (2, 8, 0.25)


def test_membership_takes_any_order_and_any_iterable(family: OracleFamily) -> None:
    assert (0, 2) in family
    assert [4, 2] in family
    assert {3, 4} in family
    for other in [(0, 1), (0,), (), (0, 0, 2), 7, "02", None, ("0", "2"), [(0, 2)]]:
        assert other not in family


def test_inclusion_covers_all_sentences(family: OracleFamily) -> None:
    assert family.inclusion_counts == [3, 0, 3, 3, 3]
    assert family.inclusion == [0.5, 0.0, 0.5, 0.5, 0.5]
    assert family.sizes == {2: 6}


def test_draws_are_uniform_and_repeat_with_the_seed(family: OracleFamily) -> None:
    drawn = Counter(family.sample(6000, seed=3))
    assert set(drawn) == set(family)
    assert all(800 < count < 1200 for count in drawn.values())  # 1000 expected, deviation 29
    assert family.sample(5, seed=1) == family.sample(5, seed=1)
    assert family.sample(20, seed=1) != family.sample(20, seed=2)
    assert family.sample(0) == []


@pytest.mark.parametrize("k", [-1, 1.5, True, "2"])
def test_a_draw_of_no_sensible_size_is_refused(family: OracleFamily, k: Any) -> None:
    with pytest.raises(InputError, match="k must be"):
        family.sample(k)


def test_the_family_shows_itself_in_one_line(family: OracleFamily) -> None:
    shown = "OracleFamily(score=0.25000, hits=2, total=8, count=6, status='complete')"
    assert repr(family) == shown


@pytest.mark.usefixtures("usual_digits")
def test_a_count_of_thousands_of_digits_is_shown_as_a_power_of_ten() -> None:
    store = ListedStore([(0,)], 3, count=10**5000, inclusion_counts=[10**5000, 0, 0])
    facts: dict[str, Any] = {"hits": 1, "total": 2, "checked": 0, "method": "search"}
    family = OracleFamily(store=store, n_sentences=3, status=Status.COUNTED, upper_bound=1, **facts)
    assert repr(family) == str(family) == f"{family}"
    assert "total=2, count=1.00e+5000, status='counted'" in repr(family)
    assert "1.00e+5000 oracles" in str(family._repr_html_())
    with pytest.raises(LimitError, match=r"the 1\.00e\+5000 sets were not counted by size"):
        _ = family.sizes
    for ask in (family.smallest, lambda: family.sample(1), family.pairs_apart):
        with pytest.raises(InputError, match=r"only 1 of 1\.00e\+5000 sets are stored"):
            ask()


@pytest.mark.usefixtures("usual_digits")
def test_results_with_a_count_of_thousands_of_digits_show_it_shortened() -> None:
    labels = Labels(
        labels=(1,),
        soft_labels=(1.0,),
        oracle_ids=(0,),
        value=Fraction(1, 2),
        hits=1,
        total=2,
        count=10**5000,
        status=Status.COMPLETE,
        signature="",
    )
    assert "total=2, count=1.00e+5000, status=" in repr(labels)
    assert f"count={10**200}, " in repr(replace(labels, count=10**200))
