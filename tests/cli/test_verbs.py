"""What each verb writes, checked against the library."""

from __future__ import annotations

from pathlib import Path

import pytest

import oraclesum
from cli.corpus import GOOD, call, jsonl, records
from oraclesum.cli.entry import VERBS

LIMIT = ("--max-words", "8")
WORDS = {"max_words": 8}


def test_enumerate_writes_what_the_library_finds() -> None:
    (record,) = records(call("enumerate", "-", *LIMIT, data=jsonl(GOOD)).stdout)
    family = oraclesum.enumerate_oracles(GOOD["sentences"], GOOD["references"], **WORDS)
    assert record == {
        "id": "cats",
        "status": "complete",
        "hits": family.hits,
        "total": family.total,
        "value": str(family.value),
        "score": family.score,
        "count": family.count,
        "oracles": [list(oracle) for oracle in family],
        "inclusion": family.inclusion,
        "upper_bound": family.upper_bound,
        "checked": family.checked,
        "method": "search",
        "signature": family.signature,
    }
    assert record["hits"] > 0
    assert "rouge:2" in record["signature"]
    assert "limit:words<=8" in record["signature"]


def test_every_setting_reaches_the_library() -> None:
    options = ["--rouge", "1", "--no-stem", "--remove-stopwords", "--max-sentences", "2"]
    options += ["--family", "minimal", "--within-hits", "1", "--method", "exhaustive"]
    (record,) = records(call("enumerate", "-", *options, data=jsonl(GOOD)).stdout)
    rouge = oraclesum.Rouge(n=1, stem=False, remove_stopwords=True)
    family = oraclesum.enumerate_oracles(
        GOOD["sentences"],
        GOOD["references"],
        rouge=rouge,
        max_sentences=2,
        family="minimal",
        within_hits=1,
        method="exhaustive",
    )
    assert [tuple(oracle) for oracle in record["oracles"]] == list(family)
    assert record["signature"] == family.signature


def test_list_bounds_what_is_written_and_not_the_count() -> None:
    topic = {"id": "t", "sentences": ["a b"] * 6, "references": ["a b"]}
    data = jsonl(topic)
    (record,) = records(call("enumerate", "-", "--max-words", "6", "--list", "3", data=data).stdout)
    assert record["status"] == "list_limit"
    assert record["count"] == 6 + 15 + 20
    assert len(record["oracles"]) == 3
    assert record["inclusion"] == [pytest.approx((1 + 5 + 10) / 41)] * 6
    (record,) = records(call("enumerate", "-", "--max-words", "6", "--list", "0", data=data).stdout)
    assert (record["oracles"], record["count"]) == ([], 41)


def test_counts_beyond_two_to_the_53_are_decimal_strings() -> None:
    topic = {"id": "t", "sentences": ["a b"] * 60, "references": ["a b"]}
    done = call("enumerate", "-", "--max-words", "120", "--list", "1", data=jsonl(topic))
    (record,) = records(done.stdout)
    assert record["count"] == str(2**60 - 1)
    assert record["inclusion"] == [pytest.approx(0.5)] * 60


def test_references_one_by_one_give_a_record_each() -> None:
    done = call("enumerate", "-", *LIMIT, "--references", "single", data=jsonl(GOOD))
    rows = records(done.stdout)
    assert [(row["id"], row["reference"]) for row in rows] == [("cats", 0), ("cats", 1)]
    for row, reference in zip(rows, GOOD["references"], strict=True):
        family = oraclesum.enumerate_oracles(GOOD["sentences"], [reference], **WORDS)
        assert (row["hits"], row["total"]) == (family.hits, family.total)


def test_text_is_split_and_the_output_shows_the_sentences() -> None:
    topic = {"id": "t", "text": "The cat sat. Dogs bark at night.", "references": ["The cat sat."]}
    (record,) = records(call("enumerate", "-", *LIMIT, data=jsonl(topic)).stdout)
    assert record["sentences"] == ["The cat sat.", "Dogs bark at night."]
    assert record["oracles"][0] == [0]
    assert "split:nupunkt" in record["signature"]


def test_the_language_of_a_record_counts_unless_one_is_given_for_all() -> None:
    topic = {**GOOD, "language": "fr"}
    (own,) = records(call("enumerate", "-", *LIMIT, data=jsonl(topic)).stdout)
    (given,) = records(call("enumerate", "-", *LIMIT, "--language", "en", data=jsonl(topic)).stdout)
    assert "lang:fr" in own["signature"]
    assert "lang:en" in given["signature"]


@pytest.mark.parametrize(
    "method", ["search", "ilp", "paper", "exhaustive", "greedy", "genetic", "pairwise"]
)
def test_extract_gives_the_text_in_document_order_with_its_rouge(method: str) -> None:
    done = call("extract", "-", "--max-words", "11", "--method", method, data=jsonl(GOOD))
    assert done.exit_code == 0, done.stderr
    (record,) = records(done.stdout)
    assert record["oracle"] == sorted(record["oracle"])
    assert record["summary"] == [GOOD["sentences"][i] for i in record["oracle"]]
    score = oraclesum.score(record["summary"], GOOD["references"], oraclesum.Rouge())
    assert record["rouge"]["hits"] == score.hits >= record["hits"] > 0
    assert record["rouge"]["recall"] == score.recall
    assert record["method"] == method


