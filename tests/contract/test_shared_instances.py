"""Instances from real documents with known answers: `paper` and `ilp` agree where quick."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oraclesum.instances import Instance
from oraclesum.oracles import Status, enumerate_instance, find_in_instance
from shared import shared


def read_truth() -> list[dict[str, Any]]:
    lines = shared("instances", "truth.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def read_instance(name: str) -> Instance:
    return Instance.read(shared("instances", f"{name}.json"))


def test_the_papers_method_finds_score_count_and_greedy_start_of_every_quick_instance() -> None:
    quick = [row for row in read_truth() if row["paper"] and row["paper"]["s"] < 0.3]
    assert len(quick) > 100
    for row in quick:
        instance = read_instance(row["id"])
        family = enumerate_instance(instance, method="paper")
        known = row["paper"]
        assert (row["id"], family.hits, family.count) == (row["id"], row["hits"], row["count"])
        assert family.status == Status.COMPLETE
        assert find_in_instance(instance, method="greedy").hits == known["greedy"]
        # The recorded nodes also count sentences too long to ever fit.
        assert family.checked <= known["nodes"]
        if all(length <= instance.budget for length in instance.lengths):
            assert family.checked == known["nodes"], row["id"]


def test_ilp_proves_the_score_of_instances_that_highs_solves_quickly() -> None:
    quick = [row for row in read_truth() if row["mip_s"] < 0.08][::4]
    assert len(quick) > 10
    for row in quick:
        oracle = find_in_instance(read_instance(row["id"]), method="ilp")
        assert (row["id"], oracle.hits, oracle.upper_bound) == (row["id"], row["hits"], row["hits"])


@pytest.mark.parametrize("method", ["greedy", "genetic", "pairwise"])
def test_approximations_stay_between_their_bounds(method: str) -> None:
    quick = [row for row in read_truth() if row["mip_s"] < 0.02][:6]
    assert quick
    for row in quick:
        oracle = find_in_instance(read_instance(row["id"]), method=method, time_limit=5)
        assert 0 < oracle.hits <= row["hits"] <= oracle.upper_bound
