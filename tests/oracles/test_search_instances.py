"""Method `search` on instances from real documents with known answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oraclesum.instances import Instance
from oraclesum.oracles import Status, enumerate_instance, find_in_instance
from shared import shared

THREADS = (1, 2, 4)


def read_truth() -> list[dict[str, Any]]:
    lines = shared("instances", "truth.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def read_instance(name: str) -> Instance:
    return Instance.read(shared("instances", f"{name}.json"))


def test_hits_and_count_of_every_instance_are_the_known_ones() -> None:
    known = [row for row in read_truth() if row["count"] is not None]
    assert len(known) > 180
    for row in known:
        family = enumerate_instance(read_instance(row["id"]), max_list=100)
        assert (row["id"], family.hits, family.count) == (row["id"], row["hits"], row["count"])
        assert family.upper_bound == family.hits
        assert family.status in (Status.COMPLETE, Status.LIST_LIMIT)


def test_families_of_unknown_size_get_an_exact_optimum_and_an_honest_status() -> None:
    unknown = [row for row in read_truth() if row["count"] is None]
    assert unknown
    for row in unknown:
        instance = read_instance(row["id"])
        family = enumerate_instance(instance, time_limit=20, max_list=100)
        assert (row["id"], family.hits, family.upper_bound) == (row["id"], row["hits"], row["hits"])
        if family.status == Status.LIST_LIMIT:
            assert family.count > 10**8
        else:
            assert family.status == Status.TIME_LIMIT
            assert not family.complete
        for selected in family:
            assert instance.feasible(selected)
            assert instance.hits(selected) == row["hits"]


def test_one_oracle_is_proven_on_every_instance() -> None:
    for row in read_truth()[::3]:
        oracle = find_in_instance(read_instance(row["id"]))
        assert (row["id"], oracle.hits, oracle.upper_bound) == (row["id"], row["hits"], row["hits"])
        assert oracle.proven


@pytest.mark.parametrize(
    "options",
    [{}, pytest.param({"within_hits": 1}, marks=pytest.mark.wide), {"family": "minimal"}],
    ids=str,
)
def test_the_same_sets_come_in_the_same_order_whatever_the_threads(options: dict[str, Any]) -> None:
    quick = [row for row in read_truth() if row["count"] and row["count"] < 2000][::7]
    assert len(quick) > 15
    for row in quick:
        instance = read_instance(row["id"])
        first, *others = (
            enumerate_instance(instance, threads=threads, max_list=3000, **options)
            for threads in THREADS
        )
        assert first.hits == row["hits"]
        sets = list(first)
        for other in others:
            assert (other.hits, other.upper_bound) == (first.hits, first.upper_bound)
            assert (other.count, other.status) == (first.count, first.status)
            assert other.inclusion_counts == first.inclusion_counts
            assert list(other) == sets


def test_near_optimal_families_hold_the_optimal_one() -> None:
    quick = [row for row in read_truth() if row["count"] and row["count"] < 50][::9]
    assert quick
    for row in quick:
        instance = read_instance(row["id"])
        best = enumerate_instance(instance)
        near = enumerate_instance(instance, within_hits=1, max_list=2000)
        assert near.hits == best.hits == row["hits"]
        assert near.count >= best.count
        assert all(selected in near for selected in best)
        assert {instance.hits(selected) for selected in near} <= {best.hits, best.hits - 1}
        below = sum(1 for selected in near if instance.hits(selected) == best.hits)
        assert near.status != Status.COMPLETE or below == best.count