def test_score_rates_every_system_of_a_record() -> None:
    written = records(call("score", "-", "--rouge", "1", data=jsonl(GOOD)).stdout)
    rows, means = written[:3], written[3:]
    assert [row["system"] for row in rows] == ["first", "texts", "text"]
    assert [(row["system"], row["status"]) for row in means] == [
        (name, "average") for name in ("first", "texts", "text")
    ]
    assert [row["rlsum"] for row in means] == [row["rlsum"] for row in rows]  # of one topic
    texts = [GOOD["sentences"][0], GOOD["sentences"][2], GOOD["sentences"][1]]
    for row, text in zip(rows, texts, strict=True):
        score = oraclesum.score([text], GOOD["references"], oraclesum.Rouge(n=1))
        assert (row["hits"], row["reference_total"]) == (score.hits, score.reference_total)
        assert (row["recall"], row["precision"], row["f1"]) == (
            score.recall,
            score.precision,
            score.f1,
        )
        assert row["signature"] == score.signature


def test_score_needs_systems() -> None:
    done = call("score", "-", data=jsonl({**GOOD, "systems": {}}))
    assert done.exit_code == 1
    assert "no `systems` to score" in records(done.stdout)[0]["error"]


def test_score_takes_plain_files(tmp_path: Path) -> None:
    for name, text in {"mine": "A cat.\nIt sat.", "a": "A cat sat.", "b": "It sat."}.items():
        (tmp_path / name).write_text(text)
    files = [
        "--summary",
        tmp_path / "mine",
        "--reference",
        tmp_path / "a",
        "--reference",
        tmp_path / "b",
    ]
    record, mean = records(call("score", *files).stdout)
    assert mean["f1"] == record["f1"]
    assert (record["system"], record["reference_total"]) == (str(tmp_path / "mine"), 3)
    best, _ = records(call("score", *files, "--aggregate", "best").stdout)
    assert (best["hits"], best["reference_total"]) == (1, 1)
    within, _ = records(call("score", *files, "--within-sentences").stdout)
    assert within["summary_total"] < record["summary_total"]


def test_count_tells_feasible_summaries_and_oracles() -> None:
    (record,) = records(call("count", "-", *LIMIT, data=jsonl(GOOD)).stdout)
    lengths = [len(sentence.split()) for sentence in GOOD["sentences"]]
    assert record["candidates"] == 3
    assert record["feasible"] == oraclesum.count_feasible(lengths, 8)
    family = oraclesum.enumerate_oracles(GOOD["sentences"], GOOD["references"], **WORDS)
    assert (record["status"], record["count"]) == ("complete", family.count)
    (bare,) = records(call("count", "-", *LIMIT, "--no-oracles", data=jsonl(GOOD)).stdout)
    assert "count" not in bare
    assert bare["feasible"] == record["feasible"]


def test_count_gives_what_time_suffices_for() -> None:
    topic = {"id": "t", "sentences": [f"a b{' c' * k}" for k in range(40)], "references": ["a b"]}
    options = ["--max-words", "60", "--time-limit", "1e-9"]
    (record,) = records(call("count", "-", *options, data=jsonl(topic)).stdout)
    assert (record["status"], record["candidates"], record["feasible"]) == ("time_limit", 40, None)


def test_candidates_of_an_objective_fit_the_limit() -> None:
    topic = {"id": "t", "sentences": ["a b", "a b c d e f"], "references": ["a b"]}
    options = ["--max-words", "3", "--objective", "r1-f1"]
    (record,) = records(call("count", "-", *options, data=jsonl(topic)).stdout)
    assert (record["candidates"], record["feasible"], record["count"]) == (1, 1, 1)


def test_count_needs_no_limit_if_the_objective_needs_none() -> None:
    topic = {"id": "t", "sentences": ["a b", "c d", "a d", "x"], "references": ["a b c d"]}
    options = ["--objective", "r1-f1"]
    (record,) = records(call("count", "-", *options, data=jsonl(topic)).stdout)
    assert (record["status"], record["candidates"], record["feasible"]) == ("complete", 3, 7)
    assert record["count"] == 1


def test_count_leaves_out_what_is_shorter_than_a_preset_asks_for() -> None:
    topic = {"id": "t", "sentences": ["a b"] * 5, "references": ["a b c d"]}
    options = ["--objective", "matchsum"]  # two or three sentences
    (record,) = records(call("count", "-", *options, data=jsonl(topic)).stdout)
    assert (record["candidates"], record["feasible"]) == (5, 10 + 10)


def test_compare_gives_a_record_per_method() -> None:
    done = call("compare", "-", *LIMIT, "--methods", "greedy,paper,ilp", data=jsonl(GOOD))
    rows = records(done.stdout)
    assert [row["method"] for row in rows] == ["greedy", "paper", "ilp"]
    greedy, paper, ilp = rows
    assert paper["proven"]
    assert ilp["proven"]
    assert greedy["hits"] <= paper["hits"] == ilp["hits"]
    assert (greedy["count"], ilp["count"]) == (None, None)
    assert paper["count"] >= 1


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(verb: str) -> None:
    done = call(verb, "--help")
    assert done.exit_code == 0
    assert "Examples:" in done.stdout
    assert f"  oraclesum {verb} " in done.stdout


def test_the_command_without_arguments_shows_help_and_the_version_is_told() -> None:
    assert "Verbs:" in call("--help").stdout
    assert call("--version").stdout == f"oraclesum {oraclesum.__version__}\n"


def test_an_unknown_verb_gets_the_near_one() -> None:
    done = call("label", "demo")
    assert done.exit_code == 2
    assert "There is no verb 'label'. Did you mean labels?" in done.stderr
