"""`--required` and `--forbidden`: sentences that every summary, or none, contains."""

from __future__ import annotations

import pytest

import oraclesum
from cli.corpus import GOOD, call, jsonl, records

CHOICE = ("--max-sentences", "2", "--required", "1", "--forbidden", "0")


@pytest.mark.parametrize("verb", ["enumerate", "labels", "extract", "compare"])
def test_every_summary_has_the_required_and_no_forbidden_sentence(verb: str) -> None:
    done = call(verb, "-", *CHOICE, "--objective", "r1-f1", data=jsonl(GOOD))
    assert done.exit_code == 0, done.stderr
    family = oraclesum.enumerate_oracles(
        GOOD["sentences"],
        GOOD["references"],
        rouge="r1-f1",
        max_sentences=2,
        required=[1],
        forbidden=[0],
    )
    free = oraclesum.enumerate_oracles(
        GOOD["sentences"], GOOD["references"], rouge="r1-f1", max_sentences=2
    )
    assert list(family) != list(free)
    record = records(done.stdout)[0]
    found = record.get("oracles") or [record.get("oracle") or record["oracle_ids"]]
    assert [tuple(each) for each in found] == list(family)[: len(found)]
    assert record["value"] == str(family.value)
    assert "required=1,forbidden=0" in record["signature"]
    assert "sentence 1 required, sentence 0 forbidden" in done.stderr


def test_a_record_without_that_sentence_is_an_error_of_its_own() -> None:
    short = {**GOOD, "id": "short", "sentences": GOOD["sentences"][:1], "systems": {}}
    done = call("enumerate", "-", *CHOICE[:4], data=jsonl(GOOD, short))
    good, bad = records(done.stdout)
    assert done.exit_code == 1
    assert good["status"] == "complete"
    assert "required: there is no sentence 1 of 1" in bad["error"]


def test_what_is_no_index_is_a_usage_error() -> None:
    done = call("enumerate", "-", "--max-words", "9", "--required", "first", data=jsonl(GOOD))
    assert done.exit_code == 2
    assert "no list of sentence indices such as 0,3" in done.stderr


def test_a_preset_keeps_its_length_if_only_sentences_are_chosen() -> None:
    done = call("enumerate", "-", "--objective", "presumm", "--required", "1", data=jsonl(GOOD))
    (record,) = records(done.stdout)
    assert "limit:sentences<=3,required=1" in record["signature"]
    family = oraclesum.enumerate_oracles(
        GOOD["sentences"], GOOD["references"], rouge="presumm", required=[1]
    )
    assert "limit:sentences<=3,required=1" in family.signature
