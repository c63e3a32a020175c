"""Many sets near the best: each is stored once; if memory does not suffice, the status says so."""

from __future__ import annotations

import random
from math import comb
from pathlib import Path

import orjson
import pytest

import oraclesum
from cli.corpus import call, records
from oraclesum.answers import enumeration
from oraclesum.answers.record import FamilyRecord
from oraclesum.oracles import objective

SUM = oraclesum.Rouge("r1-f1+r2-f1", stem=False)


def make_document(seed: int, sentences: int) -> tuple[list[str], list[str]]:
    draw = random.Random(seed)
    words = ["wa", "we", "wi", "wo", "wu", "wy"]

    def write(least: int, most: int) -> str:
        return " ".join(draw.choices(words, k=draw.randint(least, most)))

    return [write(1, 8) for _ in range(sentences)], [write(4, 16) for _ in range(3)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nearly_all_sets_are_near_the_best_and_each_is_stored_once(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    sentences, references = make_document(seed, 13)
    wanted = oraclesum.enumerate_oracles(
        sentences, references, rouge=SUM, within="0.3", method="exhaustive"
    )
    assert wanted.count > 4000
    # Four times what the sets take: boxes that are cut show them more often than that.
    monkeypatch.setattr(objective, "MAX_MEMORY", 4 * 200 * wanted.count)
    found = oraclesum.enumerate_oracles(sentences, references, rouge=SUM, within="0.3")
    assert found.complete
    assert (found.value, found.count) == (wanted.value, wanted.count)
    assert set(found) == set(wanted)


@pytest.mark.parametrize("rouge", [SUM, oraclesum.Rouge("r1-f1", stem=False)], ids=["sum", "one"])
def test_the_best_few_of_many_need_little_memory(
    monkeypatch: pytest.MonkeyPatch, rouge: oraclesum.Rouge
) -> None:
    sentences, references = make_document(4, 17)
    wanted = oraclesum.enumerate_oracles(
        sentences, references, rouge=rouge, max_sentences=6, top=20, method="exhaustive"
    )
    monkeypatch.setattr(objective, "MAX_MEMORY", 20_000)
    found = oraclesum.enumerate_oracles(sentences, references, rouge=rouge, max_sentences=6, top=20)
    assert found.complete
    assert set(found) == set(wanted)


@pytest.mark.parametrize("objective_name", ["r1-recall", "r1-f1", "r1-f0.5"])
@pytest.mark.parametrize("seed", range(6))
def test_the_best_few_are_the_same_if_they_are_fewer_or_more_than_tie(
    objective_name: str, seed: int
) -> None:
    sentences, references = make_document(seed, 9)
    rouge = oraclesum.Rouge(objective_name, stem=False)
    ties = oraclesum.enumerate_oracles(sentences, references, rouge=rouge, max_words=20)
    for top in {1, max(1, ties.count - 1), ties.count, ties.count + 1}:
        found = oraclesum.enumerate_oracles(
            sentences, references, rouge=rouge, max_words=20, top=top
        )
        wanted = oraclesum.enumerate_oracles(
            sentences, references, rouge=rouge, max_words=20, top=top, method="exhaustive"
        )
        assert found.complete
        assert (found.value, list(found)) == (wanted.value, list(wanted))


def test_more_ties_than_can_be_listed_are_the_best_few(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [f"w{k}" for k in range(60)]
    monkeypatch.setattr(objective, "MAX_MEMORY", 2_000_000)
    found = oraclesum.enumerate_oracles(
        words, [" ".join(words)], rouge="r1-recall", max_words=30, top=10, max_list=10
    )
    assert (found.status, found.count, found.hits) == ("list_limit", comb(60, 30), 30)
    assert "top:10" in found.signature


def test_more_sets_than_memory_suffices_for_are_a_status_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sentences, references = make_document(5, 13)
    best = oraclesum.enumerate_oracles(sentences, references, rouge=SUM)
    monkeypatch.setattr(objective, "MAX_MEMORY", 100_000)
    found = oraclesum.enumerate_oracles(sentences, references, rouge=SUM, within="0.3")
    assert found.status == "memory_limit"
    assert not found.complete
    assert not found.exact
    assert found.proven
    assert found.value == found.upper_value == best.value
    assert found.count == 1
    assert next(iter(found)) in set(best)
    record = FamilyRecord.describe(
        found,
        id="x",
        reference=None,
        max_list=1,
        counts_nodes=True,
        method="search",
        signature=found.signature,
        sentences=None,
    )
    assert record.status == "memory_limit"


def test_soft_labels_without_memory_for_the_sets_near_the_best_are_those_of_the_best(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sentences, references = make_document(5, 13)
    best = oraclesum.enumerate_oracles(sentences, references, rouge=SUM)
    path = tmp_path / "in.jsonl"
    path.write_bytes(orjson.dumps({"id": "x", "sentences": sentences, "references": references}))
    command = ("labels", path, "--objective", SUM.objective, "--no-stem", "--within", "0.3")
    for module in (objective, enumeration):
        monkeypatch.setattr(module, "MAX_MEMORY", 100_000)
    done = call(*command, "--max-sentences", "13", "-q")
    (record,) = records(done.stdout)
    assert record["status"] == "memory_limit"
    assert record["soft_labels"] == pytest.approx(best.inclusion)


def test_a_sum_across_joints_looks_at_no_more_nodes_than_there_are_sets() -> None:
    a, b, c = "w0 w2 w9 w4", "w1 w1 w5", "w1 w10 w0 w4 w3 w0 w3"
    d, e, f = "w2 w11", "w14 w1 w0 w0", "w1 w0"
    sentences = [a, a, b, b, c, a, d, b, e, e, e, b, c, f]
    references = [["w1 w2 w11 w6 w2 w0 w1 w7 w0", "w11 w4 w3 w7", "w3 w0 w10 w0", "w0 w1 w14"]]
    rouge = oraclesum.Rouge(
        "2*r2-f1+r2-f1+r1-f2", tokenizer="whitespace", stem=False, boundaries="across"
    )
    # Sixty million nodes and no end, if it begins anew at every cut.
    found = oraclesum.enumerate_oracles(
        sentences, references, rouge=rouge, max_sentences=10, time_limit=60
    )
    known = oraclesum.enumerate_oracles(
        sentences, references, rouge=rouge, max_sentences=10, method="exhaustive"
    )
    assert found.status is oraclesum.Status.COMPLETE
    assert (found.value, list(found)) == (known.value, list(known))
    assert found.checked < 4 * known.checked
